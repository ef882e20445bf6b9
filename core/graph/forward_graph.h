// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/graph/note.h"
#include "core/graph/types.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace poet {

/// Index into ForwardGraph::values; kNoValue stands for an omitted optional input or output.
using ValueId = int;
inline constexpr ValueId kNoValue = -1;

/// Content of a small constant. Integers and booleans are in `ints`, floating-point numbers in `floats`.
struct SmallTensor {
    ElementType type = ElementType::Unknown;
    Shape shape;
    std::vector<std::int64_t> ints;
    std::vector<double> floats;
    bool operator==(const SmallTensor&) const = default;

    [[nodiscard]] std::size_t size() const { return ints.empty() ? floats.size() : ints.size(); }
};

/// An attribute of an operation.
using Attribute = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                               std::vector<std::string>, SmallTensor>;

/// Where the bytes of a weight or constant lie; the import does not load them.
struct WeightLocation {
    enum class Encoding {
        Missing,     ///< the file holds only the shape
        Raw,         ///< little-endian elements, as in memory
        Varint,      ///< protobuf varints, one an element (int32_data, int64_data)
        Filled       ///< every element is `fill`
    };
    Encoding encoding = Encoding::Missing;
    std::string file;         ///< path as given to the import, or of the external data file beside it
    std::int64_t offset = 0;  ///< bytes from the start of the file
    std::int64_t bytes = 0;
    double fill = 0;
};

/// What a value is for training.
enum class ValueKind {
    Data,        ///< handed in from outside
    Parameter,   ///< trained weight, or a rearrangement of weights (then it has a producer)
    Buffer,      ///< running statistics: read and updated, no gradient
    Constant,    ///< fixed content: shapes, masks, scale factors
    Activation   ///< computed from data
};
[[nodiscard]] std::string_view name(ValueKind kind);

/// One value (tensor) of the forward graph.
struct ForwardValue {
    std::string name;
    ElementType type = ElementType::Unknown;
    Shape shape;                          ///< all dimensions known once a graph is built
    ValueKind kind = ValueKind::Activation;
    int producer = -1;                    ///< index into ForwardGraph::ops; -1 for inputs and stored weights
    std::optional<SmallTensor> constant;  ///< content, when small and known
    WeightLocation stored;                ///< of parameters, buffers and constants without a producer
};

/// One operation, brought to one canonical form whatever operator set the file used:
/// - integer inputs known at import (axes, pads, starts, ends, steps, split, k, repeats ...) are attributes, and
///   the inputs are gone; Reshape, Expand and Tile are described by their output's shape;
/// - `Gemm` has an input A of any rank >= 1 (all but its last dimension are rows), B (K x N, or N x K with transB = 1)
///   and an optional C; it also stands for MatMul by a weight with the bias that follows;
/// - recognised patterns have the operator types `Gelu` (attribute approximate), `Silu`, `HardSwish`,
///   `LayerNormalization`, `GroupNormalization`, `Softmax` ...
/// - Softmax, LogSoftmax and Hardmax have their axis from 0 on; with `coerced` = 1 (operator sets before 13) they work on all
///   dimensions from the axis on as if these were one;
/// - BatchNormalization has the attribute training_mode; Dropout the attributes ratio and training_mode.
struct ForwardOp {
    std::string type;
    std::string name;    ///< of the ONNX node, or made from its first output; unique
    std::string domain;  ///< empty for the standard operators
    std::string block;   ///< enclosing block ("layer1.0"); empty if none
    std::map<std::string, Attribute> attributes;
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    bool isWeightArithmetic = false;  ///< rearranges weights or constants only: no step of training, no activation

    [[nodiscard]] std::int64_t intAttribute(std::string_view key, std::int64_t fallback) const;
    [[nodiscard]] double floatAttribute(std::string_view key, double fallback) const;
    [[nodiscard]] std::string textAttribute(std::string_view key, std::string_view fallback) const;
    /// Empty when absent.
    [[nodiscard]] std::vector<std::int64_t> intsAttribute(std::string_view key) const;
    [[nodiscard]] bool has(std::string_view key) const { return attributes.contains(std::string(key)); }
    /// Input `slot`, or kNoValue when it is omitted or beyond the end.
    [[nodiscard]] ValueId input(std::size_t slot) const { return slot < inputs.size() ? inputs[slot] : kNoValue; }
    [[nodiscard]] ValueId output(std::size_t slot) const { return slot < outputs.size() ? outputs[slot] : kNoValue; }
};

/// The network as the file describes it, with every shape known; no ONNX types. `ops` is in topological order.
/// Immutable once built.
struct ForwardGraph {
    std::string name;
    std::string file;               ///< path it was read from
    int opset = 0;
    std::vector<ForwardValue> values;
    std::vector<ForwardOp> ops;
    std::vector<ValueId> inputs;    ///< data inputs, in file order
    std::vector<ValueId> outputs;
    std::vector<Note> notes;        ///< what the import decided, folded or assumed

    [[nodiscard]] const ForwardValue& value(ValueId id) const { return values[static_cast<std::size_t>(id)]; }
    [[nodiscard]] ForwardValue& value(ValueId id) { return values[static_cast<std::size_t>(id)]; }
    /// kNoValue when there is none of that name.
    [[nodiscard]] ValueId find(std::string_view valueName) const;
    /// For each value the ops that read it, ascending, once each.
    [[nodiscard]] std::vector<std::vector<int>> readers() const;
    /// Bytes of the value's tensor.
    [[nodiscard]] std::int64_t bytes(ValueId id) const;
};

/// Content of a stored weight or constant as little-endian elements of its type, read from its file.
/// Errors: FileNotFound (no such file), BadModel (the file holds no content, or too little).
[[nodiscard]] Expected<std::string> readStored(const ForwardValue& value);

}  // namespace poet
