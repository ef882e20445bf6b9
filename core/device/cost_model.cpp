// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/cost_model.h"

#include "core/base/units.h"
#include "core/device/row_lookup.h"
#include "core/device/transfer_cost.h"

#include <algorithm>
#include <cmath>

namespace poet {
namespace {

template <class Item>
std::string listed(const std::vector<Item>& items, std::string Item::*field)
{
    std::string list;
    for (const Item& item : items)
        list += (list.empty() ? "" : ", ") + item.*field;
    return list;
}

std::int64_t roundedUp(std::int64_t bytes, std::int64_t multiple) { return (bytes + multiple - 1) / multiple * multiple; }

/// Prices one training graph; holds what all nodes share.
class Pricing {
public:
    Pricing(const TrainingGraph& graph, const DeviceProfile& profile, const CostOptions& options, const DeviceChoice& choice)
        : m_graph(graph), m_profile(profile), m_options(options), m_choice(choice),
          m_lookup(profile.measured, graph, choice.point->name, options.library)
    {
        if (choice.store && choice.store->refused.empty())
            m_store = storeTerms(profile, *choice.point, *choice.store, choice.transfer);
    }

    Expected<CostReport> run()
    {
        m_report.graph.name = m_graph.name + " on " + m_profile.id;
        m_report.graph.nodes.reserve(m_graph.nodes.size());
        for (const TrainingNode& node : m_graph.nodes) {
            POET_TRY(priced, price(node));
            m_report.graph.nodes.push_back(std::move(priced));
        }
        setDeviceTerms();
        addNotes();
        return std::move(m_report);
    }

private:
    const TrainingGraph& m_graph;
    const DeviceProfile& m_profile;
    const CostOptions& m_options;
    const DeviceChoice& m_choice;
    RowLookup m_lookup;
    std::optional<StoreTerms> m_store;
    CostReport m_report;
    bool m_hasClampedRow = false;
    bool m_hasProfilePower = false;

    [[nodiscard]] bool isPaper() const { return m_profile.accounting == Accounting::Paper; }

    Expected<CostNode> price(const TrainingNode& node)
    {
        CostNode priced;
        priced.name = node.name;
        priced.phase = node.phase();
        priced.inputs = node.inputs;
        priced.bytes = tensorBytes(node);
        priced.workspaceBytes = isPaper() ? node.workspaceBytes : roundedUp(node.workspaceBytes, m_profile.sizeMultiple);
        priced.recomputable = node.recomputable && node.phase() == Phase::Forward;
        for (const Work& work : node.work) {
            POET_TRY(cost, runCost(node, work));
            priced.compute.joules += cost.joules;
            priced.compute.seconds += cost.seconds;
        }
        priced.pageable = m_store.has_value();
        if (m_store) {
            priced.pageIn = m_store->in.cost(priced.bytes);
            priced.pageOut = m_store->out.cost(priced.bytes);
        }
        return priced;
    }

    /// Index elements take the target's index size in place of the builder's.
    [[nodiscard]] std::int64_t tensorBytes(const TrainingNode& node) const
    {
        std::int64_t bytes = node.bytes;
        if (node.indexElements > 0) {
            const std::int64_t built = node.indexElements * std::max(1, elementBytes(node.type));
            const std::int64_t others = built <= node.bytes ? node.bytes - built : node.maskElements;
            bytes = others + node.indexElements * m_options.indexBytes.value_or(m_profile.indexBytes);
        }
        return isPaper() ? bytes : roundedUp(bytes, m_profile.sizeMultiple);
    }

    Expected<Cost> runCost(const TrainingNode& node, const Work& work)
    {
        if (!m_lookup.isEmpty())
            if (const auto found = m_lookup.find(node, work)) {
                (found->isExact ? m_report.measuredSeconds : m_report.interpolatedSeconds) += found->seconds;
                return Cost{measuredJoules(*found), found->seconds};
            }
        POET_TRY(cost, modelledCost(m_profile, *m_choice.point, m_options.library, work, node.type));
        m_report.modelledSeconds += cost.seconds;
        return cost;
    }

