// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/fixed_content.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace poet::onnx {
namespace {

constexpr std::int64_t kMostElements = 1 << 20;
constexpr float kMasked = -1e4F;       ///< what implementations add to scores that must not count
constexpr double kSumTolerance = 1e-4;

std::vector<float> contentOf(const ForwardValue& value)
{
    if (value.constant && !value.constant->floats.empty())
        return {value.constant->floats.begin(), value.constant->floats.end()};
    const auto bytes = readStored(value);
    if (!bytes || bytes->size() != static_cast<std::size_t>(elementCount(value.shape)) * sizeof(float))
        return {};
    std::vector<float> content(bytes->size() / sizeof(float));
    std::memcpy(content.data(), bytes->data(), bytes->size());
    return content;
}

bool isZeroOrOne(float v) { return v == 0 || v == 1; }

bool isMask(const std::vector<float>& content)
{
    if (std::ranges::any_of(content, [](float v) { return v <= kMasked; }))
        return true;
    return content.size() >= 4 && std::ranges::all_of(content, isZeroOrOne) && std::ranges::find(content, 0.0F) != content.end() &&
           std::ranges::find(content, 1.0F) != content.end();
}

/// sin and cos of position times frequency: position 0 gives zeros and ones.
bool isSinusoidTable(const std::vector<float>& content, std::size_t rows, std::size_t columns)
{
    if (rows < 2 || columns < 2 || content.size() != rows * columns)
        return false;
    const auto second = content.begin() + static_cast<std::ptrdiff_t>(columns);
    return std::all_of(content.begin(), second, isZeroOrOne) && std::all_of(second, content.end(), [](float v) { return std::abs(v) <= 1; }) &&
           std::any_of(second, content.end(), [](float v) { return !isZeroOrOne(v); });
}

/// Adjacency, Laplacian, transition matrix: what is drawn at random is never symmetric, and its rows never sum to one value.
bool isGraphMatrix(const std::vector<float>& content, std::size_t n)
{
    if (n < 3 || content.size() != n * n || std::ranges::all_of(content, [&](float v) { return v == content.front(); }))
        return false;
    bool isSymmetric = true, hasRowSums = true, hasColumnSums = true;
    double firstRow = 0, firstColumn = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double row = 0, column = 0;
        for (std::size_t k = 0; k < n; ++k) {
            const float here = content[i * n + k], there = content[k * n + i];
            row += static_cast<double>(here);
            column += static_cast<double>(there);
            isSymmetric = isSymmetric && std::abs(here - there) <= 1e-6F * (1 + std::abs(here));
        }
        if (i == 0) {
            firstRow = row;
            firstColumn = column;
        }
        hasRowSums = hasRowSums && std::abs(row - firstRow) <= kSumTolerance;
        hasColumnSums = hasColumnSums && std::abs(column - firstColumn) <= kSumTolerance;
    }
    return isSymmetric || hasRowSums || hasColumnSums;
}

}  // namespace

bool holdsFixedContent(const ForwardValue& value)
{
    const auto rank = value.shape.size();
    if (value.type != ElementType::F32 || rank < 2 || elementCount(value.shape) > kMostElements)
        return false;
    const std::vector<float> content = contentOf(value);
    const auto columns = static_cast<std::size_t>(value.shape[rank - 1]), rows = static_cast<std::size_t>(value.shape[rank - 2]);
    if (content.empty())
        return false;
    return isMask(content) || isSinusoidTable(content, rows, columns) || (rows == columns && isGraphMatrix(content, rows));
}

}  // namespace poet::onnx
