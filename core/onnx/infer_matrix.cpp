// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/infer.h"

#include <map>

namespace poet::onnx {

namespace {

std::optional<Shape> matMulShape(Shape a, Shape b)
{
    if (a.empty() || b.empty())
        return std::nullopt;
    const bool isRow = a.size() == 1;
    const bool isColumn = b.size() == 1;
    if (isRow)
        a.insert(a.begin(), 1);
    if (isColumn)
        b.push_back(1);
    if (a.back() != b[b.size() - 2])
        return std::nullopt;
    auto shape = broadcast(Shape(a.begin(), a.end() - 2), Shape(b.begin(), b.end() - 2));
    if (!shape)
        return std::nullopt;
    if (!isRow)
        shape->push_back(a[a.size() - 2]);
    if (!isColumn)
        shape->push_back(b.back());
    return shape;
}

Expected<void> multiply(InferContext& c, std::size_t right, ElementType type)
{
    POET_CHECK(c.needInputs(right + 1));
    const auto shape = matMulShape(c.shape(0), c.shape(right));
    if (!shape)
        return c.broken("the shapes " + shapeText(c.shape(0)) + " and " + shapeText(c.shape(right)) + " do not fit");
    c.set(0, type, *shape);
    return {};
}

Expected<void> matMul(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    return multiply(c, 1, c.type(0));
}

/// com.microsoft: a product of operands that are transposed on the way.
Expected<void> fusedMatMul(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    Shape a = c.shape(0), b = c.shape(1);
    if (c.op().intAttribute("transBatchA", 0) != 0 || c.op().intAttribute("transBatchB", 0) != 0)
        return c.unknown("it transposes batches");
    if (c.op().intAttribute("transA", 0) != 0 && a.size() > 1)
        std::swap(a.back(), a[a.size() - 2]);
    if (c.op().intAttribute("transB", 0) != 0 && b.size() > 1)
        std::swap(b.back(), b[b.size() - 2]);
    const auto shape = matMulShape(a, b);
    if (!shape)
        return c.broken("the shapes " + shapeText(a) + " and " + shapeText(b) + " do not fit");
    c.set(0, c.type(0), *shape);
    return {};
}

Expected<void> matMulInteger(InferContext& c)
{
    return multiply(c, 1, ElementType::I32);
}

Expected<void> quantizedMatMul(InferContext& c)
{
    POET_CHECK(c.needInputs(8));
    return multiply(c, 3, c.type(7));
}

Expected<void> gemm(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    Shape a = c.shape(0);
    const Shape& b = c.shape(1);
    if (a.size() != 2 || b.size() != 2)
        return c.broken("its inputs are no matrices");
    if (c.op().intAttribute("transA", 0))
        std::swap(a[0], a[1]);
    const bool transB = c.op().intAttribute("transB", 0) != 0;
    if (a[1] != b[transB ? 1 : 0])
        return c.broken("the shapes " + shapeText(a) + " and " + shapeText(b) + " do not fit");
    c.set(0, c.type(0), {a[0], b[transB ? 0 : 1]});
    return {};
}

/// Sizes of the letters of an Einsum equation; an ellipsis stands for the broadcast leading dimensions.
struct Letters {
    std::map<char, std::int64_t> sizes;
    Shape ellipsis;
    std::map<char, int> uses;
};

Expected<void> readTerm(InferContext& c, const std::string& term, const Shape& shape, Letters& letters)
{
    const std::size_t dots = term.find("...");
    const std::size_t named = term.size() - (dots == std::string::npos ? 0 : 3);
    if (named > shape.size() || (dots == std::string::npos && named != shape.size()))
        return c.broken("the term \"" + term + "\" does not fit the shape " + shapeText(shape));
    const std::size_t hidden = shape.size() - named;
    std::size_t position = 0;
    for (std::size_t i = 0; i < term.size();) {
        if (i == dots) {
            const auto joined = broadcast(letters.ellipsis, Shape(shape.begin() + static_cast<std::ptrdiff_t>(position),
                                                                  shape.begin() + static_cast<std::ptrdiff_t>(position + hidden)));
            if (!joined)
                return c.broken("the dimensions under ... do not fit");
            letters.ellipsis = *joined;
            position += hidden;
            i += 3;
            continue;
        }
        std::int64_t& size = letters.sizes.emplace(term[i], 1).first->second;
        if (size != 1 && shape[position] != 1 && size != shape[position])
            return c.broken(std::string("the sizes of \"") + term[i] + "\" differ");
        size = std::max(size, shape[position++]);
        ++letters.uses[term[i++]];
    }
    return {};
}

Expected<void> einsum(InferContext& c)
{
    std::string equation;
    for (const char letter : c.op().textAttribute("equation", ""))
        if (letter != ' ')
            equation += letter;
    const std::size_t arrow = equation.find("->");
    std::string left = equation.substr(0, arrow) + ",";
    Letters letters;
    std::size_t slot = 0;
    for (std::size_t comma = left.find(','); comma != std::string::npos; comma = left.find(',')) {
        POET_CHECK(c.needInputs(slot + 1));
        POET_CHECK(readTerm(c, left.substr(0, comma), c.shape(slot++), letters));
        left.erase(0, comma + 1);
    }
    std::string right;
    if (arrow != std::string::npos) {
        right = equation.substr(arrow + 2);
    } else {
        right = equation.find("...") == std::string::npos ? "" : "...";
        for (const auto& [letter, count] : letters.uses)
            if (count == 1)
                right += letter;
    }
    Shape shape;
    for (std::size_t i = 0; i < right.size();) {
        if (right.compare(i, 3, "...") == 0) {
            shape.insert(shape.end(), letters.ellipsis.begin(), letters.ellipsis.end());
            i += 3;
        } else if (const auto size = letters.sizes.find(right[i++]); size != letters.sizes.end()) {
            shape.push_back(size->second);
        } else {
            return c.broken("its result names a letter that no input has");
        }
    }
    c.set(0, c.type(0), shape);
    return {};
}

Expected<void> det(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    if (c.shape(0).size() < 2)
        return c.broken("its input is no matrix");
    c.set(0, c.type(0), Shape(c.shape(0).begin(), c.shape(0).end() - 2));
    return {};
}

}  // namespace

void addMatrixRules(InferTable& table)
{
    table.emplace("MatMul", matMul);
    table.emplace("MatMulInteger", matMulInteger);
    table.emplace("QLinearMatMul", quantizedMatMul);
    table.emplace("FusedMatMul", fusedMatMul);
    table.emplace("Gemm", gemm);
    table.emplace("FusedGemm", gemm);
    table.emplace("Einsum", einsum);
    table.emplace("Det", det);
}

}  // namespace poet::onnx
