// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/program.h"

#include "core/export/firmware/placing.h"
#include "core/export/firmware/sha256.h"

#include <algorithm>
#include <array>

namespace poet::firmware {
namespace {

constexpr std::int64_t kMost = 0x7FFFFFFF;

/// Turns steps into instructions, one after the other.
class Lowering {
public:
    Lowering(const CostGraph& graph, const Plan& plan, const LowerOptions& options) : m_graph(graph), m_plan(plan), m_options(options) {}

    Expected<Program> run()
    {
        POET_CHECK(describeNodes());
        POET_TRY(placing, placeBuffers(m_graph, m_plan, m_options, m_out));
        m_placing = std::move(placing);
        const auto& steps = m_plan.replay.schedule.steps;
        for (std::size_t i = 0; i < steps.size(); ++i)
            add(steps[i], i);
        finish();
        return std::move(m_out);
    }

private:
    Expected<void> describeNodes()
    {
        if (!m_plan.hasSchedule())
            return fail(ErrorCode::InvalidSchedule, "There is no schedule to export (status " + std::string(poet::name(m_plan.status)) + ").",
                        "Solve with a larger memory or deadline.");
        if (m_graph.size() > 0x3FFE)
            return fail(ErrorCode::InvalidSchedule, "The graph has " + std::to_string(m_graph.size()) + " nodes; the firmware formats hold at most 16382.");
        m_out.name = m_graph.name;
        m_out.modelHash = modelHash(m_graph);
        m_out.alignment = std::max<std::uint32_t>({4, m_options.alignment, static_cast<std::uint32_t>(m_graph.device.alignment)});
        m_out.pageBlockBytes = m_options.pageBlockBytes;
        m_out.eraseBlockBytes = m_options.eraseBlockBytes;
        // The interpreter keeps four bits beside each offset; beyond 1 GiB they come from the alignment.
        if (m_plan.replay.peakBytes > kMost / 2 - (1 << 20))
            m_out.alignment = std::max<std::uint32_t>(m_out.alignment, 16);
        for (const CostNode& node : m_graph.nodes) {
            const std::size_t index = m_out.nodes.size();
            const std::int64_t work = m_options.workBytes.empty() ? node.workspaceBytes : m_options.workBytes[index];
            if (node.bytes > kMost || work > kMost)
                return fail(ErrorCode::InvalidSchedule, "The tensor of '" + node.name + "' is over 2 GiB; the firmware formats are 32 bits wide.");
            const bool isInput = m_options.inputOf.empty() ? node.inputs.empty() && node.phase == Phase::Forward : m_options.inputOf[index] >= 0;
            ProgramNode out{static_cast<std::uint32_t>(node.bytes), static_cast<std::uint32_t>(work), {}, isInput,
                            node.phase == Phase::Backward, m_graph.mayRecompute(static_cast<NodeId>(index), m_plan.transfer)};
            for (const NodeId input : node.inputs)
                out.inputs.push_back(static_cast<std::uint16_t>(input));
            m_out.nodes.push_back(std::move(out));
        }
        return {};
    }

    void emit(OpCode op, std::uint16_t id, std::uint32_t arg, std::uint8_t flags = 0) { m_out.code.push_back({op, flags, id, arg}); }

    std::uint32_t offsetAt(std::size_t step) const
    {
        const auto found = m_placing.tensors.find(step);
        return found == m_placing.tensors.end() ? 0 : found->second;
    }

    void add(const Step& step, std::size_t index)
    {
        const auto id = static_cast<std::uint16_t>(step.node);
        const ProgramNode& node = m_out.nodes[id];
        switch (step.kind) {
        case StepKind::Compute:
        case StepKind::Recompute:
            if (node.isInput) {
                emit(OpCode::PageIn, id, offsetAt(index));
                emit(OpCode::Ext, 1, kInputPage);
            } else {
                emit(step.kind == StepKind::Compute ? OpCode::Compute : OpCode::Recompute, id, offsetAt(index));
                if (const auto work = m_placing.workspaces.find(index); work != m_placing.workspaces.end())
                    emit(OpCode::Ext, 1, work->second);
            }
            if (step.kind == StepKind::Compute)
                endTransfers();
            break;
        case StepKind::PageOut: pageOut(step); break;
        case StepKind::PageIn:
            m_out.inBytes += node.bytes;
            if (isConcurrent(step)) {
                emit(OpCode::Prefetch, id, offsetAt(index));
                m_flying.push_back(id);
            } else {
                emit(OpCode::PageIn, id, offsetAt(index));
            }
            break;
        case StepKind::Free: emit(OpCode::Free, id, 0); break;
        }
    }

    /// Transfers that overlap with compute; in the paper model they take no time, so they simply happen at their place.
    bool isConcurrent(const Step& step) const
    {
        return m_plan.transfer == TransferModel::Dma && step.mode != TransferMode::Blocking;
    }

    void pageOut(const Step& step)
    {
        const auto id = static_cast<std::uint16_t>(step.node);
        auto page = std::ranges::find(m_out.pages, id);
        if (page == m_out.pages.end())
            page = m_out.pages.insert(m_out.pages.end(), id);
        m_out.outBytes += m_out.nodes[id].bytes;
        emit(OpCode::PageOut, id, static_cast<std::uint32_t>(page - m_out.pages.begin()), isConcurrent(step) ? kFlagAsync : 0);
        if (isConcurrent(step))
            m_flying.push_back(id);
    }

