// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/model_readers.h"

#include "core/device/cost_model.h"
#include "core/device/device_report.h"
#include "core/device/profile_store.h"
#include "core/onnx/import.h"
#include "core/training/build.h"
#include "widgets/device/device_cache.h"
#include "widgets/style/text.h"

namespace poet {

namespace {

using namespace Qt::StringLiterals;

Expected<std::shared_ptr<const TrainingGraph>> importTraining(const QString& path, const ModelSetup& setup)
{
    onnx::ImportOptions options;
    for (const QString& text : setup.dims) {
        POET_TRY(dim, onnx::parseDim(text.toStdString()));
        options.dims.insert(dim);
    }
    for (const QString& input : setup.data)
        options.dataInputs.push_back(input.toStdString());
    POET_TRY(forward, onnx::importModel(path.toStdString(), options));
    TrainingOptions training;
    if (!setup.type.isEmpty()) {
        for (const ElementType type : {ElementType::F32, ElementType::F16, ElementType::BF16})
            if (text::from(name(type)) == setup.type)
                training.type = type;
        if (!training.type)
            return fail(ErrorCode::BadUsage, "\"" + setup.type.toStdString() + "\" is no type to train in.", "Use f32, f16 or bf16.");
    }
    if (!setup.keep.isEmpty()) {
        const auto keeping = keepingFromName(setup.keep.toStdString());
        if (!keeping)
            return fail(ErrorCode::BadUsage, "\"" + setup.keep.toStdString() + "\" is no way to keep tensors for backward.", "Use lean or pytorch.");
        training.keeping = *keeping;
    }
    training.loss = setup.loss.toStdString();
    const auto optimizer = optimizerFromName(setup.optimizer.toStdString());
    if (!optimizer)
        return fail(ErrorCode::BadUsage, "The optimizer \"" + setup.optimizer.toStdString() + "\" is unknown.", "Choose one from the list.");
    training.optimizer = *optimizer;
    for (const QString& pattern : setup.freeze)
        training.freeze.push_back(pattern.toStdString());
    POET_TRY(graph, buildTrainingGraph(std::make_shared<const ForwardGraph>(std::move(forward)), training));
    return std::make_shared<const TrainingGraph>(std::move(graph));
}

/// Limits of the page store and the period, as typed; they win over the device's own.
Expected<void> setTerms(const ModelSetup& setup, DeviceTerms& terms)
{
    if (!setup.storeCapacity.isEmpty()) {
        POET_TRY(bytes, parseBytes(setup.storeCapacity.toStdString()));
        terms.storeCapacityBytes = bytes;
    }
    if (!setup.maxWritten.isEmpty()) {
        POET_TRY(bytes, parseBytes(setup.maxWritten.toStdString()));
        terms.writeLimitBytesPerStep = bytes;
    }
    if (!setup.period.isEmpty()) {
        POET_TRY(seconds, parseSeconds(setup.period.toStdString()));
        if (seconds <= 0)
            return fail(ErrorCode::BadUsage, "A period of " + setup.period.toStdString() + " is too short.", "Give a time such as 1s.");
        terms.periodSeconds = seconds;
    }
    return {};
}

Expected<CostGraph> buildCostsOn(const TrainingGraph& graph, const ModelSetup& setup, QString& deviceName)
{
    if (setup.device.isEmpty())
        return fail(ErrorCode::BadUsage, "No device is chosen, so the model has no costs yet.", "Choose a device in the panel \"Model and device\".");
    POET_TRY(profile, knownDevice(setup.device));
    deviceName = text::from(profile->name);
    CostOptions options;
    options.transfer = setup.transfer;
    options.operatingPoint = setup.operatingPoint.toStdString();
    options.library = setup.library.toStdString();
    options.store = setup.store.toStdString();
    options.isConservative = setup.isConservative;
    if (!setup.lifetimeSteps.isEmpty()) {
        bool isNumber = false;
        options.lifetimeSteps = setup.lifetimeSteps.toDouble(&isNumber);
        if (!isNumber || !(*options.lifetimeSteps > 0))
            return fail(ErrorCode::BadUsage, "\"" + setup.lifetimeSteps.toStdString() + "\" is no number of steps.", "Write a number such as 1000000.");
    }
    POET_TRY(costs, buildCostGraph(graph, *profile, options));
    POET_CHECK(setTerms(setup, costs.device));
    return std::move(costs);
}

std::int64_t ramOf(const DeviceProfile& profile)
{
    double ram = 0;
    for (const MemoryRegion& region : profile.memory)
        if (region.kind != "flash")
            ram += region.bytes.value;
    return static_cast<std::int64_t>(ram);
}

std::int64_t deviceRam(const QString& device)
{
    const auto profile = knownDevice(device);
    return profile ? ramOf(**profile) : 0;
}

QList<OperatingPointEntry> listOperatingPoints(const QString& device)
{
    const auto profile = knownDevice(device);
    if (!profile)
        return {};
    QList<OperatingPointEntry> entries;
    for (const OperatingPoint& point : (*profile)->operatingPoints) {
        const auto shown = [](Dimension dimension, const Quantity& quantity) { return text::shown(describe({{}, dimension, &quantity}).value); };
        QStringList parts;
        if (point.frequency)
            parts << shown(Dimension::Frequency, *point.frequency);
        parts << QObject::tr("%1 busy").arg(shown(Dimension::Power, point.activePower));
        if (point.idlePower)
            parts << QObject::tr("%1 idle").arg(shown(Dimension::Power, *point.idlePower));
        entries.append({text::from(point.name), parts.join(u", "_s)});
    }
    return entries;
}

DeviceChoices choicesOf(const QString& device)
{
    const auto profile = knownDevice(device);
    if (!profile)
        return {};
    DeviceChoices choices;
    for (const Rate& rate : (*profile)->rates)
        if (const QString library = text::from(rate.library); !choices.libraries.contains(library))
            choices.libraries << library;
    for (const StoreProfile& store : (*profile)->stores)
        choices.stores << text::from(store.id);
    return choices;
}

/// "256 KiB RAM, SD card, DMA".
QString summaryOf(const DeviceProfile& profile)
{
    QStringList parts;
    parts << text::bytes(ramOf(profile)) + u" RAM"_s;
    if (!profile.stores.empty())
        parts << text::from(profile.stores.front().name.empty() ? profile.stores.front().id : profile.stores.front().name);
    if (!profile.transferModels.empty())
        parts << text::transfer(profile.transferModels.front());
    return parts.join(u", "_s);
}

QString describeDevice(const QString& device)
{
    const auto profile = knownDevice(device);
    return profile ? summaryOf(**profile) : QString();
}

QList<DeviceEntry> listDevices()
{
    QList<DeviceEntry> entries;
    for (const std::string& id : ProfileStore().deviceIds()) {
        const auto profile = knownDevice(text::from(id));
        if (!profile)
            continue;
        const bool isPublished = (*profile)->profileClass == ProfileClass::PaperConstants;
        entries.append({text::from(id), text::from((*profile)->name), summaryOf(**profile), isPublished ? DeviceGroup::Published : DeviceGroup::Corrected});
    }
    return entries;
}

}  // namespace

ModelReaders makeModelReaders()
{
    ModelReaders readers;
    readers.importModel = importTraining;
    readers.buildCosts = buildCostsOn;
    readers.devices = listDevices;
    readers.deviceRam = deviceRam;
    readers.operatingPoints = listOperatingPoints;
    readers.deviceChoices = choicesOf;
    readers.describeDevice = describeDevice;
    return readers;
}

}  // namespace poet
