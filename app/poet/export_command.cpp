// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/commands.h"
#include "app/poet/export_firmware.h"
#include "core/base/files.h"
#include "core/export/firmware/packed.h"
#include "core/export/firmware/regions.h"
#include "core/export/firmware/views.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace poet {
namespace {

struct ExportOptions {
    std::string schedule;
    std::string format;
    std::string output;
    std::string name;
    bool withKernels = false;
    bool calibrate = false;
    bool allowsLargerArena = false;
    std::vector<std::string> regions;
};

Expected<void> write(const ExportOptions& options, const std::string& text)
{
    if (options.output != "-")
        return writeFile(options.output, text);
    std::cout << text;
    return {};
}

Expected<Exit> run(const ExportOptions& options)
{
    if (options.format == "c" && options.output == "-")
        return fail(ErrorCode::BadUsage, "A folder cannot go to standard output.", "Name a folder, or use another format.");
    POET_TRY(text, readFile(options.schedule));
    POET_TRY(file, parsePlanFile(text, options.schedule));
    if (!file.plan.hasSchedule())
        return fail(ErrorCode::BadUsage, "'" + options.schedule + "' holds no schedule (status " + std::string(name(file.plan.status)) + ").",
                    "Solve with a larger memory or deadline.");
    if (options.format == "json") {
        POET_CHECK(write(options, toJson(file)));
    } else if (options.format == "csv") {
        POET_CHECK(write(options, firmware::stepsCsv(file.graph, file.plan)));
    } else if (options.format == "dot") {
        POET_CHECK(write(options, firmware::scheduleDot(file.graph, file.plan)));
    } else if (options.format == "svg") {
        POET_CHECK(write(options, firmware::timelineSvg(file.graph, file.plan)));
    } else {
        FirmwareExport request{options.schedule, options.output, options.name, options.withKernels, options.calibrate, options.allowsLargerArena};
        for (const std::string& given : options.regions) {
            POET_TRY(region, firmware::parseRegion(given));
            request.regions.push_back(region);
        }
        if (options.format == "c") {
            POET_CHECK(exportFolder(request, file));
        } else {
            POET_TRY(program, lowerPlan(request, file));
            POET_CHECK(write(options, options.format == "binary" ? firmware::encode(program, true) : firmware::buffersCsv(program)));
        }
    }
    return Exit::Done;
}

}  // namespace

void addExportCommand(CLI::App& app, Action& action)
{
    auto options = std::make_shared<ExportOptions>();
    CLI::App* command = app.add_subcommand("export", "Write a schedule as firmware, or for other tools");
    command->add_option("SCHEDULE", options->schedule, "Schedule file")->required();
    command->add_option("--format", options->format, "c (a folder), binary, json, csv (a row a step), buffers (a row a residency), dot, svg")
        ->required()
        ->check(CLI::IsMember({"c", "binary", "json", "csv", "buffers", "dot", "svg"}));
    command->add_option("-o,--output", options->output, "Folder (c) or file to write; - is standard output")->required()->type_name("PATH");
    command->add_option("--name", options->name, "Prefix of all names (default: the model's name)");
    command->add_flag("--with-kernels", options->withKernels, "Bind reference kernels and weights; the folder builds a host program 'step'");
    command->add_flag("--allow-larger-arena", options->allowsLargerArena, "Where no plan's offsets fit its memory, write the smallest arena that does");
    command->add_option("--region", options->regions, "A memory that the arena may lie in, with its size; several, the preferred first (default: those of the plan's device)")
        ->type_name("NAME=SIZE")
        ->allow_extra_args(false);
    command->add_flag("--calibrate", options->calibrate, "Also write a program that measures each kernel");
    command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace poet
