// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/program.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace poet::planning {
namespace {

/// Keep-all energy on the scaled objective: far above the solver's absolute tolerance of 1e-7 (planning.md, "Conditioning").
constexpr double kScaledEnergy = 1e4;
/// Sizes are divided so that the budget is at most this many units; finer units only add rounding noise.
constexpr double kLargestUnits = 1e6;

}  // namespace

Program::Program(const Problem& problem, const ProblemFacts& facts, const Choices& choices, CandidateSets sets, std::function<bool()> wantsStop)
    : m_wantsStop(std::move(wantsStop)), m_problem(problem), m_graph(*problem.graph), m_charges(problem),
      m_events(findEvents(m_graph, choices, sets, m_wantsStop)), m_isTiny(choices.isTiny),
      m_consumers(m_graph.consumers()), m_tensors(m_graph.nodes.size()), m_passing(m_graph.nodes.size()),
      m_hasStageRows(m_graph.nodes.size(), false), m_memoryLimits(m_graph.nodes.size()), m_isRestricted(sets == CandidateSets::Restricted)
{
    const double keepAllJoules = facts.keepAll.energyJoules;
    m_objectiveScale = kScaledEnergy / (keepAllJoules > 0 ? keepAllJoules : 1);
    std::int64_t gcd = 0;
    for (NodeId id = 0; id < m_graph.size(); ++id)
        gcd = std::gcd(std::gcd(gcd, bytesOf(id)), node(id).workspaceBytes);
    m_byteScale = std::max({1.0, static_cast<double>(gcd), static_cast<double>(problem.budgetBytes()) / kLargestUnits});
    m_isComplete = m_events.isComplete;
    addColumns(choices);
    addAvailabilityRows();
    addKnapsackRows();
    addTimeRows(facts);
    addStoreRows();
    m_wantsStop = {};
}

bool Program::stops()
{
    m_isComplete = m_isComplete && !(m_wantsStop && m_wantsStop());
    return !m_isComplete;
}

void Program::addColumns(const Choices& choices)
{
    for (NodeId id = 0; id < m_graph.size() && !stops(); ++id) {
        const auto& stages = m_events.stages[static_cast<std::size_t>(id)];
        auto& events = tensor(id).events;
        for (std::size_t e = 0; e < stages.size(); ++e) {
            events.push_back({.stage = stages[e]});
            if (e == 0)
                continue;
            const bool mustHold = m_isRestricted && e == 1 && stages[1] == id + 1;
            events[e].hold = m_linear.addColumn(0, mustHold ? 1 : 0, 1, true);
            if (!mustHold)
                addAcquireColumns(id, events[e], choices);
            for (int between = stages[e - 1] + 1; between < stages[e]; ++between)
                m_passing[static_cast<std::size_t>(between)].push_back(id);
        }
        addOutColumns(id, choices);
    }
}

void Program::addAcquireColumns(NodeId id, EventColumns& event, const Choices& choices)
{
    const std::size_t i = static_cast<std::size_t>(id);
    const double scale = m_objectiveScale;
    if (choices.mayRecompute[i])
        event.recompute = m_linear.addBinary(scale * m_charges.recompute(id));
    if (!choices.mayPage[i])
        return;
    if (m_problem.transfer != TransferModel::Paper || event.stage > id + 2)
        event.demand = m_linear.addBinary(scale * m_charges.pageIn(id));
    // A prefetch moves while the main node of the stage before runs; it cannot when that node reads the tensor.
    if (m_problem.transfer == TransferModel::Dma && event.stage > id + 1 && !isInput(id, event.stage - 1))
        event.prefetch = m_linear.addBinary(scale * node(id).pageIn.joules);
}

