// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// The reference kernels against double precision: values of elementary functions, and gradients against finite differences
// of the kernels' own forward (central, in float, with a step that suits it) on random data.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "resources/runtime/poet_types.h"

#include "resources/runtime/poet_kernels.inl"

namespace {

std::int32_t bits(float value) { return std::bit_cast<std::int32_t>(value); }

/// One operation: its kernels, attributes and operand sizes; `differentiable` slots are checked.
struct Case {
    std::string name;
    poet_kernel forward, backward;
    std::vector<std::int32_t> attributes;
    std::vector<int> inputs;              ///< elements of each operand
    int output = 0;
    std::vector<int> differentiable;
    float low = -1, high = 1;             ///< range of the data
    int work = 0;
    std::vector<poet_kernel> sides{};
    std::vector<int> sideSizes{};
    std::vector<std::vector<std::int64_t>> integers{};  ///< content of operands that are indices; empty: floats
};

class Bench {
public:
    Bench(const Case& test, unsigned seed) : m_case(test), m_work(static_cast<std::size_t>(test.work) + 8, 0.0F)
    {
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> values(test.low, test.high);
        for (const int size : test.inputs) {
            m_inputs.emplace_back(static_cast<std::size_t>(size));
            for (float& value : m_inputs.back())
                value = values(random);
        }
        std::uniform_real_distribution<float> weights(-1, 1);
        m_seed.resize(static_cast<std::size_t>(test.output));
        for (float& value : m_seed)
            value = weights(random);
    }

    std::vector<float>& input(int slot) { return m_inputs[static_cast<std::size_t>(slot)]; }

    std::vector<float> forward()
    {
        std::vector<const void*> in = operands();
        m_sides.clear();
        for (std::size_t side = 0; side < m_case.sides.size(); ++side) {
            m_sides.emplace_back(static_cast<std::size_t>(m_case.sideSizes[side]) * 2, 0.0F);
            run(m_case.sides[side], in, m_sides.back().data(), {});
            in.push_back(m_sides.back().data());
        }
        std::vector<float> out(static_cast<std::size_t>(m_case.output) + 4, kCanary);
        run(m_case.forward, in, out.data(), {});
        for (std::size_t i = static_cast<std::size_t>(m_case.output); i < out.size(); ++i)
            EXPECT_EQ(out[i], kCanary) << m_case.name << ": wrote behind its output";
        out.resize(static_cast<std::size_t>(m_case.output));
        return out;
    }

    double loss()
    {
        const auto out = forward();
        double sum = 0;
        for (std::size_t i = 0; i < out.size(); ++i)
            sum += static_cast<double>(out[i]) * static_cast<double>(m_seed[i]);
        return sum;
    }

    std::vector<std::vector<float>> gradients()
    {
        const auto out = forward();
        std::vector<const void*> in{m_seed.data()};
        for (const void* operand : operands())
            in.push_back(operand);
        in.push_back(out.data());
        for (const auto& side : m_sides)
            in.push_back(side.data());
        std::vector<std::vector<float>> result;
        std::vector<poet_grad> gradients;
        for (const auto& input : m_inputs)
            result.emplace_back(input.size(), kCanary);
        for (std::size_t slot = 0; slot < m_inputs.size(); ++slot) {
            const bool isWanted = std::ranges::find(m_case.differentiable, static_cast<int>(slot)) != m_case.differentiable.end();
            gradients.push_back({result[slot].data(), 0, static_cast<uint32_t>(isWanted ? POET_PUT_WRITE : POET_PUT_NONE)});
        }
        gradients.resize(16, {nullptr, 0, POET_PUT_NONE});
        run(m_case.backward, in, nullptr, gradients);
        return result;
    }

    static constexpr float kCanary = -77777.0F;

private:
    std::vector<const void*> operands()
    {
        std::vector<const void*> in;
        for (std::size_t slot = 0; slot < m_inputs.size(); ++slot) {
            const bool isInteger = slot < m_case.integers.size() && !m_case.integers[slot].empty();
            in.push_back(m_inputs[slot].empty() && !isInteger ? nullptr
                         : isInteger                         ? static_cast<const void*>(m_case.integers[slot].data())
                                                             : static_cast<const void*>(m_inputs[slot].data()));
        }
        return in;
    }

