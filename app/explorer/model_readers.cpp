// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/model_readers.h"

#include "core/device/cost_model.h"
#include "core/device/device_report.h"
#include "core/device/profile_store.h"
#include "core/onnx/import.h"
#include "core/training/build.h"
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
    POET_TRY(forward, onnx::importModel(path.toStdString(), options));
    TrainingOptions training;
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

Expected<CostGraph> buildCostsOn(const TrainingGraph& graph, const ModelSetup& setup, QString& deviceName)
{
    if (setup.device.isEmpty())
        return fail(ErrorCode::BadUsage, "No device is chosen, so the model has no costs yet.", "Choose a device in the panel \"Model and device\".");
    const ProfileStore store;
    POET_TRY(read, store.find(setup.device.toStdString()));
    deviceName = text::from(read.profile.name);
    CostOptions options;
    options.transfer = setup.transfer;
    options.operatingPoint = setup.operatingPoint.toStdString();
    return buildCostGraph(graph, read.profile, options);
}

QList<DeviceEntry> listDevices()
{
    QList<DeviceEntry> entries;
    const ProfileStore store;
    for (const std::string& id : store.deviceIds()) {
        const auto read = store.find(id);
        if (!read)
            continue;
        entries.append({text::from(id), text::from(read->profile.name), QString()});
    }
    return entries;
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
    const ProfileStore store;
    const auto read = store.find(device.toStdString());
    return read ? ramOf(read->profile) : 0;
}

QList<OperatingPointEntry> listOperatingPoints(const QString& device)
{
    const auto read = ProfileStore().find(device.toStdString());
    if (!read)
        return {};
    QList<OperatingPointEntry> entries;
    for (const OperatingPoint& point : read->profile.operatingPoints) {
        const auto shown = [](Dimension dimension, const Quantity& quantity) { return text::from(describe({{}, dimension, &quantity}).value); };
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

/// "Cortex-M4, 256 KiB RAM, SD card, DMA; break-even 338 flop per element".
QString describeDevice(const QString& device)
{
    const ProfileStore store;
    const auto read = store.find(device.toStdString());
    if (!read)
        return {};
    const DeviceProfile& profile = read->profile;
    QStringList parts;
    parts << text::bytes(ramOf(profile)) + u" RAM"_s;
    if (!profile.stores.empty())
        parts << text::from(profile.stores.front().id);
    if (!profile.transferModels.empty())
        parts << text::transfer(profile.transferModels.front());
    return parts.join(u", "_s);
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
    readers.describeDevice = describeDevice;
    return readers;
}

}  // namespace poet
