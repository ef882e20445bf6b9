// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/patterns/pattern.h"

#include <algorithm>

namespace poet::training {

namespace {

/// y * scale + bias, or y * scale, with parameters; y alone otherwise.
struct Affine {
    ValueId y = kNoValue;
    ValueId scale = kNoValue;
    ValueId bias = kNoValue;
};

/// Splits `value` into a parameter and the rest by the operation `type`.
bool splitOff(Matcher& m, ValueId& value, std::string_view type, ValueId& parameter)
{
    const ForwardOp* op = m.made(value, type);
    if (!op || op->inputs.size() != 2)
        return false;
    const std::size_t own = m.isParameter(op->inputs[1]) ? 1 : 0;
    if (!m.isParameter(op->inputs[own]) || m.isParameter(op->inputs[1 - own]))
        return false;
    parameter = op->inputs[own];
    value = op->inputs[1 - own];
    return true;
}

Affine affineOf(Matcher& m)
{
    Affine affine{m.result(), kNoValue, kNoValue};
    const std::string& type = m.root().type;
    if (type == "Add" && !splitOff(m, affine.y, "Add", affine.bias))
        return {};
    if ((type == "Add" || type == "Mul") && !splitOff(m, affine.y, "Mul", affine.scale) && type == "Add")
        return {};
    return affine;
}

/// s = sqrt(mean + epsilon); gives the mean.
std::optional<ValueId> underRoot(Matcher& m, ValueId s, double& epsilon)
{
    const ForwardOp* root = m.made(s, "Sqrt");
    if (const ForwardOp* power = root ? nullptr : m.made(s, "Pow"); power && m.isNumber(power->inputs[1], 0.5))
        root = power;
    const ForwardOp* sum = root ? m.made(root->inputs[0], "Add") : nullptr;
    if (!sum || sum->inputs.size() != 2)
        return std::nullopt;
    const std::size_t constant = m.number(sum->inputs[1]) ? 1 : 0;
    const auto found = m.number(sum->inputs[constant]);
    if (!found)
        return std::nullopt;
    epsilon = *found;
    return sum->inputs[1 - constant];
}

/// y = d / s or d * (1 / s); gives d and s.
bool quotient(Matcher& m, ValueId y, ValueId& d, ValueId& s)
{
    if (const ForwardOp* div = m.made(y, "Div"); div && div->inputs.size() == 2) {
        d = div->inputs[0];
        s = div->inputs[1];
        // 1 / s is a reciprocal, not the whole quotient.
        return !m.number(d);
    }
    const ForwardOp* mul = m.made(y, "Mul");
    if (!mul || mul->inputs.size() != 2)
        return false;
    const std::size_t mark = m.mark();
    for (std::size_t own = 0; own < 2; ++own) {
        m.forget(mark);
        if (const ForwardOp* reciprocal = m.made(mul->inputs[own], "Reciprocal")) {
            s = reciprocal->inputs[0];
        } else if (const ForwardOp* inverse = m.made(mul->inputs[own], "Div"); inverse && m.isNumber(inverse->inputs[0], 1)) {
            s = inverse->inputs[1];
        } else {
            continue;
        }
        d = mul->inputs[1 - own];
        return true;
    }
    return false;
}

Match normalization(std::string type, ValueId x, const Affine& affine, std::int64_t axis, double epsilon, std::string note)
{
    Match match{std::move(type), {{"axis", axis}, {"epsilon", epsilon}}, {x}, std::move(note)};
    if (affine.scale != kNoValue)
        match.inputs.push_back(affine.scale);
    if (affine.bias != kNoValue)
        match.inputs.push_back(affine.bias);
    return match;
}

/// The scale must vary over the normalised dimensions only.
bool fitsTrailing(const Matcher& m, ValueId parameter, ValueId x, std::int64_t axis)
{
    if (parameter == kNoValue)
        return true;
    const Shape& all = m.shape(x);
    return m.shape(parameter) == Shape(all.begin() + axis, all.end());
}

}  // namespace

/// (x - mean) / sqrt(mean((x - mean)^2) + epsilon) * scale + bias.
std::optional<Match> matchLayerNormalization(Matcher& m)
{
    const Affine affine = affineOf(m);
    ValueId d = kNoValue, s = kNoValue;
    if (affine.y == kNoValue || !quotient(m, affine.y, d, s))
        return std::nullopt;
    const ForwardOp* difference = m.made(d, "Sub");
    std::int64_t axis = 0, varianceAxis = 0;
    const auto centre = difference ? m.trailingMean(difference->inputs[1], axis) : std::nullopt;
    if (!centre || !m.isSame(*centre, difference->inputs[0]))
        return std::nullopt;
    const ValueId x = difference->inputs[0];
    double epsilon = 0;
    const auto variance = underRoot(m, s, epsilon);
    const auto squared = variance ? m.trailingMean(*variance, varianceAxis) : std::nullopt;
    const auto base = squared ? m.square(*squared) : std::nullopt;
    if (base && !m.isSame(*base, d)) {
        // Some exporters compute the difference twice.
        const ForwardOp* again = m.made(*base, "Sub");
        std::int64_t againAxis = 0;
        const auto mean = again && m.isSame(again->inputs[0], x) ? m.trailingMean(again->inputs[1], againAxis) : std::nullopt;
        if (!mean || !m.isSame(*mean, x))
            return std::nullopt;
    }
    if (!base || varianceAxis != axis || !fitsTrailing(m, affine.scale, x, axis) || !fitsTrailing(m, affine.bias, x, axis))
        return std::nullopt;
    return normalization("LayerNormalization", x, affine, axis, epsilon, "LayerNormalization");
}

/// x / sqrt(mean(x^2) + epsilon). A scale that follows stays an operation of its own: no framework fuses the two where the
/// model spells them out, so the normalised tensor is kept for the gradient of the scale, or made again from x.
std::optional<Match> matchRmsNormalization(Matcher& m)
{
    ValueId x = kNoValue, s = kNoValue;
    double epsilon = 0;
    std::int64_t axis = 0;
    if (!quotient(m, m.result(), x, s))
        return std::nullopt;
    const auto mean = underRoot(m, s, epsilon);
    const auto squared = mean ? m.trailingMean(*mean, axis) : std::nullopt;
    const auto base = squared ? m.square(*squared) : std::nullopt;
    if (!base || !m.isSame(*base, x))
        return std::nullopt;
    return normalization("RMSNormalization", x, {}, axis, epsilon, "RMSNormalization");
}

/// InstanceNormalization over groups between two Reshapes, then scale and bias by channel.
std::optional<Match> matchGroupNormalization(Matcher& m)
{
    const Affine affine = affineOf(m);
    if (affine.scale == kNoValue || affine.bias == kNoValue)
        return std::nullopt;
    const ForwardOp* back = m.made(affine.y, "Reshape");
    const ForwardOp* norm = back ? m.made(back->inputs[0], "InstanceNormalization") : nullptr;
    const ForwardOp* grouped = norm ? m.made(norm->inputs[0], "Reshape") : nullptr;
    if (!grouped || m.shape(grouped->inputs[0]) != m.shape(affine.y) || m.shape(norm->inputs[0]).size() < 3)
        return std::nullopt;
    const Shape& x = m.shape(grouped->inputs[0]);
    const bool isByChannel = x.size() > 1 && elementCount(m.shape(affine.scale)) == x[1] && elementCount(m.shape(affine.bias)) == x[1];
    if (!isByChannel)
        return std::nullopt;
    Match match{"GroupNormalization", {}, {grouped->inputs[0], affine.scale, affine.bias}, "GroupNormalization"};
    match.attributes["num_groups"] = m.shape(norm->inputs[0])[1];
    match.attributes["epsilon"] = norm->floatAttribute("epsilon", 1e-5);
    return match;
}

}  // namespace poet::training
