// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/inspect_report.h"
#include "core/graph/training_graph.h"
#include "core/layout/graph_view.h"
#include "core/schedule/plan.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace poet {

using PlanPtr = std::shared_ptr<const Plan>;

/// What the window knows of a node beside its costs.
struct NodeFacts {
    QString name;       ///< full name
    QString op;         ///< operator, or what can be guessed from the name
    NodeRole role = NodeRole::Forward;
    QString block;      ///< enclosing block, empty if none
    QString shape;      ///< "1x16x32x32", empty when unknown
    double flops = 0;   ///< of one run; 0 when unknown
    LadderPlace place;  ///< where it stands in the ladder
};

/// How a model is turned into a training step: what the model panel edits.
struct ModelSetup {
    QString device;         ///< profile id or path; empty for cost graphs
    QString operatingPoint; ///< of the device; empty: its first
    QStringList dims;       ///< "batch=8"
    QString loss = QStringLiteral("cross-entropy");
    QString optimizer = QStringLiteral("sgd");
    QStringList freeze;
    QStringList data;       ///< inputs that are data, whatever their name
    QString type;           ///< "f32", "f16", "bf16"; empty: as in the file
    QString keep;           ///< what backward finds kept: "lean" or "pytorch" (Keeping); empty: lean
    std::optional<TransferModel> transfer;  ///< wins over the profile's own
    QString library;        ///< kernel library; empty: the device's first
    QString store;          ///< page store; empty: the device's first
    QString storeCapacity;  ///< as typed, "64MiB"; empty: the store's own
    QString maxWritten;     ///< as typed; most bytes written in a step
    QString lifetimeSteps;  ///< as typed; steps that the store shall last
    QString period;         ///< as typed, "1s"; the step repeats so often
    bool isConservative = false;  ///< every uncertain number at its 90 % end
    bool operator==(const ModelSetup&) const = default;
    /// What of it may hold for any other file: not what names parts of this one.
    [[nodiscard]] ModelSetup forAnotherModel() const;
};

/// The command's options that make the same of a model, but for the operating point.
[[nodiscard]] QStringList modelArguments(const ModelSetup& setup);

/// One opened model on one device: everything that does not change while sliders move. Immutable, shared.
struct Problem {
    QString title;   ///< "resnet18.onnx"
    QString path;
    ModelSetup setup;
    QString deviceName;       ///< as shown; empty for cost graphs
    std::int64_t deviceRamBytes = 0;  ///< RAM that the device really has; 0 when unknown
    bool hasTraining = false; ///< false for cost graphs: costs are fixed
    std::shared_ptr<const CostGraph> graph;
    std::shared_ptr<const TrainingGraph> training;  ///< null for cost graphs
    std::vector<NodeFacts> facts;        ///< one per node
    std::vector<std::vector<NodeId>> consumers;
    QByteArray json;                     ///< the cost graph as the worker gets it
    QByteArray hash;                     ///< SHA-256 of json, hex: key of the plan cache
    PlanPtr keepAll;                     ///< the reference, replayed
    std::int64_t wallBytes = 0;          ///< findWall with resident bytes: nothing is feasible below
    NodeId wallNode = -1;                ///< the node that sets it
    std::int64_t keepAllPeakBytes = 0;   ///< with resident bytes: nothing improves above
    double shortestSeconds = 0;          ///< one run of every node: no schedule is faster
    std::shared_ptr<const InspectReport> report;  ///< what `poet inspect` says of the model

    [[nodiscard]] std::int64_t residentBytes() const { return graph->device.residentBytes; }
};
using ProblemPtr = std::shared_ptr<const Problem>;

/// A model with nothing frozen, and its costs on the same device; both null when nothing is frozen.
struct WholeModel {
    std::shared_ptr<const TrainingGraph> training;
    std::shared_ptr<const CostGraph> costs;
};

/// Builds a problem from a checked cost graph: replays keep-all, finds wall, hash and ladder places. `training` may be
/// null; `whole` is what the report compares frozen layers with. Errors: InvalidSchedule if even keep-all does not replay.
[[nodiscard]] Expected<ProblemPtr> makeProblem(CostGraph graph, std::shared_ptr<const TrainingGraph> training, QString title,
                                               QString path, ModelSetup setup, QString deviceName, std::int64_t deviceRamBytes = 0,
                                               const WholeModel& whole = {});

/// What a plan of the problem was made from, for its file: "poet export" reads the model again for kernels. Empty for a
/// cost graph; without the model's checksum.
[[nodiscard]] PlanSource sourceOf(const Problem& problem);

/// All RAM that a plan needs: the placed arena when offsets exist, else the replayed peak; plus resident bytes.
[[nodiscard]] std::int64_t memoryNeed(const CostGraph& graph, const Plan& plan);

}  // namespace poet
