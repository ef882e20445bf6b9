// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/fold.h"
#include "core/onnx/infer.h"
#include "core/onnx/tensor.h"

#include <cmath>
#include <limits>

namespace poet::onnx {

namespace {

/// Flat position in a tensor of `shape` of the element that broadcasting pairs with element `index` of `target`.
std::size_t broadcastPosition(std::int64_t index, const Shape& target, const Shape& shape)
{
    std::int64_t position = 0;
    std::int64_t stride = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::int64_t dimension = target[target.size() - 1 - i];
        const std::int64_t own = shape[shape.size() - 1 - i];
        if (own != 1)
            position += index % dimension * stride;
        stride *= own;
        index /= dimension;
    }
    return static_cast<std::size_t>(position);
}

/// Integer arithmetic that wraps instead of overflowing.
std::int64_t wrap(std::uint64_t value) { return static_cast<std::int64_t>(value); }

std::optional<std::int64_t> integerOperation(std::string_view op, std::int64_t a, std::int64_t b, bool fmod)
{
    const auto ua = static_cast<std::uint64_t>(a);
    const auto ub = static_cast<std::uint64_t>(b);
    const bool divides = b != 0 && !(b == -1 && a == std::numeric_limits<std::int64_t>::min());
    if (op == "Add") return wrap(ua + ub);
    if (op == "Sub") return wrap(ua - ub);
    if (op == "Mul") return wrap(ua * ub);
    if (op == "Div") return divides ? std::optional(a / b) : std::nullopt;
    if (op == "Mod" && divides) return fmod || a % b == 0 || (a < 0) == (b < 0) ? a % b : a % b + b;
    if (op == "Max" || op == "Min") return (op == "Max") == (a > b) ? a : b;
    if (op == "And") return a && b;
    if (op == "Or") return a || b;
    if (op == "Xor") return !a != !b;
    if (op == "Pow") {
        const double power = std::pow(static_cast<double>(a), static_cast<double>(b));
        return std::fabs(power) < 9e18 ? static_cast<std::int64_t>(power) : std::numeric_limits<std::int64_t>::max();
    }
    return std::nullopt;
}

std::optional<double> floatOperation(std::string_view op, double a, double b)
{
    if (op == "Add") return a + b;
    if (op == "Sub") return a - b;
    if (op == "Mul") return a * b;
    if (op == "Div") return a / b;
    if (op == "Mod") return std::fmod(a, b);
    if (op == "Max") return std::fmax(a, b);
    if (op == "Min") return std::fmin(a, b);
    if (op == "Pow") return std::pow(a, b);
    return std::nullopt;
}

std::optional<bool> comparison(std::string_view op, double a, double b)
{
    if (op == "Equal") return a == b;
    if (op == "Greater") return a > b;
    if (op == "GreaterOrEqual") return a >= b;
    if (op == "Less") return a < b;
    if (op == "LessOrEqual") return a <= b;
    return std::nullopt;
}

double number(const SmallTensor& tensor, std::size_t index)
{
    return isFloating(tensor.type) ? tensor.floats[index] : static_cast<double>(tensor.ints[index]);
}

bool pairUp(const FoldArguments& a, const SmallTensor& x, const SmallTensor& y, SmallTensor& result)
{
    const auto shape = broadcast(x.shape, y.shape);
    if (!shape || elementCount(*shape) > kFoldedElements || isFloating(x.type) != isFloating(y.type))
        return false;
    result = {x.type, *shape, {}, {}};
    for (std::int64_t i = 0; i < elementCount(*shape); ++i) {
        const std::size_t p = broadcastPosition(i, *shape, x.shape);
        const std::size_t q = broadcastPosition(i, *shape, y.shape);
        if (const auto truth = comparison(a.op.type, number(x, p), number(y, q))) {
            result.type = ElementType::Bool;
            result.ints.push_back(*truth);
        } else if (isFloating(x.type)) {
            const auto value = floatOperation(a.op.type, x.floats[p], y.floats[q]);
            if (!value)
                return false;
            result.floats.push_back(*value);
        } else {
            const auto value = integerOperation(a.op.type, x.ints[p], y.ints[q], a.op.intAttribute("fmod", 0) != 0);
            if (!value)
                return false;
            result.ints.push_back(*value);
        }
    }
    return true;
}

FoldResult binary(const FoldArguments& a)
{
    if (a.inputs.empty() || !a.input(0))
        return {};
    SmallTensor sum = *a.input(0);
    for (std::size_t slot = 1; slot < a.inputs.size(); ++slot) {
        SmallTensor next;
        if (!a.input(slot) || !pairUp(a, sum, *a.input(slot), next))
            return {};
        sum = std::move(next);
    }
    return {sum};
}

std::optional<double> unaryFloat(std::string_view op, double x)
{
    if (op == "Neg") return -x;
    if (op == "Abs") return std::fabs(x);
    if (op == "Sqrt") return std::sqrt(x);
    if (op == "Reciprocal") return 1 / x;
    if (op == "Floor") return std::floor(x);
    if (op == "Ceil") return std::ceil(x);
    if (op == "Round") return std::nearbyint(x);
    if (op == "Exp") return std::exp(x);
    if (op == "Log") return std::log(x);
    if (op == "Erf") return std::erf(x);
    if (op == "Tanh") return std::tanh(x);
    if (op == "Sin") return std::sin(x);
    if (op == "Cos") return std::cos(x);
    return std::nullopt;
}

FoldResult unary(const FoldArguments& a)
{
    const SmallTensor* x = a.input(0);
    if (!x)
        return {};
    SmallTensor result = *x;
    for (double& value : result.floats) {
        const auto next = unaryFloat(a.op.type, value);
        if (!next)
            return {};
        value = *next;
    }
    for (std::int64_t& value : result.ints) {
        if (a.op.type == "Neg" || a.op.type == "Abs")
            value = a.op.type == "Neg" || value < 0 ? wrap(0 - static_cast<std::uint64_t>(value)) : value;
        else if (a.op.type == "Not")
            value = !value;
        else
            return {};
    }
    return {result};
}

FoldResult cast(const FoldArguments& a)
{
    const SmallTensor* x = a.input(0);
    if (!x)
        return {};
    const ElementType to = a.op.type == "CastLike" ? (a.input(1) ? a.input(1)->type : ElementType::Unknown)
                                                   : elementTypeFromOnnx(static_cast<int>(a.op.intAttribute("to", 1)));
    if (elementBytes(to) == 0)
        return {};
    SmallTensor result{to, x->shape, {}, {}};
    for (std::size_t i = 0; i < x->size(); ++i) {
        const double value = number(*x, i);
        if (isFloating(to))
            result.floats.push_back(value);
        else if (to == ElementType::Bool)
            result.ints.push_back(value != 0);
        else if (isFloating(x->type))
            result.ints.push_back(std::fabs(value) < 9e18 ? static_cast<std::int64_t>(value) : std::numeric_limits<std::int64_t>::max());
        else
            result.ints.push_back(x->ints[i]);
    }
    return {result};
}

FoldResult where(const FoldArguments& a)
{
    const SmallTensor *test = a.input(0), *x = a.input(1), *y = a.input(2);
    if (!test || !x || !y || isFloating(test->type) || isFloating(x->type) != isFloating(y->type))
        return {};
    auto shape = broadcast(test->shape, x->shape);
    if (shape)
        shape = broadcast(*shape, y->shape);
    if (!shape || elementCount(*shape) > kFoldedElements)
        return {};
    SmallTensor result{x->type, *shape, {}, {}};
    for (std::int64_t i = 0; i < elementCount(*shape); ++i) {
        const SmallTensor& from = test->ints[broadcastPosition(i, *shape, test->shape)] ? *x : *y;
        const std::size_t position = broadcastPosition(i, *shape, from.shape);
        if (isFloating(from.type))
            result.floats.push_back(from.floats[position]);
        else
            result.ints.push_back(from.ints[position]);
    }
    return {result};
}

/// Reductions of a whole vector, as size computations use them.
FoldResult reduceAll(const FoldArguments& a)
{
    const SmallTensor* x = a.input(0);
    if (!x || isFloating(x->type) || x->ints.empty())
        return {};
    const auto axes = a.ints(1, "axes");
    const bool isWhole = x->shape.size() <= 1 || !axes || axes->empty() || axes->size() == x->shape.size();
    if (!isWhole || (a.inputs.size() > 1 && !axes))
        return {};
    std::int64_t value = x->ints[0];
    for (std::size_t i = 1; i < x->ints.size(); ++i) {
        const std::string_view op = a.op.type == "ReduceProd" ? "Mul" : a.op.type == "ReduceSum" ? "Add" : a.op.type == "ReduceMax" ? "Max" : "Min";
        value = *integerOperation(op, value, x->ints[i], false);
    }
    const Shape shape(a.op.intAttribute("keepdims", 1) ? x->shape.size() : 0, 1);
    return {SmallTensor{x->type, shape, {value}, {}}};
}

}  // namespace

void addArithmeticFolds(FoldTable& table)
{
    for (const char* op : {"Add", "Sub", "Mul", "Div", "Mod", "Max", "Min", "And", "Or", "Xor", "Pow", "Equal", "Greater",
                           "GreaterOrEqual", "Less", "LessOrEqual"})
        table.emplace(op, binary);
    for (const char* op : {"Neg", "Abs", "Sqrt", "Reciprocal", "Floor", "Ceil", "Round", "Exp", "Log", "Erf", "Tanh", "Sin",
                           "Cos", "Not"})
        table.emplace(op, unary);
    table.emplace("Cast", cast);
    table.emplace("CastLike", cast);
    table.emplace("Where", where);
    for (const char* op : {"ReduceProd", "ReduceSum", "ReduceMax", "ReduceMin"})
        table.emplace(op, reduceAll);
}

}  // namespace poet::onnx
