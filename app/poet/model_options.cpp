// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/model_options.h"

#include "app/poet/read_training.h"
#include "core/base/files.h"
#include "core/base/printable.h"
#include "core/base/units.h"
#include "core/device/cost_model.h"
#include "core/device/profile_store.h"
#include "core/export/firmware/sha256.h"
#include "core/training/build.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <iostream>
#include <iterator>

namespace poet {

std::string hexSha256(std::string_view content)
{
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : firmware::sha256(content)) {
        text += kDigits[byte >> 4];
        text += kDigits[byte & 15];
    }
    return text;
}

std::string refuseNotPositive(const std::string& text)
{
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isNumber = read.ec == std::errc() && read.ptr == text.data() + text.size();
    return isNumber && value > 0 && std::isfinite(value) ? "" : "'" + text + "' is not a number above 0";
}

void ModelOptions::addTo(CLI::App& command, bool withDevice)
{
    command.add_option("MODEL", model, "ONNX file, cost graph (.json), or - for a cost graph on standard input")->required();
    command.add_option("--dim", dims, "Size of a named dimension, such as batch=8 (default 1)")->type_name("NAME=N")->take_all();
    command.add_option("--data", dataInputs, "An input that is data, not a weight")->type_name("NAME")->take_all();
    command.add_option("--loss", loss, "cross-entropy, bce, mse or none; for one output and with a weight: logits=mse:0.5")
        ->type_name("[OUTPUT=]KIND[:WEIGHT]")->join(',')->capture_default_str();
    command.add_option("--optimizer", optimizer, "sgd, sgd-buffered, momentum or adam")->capture_default_str();
    command.add_option("--freeze", freeze, "Parameters that are not trained: a pattern with * and ?, biases-only, norm-only or last:K")->take_all();
    command.add_option("--keep", keep, "What is kept for backward: lean (what gradients need) or pytorch (what eager PyTorch keeps on a CPU)")->capture_default_str();
    command.add_option("--type", type, "Element type of training: f32, f16 or bf16 (default: as in the file)");
    if (!withDevice)
        return;
    command.add_option("--device", device, "Device: an id of 'poet devices' or a profile file");
    command.add_option("--operating-point", operatingPoint, "Operating point of the device; solve also takes auto")->type_name("NAME");
    command.add_option("--transfer", transfer, "paper, blocking or dma (default: the device's best)");
    command.add_option("--library", library, "Kernel library of the device (default: its first)")->type_name("NAME");
    command.add_option("--store", store, "Page store of the device (default: its first)")->type_name("ID");
    command.add_option("--store-capacity", storeCapacity, "Room in the page store, such as 64MiB (default: the store's)");
    command.add_option("--max-written", maxWritten, "Most bytes written to the page store in one step: bounds wear");
    command.add_option("--lifetime", lifetimeSteps, "Steps that the page store shall last: another way to bound wear")->type_name("STEPS")->check(refuseNotPositive);
    command.add_option("--period", period, "The step repeats so often, such as 1s, and idles in between: its deadline too");
    command.add_flag("--conservative", isConservative, "Plan with every uncertain number at its 90 % end");
}

