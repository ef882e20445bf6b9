// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/patterns/pattern.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace poet::training {

namespace {

bool isJust(Matcher& m, const Product& product, ValueId x, double coefficient)
{
    return product.factors.size() == 1 && m.isSame(product.factors[0], x) && isAbout(product.coefficient, coefficient);
}

/// u = sqrt(2/pi) * (x + 0.044715 x^3), or sqrt(2/pi) * x * (1 + 0.044715 x^2). Source: Hendrycks and Gimpel 2016.
bool isTanhArgument(Matcher& m, ValueId u, ValueId x)
{
    constexpr double kCubic = 0.044715;
    const Product outer = m.product(u);
    if (!isAbout(outer.coefficient, std::sqrt(2 / std::numbers::pi)))
        return false;
    if (outer.factors.size() == 2) {
        const ValueId other = m.isSame(outer.factors[0], x) ? outer.factors[1] : outer.factors[0];
        const auto quadratic = m.plus(other, 1);
        if (!quadratic)
            return false;
        const Product term = m.product(*quadratic);
        const auto squared = term.factors.size() == 1 ? m.square(term.factors[0]) : std::nullopt;
        const bool isSquare = (squared && m.isSame(*squared, x)) ||
                              (term.factors.size() == 2 && m.isSame(term.factors[0], x) && m.isSame(term.factors[1], x));
        return isSquare && isAbout(term.coefficient, kCubic);
    }
    const ForwardOp* sum = outer.factors.size() == 1 ? m.made(outer.factors[0], "Add") : nullptr;
    if (!sum || sum->inputs.size() != 2)
        return false;
    const ValueId cubic = m.isSame(sum->inputs[0], x) ? sum->inputs[1] : sum->inputs[0];
    const Product term = m.product(cubic);
    if (!isAbout(term.coefficient, kCubic))
        return false;
    if (term.factors.size() == 1) {
        const ForwardOp* power = m.made(term.factors[0], "Pow");
        return power && m.isNumber(power->inputs[1], 3) && m.isSame(power->inputs[0], x);
    }
    if (term.factors.size() == 2) {
        const auto squared = m.square(m.isSame(term.factors[0], x) ? term.factors[1] : term.factors[0]);
        return squared && m.isSame(*squared, x);
    }
    return term.factors.size() == 3 && std::ranges::all_of(term.factors, [&](ValueId factor) { return m.isSame(factor, x); });
}

/// `value` = Clip(x + 3, 0, 6), the bounds as attributes or as two of Min, Max, Relu; gives x.
std::optional<ValueId> shiftedClip(Matcher& m, ValueId value)
{
    const ForwardOp* clip = m.made(value, "Clip");
    if (clip && isAbout(clip->floatAttribute("max", 0), 6) && clip->floatAttribute("min", -1) == 0)
        return m.plus(clip->inputs[0], 3);
    const ForwardOp* min = clip ? nullptr : m.made(value, "Min");
    if (!min || min->inputs.size() != 2)
        return std::nullopt;
    const std::size_t bound = m.isNumber(min->inputs[1], 6) ? 1 : 0;
    if (!m.isNumber(min->inputs[bound], 6))
        return std::nullopt;
    const ValueId lower = min->inputs[1 - bound];
    if (const ForwardOp* relu = m.made(lower, "Relu"))
        return m.plus(relu->inputs[0], 3);
    const ForwardOp* max = m.made(lower, "Max");
    if (!max || max->inputs.size() != 2)
        return std::nullopt;
    const std::size_t zero = m.isNumber(max->inputs[1], 0) ? 1 : 0;
    return m.isNumber(max->inputs[zero], 0) ? m.plus(max->inputs[1 - zero], 3) : std::nullopt;
}

Match unary(std::string type, ValueId x, std::string note)
{
    return {std::move(type), {}, {x}, std::move(note)};
}

/// The factor that is not `x`, when there are two and one is `x`.
std::optional<ValueId> gateOf(const Product& product, std::size_t own)
{
    return product.factors.size() == 2 ? std::optional(product.factors[1 - own]) : std::nullopt;
}

std::optional<Match> gated(Matcher& m, ValueId x, ValueId gate, double coefficient)
{
    if (isAbout(coefficient, 1)) {
        if (const ForwardOp* sigmoid = m.made(gate, "Sigmoid"); sigmoid && m.isSame(sigmoid->inputs[0], x))
            return unary("Silu", x, "SiLU");
        if (const ForwardOp* hard = m.made(gate, "HardSigmoid"); hard && isAbout(hard->floatAttribute("alpha", 0.2), 1.0 / 6) &&
                                                                 isAbout(hard->floatAttribute("beta", 0.5), 0.5) && m.isSame(hard->inputs[0], x))
            return unary("HardSwish", x, "HardSwish");
        if (const ForwardOp* tanh = m.made(gate, "Tanh"))
            if (const ForwardOp* softplus = m.made(tanh->inputs[0], "Softplus"); softplus && m.isSame(softplus->inputs[0], x))
                return unary("Mish", x, "Mish");
    }
    if (isAbout(coefficient, 1.0 / 6))
        if (const auto clipped = shiftedClip(m, gate); clipped && m.isSame(*clipped, x))
            return unary("HardSwish", x, "HardSwish");
    return std::nullopt;
}

/// (0.5 * x) * gate, as models write it themselves; exporters of a framework's own GELU multiply x by the gate first.
/// To be asked when the matcher has seen the product alone.
bool halvesFirst(Matcher& m, ValueId x)
{
    const auto halves = [&](const ForwardOp& op) {
        return op.inputs.size() == 2 && ((op.inputs[0] == x && m.number(op.inputs[1])) || (op.inputs[1] == x && m.number(op.inputs[0])));
    };
    return halves(m.root()) || std::ranges::any_of(m.covered(), [&](int op) { return halves(m.graph().ops[static_cast<std::size_t>(op)]); });
}

}  // namespace

