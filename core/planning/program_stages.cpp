// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/program.h"

#include <algorithm>

/// The rows of kind 4: RAM during each recompute slot of a stage, where tensors read before may be gone already.
namespace poet::planning {

void Program::appendStartOfStage(Terms& terms, int stage) const
{
    const auto add = [&](NodeId id, int column) {
        if (column >= 0 && bytesOf(id) > 0)
            terms.emplace_back(column, -units(bytesOf(id)));
    };
    for (const NodeId id : m_events.candidates[static_cast<std::size_t>(stage)]) {
        const EventColumns& event = eventAt(id, stage);
        add(id, event.hold);
        add(id, m_problem.transfer == TransferModel::Paper ? event.demand : event.prefetch);
    }
    for (const NodeId id : m_passing[static_cast<std::size_t>(stage)])
        add(id, id == stage - 1 && tensor(id).source >= 0 ? tensor(id).source : eventAt(id, stage).hold);
}

bool Program::addStageRows(int stage)
{
    if (m_hasStageRows[static_cast<std::size_t>(stage)])
        return false;
    m_hasStageRows[static_cast<std::size_t>(stage)] = true;
    const auto& members = m_events.candidates[static_cast<std::size_t>(stage)];
    MemoryLimits& limits = m_memoryLimits[static_cast<std::size_t>(stage)];
    const double budget = units(m_problem.budgetBytes());
    Terms change;  // what RAM gains since the slot before, negated
    appendStartOfStage(change, stage);
    int before = -1;
    bool hasAdded = false;
    for (const NodeId id : members) {
        const EventColumns& event = eventAt(id, stage);
        const double size = units(bytesOf(id));
        if (event.demand >= 0 && m_problem.transfer != TransferModel::Paper && size > 0)
            change.emplace_back(event.demand, -size);
        if (event.recompute < 0)
            continue;
        if (size > 0)
            change.emplace_back(event.recompute, -size);
        const int memory = m_linear.addColumn(0, 0, budget, false);
        change.emplace_back(memory, 1);
        if (before >= 0)
            change.emplace_back(before, -1);
        m_linear.addRow(std::move(change), 0, 0);
        limits.columns.push_back(memory);
        if (node(id).workspaceBytes > 0) {
            limits.rows.push_back(static_cast<int>(m_linear.rows.size()));
            m_linear.addRow({{memory, 1}, {event.recompute, units(node(id).workspaceBytes)}}, -kInfinity, budget);
        }
        change.clear();
        before = memory;
        hasAdded = true;
        for (const NodeId input : node(id).inputs) {  // what this slot may free counts from the slot after
            if (isInput(input, stage) || bytesOf(input) == 0)
                continue;
            const int freed = m_linear.addColumn(0, 0, 1, false);
            change.emplace_back(freed, units(bytesOf(input)));
            m_linear.addRow({{freed, 1}, {event.recompute, -1}}, -kInfinity, 0);
            if (const int next = nextHold(input, eventIndex(input, stage)); next >= 0)
                m_linear.addRow({{freed, 1}, {next, 1}}, -kInfinity, 1);
            if (input == stage - 1 && tensor(input).outBackground >= 0)
                m_linear.addRow({{freed, 1}, {tensor(input).outBackground, 1}}, -kInfinity, 1);
            for (const NodeId later : m_consumers[static_cast<std::size_t>(input)])
                if (later > id && later < stage && std::binary_search(members.begin(), members.end(), later))
                    if (const int column = eventAt(later, stage).recompute; column >= 0)
                        m_linear.addRow({{freed, 1}, {column, 1}}, -kInfinity, 1);
        }
    }
    m_revision += hasAdded;
    return hasAdded;
}

bool Program::leaveRoomIn(int stage)
{
    MemoryLimits& limits = m_memoryLimits[static_cast<std::size_t>(stage)];
    if (limits.hasRoomForTiny)
        return false;
    limits.hasRoomForTiny = true;
    std::int64_t bytes = 0;
    for (NodeId id = 0; id <= stage; ++id) {
        if (!isTiny(id))
            continue;
        int last = id;  // stage in which a consumer, or its recompute, may read it
        for (const NodeId consumer : m_consumers[static_cast<std::size_t>(id)])
            last = std::max(last, tensor(consumer).events.back().stage);
        bytes += last >= stage ? node(id).bytes : 0;
    }
    for (const int row : limits.rows)
        m_linear.rows[static_cast<std::size_t>(row)].upper -= units(bytes);
    for (const int column : limits.columns)
        m_linear.columns[static_cast<std::size_t>(column)].upper = std::max(0.0, m_linear.columns[static_cast<std::size_t>(column)].upper - units(bytes));
    m_revision += bytes > 0;
    return bytes > 0;
}

bool Program::addMissingRows(const ReplayReport& report)
{
    bool hasMore = false;
    std::vector<int> stages;  // over budget
    for (std::size_t i = 0; i < report.duringBytes.size(); ++i)
        if (const int stage = report.schedule.steps[i].stage; report.duringBytes[i] > m_problem.budgetBytes() && (stages.empty() || stages.back() != stage))
            stages.push_back(stage);
    for (const int stage : stages)
        hasMore = addStageRows(stage) || hasMore;
    if (!hasMore && m_leavesRoom)
        for (const int stage : stages)
            hasMore = leaveRoomIn(stage) || hasMore;
    return hasMore;
}

Decisions Program::decode(const std::vector<double>& solution) const
{
    const auto isOn = [&](int column) { return column >= 0 && solution[static_cast<std::size_t>(column)] > 0.5; };
    Decisions decisions;
    decisions.outs.assign(m_graph.nodes.size(), OutKind::None);
    std::vector<bool> isHeldOn(m_graph.nodes.size(), false);   // a used hold leaves the stage that is being looked at
    std::vector<bool> isPagedIn(m_graph.nodes.size(), false);
    std::vector<int> usedIn(m_graph.nodes.size(), -1);         // stage at hand or before it with a kept recompute that reads it
    std::vector<int> lastUse(m_graph.nodes.size(), -1);        // of tiny tensors: the last stage that reads them
    const auto use = [&](NodeId id, int stage) {
        usedIn[static_cast<std::size_t>(id)] = stage;
        lastUse[static_cast<std::size_t>(id)] = std::max(lastUse[static_cast<std::size_t>(id)], stage);
    };
    for (int stage = m_graph.size() - 1; stage >= 0; --stage) {
        isHeldOn[static_cast<std::size_t>(stage)] = false;
        for (const NodeId input : node(stage).inputs)
            lastUse[static_cast<std::size_t>(input)] = std::max(lastUse[static_cast<std::size_t>(input)], stage);
        const auto& members = m_events.candidates[static_cast<std::size_t>(stage)];
        for (auto it = members.rbegin(); it != members.rend(); ++it) {
            const NodeId id = *it;
            const std::size_t i = static_cast<std::size_t>(id);
            const std::size_t index = eventIndex(id, stage);
            const EventColumns& event = tensor(id).events[index];
            if (!isInput(id, stage) && usedIn[i] != stage && !isHeldOn[i])
                continue;
            isHeldOn[i] = isOn(event.hold);
            if (isHeldOn[i]) {
                decisions.holds.push_back({id, tensor(id).events[index - 1].stage, stage});
            } else if (isOn(event.recompute)) {
                decisions.acquires.push_back({stage, id, AcquireKind::Recompute});
                for (const NodeId input : node(id).inputs)
                    use(input, stage);
            } else {
                decisions.acquires.push_back({stage, id, isOn(event.prefetch) ? AcquireKind::Prefetch : AcquireKind::Demand});
                isPagedIn[i] = true;
            }
        }
    }
    for (NodeId id = 0; id < m_graph.size(); ++id) {
        if (isTiny(id) && lastUse[static_cast<std::size_t>(id)] > id)
            decisions.holds.push_back({id, id, lastUse[static_cast<std::size_t>(id)]});
        if (isPagedIn[static_cast<std::size_t>(id)])
            decisions.outs[static_cast<std::size_t>(id)] = isOn(tensor(id).outBackground) ? OutKind::Background : OutKind::Immediate;
    }
    if (m_problem.transfer == TransferModel::Paper)
        for (OutKind& out : decisions.outs)
            out = out == OutKind::None ? OutKind::None : OutKind::Background;
    return decisions;
}

std::vector<double> Program::encode(const Decisions& decisions) const
{
    std::vector<double> solution(m_linear.columns.size(), 0.0);
    bool isComplete = true;
    const auto set = [&](int column) {
        if (column < 0)
            isComplete = false;
        else
            solution[static_cast<std::size_t>(column)] = 1;
    };
    const auto indexOf = [&](NodeId id, int stage) {
        const std::size_t index = eventIndex(id, stage);
        const bool exists = index < tensor(id).events.size() && tensor(id).events[index].stage == stage;
        isComplete = isComplete && exists;
        return exists ? index : std::size_t{0};
    };
    for (const Hold& hold : decisions.holds) {
        if (isTiny(hold.node))
            continue;  // always held, without a column
        // Where only the recompute of a tiny tensor would have read it, the hold has no event to end at.
        const std::vector<EventColumns>& events = tensor(hold.node).events;
        for (std::size_t e = indexOf(hold.node, hold.from) + 1; e < events.size() && events[e].stage <= hold.to; ++e)
            set(events[e].hold);
    }
    for (const Acquire& acquire : decisions.acquires) {
        if (isTiny(acquire.node))
            continue;
        const EventColumns& event = tensor(acquire.node).events[indexOf(acquire.node, acquire.stage)];
        set(acquire.kind == AcquireKind::Recompute ? event.recompute : acquire.kind == AcquireKind::Demand ? event.demand : event.prefetch);
    }
    for (NodeId id = 0; id < m_graph.size() && !decisions.outs.empty(); ++id) {
        const OutKind out = isTiny(id) ? OutKind::None : decisions.outs[static_cast<std::size_t>(id)];
        if (out == OutKind::Immediate)
            set(tensor(id).outImmediate);
        if (out == OutKind::Background)
            set(tensor(id).outBackground);
    }
    for (const TensorColumns& columns : m_tensors)
        if (columns.source >= 0)
            solution[static_cast<std::size_t>(columns.source)] = 1;  // free of cost; a solver lowers it where RAM is short
    return isComplete ? solution : std::vector<double>{};
}

std::vector<bool> Program::continuousColumns() const
{
    std::vector<bool> isContinuous(m_linear.columns.size());
    for (std::size_t c = 0; c < isContinuous.size(); ++c)
        isContinuous[c] = !m_linear.columns[c].isInteger;
    return isContinuous;
}

namespace {

void release(std::vector<bool>& isFree, std::initializer_list<int> columns)
{
    for (const int column : columns)
        if (column >= 0)
            isFree[static_cast<std::size_t>(column)] = true;
}

}  // namespace

std::vector<bool> Program::freeAround(const std::vector<bool>& isPickedStage) const
{
    std::vector<bool> isFree = continuousColumns();
    for (const TensorColumns& columns : m_tensors) {
        release(isFree, {columns.source});
        bool wasPicked = false;
        bool isTouched = false;
        for (const EventColumns& event : columns.events) {
            const bool isPicked = isPickedStage[static_cast<std::size_t>(event.stage)];
            if (isPicked || wasPicked)
                release(isFree, {event.hold, event.recompute, event.demand, event.prefetch});
            wasPicked = isPicked;
            isTouched = isTouched || isPicked;
        }
        if (isTouched)
            release(isFree, {columns.outImmediate, columns.outBackground});
    }
    return isFree;
}

std::vector<bool> Program::freeTensors(const std::vector<bool>& isPickedTensor) const
{
    std::vector<bool> isFree = continuousColumns();
    for (std::size_t id = 0; id < m_tensors.size(); ++id) {
        const TensorColumns& columns = m_tensors[id];
        release(isFree, {columns.source});
        if (!isPickedTensor[id])
            continue;
        release(isFree, {columns.outImmediate, columns.outBackground});
        for (const EventColumns& event : columns.events)
            release(isFree, {event.hold, event.recompute, event.demand, event.prefetch});
    }
    return isFree;
}

}  // namespace poet::planning
