// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/firmware/kernel_spec.h"
#include "core/export/firmware/model.h"

#include <map>
#include <optional>
#include <vector>

namespace poet::firmware {

/// Binds the nodes of one training graph. Lives for one call of bindModel.
class ModelBinder {
public:
    ModelBinder(const TrainingGraph& graph, const CostGraph& costs, BoundModel& out) : m_graph(graph), m_costs(costs), m_forward(*graph.forward), m_out(out) {}

    [[nodiscard]] Expected<void> run();

private:
    [[nodiscard]] Expected<void> bindParameters();
    [[nodiscard]] Expected<void> bindRearrangement(const ForwardOp& op);
    void shareStored(const ForwardOp& op);
    void handBack();
    [[nodiscard]] Expected<void> bindConstant(ValueId value);
    void placeOutputs();
    [[nodiscard]] Expected<KernelSpec> specOf(int op) const;
    [[nodiscard]] Expected<BoundCall> bindNode(NodeId id);
    [[nodiscard]] Expected<BoundCall> bindForward(NodeId id);
    [[nodiscard]] Expected<BoundCall> bindSide(NodeId id);
    [[nodiscard]] Expected<BoundCall> bindBackward(NodeId id);
    [[nodiscard]] Expected<BoundCall> bindSplitBackward(NodeId id);
    [[nodiscard]] Expected<BoundCall> bindLoss(NodeId id);
    [[nodiscard]] Expected<BoundCall> bindAccumulate(NodeId id);
    [[nodiscard]] Expected<BoundCall> bindFurtherOutput(NodeId id);

    [[nodiscard]] Operand own(NodeId id) const { return {Operand::Kind::Tensor, id, 0, 0}; }
    [[nodiscard]] Operand operandOf(const TrainingNode& node, ValueId value, BoundCall& call) const;
    [[nodiscard]] Operand sideOf(const TrainingNode& node, std::size_t side) const;
    [[nodiscard]] Operand operandOf(const NodeRead& read, BoundCall& call) const;
    void addGradients(const TrainingNode& node, NodeId id, const KernelSpec& spec, BoundCall& call);
    void assignGradientModes();

    const TrainingGraph& m_graph;
    const CostGraph& m_costs;
    const ForwardGraph& m_forward;
    BoundModel& m_out;
    std::vector<std::optional<Operand>> m_places;         ///< by value: parameters and constants
    std::map<int, std::vector<NodeId>> m_sides;           ///< side nodes by operation, in the order of its rule
    std::vector<int> m_rearrangements;                    ///< operations in m_out.prologue, parallel to it
};

}  // namespace poet::firmware