void Program::addOutColumns(NodeId id, const Choices& choices)
{
    TensorColumns& columns = tensor(id);
    if (!choices.mayPage[static_cast<std::size_t>(id)] || columns.events.size() < 2)
        return;
    if (m_problem.transfer != TransferModel::Paper)
        columns.outImmediate = m_linear.addBinary(m_objectiveScale * m_charges.pageOut(id));
    if (m_problem.transfer != TransferModel::Blocking && id + 1 < m_graph.size()) {
        columns.outBackground = m_linear.addBinary(m_objectiveScale * node(id).pageOut.joules);
        columns.source = m_linear.addBinary(0);
    }
}

std::size_t Program::eventIndex(NodeId id, int stage) const
{
    const auto& stages = m_events.stages[static_cast<std::size_t>(id)];
    return static_cast<std::size_t>(std::lower_bound(stages.begin(), stages.end(), stage) - stages.begin());
}

int Program::nextHold(NodeId id, std::size_t index) const
{
    const auto& events = tensor(id).events;
    return index + 1 < events.size() ? events[index + 1].hold : -1;
}

void Program::appendAvailability(Terms& terms, const EventColumns& event, double factor) const
{
    for (const int column : {event.hold, event.recompute, event.demand, event.prefetch})
        if (column >= 0)
            terms.emplace_back(column, factor);
}

void Program::appendUses(Terms& terms, NodeId id, int stage, double factor) const
{
    for (const NodeId consumer : m_consumers[static_cast<std::size_t>(id)]) {
        if (consumer >= stage)
            break;
        const auto& members = m_events.candidates[static_cast<std::size_t>(stage)];
        if (!std::binary_search(members.begin(), members.end(), consumer))
            continue;
        const int column = eventAt(consumer, stage).recompute;
        if (column >= 0)
            terms.emplace_back(column, factor);
    }
}

void Program::addAvailabilityRows()
{
    for (NodeId id = 0; id < m_graph.size() && !stops(); ++id) {
        for (std::size_t e = 1; e < tensor(id).events.size(); ++e)
            addEventRows(tensor(id).events[e].stage, id, e);
        addSourceRows(id);
    }
}

void Program::addEventRows(int stage, NodeId id, std::size_t index)
{
    const EventColumns& event = tensor(id).events[index];
    const bool isNeeded = isInput(id, stage);
    Terms available;
    appendAvailability(available, event, 1);
    m_linear.addRow(available, isNeeded ? 1 : -kInfinity, 1);
    const int next = nextHold(id, index);
    if (next >= 0 && !isNeeded) {
        Terms terms{{next, 1}};
        appendAvailability(terms, event, -1);
        m_linear.addRow(std::move(terms), -kInfinity, 0);
    }
    if (event.recompute >= 0)
        addRecomputeRows(stage, id, event);
    addPageRows(id, event);
    const EventColumns& before = tensor(id).events[index - 1];
    if (m_problem.transfer == TransferModel::Paper && event.demand >= 0 && before.stage == stage - 1) {
        // In RAM in the stage before, it stays there: a page-in would only repeat a hold.
        Terms terms{{event.demand, 1}};
        appendAvailability(terms, before, 1);
        m_linear.addRow(std::move(terms), -kInfinity, 1);
    }
    if (isNeeded)
        return;
    // Just in time: a page-in only for a recompute of this stage; a recompute for one, or to be held.
    if (event.demand >= 0 || event.prefetch >= 0) {
        Terms terms;
        for (const int column : {event.demand, event.prefetch})
            if (column >= 0)
                terms.emplace_back(column, 1);
        appendUses(terms, id, stage, -1);
        m_linear.addRow(std::move(terms), -kInfinity, 0);
    }
    if (event.recompute >= 0) {
        Terms terms{{event.recompute, 1}};
        appendUses(terms, id, stage, -1);
        if (next >= 0)
            terms.emplace_back(next, -1);
        m_linear.addRow(std::move(terms), -kInfinity, 0);
    }
}

