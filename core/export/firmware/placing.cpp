// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/placing.h"

#include <algorithm>

namespace poet::firmware {
namespace {

constexpr std::int64_t kMostArena = 0x7FFFFFFF;

std::string conflictText(const CostGraph& graph, const std::vector<ArenaBuffer>& buffers, const ArenaResult& result, std::int64_t limit, const LowerOptions& options)
{
    std::string text = "No arena offsets fit " + std::to_string(limit) + " B";
    for (std::size_t r = 0; r < options.regions.size(); ++r)
        text += (r == 0 ? " in " : " and ") + std::to_string(options.regions[r].bytes) + " B of " + options.regions[r].name;
    text += "; the best arena found needs " + std::to_string(result.usedBytes) + " B";
    if (!result.conflict)
        return text + ".";
    text += ". At step " + std::to_string(result.conflict->instant) + " these block each other:";
    for (const int buffer : result.conflict->buffers) {
        const ArenaBuffer& at = buffers[static_cast<std::size_t>(buffer)];
        text += " '" + graph.nodes[static_cast<std::size_t>(at.node)].name + "' (" + std::to_string(at.size) + " B)";
    }
    return text + ".";
}

/// What is moved without the processor must lie where the transfers reach.
void keepWhereDmaReaches(std::vector<ArenaBuffer>& buffers, const Plan& plan, const std::vector<ArenaRegion>& regions)
{
    std::uint32_t reached = 0;
    for (std::size_t r = 0; r < regions.size(); ++r)
        reached |= regions[r].hasDma ? 1U << r : 0U;
    const auto& steps = plan.replay.schedule.steps;
    for (ArenaBuffer& buffer : buffers) {
        bool isMoved = false;
        for (auto i = buffer.lower; i < buffer.upper && !buffer.isWorkspace; ++i) {
            const Step& step = steps[static_cast<std::size_t>(i)];
            isMoved = isMoved || (step.node == buffer.node && (step.kind == StepKind::PageOut || step.kind == StepKind::PageIn));
        }
        if (isMoved)
            buffer.regions &= reached;
    }
}

/// The bound first; where fragmentation forbids it, any arena within the limit will do.
Expected<ArenaResult> allocateInOne(const std::vector<ArenaBuffer>& buffers, const ArenaParams& params)
{
    ArenaParams tight = params;
    tight.capacityBytes.reset();
    tight.timeLimitSeconds = std::min(2.0, params.timeLimitSeconds);
    POET_TRY(result, allocateArena(buffers, tight));
    if (!result.fits && result.usedBytes > *params.capacityBytes) {
        POET_TRY(within, allocateArena(buffers, params));
        if (within.usedBytes < result.usedBytes)
            return within;
    }
    return result;
}

/// Where the regions together are larger than the limit, they are filled as they come; if that takes too much, the last
/// ones, then the first ones give up the difference.
Expected<ArenaResult> allocateInRegions(const std::vector<ArenaBuffer>& buffers, ArenaParams params, const std::vector<ArenaRegion>& regions)
{
    const auto give = [&](bool isLastFirst) {
        std::int64_t surplus = -*params.capacityBytes;
        for (const std::int64_t bytes : params.regionBytes)
            surplus += bytes;
        for (std::size_t k = 0; k < regions.size() && surplus > 0; ++k) {
            std::int64_t& bytes = params.regionBytes[isLastFirst ? regions.size() - 1 - k : k];
            const std::int64_t less = std::min(bytes, (surplus + params.alignment - 1) / params.alignment * params.alignment);
            bytes -= less;
            surplus -= less;
        }
    };
    const auto whole = [&] {
        params.regionBytes.clear();
        for (const ArenaRegion& region : regions)
            params.regionBytes.push_back(region.bytes / params.alignment * params.alignment);
    };
    params.timeLimitSeconds /= 3;
    whole();
    auto result = allocateArena(buffers, params);
    for (const bool isLastFirst : {true, false})
        if (result && (!result->fits || result->usedBytes > *params.capacityBytes)) {
            whole();
            give(isLastFirst);
            result = allocateArena(buffers, params);
        }
    return result;
}

void describeRegions(const ArenaResult& result, const LowerOptions& options, Program& program)
{
    for (std::size_t r = 0; r < result.regionUsedBytes.size(); ++r)
        if (result.regionUsedBytes[r] > 0)
            program.regions.push_back({options.regions[r].name, result.regionUsedBytes[r], options.regions[r].hasDma});
    if (program.regions.size() == 1)
        program.regions.clear();
}

}  // namespace

Expected<Placing> placeBuffers(const CostGraph& graph, const Plan& plan, const LowerOptions& options, Program& program)
{
    CostGraph sized = graph;
    for (std::size_t i = 0; i < sized.nodes.size(); ++i)
        sized.nodes[i].workspaceBytes = program.nodes[i].workBytes;
    auto buffers = residencies(sized, plan.replay.schedule);
    ArenaParams params{.alignment = program.alignment, .timeLimitSeconds = options.arenaSeconds};
    const std::int64_t limit = options.arenaLimitBytes.value_or(std::max(plan.memoryBytes - graph.device.residentBytes, plan.replay.peakBytes));
    params.capacityBytes = std::max(limit, arenaLowerBound(buffers, program.alignment));
    if (!options.regions.empty() && plan.transfer == TransferModel::Dma)
        keepWhereDmaReaches(buffers, plan, options.regions);
    POET_TRY(result, options.regions.empty() ? allocateInOne(buffers, params) : allocateInRegions(buffers, params, options.regions));
    // Rounding to the alignment may cost more than the plan knew; that is said, not hidden.
    const std::int64_t rounded = options.isStrict ? limit : std::max(limit, result.lowerBoundBytes);
    if (result.usedBytes > rounded || (!options.regions.empty() && !result.fits))
        return fail(ErrorCode::InvalidSchedule, conflictText(graph, buffers, result, rounded, options), "Solve with less memory, so that the offsets have room.");
    if (result.usedBytes > kMostArena)
        return fail(ErrorCode::InvalidSchedule, "The arena is over 2 GiB; the firmware formats are 32 bits wide.");
    POET_CHECK(checkArena(buffers, result.offsets, program.alignment, result.usedBytes, result.regionUsedBytes));
    program.arenaBytes = static_cast<std::uint32_t>((result.usedBytes + program.alignment - 1) / program.alignment * program.alignment);
    program.lowerBoundBytes = static_cast<std::uint32_t>(result.lowerBoundBytes);
    program.arenaMethod = result.method;
    describeRegions(result, options, program);
    Placing placing;
    program.stepOffsets.assign(plan.replay.schedule.steps.size(), std::nullopt);
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const auto step = static_cast<std::size_t>(buffers[i].lower);
        (buffers[i].isWorkspace ? placing.workspaces : placing.tensors)[step] = static_cast<std::uint32_t>(result.offsets[i]);
        if (!buffers[i].isWorkspace)
            program.stepOffsets[step] = result.offsets[i];
    }
    return placing;
}

}  // namespace poet::firmware