    void run(poet_kernel kernel, std::vector<const void*> in, void* out, std::vector<poet_grad> gradients)
    {
        in.resize(24, nullptr);
        gradients.resize(16, {nullptr, 0, POET_PUT_NONE});
        void* outs[3] = {out, nullptr, nullptr};
        poet_node node{};
        poet_call call{&node, m_case.attributes.data(), in.data(), outs, gradients.data(), m_work.data(), 1, 7, 0};
        ASSERT_EQ(kernel(nullptr, &call), 0) << m_case.name;
    }

    const Case& m_case;
    std::vector<std::vector<float>> m_inputs, m_sides;
    std::vector<float> m_seed, m_work;
};

void checkGradients(const Case& test)
{
    for (unsigned seed = 1; seed <= 3; ++seed) {
        SCOPED_TRACE(test.name + ", seed " + std::to_string(seed));
        Bench bench(test, seed);
        const auto analytic = bench.gradients();
        for (const int slot : test.differentiable) {
            double scale = 1e-2;
            for (const float value : analytic[static_cast<std::size_t>(slot)])
                scale = std::max(scale, std::abs(static_cast<double>(value)));
            for (std::size_t i = 0; i < bench.input(slot).size(); ++i) {
                float& at = bench.input(slot)[i];
                const float before = at, step = 4e-3F;
                at = before + step;
                const float up = at;
                const double above = bench.loss();
                at = before - step;
                const double width = static_cast<double>(up) - static_cast<double>(at);
                const double below = bench.loss();
                at = before;
                EXPECT_NEAR(analytic[static_cast<std::size_t>(slot)][i], (above - below) / width, 8e-3 * scale) << "operand " << slot << ", element " << i;
            }
        }
    }
}

#define POET_PAIR(name) poet_k_##name, poet_k_##name##_grad

Case unaryCase(const std::string& name, poet_kernel forward, poet_kernel backward, float low = -2, float high = 2, float p0 = 0, float p1 = 0)
{
    return {.name = name, .forward = forward, .backward = backward, .attributes = {24, bits(p0), bits(p1), 1}, .inputs = {24}, .output = 24, .differentiable = {0}, .low = low, .high = high};
}

TEST(FirmwareKernels, elementwiseGradients)
{
    const Case cases[] = {
        unaryCase("sigmoid", POET_PAIR(sigmoid)), unaryCase("tanh", POET_PAIR(tanh)), unaryCase("exp", POET_PAIR(exp)),
        unaryCase("log", POET_PAIR(log), 0.5F, 3), unaryCase("sqrt", POET_PAIR(sqrt), 0.5F, 3), unaryCase("reciprocal", POET_PAIR(reciprocal), 0.7F, 3),
        unaryCase("neg", POET_PAIR(neg)), unaryCase("erf", POET_PAIR(erf)), unaryCase("softplus", POET_PAIR(softplus)),
        unaryCase("softsign", POET_PAIR(softsign), 0.1F, 2), unaryCase("gelu", POET_PAIR(gelu)), unaryCase("gelu_tanh", POET_PAIR(gelu_tanh)),
        unaryCase("silu", POET_PAIR(silu)), unaryCase("mish", POET_PAIR(mish)), unaryCase("sin", POET_PAIR(sin)), unaryCase("cos", POET_PAIR(cos)),
        unaryCase("relu", POET_PAIR(relu), 0.1F, 2), unaryCase("leaky_relu", POET_PAIR(leaky_relu), -2, -0.1F, 0.2F),
        unaryCase("elu", POET_PAIR(elu), -2, -0.1F, 1), unaryCase("celu", POET_PAIR(celu), -2, -0.1F, 1.5F),
        unaryCase("selu", POET_PAIR(selu), -2, -0.1F, 1.67F, 1.05F), unaryCase("hard_swish", POET_PAIR(hard_swish), -2.5F, 2.5F),
        unaryCase("hard_sigmoid", POET_PAIR(hard_sigmoid), -1, 1, 0.2F, 0.5F), unaryCase("clip", POET_PAIR(clip), -0.9F, 0.9F, -1, 1),
    };
    for (const Case& test : cases)
        checkGradients(test);
}

TEST(FirmwareKernels, broadcastGradients)
{
    // output 2 x 3 x 4; y is 3 x 1
    const std::vector<std::int32_t> shape{3, 2, 3, 4, 12, 4, 1, 0, 1, 0};
    const auto make = [&](const std::string& name, poet_kernel forward, poet_kernel backward, float low = -1, float high = 1) {
        checkGradients({.name = name, .forward = forward, .backward = backward, .attributes = shape, .inputs = {24, 3}, .output = 24, .differentiable = {0, 1}, .low = low, .high = high});
    };
    make("add", POET_PAIR(add));
    make("sub", POET_PAIR(sub));
    make("mul", POET_PAIR(mul));
    make("div", POET_PAIR(div), 1, 2);
    make("pow", POET_PAIR(pow), 0.7F, 2);
    checkGradients({.name = "sum", .forward = poet_k_sum, .backward = poet_k_sum_grad, .attributes = {6, 3}, .inputs = {6, 6, 6}, .output = 6, .differentiable = {0, 1, 2}});
}

TEST(FirmwareKernels, convolutionGradients)
{
    // 2 x 4 x 5 x 6, groups 2, kernel 3 x 2, stride 2 x 1, padding 1 x 0, dilation 1 x 2
    const std::vector<std::int32_t> shape{2, 4, 5, 6, 6, 3, 4, 2, 3, 2, 2, 1, 1, 0, 1, 2};
    checkGradients({.name = "conv", .forward = poet_k_conv, .backward = poet_k_conv_grad, .attributes = shape, .inputs = {240, 72, 6}, .output = 144, .differentiable = {0, 1, 2}});
    checkGradients({.name = "conv_transpose", .forward = poet_k_conv_transpose, .backward = poet_k_conv_transpose_grad, .attributes = shape, .inputs = {144, 72, 4}, .output = 240,
                    .differentiable = {0, 1, 2}});
}

TEST(FirmwareKernels, matrixGradients)
{
    for (const int transA : {0, 1})
        for (const int transB : {0, 1})
            checkGradients({.name = "gemm", .forward = poet_k_gemm, .backward = poet_k_gemm_grad,
                            .attributes = {3, 4, 5, transA, transB, bits(0.7F), bits(1.3F), 0, 1, 1, 5}, .inputs = {12, 20, 5}, .output = 15, .differentiable = {0, 1, 2}});
    // batch 2 x 3; B has no first dimension
    checkGradients({.name = "matmul", .forward = poet_k_matmul, .backward = poet_k_matmul_grad, .attributes = {2, 3, 4, 2, 2, 3, 18, 6, 0, 12}, .inputs = {36, 36}, .output = 48,
                    .differentiable = {0, 1}});
}

TEST(FirmwareKernels, normalisationGradients)
{
    checkGradients({.name = "batch_norm", .forward = poet_k_batch_norm, .backward = poet_k_batch_norm_grad, .attributes = {3, 2, 4, bits(1e-5F), bits(0.9F), 0},
                    .inputs = {24, 2, 2, 0, 0}, .output = 24, .differentiable = {0, 1, 2}, .sides = {poet_k_batch_norm_stats}, .sideSizes = {4}});
    checkGradients({.name = "layer_norm", .forward = poet_k_norm, .backward = poet_k_norm_grad, .attributes = {4, 6, 1, 1, bits(1e-5F), 0}, .inputs = {24, 6, 6}, .output = 24,
                    .differentiable = {0, 1, 2}, .sides = {poet_k_norm_stats}, .sideSizes = {8}});
    // 2 x 6 channels in 3 groups, area 4
    checkGradients({.name = "group_norm", .forward = poet_k_norm, .backward = poet_k_norm_grad, .attributes = {6, 8, 3, 4, bits(1e-5F), 0}, .inputs = {48, 6, 6}, .output = 48,
                    .differentiable = {0, 1, 2}});
    checkGradients({.name = "batch_norm_eval", .forward = poet_k_batch_norm_eval, .backward = poet_k_batch_norm_eval_grad, .attributes = {3, 2, 4, bits(1e-5F), 0, 0},
                    .inputs = {24, 2, 2, 2, 2}, .output = 24, .differentiable = {0, 1, 2}, .low = 0.5F, .high = 2});
    for (const bool isLog : {false, true})
        checkGradients({.name = "softmax", .forward = isLog ? poet_k_log_softmax : poet_k_softmax, .backward = isLog ? poet_k_log_softmax_grad : poet_k_softmax_grad,
                        .attributes = {2, 5, 3}, .inputs = {30}, .output = 30, .differentiable = {0}});
}

TEST(FirmwareKernels, reductionGradients)
{
    for (const int kind : {0, 3, 4, 5, 6, 7, 8})
        checkGradients({.name = "reduce " + std::to_string(kind), .forward = poet_k_reduce, .backward = poet_k_reduce_grad,
                        .attributes = {3, kind, bits(kind == 0 ? 0.5F : 1), 2, 3, 4, 4, 0, 1}, .inputs = {24}, .output = 8, .differentiable = {0}, .low = 0.5F, .high = 1.5F});
}

TEST(FirmwareKernels, poolingGradients)
{
    // 2 planes of 5 x 6, kernel 3 x 2, stride 2, padding 1 x 0
    checkGradients({.name = "average_pool", .forward = poet_k_average_pool, .backward = poet_k_average_pool_grad,
                    .attributes = {2, 5, 6, 3, 3, 3, 2, 2, 2, 1, 0, 1, 1, 8, 0, 1, 0}, .inputs = {60}, .output = 18, .differentiable = {0}});
    checkGradients({.name = "max_pool", .forward = poet_k_max_pool, .backward = poet_k_max_pool_grad,
                    .attributes = {2, 5, 6, 3, 3, 3, 2, 2, 2, 1, 0, 1, 1, 8, 0, 1, 0}, .inputs = {60}, .output = 18, .differentiable = {0}, .low = -40, .high = 40,
                    .sides = {poet_k_max_pool_index}, .sideSizes = {18}});
    for (const int mode : {0, 1})
        checkGradients({.name = "resize", .forward = poet_k_resize, .backward = poet_k_resize_grad, .attributes = {2, 3, 4, 6, 8, mode, 0, 0, bits(2), bits(2)}, .inputs = {24}, .output = 96,
                        .differentiable = {0}});
}

TEST(FirmwareKernels, movingGradients)
{
    // transpose of 2 x 3, with the copy written into a padded 4 x 3
    checkGradients({.name = "move", .forward = poet_k_move, .backward = poet_k_move_grad, .attributes = {2, 0, 3, 12, 0, 6, 4, 3, 2, 1, 3, 3, 1}, .inputs = {6}, .output = 12, .differentiable = {0}});
    checkGradients({.name = "expand", .forward = poet_k_move, .backward = poet_k_move_grad, .attributes = {2, 0, 0, 0, 0, 3, 4, 4, 3, 0, 1, 3, 1}, .inputs = {3}, .output = 12, .differentiable = {0}});
    checkGradients({.name = "concat", .forward = poet_k_concat, .backward = poet_k_concat_grad, .attributes = {2, 2, 3, 2}, .inputs = {6, 4}, .output = 10, .differentiable = {0, 1}});
    checkGradients({.name = "gather", .forward = poet_k_gather, .backward = poet_k_gather_grad, .attributes = {1, 4, 3, 5, 8, 4}, .inputs = {12, 0}, .output = 15, .differentiable = {0},
                    .integers = {{}, {1, 3, 1, 0, -1}}});
}

TEST(FirmwareKernels, volumeGradients)
{
    // 2 x 4 x 3 x 4 x 5, groups 2, kernel 2 x 3 x 2, strides 1 x 2 x 1, padding 1 x 1 x 0, dilation 1 x 1 x 2
    const std::vector<std::int32_t> shape{2, 4, 3, 4, 5, 6, 4, 2, 3, 2, 2, 3, 2, 1, 2, 1, 1, 1, 0, 1, 1, 2};
    checkGradients({.name = "conv3", .forward = poet_k_conv3, .backward = poet_k_conv3_grad, .attributes = shape, .inputs = {480, 144, 6}, .output = 288, .differentiable = {0, 1, 2}});
    checkGradients({.name = "conv3_transpose", .forward = poet_k_conv3_transpose, .backward = poet_k_conv3_transpose_grad, .attributes = shape, .inputs = {288, 144, 4}, .output = 480,
                    .differentiable = {0, 1, 2}});
    // 2 planes of 3 x 4 x 5, kernel 2 x 2 x 3, strides 1 x 2 x 2, padding 0 x 1 x 1
    const std::vector<std::int32_t> pool{2, 3, 4, 5, 2, 3, 3, 2, 2, 3, 1, 2, 2, 8, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1};
    checkGradients({.name = "average_pool3", .forward = poet_k_average_pool3, .backward = poet_k_average_pool3_grad, .attributes = pool, .inputs = {120}, .output = 36, .differentiable = {0}});
    checkGradients({.name = "max_pool3", .forward = poet_k_max_pool3, .backward = poet_k_max_pool3_grad, .attributes = pool, .inputs = {120}, .output = 36, .differentiable = {0}, .low = -40,
                    .high = 40, .sides = {poet_k_max_pool3_index}, .sideSizes = {36}});
}

TEST(FirmwareKernels, namedAndScannedGradients)
{
    // bij,bkj->bik with b 2, i 3, k 4, j 5
    checkGradients({.name = "einsum", .forward = poet_k_einsum, .backward = poet_k_einsum_grad,
                    .attributes = {4, 2, 30, 40, 1, 2, 3, 4, 5, 12, 4, 1, 0, 15, 5, 0, 1, 20, 0, 5, 1}, .inputs = {30, 40}, .output = 24, .differentiable = {0, 1}});
    // ii->i: elements off the diagonal get a gradient of zero
    checkGradients({.name = "einsum diagonal", .forward = poet_k_einsum, .backward = poet_k_einsum_grad, .attributes = {1, 1, 9, 1, 1, 3, 1, 4}, .inputs = {9}, .output = 3, .differentiable = {0}});
    for (const int exclusive : {0, 1})
        for (const int reverse : {0, 1})
            checkGradients({.name = "cum_sum", .forward = poet_k_cum_sum, .backward = poet_k_cum_sum_grad, .attributes = {2, 4, 3, exclusive, reverse}, .inputs = {24}, .output = 24,
                            .differentiable = {0}});
    checkGradients({.name = "gather_elements", .forward = poet_k_gather_elements, .backward = poet_k_gather_elements_grad, .attributes = {2, 4, 3, 12, 8, 2, 3, 0, 1}, .inputs = {12, 0},
                    .output = 6, .differentiable = {0}, .integers = {{}, {1, 3, 1, 0, -1, 1}}});
    for (const int largest : {0, 1})
        checkGradients({.name = "top_k", .forward = poet_k_top_k, .backward = poet_k_top_k_grad, .attributes = {2, 6, 2, 3, largest, 0, 0, 0, 0, 0, 0, 0, 0, 8}, .inputs = {24}, .output = 12,
                        .differentiable = {0}, .low = -40, .high = 40, .sides = {poet_k_top_k_index}, .sideSizes = {12}});
    for (const int mode : {0, 1, 2})
        checkGradients({.name = "pad_mode", .forward = poet_k_pad_mode, .backward = poet_k_pad_mode_grad, .attributes = {2, mode, 12, 3, 4, 6, 7, 2, 1}, .inputs = {12}, .output = 42,
                        .differentiable = {0}});
    checkGradients({.name = "rms_norm", .forward = poet_k_norm, .backward = poet_k_norm_grad, .attributes = {4, 6, 1, 1, bits(1e-5F), 3}, .inputs = {24, 6, 0}, .output = 24,
                    .differentiable = {0, 1}, .sides = {poet_k_norm_stats}, .sideSizes = {4}});
}

TEST(FirmwareKernels, recurrentGradients)
{
    // T 3, B 2, I 3, H 2, bidirectional
    checkGradients({.name = "lstm", .forward = poet_k_lstm, .backward = poet_k_lstm_grad, .attributes = {3, 2, 3, 2, 2, 0, 0, 0, 4}, .inputs = {18, 48, 32, 32, 0, 8, 8, 0}, .output = 24,
                    .differentiable = {0, 1, 2, 3, 5, 6}, .work = 200, .sides = {poet_k_lstm_gates, poet_k_lstm_cells}, .sideSizes = {96, 24}});
    for (const int linear : {0, 1})
        checkGradients({.name = "gru", .forward = poet_k_gru, .backward = poet_k_gru_grad, .attributes = {3, 2, 3, 2, 1, linear, 0, linear, 3}, .inputs = {18, 18, 12, 12, 0, 4, 0, 0}, .output = 12,
                        .differentiable = {0, 1, 2, 3, 5}, .work = 200, .sides = {poet_k_gru_gates}, .sideSizes = {48}});
    checkGradients({.name = "rnn", .forward = poet_k_rnn, .backward = poet_k_rnn_grad, .attributes = {3, 2, 3, 2, 1, 0, 0, 0, 1}, .inputs = {18, 6, 4, 4, 0, 4, 0, 0}, .output = 12,
                    .differentiable = {0, 1, 2, 3, 5}, .work = 200});
}

TEST(FirmwareKernels, inverseFunctionsAreAccurate)
{
    for (int i = -20000; i <= 20000; ++i) {
        const float x = static_cast<float>(i) * 1e-3F, u = static_cast<float>(i) * 4.9e-5F;
        const auto near = [](float got, double want) { EXPECT_NEAR(static_cast<double>(got), want, 4e-7 * std::max(1.0, std::abs(want))); };
        near(poet_atan(x), std::atan(static_cast<double>(x)));
        near(poet_sinh(x * 0.5F), std::sinh(static_cast<double>(x * 0.5F)));
        near(poet_asinh(x), std::asinh(static_cast<double>(x)));
        near(poet_asin(u), std::asin(static_cast<double>(u)));
        EXPECT_EQ(poet_round(x), std::nearbyint(x));
    }
}

TEST(FirmwareKernels, elementaryFunctionsAreAccurate)
{
    double worst = 0;
    for (std::uint32_t i = 0; i < 2000000; ++i) {
        const float x = std::bit_cast<float>(i * 2147U + 11);
        if (!std::isfinite(x))
            continue;
        const double exact = static_cast<double>(x);
        const auto relative = [&](float got, double want) { worst = std::max(worst, std::abs(static_cast<double>(got) - want) / std::max(std::abs(want), 1e-30)); };
        if (std::abs(x) < 80)
            relative(poet_exp(x), std::exp(exact));
        if (x > 1e-30F && std::abs(std::log(exact)) > 1e-2)
            relative(poet_log(x), std::log(exact));
        if (std::abs(x) > 1e-30F) {
            relative(poet_tanh(x), std::tanh(exact));
            relative(poet_erf(x), std::erf(exact));
        }
        if (x >= 0) {
            ASSERT_EQ(std::bit_cast<std::uint32_t>(poet_sqrt(x)), std::bit_cast<std::uint32_t>(std::sqrt(x))) << x;
        }
    }
    EXPECT_LT(worst, 3e-7);
}

}  // namespace
