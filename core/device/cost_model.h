// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/device_profile.h"
#include "core/graph/cost_graph.h"
#include "core/graph/training_graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace poet {

/// What a user may choose about a device. Empty texts mean the profile's first.
struct CostOptions {
    std::string operatingPoint = {};
    std::optional<TransferModel> transfer = {};     ///< wins over the profile's own model
    std::string library = {};                       ///< kernel library of the rates
    std::string store = {};                         ///< id of a page store of the profile
    std::optional<std::int64_t> indexBytes = {};    ///< wins over the profile's
    std::optional<double> lifetimeSteps = {};       ///< the store shall last so many steps: sets the cap on bytes written
    std::optional<double> periodSeconds = {};       ///< the step repeats so often: idle power over this (DeviceTerms)
    bool isConservative = false;                    ///< every uncertain number at its 90 % end
};

/// The choices of `CostOptions` looked up in a profile. Pointers live as long as the profile.
struct DeviceChoice {
    const OperatingPoint* point = nullptr;
    const StoreProfile* store = nullptr;       ///< null: the device has no page store
    TransferModel transfer = TransferModel::Blocking;
};
/// Errors: BadUsage listing the names that exist.
[[nodiscard]] Expected<DeviceChoice> chooseDevice(const DeviceProfile& profile, const CostOptions& options);

/// Power over the whole step, watts: device and store idle; 0 in `paper` accounting.
[[nodiscard]] double idleWatts(const DeviceProfile& profile, const DeviceChoice& choice);

/// One run of a piece of work by the model, without measured rows: time = overhead + max(FLOP / flops, bytes /
/// memory bandwidth), active energy = (active - idle power) x time or FLOP / flop_per_joule. Errors: BadProfile when
/// the profile has no rate for it. Source: devices.md, section 2.
[[nodiscard]] Expected<Cost> modelledCost(const DeviceProfile& profile, const OperatingPoint& point, const std::string& library,
                                          const Work& work, ElementType type);

/// A cost graph and how its compute times were found.
struct CostReport {
    CostGraph graph;
    double measuredSeconds = 0;       ///< compute time of one keep-all step from exact rows
    double interpolatedSeconds = 0;   ///< from fits within the operator class
    double modelledSeconds = 0;       ///< from the profile's rates
    std::vector<std::string> notes;   ///< one sentence each
};

/// Turns a training graph into costs on a device (devices.md, section 2): compute, transfers, resident bytes (weights
/// in RAM, gradients, optimizer state, reserved), idle power, alignment, store. Index tensors take the profile's index
/// size; tensor sizes are rounded up to its size multiple (not in `paper` accounting, which also counts no resident bytes).
/// Errors: BadUsage for an unknown choice, BadProfile when a rate is missing. Threads: pure. Cost: O(nodes + rows).
[[nodiscard]] Expected<CostReport> buildCosts(const TrainingGraph& graph, const DeviceProfile& profile, const CostOptions& options = {});
/// The graph of `buildCosts` alone.
[[nodiscard]] Expected<CostGraph> buildCostGraph(const TrainingGraph& graph, const DeviceProfile& profile, const CostOptions& options = {});

/// The profile with every uncertain number at the end of its 10-90 % band that makes plans dearer.
[[nodiscard]] DeviceProfile conservative(DeviceProfile profile);

/// Restores the order idle <= transfer <= active power, of points and stores, after numbers were changed one by one.
void repairPowers(DeviceProfile& profile);

}  // namespace poet
