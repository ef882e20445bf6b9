// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/plan.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

/// The optional objects of a schedule file beside its schedule, and what the import report has in common with it.
namespace poet {

class ObjectReader;

/// Sizes, time and energy; null without a device for the last two.
[[nodiscard]] nlohmann::ordered_json figuresJson(const StepFigures& figures);

[[nodiscard]] nlohmann::ordered_json sourceJson(const PlanSource& source);
[[nodiscard]] nlohmann::ordered_json pointsJson(const std::vector<PointOutcome>& points);
[[nodiscard]] nlohmann::ordered_json bandsJson(const PlanBands& bands);
[[nodiscard]] nlohmann::ordered_json freezingJson(const FreezeSavings& savings);
[[nodiscard]] nlohmann::ordered_json infeasibleJson(const InfeasibleReason& why);
[[nodiscard]] nlohmann::ordered_json regionsJson(const std::vector<ArenaRegion>& regions);

/// Each reads its member of the file, if there is one, and leaves errors with the reader.
void readSource(ObjectReader& reader, PlanSource& source);
void readBands(ObjectReader& reader, Plan& plan);
void readRegions(ObjectReader& reader, std::vector<ArenaRegion>& regions);
void readFreezing(ObjectReader& reader, Plan& plan);
void readOverheadLimit(ObjectReader& reader, Plan& plan);
void readPoints(ObjectReader& reader, Plan& plan);
void readInfeasible(ObjectReader& reader, Plan& plan);

}  // namespace poet
