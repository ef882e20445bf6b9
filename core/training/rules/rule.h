// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/forward_graph.h"
#include "core/graph/training_graph.h"
#include "core/graph/types.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// What training needs to know about operators: costs, and what backward reads. Adding an operator is one table row, or one
/// row and a function when it depends on attributes. Source of the reads: training-graph.md, "Backward rules".
namespace poet::training {

/// What the gradient of one input is made from.
struct SlotGradient {
    enum class Kind {
        None,    ///< not differentiable: indices, conditions, shapes
        Alias,   ///< the incoming gradient itself (summed over broadcast dimensions when the shapes differ)
        Slice,   ///< a part of the incoming gradient: no operation
        Compute  ///< an operation that reads the incoming gradient and what is listed
    };
    Kind kind = Kind::None;
    std::vector<int> inputs;   ///< input slots that backward reads
    std::vector<int> outputs;  ///< output slots that backward reads
    std::vector<int> sides;    ///< side outputs that backward reads
    std::vector<int> held;     ///< input slots that are kept although their content is not read
    double flops = -1;         ///< of this gradient; negative: by the row's rate
    double macs = 0;           ///< multiply-accumulates of convolutions and products among them
};

/// An additional tensor that forward must make for backward.
struct SideOutput {
    std::string suffix;           ///< of the node's name: "mask", "indices", "statistics", "gates"
    ElementType type = ElementType::F32;
    Shape shape;
    std::int64_t indexElements = 0;
    std::int64_t maskElements = 0;
    std::vector<int> inputs;      ///< input slots that it is computed from
    std::vector<int> sides;       ///< earlier side outputs that it is computed from
    double flops = 0;
    double macs = 0;
    bool readsWeights = false;    ///< and from the weights: the operation's work is done here
    bool readsContent = true;     ///< of the inputs; false: they only tell it when and how large
    bool isReadByMain = true;     ///< the main node reads it instead of computing it again
    bool isDeterministic = true;
};

/// How an operation takes part in training.
enum class Treatment {
    Operation,    ///< a node
    Part,         ///< the outputs are slices of input 0 in its memory; its gradient is an operation
    View,         ///< output 0 shares the memory of input 0; its gradient is passed on
    Conservative  ///< unknown: backward reads all inputs and outputs, and costs twice forward
};

/// All that the builder asks about one operation.
struct OpPlan {
    Treatment treatment = Treatment::Operation;
    OpClass opClass = OpClass::Other;
    std::string key;                   ///< canonical shape key
    double flops = 0;                  ///< forward, all outputs
    double macs = 0;                   ///< multiply-accumulates of convolutions and products among them
    std::int64_t workspaceBytes = 0;
    std::int64_t backwardWorkspaceBytes = 0;
    bool isDeterministic = true;       ///< may be run again
    std::vector<SideOutput> sides;
    std::vector<SlotGradient> slots;   ///< by input slot
    double backwardRate = 1;           ///< FLOP of one computed gradient per element of the larger of output and input
    bool outputsAreSeparate = false;   ///< each output is cheap and can be computed alone (Split)
    std::map<int, int> outputFromSide; ///< outputs that are copies out of a side output (LSTM's last state)
    bool mainIgnoresInputs = false;    ///< the main node only reads its sides
};

/// The operation in its graph.
struct OpView {
    const ForwardGraph& graph;
    const ForwardOp& op;
    Keeping keeping = Keeping::Lean;
    const std::vector<std::vector<int>>* readers = nullptr;  ///< ForwardGraph::readers(), when known

    [[nodiscard]] bool keepsLikePyTorch() const { return keeping == Keeping::PyTorch; }
    [[nodiscard]] bool hasInput(std::size_t slot) const { return op.input(slot) != kNoValue; }
    /// Of omitted inputs and outputs: a scalar's.
    [[nodiscard]] const Shape& in(std::size_t slot) const { return shapeOf(op.input(slot)); }
    [[nodiscard]] const Shape& out(std::size_t slot = 0) const { return shapeOf(op.output(slot)); }
    [[nodiscard]] ElementType type() const { return hasInput(0) ? graph.value(op.input(0)).type : ElementType::F32; }
    [[nodiscard]] std::int64_t inCount(std::size_t slot) const { return elementCount(in(slot)); }
    [[nodiscard]] std::int64_t outCount(std::size_t slot = 0) const { return elementCount(out(slot)); }

    [[nodiscard]] const Shape& shapeOf(ValueId id) const { return id == kNoValue ? kNoShape : graph.value(id).shape; }
    static inline const Shape kNoShape;
};

/// Refines the plan that the row gave: sides, exact costs, conditions on attributes.
using Refine = void (*)(const OpView&, OpPlan&);

/// One operator. `gradients` lists, for each input slot, what its gradient reads:
///   "0:i1;1:i0"  slot 0 reads input 1, slot 1 reads input 0          "0:o0"   reads the output
///   "0:"         reads the incoming gradient only                    "0:s0"   reads side output 0
///   "*:="        every slot's gradient is the incoming gradient      "*:/"    is a slice of it
///   ""           no slot is differentiable
struct OpRule {
    std::string_view op;
    OpClass opClass = OpClass::Elementwise;
    double flopsPerElement = 1;     ///< forward, per output element
    double backwardPerElement = 1;  ///< each computed gradient, per element
    std::string_view gradients;
    Refine refine = nullptr;
    Treatment treatment = Treatment::Operation;
};

using RuleTable = std::map<std::string, OpRule, std::less<>>;

/// Rows by family; one file each.
void addActivationRules(RuleTable& table);
void addArithmeticRules(RuleTable& table);
void addAttentionRules(RuleTable& table);
void addConvolutionRules(RuleTable& table);
void addMatrixRules(RuleTable& table);
void addPoolingRules(RuleTable& table);
void addNormalizationRules(RuleTable& table);
void addReductionRules(RuleTable& table);
void addLayoutRules(RuleTable& table);
void addIndexingRules(RuleTable& table);
void addRecurrentRules(RuleTable& table);
void addRandomRules(RuleTable& table);
void addQuantizationRules(RuleTable& table);
void addLossRules(RuleTable& table);

/// All rules, by operator type.
[[nodiscard]] const RuleTable& ruleTable();

/// The plan of one operation: its row, refined; or the conservative treatment. `readers` of the graph, when known, spare
/// finding them again for every operation that cuts a tensor.
[[nodiscard]] OpPlan planOperation(const ForwardGraph& graph, const ForwardOp& op, Keeping keeping = Keeping::Lean,
                                  const std::vector<std::vector<int>>* readers = nullptr);

/// "1x16x32x32 w=..." style key: x = first input, y = further activation inputs, o = output, then attributes by the family.
[[nodiscard]] std::string shapeKey(const OpView& view);
/// "3x3" from a list attribute; empty list gives "".
[[nodiscard]] std::string listText(const std::vector<std::int64_t>& list);

}  // namespace poet::training
