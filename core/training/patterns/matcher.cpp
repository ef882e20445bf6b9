// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/patterns/pattern.h"

#include <algorithm>
#include <cmath>

namespace poet::training {

int Matcher::producer(ValueId value) const
{
    return value == kNoValue ? -1 : m_graph.value(value).producer;
}

void Matcher::cover(int op)
{
    if (op != m_root && std::ranges::find(m_covered, op) == m_covered.end())
        m_covered.push_back(op);
}

ValueId Matcher::beforeCast(ValueId value) const
{
    const int op = producer(value);
    if (op < 0 || m_graph.ops[at(op)].type != "Cast" || !isFloating(m_graph.value(value).type))
        return kNoValue;
    const ValueId source = m_graph.ops[at(op)].inputs[0];
    return isFloating(m_graph.value(source).type) ? source : kNoValue;
}

bool Matcher::isSame(ValueId value, ValueId x)
{
    const std::size_t start = mark();
    for (ValueId step = value; step != kNoValue; step = beforeCast(step)) {
        if (step == x)
            return true;
        cover(producer(step));
    }
    forget(start);
    // x is a cast of the value, and stays.
    for (ValueId step = x; step != kNoValue; step = beforeCast(step))
        if (step == value)
            return true;
    return false;
}

const ForwardOp* Matcher::made(ValueId value, std::string_view type)
{
    ValueId inner = value;
    while (type != "Cast" && beforeCast(inner) != kNoValue)
        inner = beforeCast(inner);
    const int op = producer(inner);
    if (op < 0 || m_graph.ops[at(op)].type != type || !m_graph.ops[at(op)].domain.empty() || m_graph.ops[at(op)].output(0) != inner)
        return nullptr;
    for (ValueId cast = value; cast != inner; cast = beforeCast(cast))
        cover(producer(cast));
    cover(op);
    return &m_graph.ops[at(op)];
}

std::optional<double> Matcher::number(ValueId value) const
{
    if (value == kNoValue || !m_graph.value(value).constant)
        return std::nullopt;
    const SmallTensor& content = *m_graph.value(value).constant;
    const bool isConstant = m_graph.value(value).kind == ValueKind::Constant && content.size() == 1;
    if (!isConstant)
        return std::nullopt;
    return content.floats.empty() ? static_cast<double>(content.ints[0]) : content.floats[0];
}

bool isAbout(double value, double wanted)
{
    constexpr double kBf16Step = 1.0 / 256;  // constants of mixed-precision exports have been rounded so
    return std::fabs(value - wanted) <= kBf16Step * std::fabs(wanted);
}

bool Matcher::isNumber(ValueId value, double wanted) const
{
    const auto found = number(value);
    return found && isAbout(*found, wanted);
}

std::optional<ValueId> Matcher::plus(ValueId value, double wanted)
{
    if (const ForwardOp* sum = made(value, "Add"); sum && sum->inputs.size() == 2) {
        if (isNumber(sum->inputs[1], wanted))
            return sum->inputs[0];
        if (isNumber(sum->inputs[0], wanted))
            return sum->inputs[1];
    }
    if (const ForwardOp* difference = made(value, "Sub"); difference && difference->inputs.size() == 2 && isNumber(difference->inputs[1], -wanted))
        return difference->inputs[0];
    return std::nullopt;
}

void Matcher::addFactors(ValueId value, Product& product, int depth)
{
    const int op = producer(value);
    const bool isInner = op >= 0 && (op == m_root || m_readers[at(value)].size() == 1) && depth < 6;
    // A cast of what several read is their input; one within the product belongs to it.
    if (const ValueId source = beforeCast(value); isInner && source != kNoValue && isFactor(source)) {
        cover(op);
        return addFactors(source, product, depth + 1);
    }
    if (isInner && m_graph.ops[at(op)].inputs.size() == 2) {
        const ForwardOp& found = m_graph.ops[at(op)];
        const auto divisor = found.type == "Div" ? number(found.inputs[1]) : std::nullopt;
        if (divisor && *divisor != 0) {
            cover(op);
            product.coefficient /= *divisor;
            return addFactors(found.inputs[0], product, depth + 1);
        }
        if (found.type == "Mul") {
            cover(op);
            for (const ValueId input : found.inputs) {
                if (const auto scale = number(input))
                    product.coefficient *= *scale;
                else
                    addFactors(input, product, depth + 1);
            }
            return;
        }
    }
    product.factors.push_back(value);
}

bool Matcher::isFactor(ValueId value) const
{
    const int op = producer(value);
    return op >= 0 && m_readers[at(value)].size() == 1 && (m_graph.ops[at(op)].type == "Mul" || m_graph.ops[at(op)].type == "Div");
}

Product Matcher::product(ValueId value)
{
    Product result;
    addFactors(value, result, 0);
    return result;
}

std::optional<ValueId> Matcher::square(ValueId value)
{
    if (const ForwardOp* power = made(value, "Pow"); power && power->inputs.size() == 2 && isNumber(power->inputs[1], 2))
        return power->inputs[0];
    if (const ForwardOp* times = made(value, "Mul"); times && times->inputs.size() == 2 && isSame(times->inputs[0], times->inputs[1]))
        return times->inputs[0];
    return std::nullopt;
}

std::optional<ValueId> Matcher::trailingMean(ValueId value, std::int64_t& axis)
{
    const ForwardOp* mean = made(value, "ReduceMean");
    if (!mean || mean->intAttribute("keepdims", 1) == 0)
        return std::nullopt;
    auto axes = mean->intsAttribute("axes");
    std::ranges::sort(axes);
    const auto rank = static_cast<std::int64_t>(shape(mean->inputs[0]).size());
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i] != rank - static_cast<std::int64_t>(axes.size() - i))
            return std::nullopt;
    if (axes.empty())
        return std::nullopt;
    axis = axes.front();
    return mean->inputs[0];
}

bool Matcher::isParameter(ValueId value) const
{
    return value != kNoValue && m_graph.value(value).kind == ValueKind::Parameter;
}

bool Matcher::isClosed() const
{
    const auto isInside = [this](int op) { return op == m_root || std::ranges::find(m_covered, op) != m_covered.end(); };
    for (const int op : m_covered) {
        for (const ValueId output : m_graph.ops[at(op)].outputs) {
            if (output == kNoValue)
                continue;
            const bool isResult = std::ranges::find(m_graph.outputs, output) != m_graph.outputs.end();
            if (isResult || !std::ranges::all_of(m_readers[at(output)], isInside))
                return false;
        }
    }
    return true;
}

}  // namespace poet::training
