// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/replay.h"

#include <algorithm>
#include <string>

namespace poet {
namespace {

/// The simulated device: what is in RAM, what is in the store, what the clock says. One method a kind of step;
/// each returns the broken rule, or an empty text.
class Machine {
public:
    Machine(const CostGraph& graph, TransferModel model, const Schedule& schedule)
        : m_graph(graph), m_model(model), m_tensors(graph.nodes.size())
    {
        m_report.schedule = schedule;
        m_report.duringBytes.reserve(schedule.steps.size());
    }

    Expected<ReplayReport> run()
    {
        for (std::size_t i = 0; i < m_report.schedule.steps.size(); ++i) {
            Step& step = m_report.schedule.steps[i];
            if (std::string broken = execute(step, static_cast<int>(i)); !broken.empty())
                return fail(ErrorCode::InvalidSchedule, "Step " + std::to_string(i) + " (" + std::string(name(step.kind)) + " of " + nodeName(step.node) +
                                                            " in stage " + std::to_string(step.stage) + ") is not possible: " + broken + ".");
        }
        if (m_nextNode != m_graph.size())
            return fail(ErrorCode::InvalidSchedule, "The schedule ends before " + nodeName(m_nextNode) + " has run.");
        if (!m_background.empty())
            return fail(ErrorCode::InvalidSchedule, "The schedule ends while a transfer of " + nodeName(m_background.front().node) + " waits for a main node.");
        m_report.seconds = m_now;
        m_report.energyJoules = m_joules + m_graph.device.idleJoules(m_model, m_now);
        return std::move(m_report);
    }

private:
    struct Tensor {
        bool isInRam = false;
        bool isStored = false;
        bool isInFlight = false;
        int ramSinceStage = -1;
        int freedInStage = -2;
    };
    struct Background {
        NodeId node;
        std::size_t step;
        bool isOut;
    };

    std::string nodeName(NodeId id) const
    {
        if (id < 0 || id >= m_graph.size())
            return "node " + std::to_string(id);
        return "node " + std::to_string(id) + " '" + node(id).name + "'";
    }
    const CostNode& node(NodeId id) const { return m_graph.nodes[static_cast<std::size_t>(id)]; }
    Tensor& tensor(NodeId id) { return m_tensors[static_cast<std::size_t>(id)]; }

    std::string execute(Step& step, int index)
    {
        if (step.node < 0 || step.node >= m_graph.size())
            return "there is no such node";
        if (step.stage < m_stage || step.stage >= m_graph.size())
            return "stages must not go back nor beyond the last node";
        if (step.stage > m_nextNode)
            return "the main node of stage " + std::to_string(m_nextNode) + " has not run";
        if (step.stage != m_stage) {
            m_stage = step.stage;
            m_hasRunInStage = false;
        }
        m_during = m_ram;
        step.startSeconds = step.endSeconds = m_now;
        std::string broken;
        switch (step.kind) {
        case StepKind::Compute: broken = compute(step); break;
        case StepKind::Recompute: broken = recompute(step); break;
        case StepKind::PageOut: broken = pageOut(step, static_cast<std::size_t>(index)); break;
        case StepKind::PageIn: broken = pageIn(step, static_cast<std::size_t>(index)); break;
        case StepKind::Free: broken = release(step); break;
        }
        step.ramBytes = m_ram;
        m_during = std::max(m_during, m_ram);
        m_report.duringBytes.push_back(m_during);
        if (m_during > m_report.peakBytes) {
            m_report.peakBytes = m_during;
            m_report.peakStep = index;
        }
        return broken;
    }

    std::string runNode(NodeId id)
    {
        const CostNode& now = node(id);
        if (tensor(id).isInRam)
            return "its tensor is already in RAM";
        for (const NodeId input : now.inputs)
            if (!tensor(input).isInRam || tensor(input).isInFlight)
                return "its input, " + nodeName(input) + ", is not in RAM";
        place(id);
        m_during = m_ram + now.workspaceBytes;
        m_joules += now.compute.joules;
        m_hasRunInStage = true;
        return {};
    }

    void place(NodeId id)
    {
        tensor(id).isInRam = true;
        tensor(id).ramSinceStage = m_stage;
        m_ram += node(id).bytes;
    }

    std::string compute(Step& step)
    {
        if (step.node != m_nextNode || step.stage != step.node)
            return "main nodes run once each, in order, node t in stage t";
        if (std::string broken = runNode(step.node); !broken.empty())
            return broken;
        ++m_nextNode;
        // Transfers that move behind the main node share one channel; the stage lasts until both are done.
        double channel = m_now;
        for (const Background& transfer : m_background) {
            const CostNode& moved = node(transfer.node);
            Step& moving = m_report.schedule.steps[transfer.step];
            moving.startSeconds = channel;
            channel += transfer.isOut ? moved.pageOut.seconds : moved.pageIn.seconds;
            moving.endSeconds = channel;
            tensor(transfer.node).isInFlight = false;
            if (transfer.isOut)
                tensor(transfer.node).isStored = true;
        }
        m_background.clear();
        step.endSeconds = m_now + m_graph.device.slowedSeconds(node(step.node).compute.seconds, channel - m_now);
        m_now = std::max(step.endSeconds, channel);
        return {};
    }

