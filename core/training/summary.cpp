// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/summary.h"

#include <algorithm>

namespace poet {

double TrainingSummary::arithmeticIntensity() const
{
    return movedBytes > 0 ? (forwardFlops + backwardFlops) / static_cast<double>(movedBytes) : 0;
}

TrainingSummary summarize(const TrainingGraph& graph)
{
    TrainingSummary summary;
    std::vector<const TrainingNode*> saver(graph.nodes.size(), nullptr);
    std::vector<bool> isRead(graph.nodes.size(), false);
    for (const TrainingNode& node : graph.nodes) {
        const bool isBackward = node.phase() == Phase::Backward;
        for (const Work& work : node.work) {
            (isBackward ? summary.backwardFlops : summary.forwardFlops) += work.flops;
            (isBackward ? summary.backwardMacs : summary.forwardMacs) += work.macs;
            summary.movedBytes += work.bytesRead + work.bytesWritten;
        }
        if (!isBackward)
            continue;
        // The last backward node to read a tensor is the earliest operation that kept it.
        for (const NodeId input : node.inputs)
            saver[static_cast<std::size_t>(input)] = &node;
        for (const NodeRead& read : node.reads)
            if (read.node >= 0 && read.kind != NodeRead::Kind::Held)
                isRead[static_cast<std::size_t>(read.node)] = true;
    }
    for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
        const TrainingNode& node = graph.nodes[id];
        if (node.role == NodeRole::Input)
            summary.inputBytes += node.bytes;
        if (!saver[id] || node.role == NodeRole::Input || node.phase() == Phase::Backward)
            continue;
        summary.activationBytes += node.bytes;
        summary.bytesByOperator[saver[id]->op] += node.bytes;
        summary.heldBytes += isRead[id] ? 0 : node.bytes;
        summary.indexElements += node.indexElements;
        summary.indexBytes += node.indexElements > 0 ? node.bytes : 0;
        summary.maskElements += node.maskElements;
        summary.maskBytes += node.maskElements > 0 ? node.bytes : 0;
    }
    summary.parameterBytes = graph.parameterBytes();
    for (const TrainingParameter& parameter : graph.parameters)
        summary.bufferBytes += parameter.isBuffer ? parameter.bytes : 0;
    summary.gradientBytes = graph.gradientBytes();
    summary.optimizerBytes = graph.optimizerBytes();
    return summary;
}

CostGraph neutralCosts(const TrainingGraph& graph)
{
    CostGraph costs;
    costs.name = graph.name;
    for (const TrainingNode& node : graph.nodes) {
        CostNode cost;
        cost.name = node.name;
        cost.phase = node.phase();
        cost.inputs = node.inputs;
        cost.bytes = node.bytes;
        cost.workspaceBytes = node.workspaceBytes;
        cost.recomputable = node.recomputable;
        costs.nodes.push_back(std::move(cost));
    }
    costs.device.residentBytes = summarize(graph).residentBytes();
    return costs;
}

}  // namespace poet
