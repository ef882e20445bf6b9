// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/cost_graph.h"
#include "core/graph/note.h"
#include "core/graph/types.h"

#include <memory>
#include <string>
#include <vector>

namespace poet {

struct ForwardGraph;

/// What a node of the training step is.
enum class NodeRole {
    Input,       ///< data or target handed in from outside; no inputs, never recomputed
    Forward,     ///< a forward operation's main output
    Side,        ///< what backward needs beside the output: mask, indices, statistics, gates
    Loss,        ///< part of the loss
    Backward,    ///< gradient of a forward operation (data and parameter parts together)
    Accumulate,  ///< sum of two gradients of one tensor
};
[[nodiscard]] std::string_view name(NodeRole role);

/// One tensor that a node reads, and what it stands for. It may lie inside a larger one: the gradient of a Concat's input
/// is a slice of the gradient of its output; what Split, Slice and a Gather with one constant index pick is a slice of their
/// input.
struct NodeRead {
    enum class Kind {
        Value,     ///< forward value `value`, or a view of it
        Gradient,  ///< gradient of forward value `value`
        Side,      ///< side output of operation `forwardOp` of the reading node
        Held       ///< forward value `value`, kept although its content is not read (Keeping::PyTorch)
    };
    NodeId node = -1;
    Kind kind = Kind::Value;
    int value = -1;            ///< ForwardGraph value as the reading operation names it; -1 for Side
    struct Slice {
        int op = -1;           ///< ForwardGraph op: Concat, Split, Slice, or a Gather with one constant index
        int slot = -1;         ///< Concat: its input whose part is meant; Split: its output; else 0
        bool operator==(const Slice&) const = default;
    };
    std::vector<Slice> slices;  ///< outermost first; empty: the whole tensor, up to its shape
};

/// Where the elements of a slice lie in the tensor that it is a slice of: `rows` runs of `rowElements`, the first at
/// `offset`, each `rowStride` after the one before; all in elements.
struct SliceLayout {
    std::int64_t offset = 0;
    std::int64_t rows = 1;
    std::int64_t rowElements = 0;
    std::int64_t rowStride = 0;
};
/// `slice` must be one that buildTrainingGraph made from `graph`.
[[nodiscard]] SliceLayout layoutOf(const ForwardGraph& graph, const NodeRead::Slice& slice);

/// One node of the training step. It produces one tensor: a view is no node, its readers read what it views;
/// a side output is a node of its own just before its operation. Backward nodes with no data gradient have 0 bytes.
struct TrainingNode {
    std::string name;            ///< ONNX node name, or made from its output; backward names end in a prime (U+2032)
    std::string op;              ///< ONNX operator, recognised pattern ("Gelu") or "Accumulate", "CrossEntropy" ...
    NodeRole role = NodeRole::Forward;
    std::vector<NodeId> inputs;  ///< earlier nodes whose tensors are read; unique, in reading order
    ElementType type = ElementType::F32;
    Shape shape;                 ///< of the produced tensor
    std::int64_t bytes = 0;
    std::int64_t workspaceBytes = 0;
    std::vector<Work> work;      ///< parts of one run (a convolution's backward: data part, weight part)
    NodeId forward = -1;         ///< Side: its operation's main node; Backward: the node it is the gradient of; else -1
    int value = -1;              ///< ForwardGraph value that the tensor holds; Backward, Accumulate: whose gradient it is; -1 if none
    std::vector<NodeRead> reads; ///< every use of an input, in the order of the operation; one entry a use
    int forwardOp = -1;          ///< index into ForwardGraph::ops of the operation it came from; -1 if none
    std::vector<int> parametersRead;      ///< indices into TrainingGraph::parameters
    std::vector<int> parameterGradients;  ///< parameters whose gradient this node adds to
    std::string block;           ///< name of the enclosing block ("layer1.0"), empty if none; for collapsing
    bool recomputable = false;   ///< true for Forward and Side nodes with inputs whose operation is deterministic
    std::int64_t indexElements = 0;  ///< Side: elements that are indices (pooling, arg-max)
    std::int64_t maskElements = 0;   ///< Side: elements of masks: one byte each, or a number each (Keeping::PyTorch)
    double lossWeight = 1;           ///< Loss, and Backward of a loss: factor of the loss in the sum, and of its gradient

    [[nodiscard]] Phase phase() const
    {
        return role == NodeRole::Backward || role == NodeRole::Accumulate ? Phase::Backward : Phase::Forward;
    }
};

/// A weight or buffer of the model.
struct TrainingParameter {
    std::string name;
    ElementType type = ElementType::F32;
    Shape shape;
    std::int64_t bytes = 0;
    bool isTrained = false;  ///< false: frozen, or a buffer such as running statistics
    bool isBuffer = false;   ///< running statistics and constants: no gradient by nature
};

/// Which update rule decides the resident bytes.
enum class Optimizer { Sgd, SgdBuffered, Momentum, Adam };
[[nodiscard]] std::string_view name(Optimizer optimizer);
[[nodiscard]] std::optional<Optimizer> optimizerFromName(std::string_view text);

/// What a step keeps from forward to backward.
enum class Keeping {
    Lean,    ///< what the gradients need: what fused kernels keep, and what exported firmware runs
    PyTorch  ///< what eager PyTorch 1.13 keeps on a CPU: numbers as dropout masks, tensors whose content nobody reads,
             ///< in-place operands and every step's state of recurrent layers
};
[[nodiscard]] std::string_view name(Keeping keeping);
[[nodiscard]] std::optional<Keeping> keepingFromName(std::string_view text);

/// One training step: forward, loss, backward, in execution order, with what each node really reads; no costs.
/// Immutable once built. Source: training-graph.md.
struct TrainingGraph {
    std::string name;
    std::vector<TrainingNode> nodes;
    std::vector<TrainingParameter> parameters;
    std::shared_ptr<const ForwardGraph> forward;  ///< where it came from; attributes live there
    Optimizer optimizer = Optimizer::Sgd;
    Keeping keeping = Keeping::Lean;
    std::string loss;                             ///< as given: "cross-entropy", "bce", "mse", "none", or a list (loss_terms.h)
    std::vector<std::string> freeze;              ///< as given (TrainingOptions)
    std::vector<Note> notes;                      ///< what was read, folded, recognised, treated conservatively, refused

    [[nodiscard]] std::int64_t parameterBytes() const;   ///< all parameters without buffers
    [[nodiscard]] std::int64_t gradientBytes() const;    ///< resident gradient buffers (0 with immediate update)
    [[nodiscard]] std::int64_t optimizerBytes() const;   ///< resident optimizer state
};

}  // namespace poet
