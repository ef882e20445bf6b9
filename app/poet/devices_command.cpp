// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/commands.h"
#include "core/base/printable.h"
#include "core/device/device_report.h"
#include "core/device/profile_store.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace poet {
namespace {

Expected<Exit> listDevices(bool asJson)
{
    const ProfileStore store;
    std::vector<ReadProfile> profiles;
    for (const std::string& id : store.deviceIds()) {
        POET_TRY(read, store.find(id));
        profiles.push_back(std::move(read));
    }
    if (profiles.empty())
        return fail(ErrorCode::FileNotFound, "No device profiles are installed.", "Set POET_RESOURCES to the folder that holds devices/ and stores/.");
    std::cout << (asJson ? deviceListJson(profiles) : printable(deviceListText(profiles)));
    return Exit::Done;
}

}  // namespace

void addDevicesCommand(CLI::App& app, Action& action)
{
    CLI::App* command = app.add_subcommand("devices", "Lists the shipped device profiles");
    auto asJson = std::make_shared<bool>(false);
    command->add_flag("--json", *asJson, "Print JSON");
    command->callback([asJson, &action] { action = [asJson] { return listDevices(*asJson); }; });
}

}  // namespace poet
