// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/convert.h"

#include <algorithm>
#include <unordered_set>

namespace poet::onnx {

using ::onnx::ModelProto;

std::vector<std::string> trueInputs(const ModelProto& model)
{
    std::unordered_set<std::string> stored;
    for (const auto& tensor : model.graph().initializer())
        stored.insert(tensor.name());
    std::vector<std::string> names;
    for (const auto& input : model.graph().input())
        if (!stored.contains(input.name()))
            names.push_back(input.name());
    return names;
}

std::vector<std::string> symbolicDims(const ModelProto& model)
{
    std::vector<std::string> names;
    for (const auto& input : model.graph().input()) {
        int position = 0;
        for (const auto& dim : input.type().tensor_type().shape().dim()) {
            const std::string symbol =
                dim.dim_param().empty() ? input.name() + "." + std::to_string(position) : dim.dim_param();
            ++position;
            const bool isBound = dim.has_dim_value() && dim.dim_value() >= 0;
            if (!isBound && std::ranges::find(names, symbol) == names.end())
                names.push_back(symbol);
        }
    }
    return names;
}

}  // namespace poet::onnx