namespace {

Expected<std::string> readInput(const std::string& model)
{
    if (model != "-")
        return readFile(model);
    return std::string{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

/// Limits of the page store and the period, as typed; they win over the device's own.
Expected<void> setTerms(const ModelOptions& options, DeviceTerms& terms)
{
    if (!options.storeCapacity.empty()) {
        POET_TRY(bytes, parseBytes(options.storeCapacity));
        terms.storeCapacityBytes = bytes;
    }
    if (!options.maxWritten.empty()) {
        POET_TRY(bytes, parseBytes(options.maxWritten));
        terms.writeLimitBytesPerStep = bytes;
    }
    if (!options.period.empty()) {
        POET_TRY(seconds, parseSeconds(options.period));
        if (seconds <= 0)
            return fail(ErrorCode::BadUsage, "A period of " + options.period + " is too short.", "Give a time such as 1s.");
        terms.periodSeconds = seconds;
    }
    return {};
}

/// Options that shape the training graph or choose among a device's numbers, as given; a cost graph has all that already.
std::string withoutEffect(const ModelOptions& options)
{
    std::string given;
    const auto add = [&](bool isGiven, const char* option) { given += isGiven ? (given.empty() ? "" : ", ") + std::string(option) : ""; };
    const ModelOptions plain;
    add(!options.dims.empty(), "--dim");
    add(!options.dataInputs.empty(), "--data");
    add(options.loss != plain.loss, "--loss");
    add(options.optimizer != plain.optimizer, "--optimizer");
    add(!options.freeze.empty(), "--freeze");
    add(options.keep != plain.keep, "--keep");
    add(!options.type.empty(), "--type");
    add(!options.device.empty(), "--device");
    add(!options.operatingPoint.empty(), "--operating-point");
    add(!options.library.empty(), "--library");
    add(!options.store.empty(), "--store");
    add(options.lifetimeSteps > 0, "--lifetime");
    add(options.isConservative, "--conservative");
    return given;
}

Expected<LoadedModel> loadCostGraph(const ModelOptions& options)
{
    POET_TRY(text, readInput(options.model));
    POET_TRY(graph, parseCostGraph(text, options.model == "-" ? "Standard input" : options.model));
    LoadedModel loaded;
    POET_CHECK(setTerms(options, graph.device));
    if (const std::string ignored = withoutEffect(options); !ignored.empty())
        loaded.warnings.push_back("A cost graph carries its own operations and costs: " + ignored + " changes nothing.");
    loaded.transfer = graph.device.transfer;
    loaded.costs = std::make_shared<const CostGraph>(std::move(graph));
    return loaded;
}

Expected<void> addCosts(LoadedModel& loaded, const ModelOptions& options, const std::string& operatingPoint)
{
    CostOptions& choice = loaded.choice;
    choice.operatingPoint = operatingPoint;
    choice.library = options.library;
    choice.store = options.store;
    choice.isConservative = options.isConservative;
    if (options.lifetimeSteps > 0)
        choice.lifetimeSteps = options.lifetimeSteps;
    POET_TRY(report, buildCosts(*loaded.training, *loaded.profile, choice));
    CostGraph costs = std::move(report.graph);
    POET_CHECK(setTerms(options, costs.device));
    choice.periodSeconds = costs.device.periodSeconds;
    loaded.notes = std::move(report.notes);
    loaded.transfer = costs.device.transfer;
    loaded.costs = std::make_shared<const CostGraph>(std::move(costs));
    loaded.source.operatingPoint = operatingPoint;
    return {};
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
    loaded.source.data = options.dataInputs;
    loaded.source.type = options.type;
    loaded.source.keep = options.keep;
    loaded.source.device = options.device;
    loaded.source.program = POET_VERSION;
    // Only plans carry the digest: reading a large file for it would slow the import report down.
    if (needsCosts) {
        POET_TRY(content, readFile(options.model));
        loaded.source.sha256 = hexSha256(content);
    }
    if (options.device.empty())
        return loaded;
    if (options.operatingPoint == kEveryPoint && !options.weighsPoints)
        return fail(ErrorCode::BadUsage, "Only 'poet solve' chooses among all operating points.", "Name one of them; see 'poet device " + options.device + "'.");
    POET_TRY(read, ProfileStore().find(options.device));
    // The published constants are kept as they were printed; their profiles have notes on what is wrong with them.
    for (const std::string& warning : read.profile.profileClass == ProfileClass::PaperConstants ? std::vector<std::string>{} : read.warnings)
        loaded.warnings.push_back("Device " + read.profile.id + ": " + warning);
    loaded.profile = std::make_shared<const DeviceProfile>(std::move(read.profile));
    loaded.choice.transfer = transfer;
    // Which of several points is found later; until then the first stands for all.
    POET_CHECK(addCosts(loaded, options, options.operatingPoint == kEveryPoint ? "" : options.operatingPoint));
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

Expected<LoadedModel> withOperatingPoint(const LoadedModel& model, const ModelOptions& options, const std::string& point)
{
    LoadedModel priced = model;
    POET_CHECK(addCosts(priced, options, point));
    return priced;
}

Expected<LoadedModel> withNothingFrozen(const LoadedModel& model, const ModelOptions& options)
{
    LoadedModel whole = model;
    POET_TRY(training, withNothingFrozen(*model.training));
    whole.training = std::make_shared<const TrainingGraph>(std::move(training));
    if (whole.profile)
        POET_CHECK(addCosts(whole, options, model.source.operatingPoint));
    return whole;
}

void printWarnings(const LoadedModel& model)
{
    for (const std::string& warning : model.warnings)
        std::cerr << "poet: warning: " << printable(warning, false) << '\n';
}

}  // namespace poet
