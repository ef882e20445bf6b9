// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/kernel_spec.h"

#include <limits>

namespace poet::firmware {
namespace {

std::int32_t count(const OpContext& c) { return static_cast<std::int32_t>(elementCount(c.out())); }

/// Attributes of poet_unary.inl.
KernelSpec unary(const OpContext& c, std::string kernel, double p0 = 0, double p1 = 0)
{
    return {.forward = kernel, .backward = kernel + "_grad", .attributes = {count(c), floatBits(p0), floatBits(p1), 1}};
}

template <const char* kernel>
Expected<KernelSpec> plain(const OpContext& c)
{
    return unary(c, kernel);
}

template <const char* kernel, int fallbackPermille>
Expected<KernelSpec> withAlpha(const OpContext& c)
{
    return unary(c, kernel, c.op.floatAttribute("alpha", fallbackPermille / 1000.0));
}

Expected<KernelSpec> selu(const OpContext& c)
{
    return unary(c, "selu", c.op.floatAttribute("alpha", 1.67326319217681884765625), c.op.floatAttribute("gamma", 1.05070102214813232421875));
}

Expected<KernelSpec> hardSigmoid(const OpContext& c)
{
    return unary(c, "hard_sigmoid", c.op.floatAttribute("alpha", 0.2), c.op.floatAttribute("beta", 0.5));
}

Expected<KernelSpec> gelu(const OpContext& c)
{
    return unary(c, c.op.textAttribute("approximate", "none") == "tanh" ? "gelu_tanh" : "gelu");
}

Expected<KernelSpec> geluTanh(const OpContext& c)
{
    return unary(c, "gelu_tanh");
}

double bound(const OpContext& c, std::string_view key, std::size_t slot, double fallback)
{
    if (c.has(slot)) {
        const auto& constant = c.graph.value(c.op.input(slot)).constant;
        if (constant && constant->size() == 1)
            return constant->floats.empty() ? static_cast<double>(constant->ints[0]) : constant->floats[0];
    }
    return c.op.floatAttribute(key, fallback);
}

Expected<KernelSpec> clip(const OpContext& c)
{
    const double most = std::numeric_limits<float>::max();
    for (std::size_t slot = 1; slot < 3; ++slot)
        if (c.has(slot) && !c.graph.value(c.op.input(slot)).constant)
            return noKernel(c, "computed bounds");
    return unary(c, "clip", bound(c, "min", 1, -most), bound(c, "max", 2, most));
}

/// Attributes of poet_binary.inl.
KernelSpec broadcast(const OpContext& c, std::string kernel, bool hasGradient, std::size_t operands)
{
    KernelSpec spec{.forward = kernel, .backward = hasGradient ? kernel + "_grad" : "", .attributes = {}, .inputs = operands};
    spec.attributes.push_back(static_cast<std::int32_t>(c.out().size()));
    append(spec.attributes, c.out());
    for (std::size_t slot = 0; slot < operands; ++slot)
        append(spec.attributes, broadcastStrides(c.in(slot), c.out()));
    return spec;
}

template <const char* kernel>
Expected<KernelSpec> binary(const OpContext& c)
{
    if (c.op.inputs.size() != 2)
        return noKernel(c, "more than two operands");
    if (!isFloating(c.inType(0)))
        return noKernel(c, "integer operands");
    return broadcast(c, kernel, true, 2);
}

template <const char* kernel>
Expected<KernelSpec> comparison(const OpContext& c)
{
    if (!isFloating(c.inType(0)))
        return noKernel(c, "integer operands");
    return broadcast(c, kernel, false, 2);
}

template <const char* kernel>
Expected<KernelSpec> logic(const OpContext& c)
{
    return broadcast(c, kernel, false, 2);
}

Expected<KernelSpec> logicNot(const OpContext& c)
{
    KernelSpec spec = broadcast(c, "not", false, 1);
    append(spec.attributes, std::vector<std::int64_t>(c.out().size(), 0));
    return spec;
}

/// One slope a channel: shaped like the input without its batch, or by PyTorch's habit one a channel.
Expected<KernelSpec> prelu(const OpContext& c)
{
    return broadcast(c, "prelu", true, 2);
}

Expected<KernelSpec> where(const OpContext& c)
{
    if (!isFloating(c.outType()))
        return noKernel(c, "integer operands");
    return broadcast(c, "where", true, 3);
}

/// Two operands broadcast as Add; more must have one shape.
Expected<KernelSpec> sum(const OpContext& c)
{
    if (c.op.inputs.size() == 2)
        return broadcast(c, "add", true, 2);
    for (std::size_t slot = 0; slot < c.op.inputs.size(); ++slot)
        if (c.in(slot) != c.out())
            return noKernel(c, "broadcasting among more than two operands");
    const auto operands = c.op.inputs.size();
    return KernelSpec{.forward = "sum", .backward = "sum_grad", .attributes = {count(c), static_cast<std::int32_t>(operands)}, .inputs = operands};
}

int castCode(ElementType type)
{
    return type == ElementType::F32 ? 0 : elementBytes(type);
}

Expected<KernelSpec> cast(const OpContext& c)
{
    const ElementType from = c.inType(0), to = c.outType();
    if ((isFloating(from) && from != ElementType::F32) || (isFloating(to) && to != ElementType::F32))
        return noKernel(c, "half or double precision");
    if (from == to)
        return unary(c, "identity");
    return KernelSpec{.forward = "cast", .backward = "", .attributes = {count(c), castCode(from), castCode(to)}};
}

Expected<KernelSpec> dropout(const OpContext& c)
{
    if (c.op.intAttribute("training_mode", 0) == 0 || c.op.floatAttribute("ratio", 0.5) == 0)
        return unary(c, "identity");
    const auto number = static_cast<std::int32_t>(&c.op - c.graph.ops.data());
    return KernelSpec{.forward = "dropout", .backward = "dropout_grad",
                      .attributes = {count(c), floatBits(c.op.floatAttribute("ratio", 0.5)), number}, .inputs = 1, .sides = {"dropout_mask"}};
}

#define POET_NAMES(X)                                                                                                     \
    X(relu) X(sigmoid) X(tanh) X(exp) X(log) X(sqrt) X(reciprocal) X(neg) X(abs) X(erf) X(softplus) X(softsign) X(silu)   \
    X(mish) X(hard_swish) X(identity) X(sin) X(cos) X(sign) X(floor) X(ceil) X(leaky_relu) X(elu) X(celu)                 \
    X(thresholded_relu) X(round) X(tan) X(atan) X(asin) X(acos) X(sinh) X(cosh) X(asinh) X(acosh) X(atanh) X(add) X(sub) X(mul) X(div) X(max) X(min) X(pow) X(greater) X(greater_or_equal) X(less)           \
    X(less_or_equal) X(equal) X(and) X(or) X(xor)
#define POET_NAME_TEXT(n) constexpr char n_##n[] = #n;
POET_NAMES(POET_NAME_TEXT)
#undef POET_NAME_TEXT
#undef POET_NAMES

}  // namespace

void addElementwiseBinders(BinderTable& table)
{
    table.insert({{"Relu", plain<n_relu>}, {"Sigmoid", plain<n_sigmoid>}, {"Tanh", plain<n_tanh>}, {"Exp", plain<n_exp>},
                  {"Log", plain<n_log>}, {"Sqrt", plain<n_sqrt>}, {"Reciprocal", plain<n_reciprocal>}, {"Neg", plain<n_neg>},
                  {"Abs", plain<n_abs>}, {"Erf", plain<n_erf>}, {"Softplus", plain<n_softplus>}, {"Softsign", plain<n_softsign>},
                  {"Silu", plain<n_silu>}, {"Swish", plain<n_silu>}, {"Mish", plain<n_mish>}, {"HardSwish", plain<n_hard_swish>},
                  {"Identity", plain<n_identity>}, {"Sin", plain<n_sin>}, {"Cos", plain<n_cos>}, {"Sign", plain<n_sign>},
                  {"Round", plain<n_round>}, {"Tan", plain<n_tan>}, {"Atan", plain<n_atan>}, {"Asin", plain<n_asin>},
                  {"Acos", plain<n_acos>}, {"Sinh", plain<n_sinh>}, {"Cosh", plain<n_cosh>}, {"Asinh", plain<n_asinh>},
                  {"Acosh", plain<n_acosh>}, {"Atanh", plain<n_atanh>}, {"Floor", plain<n_floor>}, {"Ceil", plain<n_ceil>}, {"LeakyRelu", withAlpha<n_leaky_relu, 10>},
                  {"Elu", withAlpha<n_elu, 1000>}, {"Celu", withAlpha<n_celu, 1000>},
                  {"ThresholdedRelu", withAlpha<n_thresholded_relu, 1000>}, {"Selu", selu}, {"HardSigmoid", hardSigmoid},
                  {"Gelu", gelu}, {"FastGelu", geluTanh}, {"Clip", clip}, {"Cast", cast}, {"Dropout", dropout}});
    table.insert({{"Add", binary<n_add>}, {"Sub", binary<n_sub>}, {"Mul", binary<n_mul>}, {"Div", binary<n_div>},
                  {"Max", binary<n_max>}, {"Min", binary<n_min>}, {"Pow", binary<n_pow>}, {"PRelu", prelu}, {"Where", where},
                  {"Sum", sum}, {"Greater", comparison<n_greater>}, {"GreaterOrEqual", comparison<n_greater_or_equal>},
                  {"Less", comparison<n_less>}, {"LessOrEqual", comparison<n_less_or_equal>}, {"Equal", comparison<n_equal>},
                  {"And", logic<n_and>}, {"Or", logic<n_or>}, {"Xor", logic<n_xor>}, {"Not", logicNot}});
}

}  // namespace poet::firmware
