// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/graph/training_graph.h"
#include "core/schedule/plan.h"

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace poet {

/// The options that every command takes that reads a MODEL (architecture.md).
struct ModelOptions {
    std::string model;                 ///< ONNX file, cost graph (.json) or "-"
    std::vector<std::string> dims;     ///< "batch=8"
    std::vector<std::string> dataInputs;
    std::string loss = "cross-entropy";
    std::string optimizer = "sgd";
    std::vector<std::string> freeze;
    std::string type;                  ///< "f32", "f16", "bf16"; empty = as the model says
    std::string device;                ///< profile id or file
    std::string operatingPoint;
    std::string transfer;              ///< empty = the profile's, or the cost graph's
    bool isConservative = false;       ///< plan with every uncertain number at its 90 % end

    /// Adds the model options; with `withDevice` also --device, --operating-point, --transfer, --conservative.
    void addTo(CLI::App& command, bool withDevice);
};

/// What a MODEL turned out to be.
struct LoadedModel {
    std::shared_ptr<const TrainingGraph> training;  ///< null for a cost graph
    std::shared_ptr<const CostGraph> costs;         ///< null when no device was given for an ONNX model
    TransferModel transfer = TransferModel::Blocking;
    PlanSource source;
};

/// Reads the model and, when there is a device, its costs. With `needsCosts` an ONNX model without --device is an
/// error that says so. Errors: those of the readers.
[[nodiscard]] Expected<LoadedModel> loadModel(const ModelOptions& options, bool needsCosts);

}  // namespace poet
