// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/commands.h"
#include "app/poet/read_plan.h"
#include "app/poet/verify_export.h"
#include "core/base/units.h"
#include "core/schedule/stage_bytes.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace poet {
namespace {

struct VerifyOptions {
    std::string schedule;
    std::string memory;
    std::string deadline;
};

Expected<Exit> run(const VerifyOptions& options)
{
    if (isExport(options.schedule))
        return runVerifyExport(options.schedule);
    POET_TRY(file, readPlan(options.schedule));
    const Plan& plan = file.plan;
    std::int64_t memory = plan.memoryBytes;
    if (!options.memory.empty()) {
        POET_TRY(spec, parseMemory(options.memory));
        POET_TRY(keepAll, replay(file.graph, plan.transfer, keepAllSchedule(file.graph)));
        const std::int64_t resident = file.graph.device.residentBytes;
        memory = spec.bytes(findWall(file.graph, plan.transfer).bytes + resident, keepAll.peakBytes + resident);
    }
    std::optional<double> deadline = plan.deadlineSeconds;
    if (!options.deadline.empty()) {
        POET_TRY(spec, parseDeadline(options.deadline));
        deadline = spec.seconds(plan.keepAllSeconds);
    }
    const std::int64_t peak = plan.replay.peakBytes + file.graph.device.residentBytes;
    std::cout << "peak      " << plan.replay.peakBytes << " B planned + " << file.graph.device.residentBytes << " B resident = " << formatBytes(peak) << '\n'
              << "energy    " << formatJoules(plan.replay.energyJoules) << '\n'
              << "time      " << formatSeconds(plan.replay.seconds) << '\n'
              << "moved     " << formatBytes(plan.replay.pagedOutBytes) << " out, " << formatBytes(plan.replay.pagedInBytes) << " in\n"
              << "recompute " << plan.replay.recomputedNodes << " nodes\n"
              << "bound     " << formatJoules(plan.boundJoules) << " as stated by the file, hence gap " << formatPercent(plan.gapPercent())
              << "; a replay cannot prove it\n";
    const Step& at = plan.replay.schedule.steps[static_cast<std::size_t>(plan.replay.peakStep)];
    if (peak > memory)
        return fail(ErrorCode::InvalidSchedule, "The peak of " + std::to_string(peak) + " B, while '" + file.graph.nodes[static_cast<std::size_t>(at.node)].name +
                                                    "' runs in stage " + std::to_string(at.stage) + ", is over the memory of " + std::to_string(memory) + " B.");
    if (deadline && plan.replay.seconds > *deadline * (1 + 1e-9))
        return fail(ErrorCode::InvalidSchedule, "The step takes " + formatSeconds(plan.replay.seconds) + ", over the deadline of " + formatSeconds(*deadline) + ".");
    const DeviceTerms& device = file.graph.device;
    if (device.storeCapacityBytes && plan.replay.storeBytes > *device.storeCapacityBytes)
        return fail(ErrorCode::InvalidSchedule, "The page store would hold " + formatBytes(plan.replay.storeBytes) + ", over its capacity of " +
                                                    formatBytes(*device.storeCapacityBytes) + ".");
    if (device.writeLimitBytesPerStep && plan.replay.writtenBytes > *device.writeLimitBytesPerStep)
        return fail(ErrorCode::InvalidSchedule, "A step writes " + formatBytes(plan.replay.writtenBytes) + ", over the limit of " +
                                                    formatBytes(*device.writeLimitBytesPerStep) + ".");
    std::cout << "verified: every rule holds, and the limits are kept\n";
    return Exit::Done;
}

}  // namespace

void addVerifyCommand(CLI::App& app, Action& action)
{
    auto options = std::make_shared<VerifyOptions>();
    CLI::App* command = app.add_subcommand("verify", "Replay a schedule independently and check its limits");
    command->add_option("SCHEDULE", options->schedule, "Schedule file, export folder or .poet file")->required();
    command->add_option("--memory", options->memory, "Memory to check against (default: the file's)");
    command->add_option("--deadline", options->deadline, "Deadline to check against (default: the file's)");
    command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace poet
