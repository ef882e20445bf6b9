// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/export_lowering.h"

#include "core/device/profile_store.h"
#include "core/export/firmware/regions.h"
#include "core/planning/planner.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <limits>

namespace poet {
namespace {

using firmware::BoundModel;
using firmware::LowerOptions;
using firmware::Program;

/// Steps until the store is worn out (firmware.md, section 7).
std::uint32_t wearOutSteps(const Program& program, const StoreProfile& store)
{
    const double written = static_cast<double>(program.storeBlocks) * program.pageBlockBytes;
    const double amplification = store.writeAmplification ? store.writeAmplification->value : 1;
    double steps = std::numeric_limits<double>::infinity();
    if (written <= 0)
        return 0xFFFFFFFF;
    if (store.ratedBytesWritten)
        steps = store.ratedBytesWritten->value / (written * amplification);
    else if (store.endurance && store.wearLevelling == "ring" && store.capacity)
        steps = store.endurance->value * store.capacity->value / (written * amplification);
    else if (store.endurance && store.eraseBlockBytes > 0)
        steps = store.endurance->value;
    return steps < 4294967295.0 ? static_cast<std::uint32_t>(steps) : 0xFFFFFFFF;
}

std::vector<std::uint32_t> workBytes(const BoundModel& model)
{
    std::vector<std::uint32_t> bytes;
    for (const firmware::BoundCall& call : model.nodes)
        bytes.push_back(static_cast<std::uint32_t>(call.workBytes));
    return bytes;
}

/// Another plan for `memoryBytes`, offsets left aside. The file stays as it is when there is none.
bool planAgain(PlanFile& file, std::int64_t memoryBytes, Strategy strategy)
{
    planning::Problem problem;
    problem.graph = std::make_shared<const CostGraph>(file.graph);
    problem.transfer = file.plan.transfer;
    problem.strategy = strategy;
    problem.memoryBytes = memoryBytes;
    problem.deadlineSeconds = file.plan.deadlineSeconds;
    planning::ProgressSink sink;
    planning::SolveParams params;
    params.timeLimitSeconds = 20;
    auto plan = planning::solve(problem, params, sink);
    if (!plan || !plan->hasSchedule())
        return false;
    plan->source = file.plan.source;
    file.plan = std::move(*plan);
    return true;
}

/// One plan on its way to offsets that fit.
class DeviceLowering {
public:
    DeviceLowering(const FirmwareExport& request, PlanFile& file, const BoundModel* model, std::string& report)
        : m_request(request), m_file(file), m_report(report)
    {
        m_asked = std::max(file.plan.memoryBytes - file.graph.device.residentBytes, file.plan.replay.peakBytes);
        m_options.arenaLimitBytes = m_asked;
        m_options.isStrict = true;
        if (model) {
            m_options.workBytes = workBytes(*model);
            m_options.inputOf = model->inputOf;
        }
        describeDevice();
    }

    Expected<Program> run()
    {
        if (m_store && !m_store->refused.empty() && m_file.plan.replay.pagedOutBytes > 0)
            return fail(ErrorCode::BadUsage, "The store '" + m_store->id + "' must not hold pages: " + m_store->refused, "Choose another store or strategy.");
        auto program = lowerOnce();
        if (!program) {
            const Plan original = m_file.plan;
            program = lowerOtherPlans(std::move(program));
            if (!program)
                m_file.plan = original;
            if (!program && (m_request.allowsLargerArena || m_request.withKernels))
                program = lowerLarger();
            if (!program && !m_regions.empty() && m_request.regions.empty())
                program = lowerInOnePiece();
        }
        if (!program)
            return fail(program.error().code, program.error().message, "Solve with a larger --memory, or export with --allow-larger-arena.");
        if (m_store)
            program->wearOutSteps = wearOutSteps(*program, *m_store);
        return program;
    }

private:
    /// What the device says about pages, wear, alignment and memories.
    void describeDevice()
    {
        m_options.pageBlockBytes = static_cast<std::uint32_t>(std::max<std::int64_t>(m_file.graph.device.storeBlockBytes, 1));
        m_regions = m_request.regions;
        if (m_file.plan.source.device.empty())
            return;
        auto read = loadDevice(m_file.plan.source.device);
        if (!read)
            return;
        m_profile = std::move(*read);
        m_store = m_profile.store("");
        m_options.alignment = static_cast<std::uint32_t>(std::max<std::int64_t>(m_profile.alignment, 4));
        if (m_profile.accounting == Accounting::Paper)
            m_options.alignment = 4;
        if (m_store)
            m_options.eraseBlockBytes = static_cast<std::uint32_t>(m_store->eraseBlockBytes);
        if (!m_regions.empty())
            return;
        m_shares = firmware::regionShares(m_profile, m_file.graph.device.residentBytes - firmware::reservedBytes(m_profile));
        m_regions = m_shares.arena;
    }

    std::int64_t regionSum() const
    {
        std::int64_t sum = 0;
        for (const ArenaRegion& region : m_regions)
            sum += region.bytes;
        return sum;
    }

