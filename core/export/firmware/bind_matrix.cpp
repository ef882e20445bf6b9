// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/kernel_spec.h"

namespace poet::firmware {
namespace {

std::int32_t narrow(std::int64_t value) { return static_cast<std::int32_t>(value); }

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

}  // namespace

void addMatrixBinders(BinderTable& table)
{
    table.insert({{"Gemm", gemm}, {"MatMul", matMul}});
}

}  // namespace poet::firmware
