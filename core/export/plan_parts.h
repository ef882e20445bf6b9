// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/plan.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

/// The optional objects of a schedule file beside its schedule. For plan_file.cpp only.
namespace poet {

class ObjectReader;

[[nodiscard]] nlohmann::ordered_json sourceJson(const PlanSource& source);
[[nodiscard]] nlohmann::ordered_json pointsJson(const std::vector<PointOutcome>& points);
[[nodiscard]] nlohmann::ordered_json bandsJson(const PlanBands& bands);
[[nodiscard]] nlohmann::ordered_json infeasibleJson(const InfeasibleReason& why);

/// Each reads its member of the file, if there is one, and leaves errors with the reader.
void readSource(ObjectReader& reader, PlanSource& source);
void readBands(ObjectReader& reader, Plan& plan);
void readOverheadLimit(ObjectReader& reader, Plan& plan);
void readPoints(ObjectReader& reader, Plan& plan);
void readInfeasible(ObjectReader& reader, Plan& plan);

}  // namespace poet