    /// Rows hold totals; planning counts energy above idle, so that the step's sum is that of the rows again.
    double measuredJoules(const RowLookup::Answer& answer)
    {
        if (!answer.joules) {
            m_hasProfilePower = true;
            const double idle = isPaper() ? 0 : m_choice.point->idleWatts();
            return (m_choice.point->activePower.value - idle) * answer.seconds;
        }
        const double active = *answer.joules - idleWatts(m_profile, m_choice) * answer.seconds;
        m_hasClampedRow = m_hasClampedRow || active < 0;
        return std::max(0.0, active);
    }

    [[nodiscard]] std::int64_t residentBytes() const
    {
        if (isPaper())
            return 0;
        std::int64_t bytes = m_graph.gradientBytes() + m_graph.optimizerBytes();
        if (m_profile.weights == WeightPlace::Ram) {
            bytes += m_graph.parameterBytes();
            for (const TrainingParameter& parameter : m_graph.parameters)
                bytes += parameter.isBuffer ? parameter.bytes : 0;
        }
        for (const MemoryRegion& region : m_profile.memory)
            if (region.reservedBytes && region.kind != "flash")
                bytes += static_cast<std::int64_t>(region.reservedBytes->value);
        return bytes;
    }

    void setDeviceTerms()
    {
        DeviceTerms& terms = m_report.graph.device;
        terms.transfer = m_choice.transfer;
        terms.idleWatts = idleWatts(m_profile, m_choice);
        terms.periodSeconds = m_options.periodSeconds;
        terms.residentBytes = residentBytes();
        terms.alignment = m_profile.alignment;
        if (m_choice.transfer == TransferModel::Dma)
            terms.alignment = std::max(terms.alignment, m_profile.dmaAlignment);
        if (m_choice.transfer == TransferModel::Dma && m_profile.transferSlowdown)
            terms.transferSlowdown = std::max(1.0, m_profile.transferSlowdown->value);
        if (!m_store)
            return;
        const StoreProfile& store = *m_choice.store;
        terms.storeBlockBytes = isPaper() ? 1 : store.blockBytes;
        if (store.capacity)
            terms.storeCapacityBytes = static_cast<std::int64_t>(store.capacity->value);
        const auto writable = writableBytes(store);
        if (writable && m_options.lifetimeSteps && *m_options.lifetimeSteps > 0)
            terms.writeLimitBytesPerStep = static_cast<std::int64_t>(std::min(*writable / *m_options.lifetimeSteps, 4e18));
    }

