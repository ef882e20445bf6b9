// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/c_folder.h"
#include "core/export/firmware/model.h"

namespace poet::firmware {

BoundModel externalModel(const CostGraph& graph)
{
    BoundModel model;
    for (NodeId id = 0; id < graph.size(); ++id) {
        const CostNode& node = graph.nodes[static_cast<std::size_t>(id)];
        const bool isInput = node.inputs.empty() && node.phase == Phase::Forward;
        BoundCall call;
        if (!isInput) {
            call.kernel = std::string(1, kExternalKernel) + "kernel_" + std::to_string(id) + "_" + identifierOf(node.name);
            for (const NodeId input : node.inputs)
                call.in.push_back({Operand::Kind::Tensor, input, 0, 0});
            call.out[0] = {Operand::Kind::Tensor, id, 0, 0};
            call.workBytes = node.workspaceBytes;
        }
        model.inputOf.push_back(isInput ? static_cast<int>(model.inputNames.size()) : -1);
        if (isInput)
            model.inputNames.push_back(node.name);
        model.nodes.push_back(std::move(call));
    }
    return model;
}

}  // namespace poet::firmware
