// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/verify.h"

#include <algorithm>
#include <map>

namespace poet::firmware {
namespace {

/// Replays the instructions on a model of the arena. Each method returns the broken rule, or an empty text.
class Prover {
public:
    explicit Prover(const Program& program) : m_program(program), m_tensors(program.nodes.size()), m_isWritten(program.pages.size(), false) {}

    Expected<ProgramFacts> run()
    {
        if (std::string broken = checkTables(); !broken.empty())
            return fail(ErrorCode::InvalidSchedule, "The program is broken: " + broken + ".");
        for (m_at = 0; m_at < m_program.code.size(); ++m_at) {
            const std::size_t here = m_at;
            if (std::string broken = m_hasEnded ? "instructions follow END" : execute(m_program.code[m_at]); !broken.empty())
                return fail(ErrorCode::InvalidSchedule, "Instruction " + std::to_string(here) + " (" + std::string(name(m_program.code[here].op)) + " " +
                                                            std::to_string(m_program.code[here].id) + ") breaks a rule: " + broken + ".");
        }
        if (!m_hasEnded)
            return fail(ErrorCode::InvalidSchedule, "The program has no END.");
        if (std::string broken = checkFacts(); !broken.empty())
            return fail(ErrorCode::InvalidSchedule, "The header is wrong: " + broken + ".");
        return m_facts;
    }

private:
    enum class State { Absent, Resident, Coming, Leaving };
    struct Tensor {
        State state = State::Absent;
        std::uint32_t offset = 0;
        bool hasRun = false;
    };

    std::uint64_t rounded(std::uint64_t bytes) const { return (bytes + m_program.alignment - 1) / m_program.alignment * m_program.alignment; }

    std::string checkTables()
    {
        if (m_program.alignment < 4 || (m_program.alignment & (m_program.alignment - 1)) != 0 || m_program.pageBlockBytes == 0)
            return "alignment or block size is impossible";
        if (const std::string broken = checkRegions(); !broken.empty())
            return broken;
        std::uint64_t blocks = 0;
        std::vector<bool> hasPage(m_tensors.size(), false);
        for (const std::uint16_t tensor : m_program.pages) {
            if (tensor >= m_tensors.size() || hasPage[tensor])
                return "the pages name tensor " + std::to_string(tensor) + ", which does not exist or has one already";
            hasPage[tensor] = true;
            blocks += (m_program.nodes[tensor].bytes + std::uint64_t{m_program.pageBlockBytes} - 1) / m_program.pageBlockBytes;
        }
        return blocks == m_program.storeBlocks ? "" : "the pages need " + std::to_string(blocks) + " blocks";
    }

    std::string checkRegions() const
    {
        std::uint64_t sum = 0;
        for (const ArenaRegion& region : m_program.regions) {
            if (region.bytes <= 0 || region.bytes % m_program.alignment != 0)
                return "a memory of the arena has an impossible size";
            sum += static_cast<std::uint64_t>(region.bytes);
        }
        return m_program.regions.empty() || (m_program.regions.size() > 1 && sum == m_program.arenaBytes) ? "" : "its memories are not the arena";
    }

    std::string execute(const Instruction& i)
    {
        const bool isAll = i.id == kAll && (i.op == OpCode::Wait || i.op == OpCode::Update);
        const bool isPlain = i.op == OpCode::Mark || i.op == OpCode::End;
        if (!isAll && !isPlain && i.op != OpCode::Ext && i.id >= m_tensors.size())
            return "there is no such tensor";
        ++m_records;
        switch (i.op) {
        case OpCode::Compute: return runNode(i, false);
        case OpCode::Recompute: return runNode(i, true);
        case OpCode::PageOut: return pageOut(i);
        case OpCode::PageIn:
        case OpCode::Prefetch: return pageIn(i);
        case OpCode::Wait: return wait(i);
        case OpCode::Free: return release(i);
        case OpCode::Update: return update(i);
        case OpCode::Mark: return "";
        case OpCode::End: return end(i);
        case OpCode::Ext: return "it is an operand without an instruction";
        }
        return "there is no such instruction";
    }

    /// The operand behind the current instruction, if there is one; steps over it.
    std::optional<std::uint32_t> operand()
    {
        if (m_at + 1 >= m_program.code.size() || m_program.code[m_at + 1].op != OpCode::Ext || m_program.code[m_at + 1].id != 1)
            return std::nullopt;
        return m_program.code[++m_at].arg;
    }

