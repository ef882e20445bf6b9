// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/poet/model_options.h"
#include "core/training/summary.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace poet {

/// What `poet inspect` shows. Sizes with "resident" included as architecture.md says.
struct InspectReport {
    std::shared_ptr<const TrainingGraph> training;  ///< null for a cost graph
    std::shared_ptr<const CostGraph> costs;
    TrainingSummary summary;                        ///< of `training`
    std::int64_t residentBytes = 0;
    std::int64_t keepAllPeakBytes = 0;              ///< with resident bytes
    std::optional<std::int64_t> pytorchPeakBytes;   ///< of the same model as PyTorch keeps it; absent for a cost graph
    std::int64_t largestWorkingSetBytes = 0;        ///< with resident bytes
    std::string largestWorkingSetNode;
    double keepAllSeconds = 0;                      ///< 0 without a device
    double keepAllJoules = 0;
    bool hasDevice = false;
};

/// Replays the keep-all schedule of `model`, which was read by `options`. Errors: those of the replay.
[[nodiscard]] Expected<InspectReport> inspectModel(const LoadedModel& model, const ModelOptions& options);

/// One JSON object; the fields that acceptance reads, nodes, operators and notes.
[[nodiscard]] std::string reportJson(const InspectReport& report);
/// For people.
[[nodiscard]] std::string reportText(const InspectReport& report);

}  // namespace poet
