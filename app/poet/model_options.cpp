// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/model_options.h"

#include "app/poet/read_training.h"
#include "core/base/files.h"
#include "core/device/cost_model.h"
#include "core/device/profile_store.h"
#include "core/export/firmware/sha256.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <iterator>

namespace poet {

void ModelOptions::addTo(CLI::App& command, bool withDevice)
{
    command.add_option("MODEL", model, "ONNX file, cost graph (.json), or - for a cost graph on standard input")->required();
    command.add_option("--dim", dims, "Size of a named dimension, such as batch=8 (default 1)")->type_name("NAME=N")->take_all();
    command.add_option("--data", dataInputs, "An input that is data, not a weight")->type_name("NAME")->take_all();
    command.add_option("--loss", loss, "cross-entropy, bce, mse or none")->capture_default_str();
    command.add_option("--optimizer", optimizer, "sgd, sgd-buffered, momentum or adam")->capture_default_str();
    command.add_option("--freeze", freeze, "Parameters that are not trained: a pattern with * and ?, biases-only, norm-only or last:K")->take_all();
    command.add_option("--type", type, "Element type of training: f32, f16 or bf16 (default: as in the file)");
    if (!withDevice)
        return;
    command.add_option("--device", device, "Device: an id of 'poet devices' or a profile file");
    command.add_option("--operating-point", operatingPoint, "Operating point of the device")->type_name("NAME");
    command.add_option("--transfer", transfer, "paper, blocking or dma (default: the device's best)");
    command.add_flag("--conservative", isConservative, "Plan with every uncertain number at its 90 % end");
}

namespace {

Expected<std::string> readInput(const std::string& model)
{
    if (model != "-")
        return readFile(model);
    return std::string{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

Expected<LoadedModel> loadCostGraph(const ModelOptions& options)
{
    POET_TRY(text, readInput(options.model));
    POET_TRY(graph, parseCostGraph(text, options.model == "-" ? "Standard input" : options.model));
    LoadedModel loaded;
    loaded.transfer = graph.device.transfer;
    loaded.costs = std::make_shared<const CostGraph>(std::move(graph));
    return loaded;
}

Expected<void> addCosts(LoadedModel& loaded, const ModelOptions& options, std::optional<TransferModel> transfer)
{
    POET_TRY(profile, loadDevice(options.device));
    CostOptions choice;
    choice.operatingPoint = options.operatingPoint;
    choice.transfer = transfer;
    choice.isConservative = options.isConservative;
    POET_TRY(costs, buildCostGraph(*loaded.training, profile, choice));
    loaded.transfer = costs.device.transfer;
    loaded.costs = std::make_shared<const CostGraph>(std::move(costs));
    return {};
}

std::string hexDigest(std::string_view content)
{
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : firmware::sha256(content)) {
        text += kDigits[byte >> 4];
        text += kDigits[byte & 15];
    }
    return text;
}

Expected<LoadedModel> loadOnnx(const ModelOptions& options, bool needsCosts, std::optional<TransferModel> transfer)
{
    if (needsCosts && options.device.empty())
        return fail(ErrorCode::BadUsage, "An ONNX model has no costs without a device.", "Give --device; see 'poet devices'.");
    POET_TRY(training, readTraining(options));
    LoadedModel loaded;
    loaded.training = std::make_shared<const TrainingGraph>(std::move(training));
    loaded.source.model = options.model;
    loaded.source.dims = options.dims;
    loaded.source.loss = options.loss;
    loaded.source.optimizer = options.optimizer;
    loaded.source.freeze = options.freeze;
    loaded.source.device = options.device;
    loaded.source.program = POET_VERSION;
    // Only plans carry the digest: reading a large file for it would slow the import report down.
    if (needsCosts) {
        POET_TRY(content, readFile(options.model));
        loaded.source.sha256 = hexDigest(content);
    }
    if (!options.device.empty())
        POET_CHECK(addCosts(loaded, options, transfer));
    return loaded;
}

}  // namespace

Expected<LoadedModel> loadModel(const ModelOptions& options, bool needsCosts)
{
    std::optional<TransferModel> transfer;
    if (!options.transfer.empty()) {
        transfer = transferModelFromName(options.transfer);
        if (!transfer)
            return fail(ErrorCode::BadUsage, "'" + options.transfer + "' is not a transfer model.", "Use paper, blocking or dma.");
    }
    if (options.model != "-" && !options.model.ends_with(".json"))
        return loadOnnx(options, needsCosts, transfer);
    POET_TRY(loaded, loadCostGraph(options));
    loaded.transfer = transfer.value_or(loaded.transfer);
    return loaded;
}

}  // namespace poet