    void say(const std::string& text)
    {
        std::cerr << "poet: " << text << '\n';
        m_report += text + "\n";
    }

    /// In one memory where it fits into the largest, else over all of them; a plan for more than the device has is
    /// taken as one piece.
    Expected<Program> lowerOnce()
    {
        m_options.regions.clear();
        const std::int64_t largest = firmware::largestRegionBytes(m_regions);
        const bool isGiven = !m_request.regions.empty();
        auto program = firmware::lower(m_file.graph, m_file.plan, m_options);
        const std::int64_t wanted = program ? program->arenaBytes : m_file.plan.replay.peakBytes;
        if (m_regions.empty() || (!isGiven && wanted <= largest))
            return noted(std::move(program));
        if (!isGiven && wanted > regionSum())
            return noted(std::move(program), "The arena is larger than the memories of '" + m_profile.id + "' that are left for it (" + std::to_string(regionSum()) + " B): it is one piece.");
        m_options.regions = m_regions;
        return noted(firmware::lower(m_file.graph, m_file.plan, m_options));
    }

    Expected<Program> noted(Expected<Program> program, const std::string& note = "")
    {
        if (program && !note.empty())
            m_report += note + "\n";
        if (program && m_profile.memory.size() > 1 && !m_shares.problem.empty())
            m_report += m_shares.problem + " The arena is one piece.\n";
        if (program && !program->regions.empty() && !m_shares.residentRegion.empty())
            m_report += "weights, gradients      in " + m_shares.residentRegion + "\n";
        return program;
    }

    /// What may be tried when no offsets fit: less memory three times, then plans that other strategies make of the same
    /// decisions.
    Expected<Program> lowerOtherPlans(Expected<Program> program)
    {
        const std::int64_t resident = m_file.graph.device.residentBytes, asked = m_file.plan.memoryBytes;
        const Strategy wanted = m_file.plan.strategy;
        const auto attempt = [&](std::int64_t memoryBytes, Strategy strategy) {
            const std::string text = "planned again, " + std::string(name(strategy)) + " in " + std::to_string(memoryBytes) + " B instead of " + std::to_string(asked) + " B";
            if (!planAgain(m_file, memoryBytes, strategy))
                return false;
            std::cerr << "poet: " << program.error().message << " So it was " << text << ".\n";
            m_report += "offsets did not fit: " + text + "\n";
            program = lowerOnce();
            return true;
        };
        const auto begin = std::chrono::steady_clock::now();
        const auto isTimeLeft = [&] { return std::chrono::steady_clock::now() - begin < std::chrono::seconds(60); };
        for (int i = 0; i < 3 && !program && isTimeLeft(); ++i) {
            // Below the peak, or the same plan comes back.
            std::int64_t less = std::min(m_file.plan.replay.peakBytes - 1, (m_file.plan.memoryBytes - resident) * 97 / 100);
            if (!m_options.regions.empty())
                less = std::min(less, regionSum());
            if (!attempt(resident + less, wanted))
                break;
        }
        static constexpr Strategy kOthers[] = {Strategy::Recompute, Strategy::Paging, Strategy::Greedy, Strategy::Capuchin, Strategy::Dtr, Strategy::Sqrt, Strategy::PageAll};
        for (const Strategy other : kOthers)
            if (!program && wanted == Strategy::Integrated && isTimeLeft())
                attempt(asked, other);
        m_file.plan.strategy = wanted;
        return program;
    }

    /// Rounded sizes, or scratch of the kernels that the plan did not know, need more than was asked at the wall.
    Expected<Program> lowerLarger()
    {
        m_options.isStrict = false;
        m_options.arenaLimitBytes = m_request.allowsLargerArena ? std::numeric_limits<std::int32_t>::max() : std::max(m_asked, regionSum());
        auto program = lowerOnce();
        if (program && program->arenaBytes > m_asked)
            say("the arena is " + std::to_string(program->arenaBytes - m_asked) +
                " B larger than the memory asked for: alignment, scratch of kernels or gaps, which no plan avoids.");
        return program;
    }

    /// The device's memories do not hold it without gaps: then it is for a board that has another.
    Expected<Program> lowerInOnePiece()
    {
        m_regions.clear();
        m_options.isStrict = !m_request.withKernels && !m_request.allowsLargerArena;
        m_options.arenaLimitBytes = m_asked;
        auto program = lowerOnce();
        if (program)
            say("no offsets fit the memories of '" + m_profile.id + "': the arena is one piece, which none of them holds.");
        return program;
    }

    const FirmwareExport& m_request;
    PlanFile& m_file;
    std::string& m_report;
    LowerOptions m_options;
    DeviceProfile m_profile;
    const StoreProfile* m_store = nullptr;
    firmware::RegionShares m_shares;
    std::vector<ArenaRegion> m_regions;
    std::int64_t m_asked = 0;
};

}  // namespace

Expected<Program> lowerForDevice(const FirmwareExport& request, PlanFile& file, const BoundModel* model, std::string& report)
{
    return DeviceLowering(request, file, model, report).run();
}

}  // namespace poet
