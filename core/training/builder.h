// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/forward_graph.h"
#include "core/graph/training_graph.h"
#include "core/training/at.h"
#include "core/training/build.h"
#include "core/training/rules/rule.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace poet::training {

/// Where the bytes of a forward value are during training: in a node's tensor, or in parameters (then `node` is -1).
struct Place {
    NodeId node = -1;
    std::vector<NodeRead::Slice> slices;  ///< the value is this part of the tensor
    std::vector<int> parameters;  ///< roots that a weight, or a rearrangement of weights, is made of
};

/// Gradient of a value: a node's tensor or a part of it.
struct GradientRef {
    NodeId node = -1;
    std::vector<NodeRead::Slice> slices;
};

/// Builds one training step in three passes over the forward operations: what needs a gradient, forward nodes, backward
/// nodes. Lives for one call of buildTrainingGraph.
class Builder {
public:
    Builder(const ForwardGraph& forward, const TrainingOptions& options, TrainingGraph& out);

    /// Parameters and which of them are trained (freeze.cpp decides). Errors: BadUsage, BadModel.
    [[nodiscard]] Expected<void> addParameters();
    /// Which operations lead to a loss; the others take no part.
    void findLive(const std::vector<ValueId>& losses);
    void findGradients();
    void addInputs();
    void addForward();
    void addBackward();

    /// Adds a node that reads `reads` (and parameters through values without a node). Returns its id.
    NodeId addNode(TrainingNode node, std::vector<NodeRead> reads, const std::vector<ValueId>& weights = {});
    /// Adds a contribution to the gradient of `value`; a second one makes an Accumulate node.
    void addGradient(ValueId value, GradientRef gradient);

    [[nodiscard]] const Place& place(ValueId value) const { return m_places[static_cast<std::size_t>(value)]; }
    [[nodiscard]] bool needsGradient(ValueId value) const { return m_needs[static_cast<std::size_t>(value)]; }
    [[nodiscard]] const ForwardGraph& forward() const { return m_forward; }
    [[nodiscard]] TrainingGraph& out() { return m_out; }
    /// A read of a forward value.
    [[nodiscard]] NodeRead readOf(ValueId value) const { return {place(value).node, NodeRead::Kind::Value, value, place(value).slices}; }
    [[nodiscard]] std::int64_t bytesOf(ValueId value) const { return m_forward.bytes(value); }

private:
    struct OpState {
        OpPlan plan;
        bool isLive = false;
        NodeId main = -1;
        std::vector<NodeId> sides;
    };
    /// One backward node to be: the gradient of `value` (kNoValue: parameters only) from these input slots.
    struct BackwardGroup {
        ValueId value = kNoValue;
        std::vector<std::size_t> slots;
    };

    void addSides(std::size_t op);
    void addMain(std::size_t op);
    void addOutput(std::size_t op, std::size_t output);
    void addFromSide(std::size_t op, std::size_t output, int side);
    void addOpBackward(std::size_t op);
    void addBackwardNode(std::size_t op, const BackwardGroup& group, std::size_t number, std::size_t count);
    [[nodiscard]] std::vector<BackwardGroup> backwardGroups(std::size_t op);
    [[nodiscard]] std::vector<NodeRead> incoming(std::size_t op) const;
    [[nodiscard]] std::vector<Work> backwardWork(std::size_t op, const BackwardGroup& group) const;
    [[nodiscard]] Work partWork(std::size_t op, const std::vector<std::size_t>& slots, std::string_view part) const;
    [[nodiscard]] bool isUsed(ValueId value) const { return m_used[static_cast<std::size_t>(value)]; }
    void noteConservative();

    const ForwardGraph& m_forward;
    const TrainingOptions& m_options;
    TrainingGraph& m_out;
    std::vector<Place> m_places;
    std::vector<bool> m_needs;      ///< by value: a gradient reaches a trained parameter through it
    std::vector<bool> m_used;       ///< by value: read by a live operation or a loss
    std::vector<OpState> m_ops;
    std::vector<std::optional<GradientRef>> m_gradients;
};

/// Adds the loss of every output and the first gradients. Returns the values that it reads, before anything is built:
/// a Softmax before a cross entropy, or a Sigmoid before a binary one, is part of the loss.
struct LossPlan {
    std::string kind;                 ///< of this output
    ValueId value = kNoValue;         ///< what the loss reads
    std::int64_t classAxis = 1;       ///< cross entropy
    double weight = 1;                ///< factor in the sum of losses
    ValueId output = kNoValue;        ///< of the model; `value` lies before what the loss includes
};
[[nodiscard]] Expected<std::vector<LossPlan>> planLosses(const ForwardGraph& forward, const TrainingOptions& options,
                                                         std::vector<Note>& notes);
void addLosses(Builder& builder, const std::vector<LossPlan>& losses);

/// Sets `isTrained` of parameters by the freeze options. Errors: BadUsage when a pattern matches nothing.
[[nodiscard]] Expected<void> applyFreeze(const ForwardGraph& forward, const TrainingOptions& options, TrainingGraph& out,
                                         const std::map<ValueId, int>& parameterOf);

/// `text` against a pattern with `*` (any characters) and `?` (one).
[[nodiscard]] bool matchesPattern(std::string_view pattern, std::string_view text);

}  // namespace poet::training
