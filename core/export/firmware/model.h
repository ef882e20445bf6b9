// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/graph/cost_graph.h"
#include "core/graph/forward_graph.h"
#include "core/graph/training_graph.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// A training graph bound to reference kernels: operands, attributes, parameters. What the exported folder holds beside
/// the schedule. Source: firmware.md, sections 1, 4 and 8.
namespace poet::firmware {

/// Where an operand lies. `mode` of a gradient: 0 none, 1 write, 2 add to its buffer, 3 apply to the parameter at once.
/// A read of a Param with mode 2 means its gradient buffer.
struct Operand {
    enum class Kind { None, Tensor, Param, Const, Work };
    Kind kind = Kind::None;
    int number = -1;             ///< tensor (= node) or parameter
    std::int64_t offset = 0;     ///< bytes inside it; Const: inside the constants, Work: inside the workspace
    int mode = 0;
    bool operator==(const Operand&) const = default;
};

/// One call of a kernel.
struct BoundCall {
    std::string kernel;              ///< "conv_grad"; empty: none (an input)
    std::vector<Operand> in;
    Operand out[3];                  ///< own tensor, and two buffers that move in the first run
    std::vector<Operand> gradients;
    std::vector<std::int32_t> attributes;
    std::int64_t workBytes = 0;      ///< of the kernel and of the calls before it
    std::vector<BoundCall> before{}; ///< copies of gradient slices into the workspace
};

/// One weight, buffer, or rearrangement of weights.
struct BoundParameter {
    std::string name;
    ElementType type = ElementType::F32;
    Shape shape;
    std::int64_t bytes = 0;
    ValueId value = kNoValue;        ///< of the forward graph
    bool isTrained = false;
    bool isDerived = false;          ///< made from others before each step, gradients handed back after it
    bool isDeferred = false;         ///< its gradient needs a buffer even with immediate update
    std::int64_t offset = 0;         ///< in the parameter memory; of a trained one also in the buffer of all gradients
};

/// The whole model.
struct BoundModel {
    std::vector<BoundCall> nodes;        ///< one per node of the training graph
    std::vector<BoundCall> prologue;     ///< rearranges weights, before each step
    std::vector<BoundCall> epilogue;     ///< hands gradients of rearranged weights back, before UPDATE
    std::vector<BoundParameter> parameters;
    std::string constants;               ///< bytes of all constants, each aligned to 8
    std::vector<int> inputOf;            ///< per node: number of the data input, -1: computed
    std::vector<std::string> inputNames; ///< by that number; a target is named "target", several are named "target of OUTPUT"
    std::vector<NodeId> losses;          ///< scalar losses; the loss of the step is their sum
    std::map<NodeId, double> lossWeights;  ///< factors in it of losses that the model computes itself; others have theirs inside
    std::vector<std::pair<NodeId, std::string>> outputs;  ///< model outputs that a node holds, with their names
    std::int64_t parameterBytes = 0;
    std::int64_t gradientBytes = 0;     ///< the trained parameters come first
    std::int64_t ownGradientBytes = 0;  ///< and first among them those that need a buffer even with immediate update
};

/// Binds every node. Errors: UnsupportedOp naming the operation without a kernel or of another type than float32;
/// BadModel when a constant cannot be read. Threads: pure.
/// The costs give the sizes of tensors, which depend on the device (index tensors).
[[nodiscard]] Expected<BoundModel> bindModel(const TrainingGraph& graph, const CostGraph& costs);

/// First character of the name of a kernel that the user writes.
inline constexpr char kExternalKernel = '@';

/// A model without operators, or without reference kernels for them: every node calls a declared, undefined function
/// with its input tensors; the user's link fails with its name until it exists. Parameters and updates are the user's.
[[nodiscard]] BoundModel externalModel(const CostGraph& graph);

/// Initial content of the parameter memory: weights and buffers from the model file. Errors: BadModel naming the weight
/// whose content the file lacks.
[[nodiscard]] Expected<std::string> initialParameters(const TrainingGraph& graph, const BoundModel& model);

}  // namespace poet::firmware