std::optional<Match> matchGelu(Matcher& m)
{
    if (m.root().type != "Mul" && m.root().type != "Div")
        return std::nullopt;
    const Product product = m.product(m.result());
    if (!isAbout(product.coefficient, 0.5))
        return std::nullopt;
    const std::size_t mark = m.mark();
    for (std::size_t own = 0; own < product.factors.size(); ++own) {
        m.forget(mark);
        const ValueId x = product.factors[own];
        const bool isWrittenOut = halvesFirst(m, x);
        const auto gate = gateOf(product, own);
        const auto inner = gate ? m.plus(*gate, 1) : std::nullopt;
        if (!inner)
            continue;
        if (const ForwardOp* erf = m.made(*inner, "Erf"); erf && isJust(m, m.product(erf->inputs[0]), x, 1 / std::numbers::sqrt2))
            return unary(isWrittenOut ? "" : "Gelu", x, "GELU");
        if (const ForwardOp* tanh = m.made(*inner, "Tanh"); tanh && isTanhArgument(m, tanh->inputs[0], x)) {
            Match match = unary(isWrittenOut ? "" : "Gelu", x, "GELU (tanh form)");
            match.attributes["approximate"] = std::string("tanh");
            return match;
        }
    }
    return std::nullopt;
}

std::optional<Match> matchGatedActivation(Matcher& m)
{
    if (m.root().type != "Mul" && m.root().type != "Div")
        return std::nullopt;
    const Product product = m.product(m.result());
    const std::size_t mark = m.mark();
    for (std::size_t own = 0; own < product.factors.size(); ++own) {
        m.forget(mark);
        if (const auto gate = gateOf(product, own))
            if (auto match = gated(m, product.factors[own], *gate, product.coefficient))
                return match;
    }
    return std::nullopt;
}

/// Clip(x + 3, 0, 6) / 6.
std::optional<Match> matchHardSigmoid(Matcher& m)
{
    if (m.root().type != "Div" && m.root().type != "Mul")
        return std::nullopt;
    const Product product = m.product(m.result());
    if (product.factors.size() != 1 || !isAbout(product.coefficient, 1.0 / 6))
        return std::nullopt;
    const auto x = shiftedClip(m, product.factors[0]);
    if (!x)
        return std::nullopt;
    Match match = unary("HardSigmoid", *x, "HardSigmoid");
    match.attributes["alpha"] = 1.0 / 6;
    match.attributes["beta"] = 0.5;
    return match;
}

}  // namespace poet::training
