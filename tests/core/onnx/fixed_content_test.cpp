// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/fixed_content.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace poet::onnx {
namespace {

ForwardValue stored(Shape shape, std::vector<double> content)
{
    ForwardValue value;
    value.name = "buffer";
    value.type = ElementType::F32;
    value.shape = shape;
    value.constant = SmallTensor{.type = ElementType::F32, .shape = shape, .ints = {}, .floats = std::move(content)};
    return value;
}

std::vector<double> noise(std::size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, 0.3);
    std::vector<double> content(count);
    for (double& v : content)
        v = normal(random);
    return content;
}

TEST(FixedContent, masksAreFixed)
{
    EXPECT_TRUE(holdsFixedContent(stored({2, 2}, {1, 0, 1, 1})));
    EXPECT_TRUE(holdsFixedContent(stored({2, 2}, {0, -INFINITY, 0, 0})));
    EXPECT_TRUE(holdsFixedContent(stored({2, 2}, {0, -1e9, 0, 0})));
}

TEST(FixedContent, tablesOfSinesAreFixed)
{
    std::vector<double> table;
    for (int position = 0; position < 6; ++position)
        for (int pair = 0; pair < 2; ++pair)
            table.insert(table.end(), {std::sin(position * std::pow(0.01, pair)), std::cos(position * std::pow(0.01, pair))});
    EXPECT_TRUE(holdsFixedContent(stored({1, 6, 4}, table)));
}

TEST(FixedContent, matricesOfGraphsAreFixed)
{
    EXPECT_TRUE(holdsFixedContent(stored({3, 3}, {0.5, 0.5, 0, 0.25, 0.5, 0.25, 0, 0.5, 0.5})));      // rows sum to 1
    EXPECT_TRUE(holdsFixedContent(stored({3, 3}, {1, -0.3, -0.7, -0.6, 1, -0.4, -0.5, -0.5, 1})));    // Laplacian
    EXPECT_TRUE(holdsFixedContent(stored({3, 3}, {0.2, 0.4, 0.1, 0.4, 0.9, 0.3, 0.1, 0.3, 0.5})));    // symmetric
}

TEST(FixedContent, whatIsDrawnAtRandomOrFilledIsTrained)
{
    for (unsigned seed = 1; seed <= 50; ++seed) {
        EXPECT_FALSE(holdsFixedContent(stored({5, 5}, noise(25, seed)))) << "seed " << seed;
        EXPECT_FALSE(holdsFixedContent(stored({1, 4, 6}, noise(24, seed)))) << "seed " << seed;
    }
    EXPECT_FALSE(holdsFixedContent(stored({4, 4}, std::vector<double>(16, 1.0))));
    EXPECT_FALSE(holdsFixedContent(stored({4, 4}, std::vector<double>(16, 0.0))));
    EXPECT_FALSE(holdsFixedContent(stored({4}, {0, 1, 0, 1})));
}

}  // namespace
}  // namespace poet::onnx
