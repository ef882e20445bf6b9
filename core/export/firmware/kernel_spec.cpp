// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/kernel_spec.h"

#include <bit>

namespace poet::firmware {

Expected<KernelSpec> kernelSpec(const ForwardGraph& graph, const ForwardOp& op)
{
    static const BinderTable table = [] {
        BinderTable rows;
        addElementwiseBinders(rows);
        addMatrixBinders(rows);
        addWindowBinders(rows);
        addNormBinders(rows);
        addMoveBinders(rows);
        addRecurrentBinders(rows);
        addLossBinders(rows);
        return rows;
    }();
    const auto row = table.find(op.type);
    const OpContext context{graph, op};
    if (row == table.end())
        return noKernel(context, "the operator");
    for (const ValueId value : op.inputs)
        if (value != kNoValue && graph.value(value).shape.size() > kMaxRank)
            return noKernel(context, "a tensor of more than 8 dimensions");
    return row->second(context);
}

std::int32_t floatBits(double value)
{
    return std::bit_cast<std::int32_t>(static_cast<float>(value));
}

std::unexpected<Error> noKernel(const OpContext& context, std::string_view what)
{
    return fail(ErrorCode::UnsupportedOp,
                "There is no reference kernel for " + std::string(what) + " of " + context.op.type + " '" + context.op.name + "'.",
                "Export without --with-kernels and link a kernel of your own.");
}

std::vector<std::int64_t> rowMajorStrides(const Shape& shape)
{
    std::vector<std::int64_t> strides(shape.size());
    std::int64_t n = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
        strides[d] = n;
        n *= shape[d];
    }
    return strides;
}

std::vector<std::int64_t> broadcastStrides(const Shape& shape, const Shape& to)
{
    std::vector<std::int64_t> strides(to.size(), 0);
    const auto own = rowMajorStrides(shape);
    for (std::size_t d = 0; d < shape.size() && d < to.size(); ++d) {
        const std::size_t from = shape.size() - 1 - d;
        if (shape[from] != 1)
            strides[to.size() - 1 - d] = own[from];
    }
    return strides;
}

void append(std::vector<std::int32_t>& to, const std::vector<std::int64_t>& from)
{
    for (const std::int64_t value : from)
        to.push_back(static_cast<std::int32_t>(value));
}

}  // namespace poet::firmware
