// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/kernel_spec.h"
#include "core/export/firmware/narrow.h"

#include <algorithm>

namespace poet::firmware {
namespace {

/// A of any rank: all but its last dimension are rows. C: a scalar, a row, a column or a matrix.
Expected<KernelSpec> gemm(const OpContext& c)
{
    const Shape &a = c.in(0), &b = c.in(1);
    const bool transA = c.op.intAttribute("transA", 0) != 0, transB = c.op.intAttribute("transB", 0) != 0;
    if (a.empty() || b.size() != 2 || (transA && a.size() != 2))
        return noKernel(c, "these shapes");
    const std::int64_t columns = transB ? b[0] : b[1], inner = transB ? b[1] : b[0];
    const std::int64_t rows = columns == 0 ? 0 : elementCount(c.out()) / columns;
    std::int64_t cRows = 1, cColumns = 1;
    if (c.has(2)) {
        const Shape& bias = c.in(2);
        cColumns = bias.empty() ? 1 : bias.back();
        cRows = elementCount(bias) / std::max<std::int64_t>(cColumns, 1);
        if ((cColumns != 1 && cColumns != columns) || (cRows != 1 && cRows != rows))
            return noKernel(c, "this shape of C");
    }
    KernelSpec spec{.forward = "gemm", .backward = "gemm_grad", .attributes = {}, .inputs = 3};
    spec.attributes = {narrow(rows), narrow(inner), narrow(columns), transA, transB, floatBits(c.op.floatAttribute("alpha", 1)),
                       floatBits(c.op.floatAttribute("beta", 1)), narrow(cRows == 1 ? 0 : cColumns), cColumns == 1 ? 0 : 1,
                       narrow(cRows), narrow(cColumns)};
    return spec;
}

Expected<KernelSpec> matMul(const OpContext& c)
{
    Shape a = c.in(0), b = c.in(1);
    if (a.empty() || b.empty())
        return noKernel(c, "a scalar");
    if (a.size() == 1)
        a.insert(a.begin(), 1);
    if (b.size() == 1)
        b.push_back(1);
    const std::int64_t rows = a[a.size() - 2], inner = a.back(), columns = b.back();
    const Shape batchA(a.begin(), a.end() - 2), batchB(b.begin(), b.end() - 2);
    Shape batch(std::max(batchA.size(), batchB.size()), 1);
    for (const Shape* from : {&batchA, &batchB})
        for (std::size_t d = 0; d < from->size(); ++d)
            batch[batch.size() - 1 - d] = std::max(batch[batch.size() - 1 - d], (*from)[from->size() - 1 - d]);
    KernelSpec spec{.forward = "matmul", .backward = "matmul_grad", .attributes = {}, .inputs = 2};
    spec.attributes = {narrow(rows), narrow(inner), narrow(columns), narrow(static_cast<std::int64_t>(batch.size()))};
    append(spec.attributes, batch);
    auto strides = broadcastStrides(batchA, batch);
    for (std::int64_t& stride : strides)
        stride *= rows * inner;
    append(spec.attributes, strides);
    strides = broadcastStrides(batchB, batch);
    for (std::int64_t& stride : strides)
        stride *= inner * columns;
    append(spec.attributes, strides);
    return spec;
}

/// The labels of one term of an equation; an ellipsis becomes capitals counted from the end, which no equation of
/// frameworks uses besides.
std::string einsumTerm(std::string_view text, std::size_t rank)
{
    std::string labels(text);
    std::erase(labels, ' ');
    if (const std::size_t dots = labels.find("..."); dots != std::string::npos) {
        const std::size_t named = labels.size() - 3, hidden = rank > named ? rank - named : 0;
        std::string names;
        for (std::size_t i = 0; i < hidden; ++i)
            names += static_cast<char>('\x80' - static_cast<char>(hidden - i));
        labels.replace(dots, 3, names);
    }
    return labels;
}

/// What is summed over which labels: the terms of the operands and of the output.
struct Equation {
    std::vector<std::string> terms;
    std::string output;
};

Equation parseEinsum(const OpContext& c)
{
    std::string text = c.op.textAttribute("equation", "");
    std::erase(text, ' ');
    const std::size_t arrow = text.find("->");
    std::string left = text.substr(0, arrow);
    Equation result;
    for (std::size_t slot = 0; slot < c.op.inputs.size(); ++slot) {
        const std::size_t comma = std::min(left.find(','), left.size());
        result.terms.push_back(einsumTerm(left.substr(0, comma), c.in(slot).size()));
        left = left.substr(std::min(comma + 1, left.size()));
    }
    if (arrow != std::string::npos) {
        result.output = einsumTerm(text.substr(arrow + 2), c.out().size());
        return result;
    }
    std::map<char, int> counts;  // without an arrow: labels that occur once, in alphabetical order
    for (const std::string& term : result.terms)
        for (const char label : term)
            ++counts[label];
    for (const auto& [label, count] : counts)
        if (count == 1)
            result.output += label;
    return result;
}

Expected<KernelSpec> einsum(const OpContext& c)
{
    const Equation equation = parseEinsum(c);
    std::string labels = equation.output;
    for (const std::string& term : equation.terms)
        for (const char label : term)
            if (labels.find(label) == std::string::npos)
                labels += label;
    if (c.op.inputs.size() > 3 || labels.size() > kMaxRank || equation.output.size() != c.out().size())
        return noKernel(c, "more than three operands or eight labels");
    std::vector<std::int64_t> sizes(labels.size(), 1);
    std::vector<std::vector<std::int64_t>> strides{std::vector<std::int64_t>(labels.size(), 0)};
    const auto own = rowMajorStrides(c.out());
    for (std::size_t d = 0; d < equation.output.size(); ++d)
        strides[0][d] = own[d];
    KernelSpec spec{.forward = "einsum", .backward = "einsum_grad", .attributes = {}, .inputs = c.op.inputs.size()};
    spec.attributes = {narrow(static_cast<std::int64_t>(labels.size())), narrow(static_cast<std::int64_t>(c.op.inputs.size())), 1, 1, 1};
    for (std::size_t slot = 0; slot < equation.terms.size(); ++slot) {
        const Shape& shape = c.in(slot);
        if (equation.terms[slot].size() != shape.size())
            return noKernel(c, "this equation");
        const auto steps = rowMajorStrides(shape);
        strides.emplace_back(labels.size(), 0);
        for (std::size_t d = 0; d < shape.size(); ++d) {
            const std::size_t label = labels.find(equation.terms[slot][d]);
            sizes[label] = std::max(sizes[label], shape[d]);
            strides.back()[label] += shape[d] == 1 ? 0 : steps[d];
        }
        spec.attributes[2 + slot] = narrow(elementCount(shape));
    }
    append(spec.attributes, sizes);
    for (const auto& list : strides)
        append(spec.attributes, list);
    return spec;
}

}  // namespace

void addMatrixBinders(BinderTable& table)
{
    table.insert({{"Gemm", gemm}, {"MatMul", matMul}, {"Einsum", einsum}});
}

}  // namespace poet::firmware
