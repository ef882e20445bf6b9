// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/cost_graph.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

/// For the .cpp files of formats that hold a cost graph.
namespace poet {

/// As parseCostGraph, from a value that has been parsed. Errors: BadModel.
[[nodiscard]] Expected<CostGraph> readCostGraph(const nlohmann::ordered_json& value, std::string_view where);

}  // namespace poet