void Program::addRecomputeRows(int stage, NodeId id, const EventColumns& event)
{
    for (const NodeId input : node(id).inputs) {
        if (isInput(input, stage) || isTiny(input))
            continue;  // available in any case
        Terms terms{{event.recompute, 1}};
        appendAvailability(terms, eventAt(input, stage), -1);
        m_linear.addRow(std::move(terms), -kInfinity, 0);
    }
}

void Program::addPageRows(NodeId id, const EventColumns& event)
{
    const TensorColumns& columns = tensor(id);
    const auto afterOut = [&](int column, bool isEarlyForBackground) {
        if (column < 0)
            return;
        Terms terms{{column, 1}};
        if (columns.outImmediate >= 0)
            terms.emplace_back(columns.outImmediate, -1);
        if (columns.outBackground >= 0 && !isEarlyForBackground)
            terms.emplace_back(columns.outBackground, -1);
        m_linear.addRow(std::move(terms), -kInfinity, 0);
    };
    // A background page-out ends with stage id + 1; a prefetch begins one stage before its own.
    afterOut(event.demand, event.stage <= id + 1);
    afterOut(event.prefetch, event.stage <= id + 2);
}

void Program::addSourceRows(NodeId id)
{
    const TensorColumns& columns = tensor(id);
    if (columns.outImmediate >= 0 && columns.outBackground >= 0)
        m_linear.addRow({{columns.outImmediate, 1}, {columns.outBackground, 1}}, -kInfinity, 1);
    if (columns.outBackground < 0)
        return;
    const bool hasEvent = columns.events[1].stage == id + 1;
    if (hasEvent)
        m_linear.addRow({{columns.events[1].hold, 1}, {columns.outBackground, -1}}, 0, kInfinity);
    m_linear.addRow({{columns.source, 1}, {columns.outBackground, -1}}, 0, kInfinity);
    const int hold = hasEvent ? nextHold(id, 1) : columns.events[1].hold;
    if (hold >= 0)
        m_linear.addRow({{columns.source, 1}, {hold, -1}}, 0, kInfinity);
}

std::int64_t Program::workingSetOf(int stage) const
{
    std::int64_t sum = bytesOf(stage) + node(stage).workspaceBytes;
    for (const NodeId input : node(stage).inputs)
        sum += bytesOf(input);
    return sum;
}

void Program::addKnapsackRows()
{
    for (int stage = 0; stage < m_graph.size() && !stops(); ++stage) {
        std::int64_t fixed = workingSetOf(stage);
        Terms terms;
        const auto add = [&](NodeId id, int hold) {
            const TensorColumns& columns = tensor(id);
            const int column = id == stage - 1 && columns.source >= 0 ? columns.source : hold;
            if (column >= 0 && bytesOf(id) > 0)
                terms.emplace_back(column, units(bytesOf(id)));
        };
        for (const NodeId id : m_events.candidates[static_cast<std::size_t>(stage)])
            if (!isInput(id, stage))
                add(id, nextHold(id, eventIndex(id, stage)));
        for (const NodeId id : m_passing[static_cast<std::size_t>(stage)])
            add(id, eventAt(id, stage).hold);
        if (stage + 1 < m_graph.size())
            for (const NodeId id : m_events.candidates[static_cast<std::size_t>(stage) + 1])
                if (const int prefetch = eventAt(id, stage + 1).prefetch; prefetch >= 0 && bytesOf(id) > 0)
                    terms.emplace_back(prefetch, units(bytesOf(id)));
        addRoundedRows(terms, units(m_problem.budgetBytes() - fixed));
        if (terms.empty())
            continue;
        m_memoryLimits[static_cast<std::size_t>(stage)].rows.push_back(static_cast<int>(m_linear.rows.size()));
        m_linear.addRow(std::move(terms), -kInfinity, units(m_problem.budgetBytes() - fixed));
    }
}

