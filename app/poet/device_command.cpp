// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/commands.h"
#include "core/base/files.h"
#include "core/base/printable.h"
#include "core/device/calibrate.h"
#include "core/device/device_report.h"
#include "core/device/profile_store.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>

namespace poet {
namespace {

struct DeviceOptions {
    std::string device;
    bool asJson = false;
    std::string rows;
    std::string output;
};

Expected<Exit> show(const DeviceOptions& options)
{
    if (options.device.empty())
        return fail(ErrorCode::BadUsage, "'poet device' needs a device.", "Give an id of 'poet devices' or a profile file.");
    POET_TRY(read, ProfileStore().find(options.device));
    std::cout << (options.asJson ? deviceJson(read) : printable(deviceText(read)));
    return Exit::Done;
}

Expected<Exit> calibrateDevice(const DeviceOptions& options)
{
    const ProfileStore store;
    POET_TRY(read, store.find(options.device));
    POET_TRY(text, readFile(options.rows));
    POET_TRY(rows, parseMeasuredRows(text, options.rows));
    POET_TRY(calibration, calibrate(read.profile, rows, std::filesystem::path(options.rows).filename().string()));
    POET_CHECK(writeFile(options.output, toJson(calibration.profile)));
    for (const MeasuredRow& row : rows)
        if (!row.device.empty() && row.device != read.profile.id) {
            std::cout << "warning: the rows were measured on " << row.device << ", the profile is " << read.profile.id << ".\n";
            break;
        }
    for (const std::string& note : calibration.notes)
        std::cout << note << '\n';
    std::cout << "Wrote " << options.output << "; plan with --device " << options.output << ".\n";
    return Exit::Done;
}

}  // namespace

void addDeviceCommand(CLI::App& app, Action& action)
{
    auto options = std::make_shared<DeviceOptions>();
    CLI::App* command = app.add_subcommand("device", "Shows every number of a device with its origin, or calibrates a profile");
    command->add_option("DEVICE", options->device, "Id of 'poet devices' or a profile file");
    command->add_flag("--json", options->asJson, "Print the whole profile as JSON, based_on merged");
    command->callback([options, &action, command] {
        if (command->get_subcommands().empty())
            action = [options] { return show(*options); };
    });
    CLI::App* calibration = command->add_subcommand("calibrate", "Takes measured rows into a profile");
    calibration->add_option("DEVICE", options->device, "Id of 'poet devices' or a profile file")->required();
    calibration->add_option("ROWS", options->rows, "Measured rows, CSV or JSON")->required();
    calibration->add_option("-o,--output", options->output, "Profile to write")->required();
    calibration->callback([options, &action] { action = [options] { return calibrateDevice(*options); }; });
}

}  // namespace poet