    void addNotes()
    {
        auto& notes = m_report.notes;
        if (m_choice.store && !m_choice.store->refused.empty())
            notes.push_back("Nothing is paged to " + m_choice.store->id + ": " + m_choice.store->refused);
        if (!m_choice.store)
            notes.push_back("The device has no page store: nothing is paged.");
        if (m_hasProfilePower)
            notes.push_back("Some measured rows give no energy: power from the profile.");
        if (m_hasClampedRow)
            notes.push_back("A measured row needs less energy than the idle power of the profile: its active energy counts as 0.");
        if (m_options.isConservative)
            notes.push_back("Every uncertain number stands at its 90 % end.");
    }
};

}  // namespace

Expected<DeviceChoice> chooseDevice(const DeviceProfile& profile, const CostOptions& options)
{
    DeviceChoice choice;
    choice.point = profile.operatingPoint(options.operatingPoint);
    if (!choice.point)
        return fail(ErrorCode::BadUsage, "Device " + profile.id + " has no operating point \"" + options.operatingPoint + "\".",
                    "It has " + listed(profile.operatingPoints, &OperatingPoint::name) + ".");
    choice.store = profile.store(options.store);
    if (!choice.store && !options.store.empty())
        return fail(ErrorCode::BadUsage, "Device " + profile.id + " has no page store \"" + options.store + "\".",
                    profile.stores.empty() ? "It has none." : "It has " + listed(profile.stores, &StoreProfile::id) + ".");
    if (!options.library.empty() && std::ranges::find(profile.rates, options.library, &Rate::library) == profile.rates.end())
        return fail(ErrorCode::BadUsage, "Device " + profile.id + " has no kernel library \"" + options.library + "\".",
                    "It has " + listed(profile.rates, &Rate::library) + ".");
    choice.transfer = options.transfer.value_or(profile.transferModels.empty() ? TransferModel::Blocking : profile.transferModels.front());
    return choice;
}

double idleWatts(const DeviceProfile& profile, const DeviceChoice& choice)
{
    if (profile.accounting == Accounting::Paper)
        return 0;
    const bool hasStoreIdle = choice.store && choice.store->refused.empty() && choice.store->idlePower;
    return choice.point->idleWatts() + (hasStoreIdle ? choice.store->idlePower->value : 0);
}

Expected<Cost> modelledCost(const DeviceProfile& profile, const OperatingPoint& point, const std::string& library, const Work& work,
                            ElementType type)
{
    const Rate* rate = profile.rate(library, name(type), name(work.opClass));
    if (!rate)
        return fail(ErrorCode::BadProfile, "Device " + profile.id + " gives no rate for operators of class " + std::string(name(work.opClass)) + ".",
                    "Add a rate without a class, or with class other.");
    double flopSeconds = 0;
    if (rate->flops) {
        flopSeconds = work.flops / rate->flops->value;
    } else if (rate->cyclesPerFlop) {
        if (!point.frequency)
            return fail(ErrorCode::BadProfile, "Device " + profile.id + " gives cycles per operation, but operating point " + point.name + " has no frequency.",
                        "Add the frequency, or give flops.");
        flopSeconds = work.flops * rate->cyclesPerFlop->value / point.frequency->value;
    }
    const double memorySeconds = rate->memoryBandwidth ? static_cast<double>(work.bytesRead + work.bytesWritten) / rate->memoryBandwidth->value : 0;
    const double seconds = (rate->callOverhead ? rate->callOverhead->value : 0) + std::max(flopSeconds, memorySeconds);
    const double idle = profile.accounting == Accounting::Paper ? 0 : point.idleWatts();
    return Cost{rate->flopPerJoule ? work.flops / rate->flopPerJoule->value : (point.activePower.value - idle) * seconds, seconds};
}

Expected<CostReport> buildCosts(const TrainingGraph& graph, const DeviceProfile& profile, const CostOptions& options)
{
    const DeviceProfile worst = options.isConservative ? conservative(profile) : DeviceProfile{};
    const DeviceProfile& used = options.isConservative ? worst : profile;
    POET_TRY(choice, chooseDevice(used, options));
    return Pricing(graph, used, options, choice).run();
}

Expected<CostGraph> buildCostGraph(const TrainingGraph& graph, const DeviceProfile& profile, const CostOptions& options)
{
    POET_TRY(report, buildCosts(graph, profile, options));
    return std::move(report.graph);
}

void repairPowers(DeviceProfile& profile)
{
    for (OperatingPoint& point : profile.operatingPoints) {
        if (point.idlePower)
            point.idlePower->value = std::min(point.idlePower->value, point.activePower.value);
        if (point.transferPower)
            point.transferPower->value = std::max(point.transferPower->value, point.idleWatts());
    }
    for (StoreProfile& store : profile.stores)
        for (const auto* power : {&store.readPower, &store.writePower, &store.erasePower})
            if (*power && store.idlePower)
                store.idlePower->value = std::min(store.idlePower->value, (*power)->value);
}

DeviceProfile conservative(DeviceProfile profile)
{
    changeQuantities(profile, [](const std::string&, Dimension dimension, Quantity& quantity) {
        if (const auto isWorse = isWorseWhenLarger(dimension))
            quantity.value = quantity.atSigmas(*isWorse ? kSigmasOf90Percent : -kSigmasOf90Percent);
    });
    repairPowers(profile);
    for (MeasuredRow& row : profile.measured) {
        const auto raise = [](double value, const std::optional<double>& deviation) {
            return deviation ? value + kSigmasOf90Percent * *deviation : value * std::pow(1 + defaultSpread(Origin::Measured), kSigmasOf90Percent);
        };
        row.seconds = raise(row.seconds, row.secondsDeviation);
        if (row.joules)
            row.joules = raise(*row.joules, row.joulesDeviation);
    }
    return profile;
}

}  // namespace poet