    std::string place(std::uint16_t id, std::uint32_t offset, std::uint64_t bytes, const char* what)
    {
        if (offset % m_program.alignment != 0)
            return std::string(what) + " is not aligned";
        if (offset > m_program.arenaBytes || bytes > m_program.arenaBytes - offset)
            return std::string(what) + " ends behind the arena";
        if (bytes == 0)
            return "";
        if (regionOf(offset) != regionOf(offset + bytes - 1))
            return std::string(what) + " lies in two memories";
        auto next = m_live.lower_bound(offset);
        if (next != m_live.end() && next->first < offset + bytes)
            return std::string(what) + " overlaps tensor " + std::to_string(next->second.second);
        if (next != m_live.begin() && std::prev(next)->second.first > offset)
            return std::string(what) + " overlaps tensor " + std::to_string(std::prev(next)->second.second);
        m_live.emplace(offset, std::pair(offset + bytes, id));
        m_liveBytes += bytes;
        m_facts.highWaterBytes = std::max(m_facts.highWaterBytes, static_cast<std::uint32_t>(offset + bytes));
        m_facts.peakBytes = std::max(m_facts.peakBytes, static_cast<std::uint32_t>(m_liveBytes));
        return "";
    }

    /// Number of the memory that holds this byte of the arena.
    std::size_t regionOf(std::uint64_t offset) const
    {
        std::size_t region = 0;
        for (std::uint64_t end = 0; region + 1 < m_program.regions.size(); ++region)
            if (offset < (end += static_cast<std::uint64_t>(m_program.regions[region].bytes)))
                break;
        return region;
    }

    /// What moves while a kernel runs lies where DMA reaches.
    bool isInReach(std::uint16_t id) const
    {
        return m_program.regions.empty() || m_program.nodes[id].bytes == 0 || m_program.regions[regionOf(m_tensors[id].offset)].hasDma;
    }

    void lift(std::uint32_t offset, std::uint64_t bytes)
    {
        if (bytes == 0)
            return;
        m_live.erase(offset);
        m_liveBytes -= bytes;
    }

    std::string arrive(const Instruction& i, State state)
    {
        Tensor& tensor = m_tensors[i.id];
        if (tensor.state != State::Absent)
            return "the tensor is in RAM already";
        if (std::string broken = place(i.id, i.arg, rounded(m_program.nodes[i.id].bytes), "the tensor"); !broken.empty())
            return broken;
        tensor.state = state;
        tensor.offset = i.arg;
        return "";
    }

    std::string runNode(const Instruction& i, bool isAgain)
    {
        const ProgramNode& node = m_program.nodes[i.id];
        if (m_isUpdated)
            return "parameters have been updated";
        if (node.isInput)
            return "an input cannot be computed";
        if (isAgain ? !m_tensors[i.id].hasRun || !node.mayRunAgain || node.isBackward : m_tensors[i.id].hasRun)
            return isAgain ? "the node may not run again" : "the node has run before";
        for (const std::uint16_t input : node.inputs)
            if (m_tensors[input].state == State::Absent || m_tensors[input].state == State::Coming)
                return "its input, tensor " + std::to_string(input) + ", is not in RAM";
        const auto work = operand();
        if (work.has_value() != (node.workBytes > 0))
            return "the workspace is missing, or there is one too many";
        if (std::string broken = arrive(i, State::Resident); !broken.empty())
            return broken;
        if (work) {
            if (std::string broken = place(i.id, *work, rounded(node.workBytes), "the workspace"); !broken.empty())
                return broken;
            lift(*work, rounded(node.workBytes));
        }
        m_tensors[i.id].hasRun = true;
        m_facts.recomputes += isAgain ? 1 : 0;
        return "";
    }

    std::string pageOut(const Instruction& i)
    {
        Tensor& tensor = m_tensors[i.id];
        if (tensor.state != State::Resident)
            return "the tensor is not in RAM, or on its way";
        if (i.arg >= m_program.pages.size() || m_program.pages[i.arg] != i.id)
            return "page " + std::to_string(i.arg) + " is not the tensor's";
        m_isWritten[i.arg] = true;
        m_facts.outBytes += m_program.nodes[i.id].bytes;
        if ((i.flags & kFlagAsync) == 0)
            return "";
        tensor.state = State::Leaving;
        return isInReach(i.id) ? "" : "DMA does not reach the tensor's memory";
    }

