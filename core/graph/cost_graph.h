// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poet {

/// Index of a node in its graph; the order of nodes is the execution order. Every node produces one tensor,
/// so the same index names node and tensor.
using NodeId = int;

/// Which part of the training step a node belongs to. Backward nodes run exactly once.
enum class Phase { Forward, Backward };

/// How bytes move between RAM and the page store (planning.md, section 1).
enum class TransferModel { Paper, Blocking, Dma };
[[nodiscard]] std::string_view name(TransferModel model);
[[nodiscard]] std::optional<TransferModel> transferModelFromName(std::string_view text);

/// Active energy (joules, without idle power) and time (seconds) of one run or one transfer; both >= 0.
struct Cost {
    double joules = 0;
    double seconds = 0;
    bool operator==(const Cost&) const = default;
};

/// One node: an operation and the tensor it produces.
struct CostNode {
    std::string name;
    Phase phase = Phase::Forward;
    std::vector<NodeId> inputs;       ///< earlier nodes whose tensors are read; no duplicates
    std::int64_t bytes = 0;           ///< size of the tensor
    std::int64_t workspaceBytes = 0;  ///< scratch while the node runs
    Cost compute;                     ///< one run
    Cost pageIn;                      ///< store -> RAM, whole tensor
    Cost pageOut;                     ///< RAM -> store, whole tensor
    bool recomputable = false;        ///< may run again (never true for backward nodes)
    bool pageable = true;             ///< may be written to the page store
    bool operator==(const CostNode&) const = default;
};

/// What is the device's and not a node's.
struct DeviceTerms {
    TransferModel transfer = TransferModel::Blocking;
    double idleWatts = 0;                             ///< charged over the whole step, except in `paper`
    std::int64_t residentBytes = 0;                   ///< always in RAM: weights, gradients, optimizer state, reserved
    std::int64_t alignment = 1;                       ///< of arena offsets, bytes
    std::int64_t storeBlockBytes = 1;                 ///< transfers and store space round up to this
    std::optional<std::int64_t> storeCapacityBytes;   ///< of the page store; absent = unlimited
    std::optional<std::int64_t> writeLimitBytesPerStep;  ///< wear: most bytes written in one step
    std::optional<double> periodSeconds;              ///< the step repeats so often: idle power over this, whatever the step takes
    double transferSlowdown = 1;                      ///< `dma`: factor on a main node's time while bytes move behind it, >= 1
    bool operator==(const DeviceTerms&) const = default;

    /// How long a main node of `computeSeconds` runs when transfers of `movingSeconds` start with it: slower by the factor
    /// until they end. Its active energy stays that of its work. Source: devices.md, `transfer.slowdown`.
    [[nodiscard]] double slowedSeconds(double computeSeconds, double movingSeconds) const
    {
        const bool isOutlasted = transferSlowdown * computeSeconds <= movingSeconds;
        return isOutlasted ? transferSlowdown * computeSeconds : computeSeconds + movingSeconds * (1 - 1 / transferSlowdown);
    }
    /// Idle power that a longer step adds to, watts: none in `paper`, and none within a fixed period.
    [[nodiscard]] double idleWattsOfTime(TransferModel model) const { return model == TransferModel::Paper || periodSeconds ? 0 : idleWatts; }
    /// Idle energy of a step of that length, joules. Source: devices.md, section 2.
    [[nodiscard]] double idleJoules(TransferModel model, double seconds) const
    {
        return model == TransferModel::Paper ? 0 : idleWatts * (periodSeconds && *periodSeconds > seconds ? *periodSeconds : seconds);
    }
};

/// A training graph with costs: all that planning sees. Immutable once built.
struct CostGraph {
    std::string name;
    std::vector<CostNode> nodes;  ///< execution order
    DeviceTerms device;
    bool operator==(const CostGraph&) const = default;

    [[nodiscard]] int size() const { return static_cast<int>(nodes.size()); }
    /// For each node the later nodes that read it, ascending.
    [[nodiscard]] std::vector<std::vector<NodeId>> consumers() const;
    /// True when `reader` has the tensor of `node` among its inputs.
    [[nodiscard]] bool reads(NodeId reader, NodeId node) const;
    /// Bytes that `node` needs at once: its output, workspace and inputs (without resident bytes).
    [[nodiscard]] std::int64_t workingSetBytes(NodeId node) const;
    /// The node with the largest working set; -1 for an empty graph.
    [[nodiscard]] NodeId largestWorkingSetNode() const;
    /// True when the node may run again in the model of this graph: a node without inputs only in `paper`.
    [[nodiscard]] bool mayRecompute(NodeId node, TransferModel model) const;
};

/// Checks everything the format promises: inputs earlier and unique, costs finite and >= 0, sizes >= 0, no
/// recomputable backward node, sums that fit 62 bits. Errors: BadModel naming node and field.
[[nodiscard]] Expected<void> validate(const CostGraph& graph);

/// Reads `poet-graph` version 1 (architecture.md) strictly. `where` names the source in messages. Errors: BadModel.
[[nodiscard]] Expected<CostGraph> parseCostGraph(std::string_view json, std::string_view where);
/// Writes `poet-graph` version 1; one line, keys in the order of the format.
[[nodiscard]] std::string toJson(const CostGraph& graph);

}  // namespace poet