    /// Everything that moved behind a main node has arrived when it ends.
    void endTransfers()
    {
        if (m_flying.size() > 1)
            emit(OpCode::Wait, kAll, 0);
        else if (m_flying.size() == 1)
            emit(OpCode::Wait, m_flying.front(), 0);
        m_flying.clear();
    }

    void finish()
    {
        std::vector<bool> isLive(m_out.nodes.size(), false);
        for (const Instruction& i : m_out.code)
            if (i.op == OpCode::Free)
                isLive[i.id] = false;
            else if (i.op == OpCode::Compute || i.op == OpCode::Recompute || i.op == OpCode::PageIn || i.op == OpCode::Prefetch)
                isLive[i.id] = true;
        for (std::size_t id = 0; id < isLive.size(); ++id)
            if (isLive[id])
                emit(OpCode::Free, static_cast<std::uint16_t>(id), 0);
        orderFrees();
        if (m_options.hasUpdate)
            emit(OpCode::Update, kAll, 0);
        const auto records = std::ranges::count_if(m_out.code, [](const Instruction& i) { return i.op != OpCode::Ext; });
        emit(OpCode::End, 0, static_cast<std::uint32_t>(records));
        std::uint64_t blocks = 0;
        for (const std::uint16_t tensor : m_out.pages)
            blocks += (m_out.nodes[tensor].bytes + std::uint64_t{m_out.pageBlockBytes} - 1) / m_out.pageBlockBytes;
        m_out.storeBlocks = static_cast<std::uint32_t>(blocks);
        if (m_out.eraseBlockBytes > 0)
            m_out.erases = static_cast<std::uint32_t>((blocks * m_out.pageBlockBytes + m_out.eraseBlockBytes - 1) / m_out.eraseBlockBytes);
        m_out.joules = static_cast<float>(m_plan.replay.energyJoules);
        m_out.seconds = static_cast<float>(m_plan.replay.seconds);
    }

    /// Frees just behind a run in the order of its inputs: the packed form folds them into the run.
    void orderFrees()
    {
        for (std::size_t i = 0; i < m_out.code.size(); ++i) {
            if (m_out.code[i].op != OpCode::Compute && m_out.code[i].op != OpCode::Recompute)
                continue;
            const auto& inputs = m_out.nodes[m_out.code[i].id].inputs;
            std::size_t first = i + 1;
            while (first < m_out.code.size() && m_out.code[first].op == OpCode::Ext)
                ++first;
            std::size_t last = first;
            while (last < m_out.code.size() && m_out.code[last].op == OpCode::Free)
                ++last;
            std::stable_sort(m_out.code.begin() + static_cast<std::ptrdiff_t>(first), m_out.code.begin() + static_cast<std::ptrdiff_t>(last),
                             [&](const Instruction& a, const Instruction& b) {
                                 return std::ranges::find(inputs, a.id) - inputs.begin() < std::ranges::find(inputs, b.id) - inputs.begin();
                             });
        }
    }

    const CostGraph& m_graph;
    const Plan& m_plan;
    const LowerOptions& m_options;
    Program m_out;
    Placing m_placing;
    std::vector<std::uint16_t> m_flying;
};

}  // namespace

std::string_view name(OpCode code)
{
    static constexpr std::array<std::string_view, 12> names{"", "COMPUTE", "RECOMPUTE", "PAGE_OUT", "PAGE_IN", "PREFETCH",
                                                            "WAIT", "FREE", "UPDATE", "MARK", "END", "EXT"};
    const auto index = static_cast<std::size_t>(code);
    return index < names.size() ? names[index] : names[0];
}

std::vector<std::uint32_t> Program::pageBlocks() const
{
    std::vector<std::uint32_t> blocks;
    std::uint32_t next = 0;
    for (const std::uint16_t tensor : pages) {
        blocks.push_back(next);
        next += (nodes[tensor].bytes + pageBlockBytes - 1) / pageBlockBytes;
    }
    return blocks;
}

std::uint64_t modelHash(const CostGraph& graph)
{
    CostGraph bare = graph;
    bare.device = {};
    for (CostNode& node : bare.nodes)
        node.compute = node.pageIn = node.pageOut = Cost{};
    const auto digest = sha256(toJson(bare));
    std::uint64_t hash = 0;
    for (int i = 7; i >= 0; --i)
        hash = hash << 8 | digest[static_cast<std::size_t>(i)];
    return hash;
}

Expected<Program> lower(const CostGraph& graph, const Plan& plan, const LowerOptions& options)
{
    auto program = Lowering(graph, plan, options).run();
    // Offsets of two bytes make the packed form a fifth smaller; a coarser alignment that costs no arena gives them.
    constexpr std::uint32_t kMostUnits = 0xFFFF;
    constexpr std::uint32_t kCoarsest = 64;
    LowerOptions coarse = options;
    if (!program || program->arenaBytes / program->alignment <= kMostUnits)
        return program;
    for (coarse.alignment = program->alignment; program->arenaBytes / coarse.alignment > kMostUnits;)
        coarse.alignment *= 2;
    if (coarse.alignment > kCoarsest)
        return program;
    auto other = Lowering(graph, plan, coarse).run();
    return other && other->arenaBytes <= program->arenaBytes ? std::move(other) : std::move(program);
}

}  // namespace poet::firmware