    std::string pageIn(const Instruction& i)
    {
        const auto given = operand();
        if (given == kInputPage) {
            if (!m_program.nodes[i.id].isInput)
                return "the tensor does not come from the caller";
            return arrive(i, State::Resident);
        }
        const auto page = given ? std::size_t{*given} : static_cast<std::size_t>(std::ranges::find(m_program.pages, i.id) - m_program.pages.begin());
        if (page >= m_program.pages.size() || m_program.pages[page] != i.id)
            return "the tensor has no such page";
        if (!m_isWritten[page])
            return "the page has not been written in this step";
        m_facts.inBytes += m_program.nodes[i.id].bytes;
        std::string broken = arrive(i, i.op == OpCode::Prefetch ? State::Coming : State::Resident);
        return broken.empty() && i.op == OpCode::Prefetch && !isInReach(i.id) ? "DMA does not reach the tensor's memory" : broken;
    }

    std::string wait(const Instruction& i)
    {
        const auto isFlying = [](const Tensor& tensor) { return tensor.state == State::Coming || tensor.state == State::Leaving; };
        if (i.id != kAll && !isFlying(m_tensors[i.id]))
            return "the tensor is not on its way";
        if (i.id == kAll && std::ranges::none_of(m_tensors, isFlying))
            return "nothing is on its way";
        for (std::size_t t = 0; t < m_tensors.size(); ++t)
            if ((i.id == kAll || t == i.id) && isFlying(m_tensors[t]))
                m_tensors[t].state = State::Resident;
        return "";
    }

    std::string release(const Instruction& i)
    {
        Tensor& tensor = m_tensors[i.id];
        if (tensor.state != State::Resident)
            return "the tensor is not in RAM, or on its way";
        lift(tensor.offset, rounded(m_program.nodes[i.id].bytes));
        tensor.state = State::Absent;
        return "";
    }

    /// All parameters at once, after everything that reads one or makes a gradient.
    std::string update(const Instruction& i)
    {
        if (m_isUpdated)
            return "parameters were updated before";
        if (i.id != kAll)
            return "only all parameters together are updated";
        for (std::size_t t = 0; t < m_tensors.size(); ++t)
            if (!m_tensors[t].hasRun && !m_program.nodes[t].isInput)
                return "node " + std::to_string(t) + " has not run yet";
        m_isUpdated = true;
        return "";
    }

    std::string end(const Instruction& i)
    {
        for (std::size_t t = 0; t < m_tensors.size(); ++t) {
            if (m_tensors[t].state != State::Absent)
                return "tensor " + std::to_string(t) + " is left";
            if (!m_tensors[t].hasRun && !m_program.nodes[t].isInput)
                return "node " + std::to_string(t) + " has not run";
        }
        if (i.arg + 1 != m_records)
            return "it counts " + std::to_string(i.arg) + " instructions instead of " + std::to_string(m_records - 1);
        m_hasEnded = true;
        return "";
    }

    std::string checkFacts() const
    {
        if (m_facts.outBytes != m_program.outBytes || m_facts.inBytes != m_program.inBytes)
            return "it moves " + std::to_string(m_facts.outBytes) + " B out and " + std::to_string(m_facts.inBytes) + " B in";
        if (m_facts.peakBytes != m_program.lowerBoundBytes)
            return "its peak is " + std::to_string(m_facts.peakBytes) + " B";
        if (m_facts.highWaterBytes > m_program.arenaBytes)
            return "it uses " + std::to_string(m_facts.highWaterBytes) + " B";
        return "";
    }

    const Program& m_program;
    std::vector<Tensor> m_tensors;
    std::vector<bool> m_isWritten;
    std::map<std::uint32_t, std::pair<std::uint64_t, std::uint16_t>> m_live;  ///< offset -> end, tensor
    std::uint64_t m_liveBytes = 0;
    std::size_t m_at = 0;
    std::uint32_t m_records = 0;
    bool m_isUpdated = false, m_hasEnded = false;
    ProgramFacts m_facts;
};

}  // namespace

Expected<ProgramFacts> verifyProgram(const Program& program)
{
    return Prover(program).run();
}

}  // namespace poet::firmware
