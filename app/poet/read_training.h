// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/poet/model_options.h"

namespace poet {

/// The ONNX file of the options as a training graph, with dimensions, data inputs, loss, optimizer, frozen layers and type.
/// Errors: BadUsage for an option that cannot be understood; those of the import and of buildTrainingGraph.
[[nodiscard]] Expected<TrainingGraph> readTraining(const ModelOptions& options);

/// The training graph that the plan in the file `schedulePath` was made for, read again with the options it was read with.
/// The source must name an ONNX file, relative to the schedule or absolute. Errors: those of readTraining.
[[nodiscard]] Expected<TrainingGraph> readTrainingOf(const PlanSource& source, const std::string& schedulePath);

}  // namespace poet
