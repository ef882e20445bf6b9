// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/device/cost_model.h"
#include "core/graph/training_graph.h"
#include "core/schedule/plan.h"

#include <memory>
#include <string>
#include <string_view>
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
    std::string keep = "lean";         ///< what backward finds kept: "lean" or "pytorch"
    std::string type;                  ///< "f32", "f16", "bf16"; empty = as the model says
    std::string device;                ///< profile id or file
    std::string operatingPoint;
    std::string transfer;              ///< empty = the profile's, or the cost graph's
    std::string library;               ///< kernel library of the device's rates; empty = its first
    std::string store;                 ///< page store of the device; empty = its first
    std::string storeCapacity;         ///< "64MiB": wins over the store's own
    std::string maxWritten;            ///< "1MiB": most bytes written to the store in one step
    double lifetimeSteps = 0;          ///< the store shall last so many steps; 0 = no wish
    std::string period;                ///< "1s": the step repeats so often
    bool weighsPoints = false;         ///< the command takes `--operating-point auto`
    bool isConservative = false;       ///< plan with every uncertain number at its 90 % end

    /// Adds the model options; with `withDevice` also those of the device and its page store.
    void addTo(CLI::App& command, bool withDevice);
};

/// `--operating-point auto`: the best of all points. Only solve weighs them; others take the first.
inline constexpr const char* kEveryPoint = "auto";

/// What a MODEL turned out to be.
struct LoadedModel {
    std::shared_ptr<const TrainingGraph> training;  ///< null for a cost graph
    std::shared_ptr<const CostGraph> costs;         ///< null when no device was given for an ONNX model
    TransferModel transfer = TransferModel::Blocking;
    PlanSource source;
    std::shared_ptr<const DeviceProfile> profile;   ///< null for a cost graph or without a device
    CostOptions choice;                             ///< how `costs` were made from `profile`
    std::vector<std::string> warnings;              ///< implausible numbers, options without effect; one sentence each
    std::vector<std::string> notes;                 ///< of the costs
};

/// Check of an option that takes a number above 0: empty, or what is wrong (the library's own check lists a range that ends
/// in 309 digits).
[[nodiscard]] std::string refuseNotPositive(const std::string& text);

/// The same model with nothing frozen, on the same device; without costs when `model` has none. Errors: as below.
[[nodiscard]] Expected<LoadedModel> withNothingFrozen(const LoadedModel& model, const ModelOptions& options);
/// Gives an ONNX model the costs of another operating point. Errors: those of buildCosts.
[[nodiscard]] Expected<LoadedModel> withOperatingPoint(const LoadedModel& model, const ModelOptions& options, const std::string& point);
/// SHA-256 as hex digits.
[[nodiscard]] std::string hexSha256(std::string_view content);
/// Prints the warnings to stderr.
void printWarnings(const LoadedModel& model);

/// Reads the model and, when there is a device, its costs. With `needsCosts` an ONNX model without --device is an
/// error that says so. Errors: those of the readers.
[[nodiscard]] Expected<LoadedModel> loadModel(const ModelOptions& options, bool needsCosts);

}  // namespace poet