    std::string recompute(Step& step)
    {
        if (!m_graph.mayRecompute(step.node, m_model))
            return "this node may run only once";
        if (step.node >= m_nextNode)
            return "it has not run for the first time yet";
        if (!m_background.empty())
            return "background transfers must stand just before the main node";
        if (std::string broken = runNode(step.node); !broken.empty())
            return broken;
        ++m_report.recomputedNodes;
        m_now += node(step.node).compute.seconds;
        step.endSeconds = m_now;
        return {};
    }

    std::string pageOut(Step& step, std::size_t index)
    {
        Tensor& source = tensor(step.node);
        if (!node(step.node).pageable)
            return "this tensor may not be paged";
        if (!source.isInRam || source.isInFlight)
            return "the tensor is not in RAM";
        if (source.isStored || isLeaving(step.node))
            return "the tensor is already in the store";
        countPageOut(step.node);
        if (step.mode == TransferMode::Blocking && m_model != TransferModel::Paper) {
            source.isStored = true;
            m_now += node(step.node).pageOut.seconds;
            step.endSeconds = m_now;
            return m_background.empty() ? "" : "background transfers must stand just before the main node";
        }
        if (step.mode != TransferMode::Background)
            return "a page-out of the paper model happens in the background";
        if (m_model == TransferModel::Blocking)
            return "this device has no background transfers";
        if (m_model == TransferModel::Dma)
            return startBackground(step, index, true);
        if (m_nextNode <= step.stage || source.ramSinceStage >= step.stage)
            return "in the paper model the source stays in RAM for a whole stage after the one that made it";
        source.isStored = true;
        return {};
    }

    bool isLeaving(NodeId id) const
    {
        return std::any_of(m_background.begin(), m_background.end(), [&](const Background& b) { return b.isOut && b.node == id; });
    }

    void countPageOut(NodeId id)
    {
        const std::int64_t block = m_graph.device.storeBlockBytes;
        const std::int64_t rounded = (node(id).bytes + block - 1) / block * block;
        m_report.pagedOutBytes += node(id).bytes;
        m_report.storeBytes += rounded;
        m_report.writtenBytes += rounded;
        m_joules += node(id).pageOut.joules;
    }

    std::string startBackground(const Step& step, std::size_t index, bool isOut)
    {
        if (m_nextNode > step.stage)
            return "the main node of its stage has already run";
        m_background.push_back({step.node, index, isOut});
        return {};
    }

    std::string pageIn(Step& step, std::size_t index)
    {
        Tensor& target = tensor(step.node);
        if (!target.isStored)
            return "its page-out is not finished";
        if (target.isInRam)
            return "the tensor is already in RAM";
        if (m_model == TransferModel::Paper && target.freedInStage == step.stage - 1)
            return "in the paper model a tensor of the stage before stays in RAM when it is paged in for this one";
        place(step.node);
        m_report.pagedInBytes += node(step.node).bytes;
        m_joules += node(step.node).pageIn.joules;
        if (m_model == TransferModel::Paper) {
            if (step.mode != TransferMode::Prefetch || m_hasRunInStage)
                return "a page-in of the paper model stands at the start of its stage";
            return {};
        }
        if (step.mode == TransferMode::Blocking) {
            m_now += node(step.node).pageIn.seconds;
            step.endSeconds = m_now;
            return m_background.empty() ? "" : "background transfers must stand just before the main node";
        }
        if (step.mode != TransferMode::Prefetch || m_model == TransferModel::Blocking)
            return "this device cannot page in that way";
        target.isInFlight = true;
        return startBackground(step, index, false);
    }

    std::string release(const Step& step)
    {
        Tensor& old = tensor(step.node);
        if (!old.isInRam)
            return "the tensor is not in RAM";
        if (old.isInFlight || isLeaving(step.node))
            return "the tensor is still being moved";
        old.isInRam = false;
        if (m_nextNode <= step.stage)  // after the main node there is nothing left that could use the room
            old.freedInStage = step.stage;
        m_ram -= node(step.node).bytes;
        return {};
    }

    const CostGraph& m_graph;
    TransferModel m_model;
    std::vector<Tensor> m_tensors;
    std::vector<Background> m_background;  ///< waiting for the main node of the current stage
    ReplayReport m_report;
    int m_stage = 0;
    NodeId m_nextNode = 0;
    bool m_hasRunInStage = false;
    std::int64_t m_ram = 0;
    std::int64_t m_during = 0;
    double m_now = 0;
    double m_joules = 0;
};

}  // namespace

Expected<ReplayReport> replay(const CostGraph& graph, TransferModel model, const Schedule& schedule)
{
    return Machine(graph, model, schedule).run();
}

Schedule keepAllSchedule(const CostGraph& graph)
{
    const auto consumers = graph.consumers();
    Schedule schedule;
    for (NodeId t = 0; t < graph.size(); ++t) {
        schedule.steps.push_back({.stage = t, .kind = StepKind::Compute, .node = t});
        for (const NodeId input : graph.nodes[static_cast<std::size_t>(t)].inputs)
            if (consumers[static_cast<std::size_t>(input)].back() == t)
                schedule.steps.push_back({.stage = t, .kind = StepKind::Free, .node = input});
        if (consumers[static_cast<std::size_t>(t)].empty())
            schedule.steps.push_back({.stage = t, .kind = StepKind::Free, .node = t});
    }
    return schedule;
}

}  // namespace poet