void Program::addRoundedRows(const Terms& terms, double limit)
{
    std::vector<double> sizes;
    for (const auto& [column, size] : terms)
        sizes.push_back(size);
    std::sort(sizes.begin(), sizes.end(), std::greater<>());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    for (const double unit : sizes) {
        Terms rounded;
        double sum = 0;
        for (const auto& [column, size] : terms)
            if (const double whole = std::floor(size / unit + 1e-9); whole > 0) {
                rounded.emplace_back(column, whole);
                sum += whole;
            }
        const double wholeLimit = std::floor(limit / unit + 1e-9);
        if (sum > wholeLimit && limit / unit - wholeLimit > 1e-6)
            m_linear.addRow(std::move(rounded), -kInfinity, wholeLimit);
    }
}

void Program::addTimeRows(const ProblemFacts& facts)
{
    if (stops())
        return;  // columns may be missing
    const bool isDma = m_problem.transfer == TransferModel::Dma;
    Terms total;
    std::vector<Terms> behind(m_graph.nodes.size());  // transfers behind the main node, per stage
    const auto add = [&](Terms& terms, int column, double seconds) {
        if (column >= 0 && seconds > 0)
            terms.emplace_back(column, seconds / std::max(facts.keepAll.seconds, 1e-30));
    };
    for (NodeId id = 0; id < m_graph.size(); ++id) {
        const double in = m_charges.transfersTakeTime ? node(id).pageIn.seconds : 0;
        const double out = m_charges.transfersTakeTime ? node(id).pageOut.seconds : 0;
        for (const EventColumns& event : tensor(id).events) {
            add(total, event.recompute, node(id).compute.seconds);
            add(total, event.demand, in);
            if (event.prefetch >= 0)
                add(behind[static_cast<std::size_t>(event.stage) - 1], event.prefetch, in);
        }
        add(total, tensor(id).outImmediate, out);
        if (isDma && tensor(id).outBackground >= 0)
            add(behind[static_cast<std::size_t>(id) + 1], tensor(id).outBackground, out);
    }
    const double perUnit = std::max(facts.keepAll.seconds, 1e-30);
    for (int stage = 0; isDma && stage < m_graph.size(); ++stage) {
        Terms& terms = behind[static_cast<std::size_t>(stage)];
        if (terms.empty())
            continue;
        const int longer = m_linear.addColumn(m_objectiveScale * m_charges.idleWatts * perUnit, 0, kInfinity, false);
        if (const double share = 1 - 1 / m_graph.device.transferSlowdown; share > 0) {  // the main node runs slower while they move
            Terms slowed;
            for (const auto& [column, moving] : terms)
                slowed.emplace_back(column, share * moving);
            slowed.emplace_back(longer, -1);
            m_linear.addRow(std::move(slowed), -kInfinity, 0);
        }
        terms.emplace_back(longer, -1);
        m_linear.addRow(std::move(terms), -kInfinity, node(stage).compute.seconds / perUnit);
        total.emplace_back(longer, 1);
    }
    if (m_problem.deadlineSeconds && !total.empty())
        m_linear.addRow(std::move(total), -kInfinity, (*m_problem.deadlineSeconds - facts.keepAll.seconds) / perUnit + 1e-12);
}

void Program::addStoreRows()
{
    if (stops())
        return;
    const DeviceTerms& device = m_graph.device;
    for (const auto& limit : {device.storeCapacityBytes, device.writeLimitBytesPerStep}) {
        if (!limit)
            continue;
        Terms terms;
        for (NodeId id = 0; id < m_graph.size(); ++id) {
            const std::int64_t block = device.storeBlockBytes;
            const std::int64_t rounded = (node(id).bytes + block - 1) / block * block;
            for (const int column : {tensor(id).outImmediate, tensor(id).outBackground})
                if (column >= 0 && rounded > 0)
                    terms.emplace_back(column, units(rounded));
        }
        if (!terms.empty())
            m_linear.addRow(std::move(terms), -kInfinity, units(*limit));
    }
}

}  // namespace poet::planning
