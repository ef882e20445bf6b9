// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/training_graph.h"
#include "core/schedule/step_figures.h"
#include "core/training/summary.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace poet {

/// A model and, when something of it is frozen, the same model with nothing frozen on the same device.
struct InspectInput {
    std::shared_ptr<const TrainingGraph> training;       ///< null for a cost graph
    std::shared_ptr<const CostGraph> costs;              ///< neutralCosts without a device
    TransferModel transfer = TransferModel::Blocking;
    std::shared_ptr<const TrainingGraph> wholeTraining = {};  ///< null: nothing is frozen
    std::shared_ptr<const CostGraph> wholeCosts = {};         ///< set with `wholeTraining`
};

/// The keep-all peak of the same model as eager PyTorch on a CPU keeps it, and why it is higher than that of a plan.
struct PyTorchPeak {
    std::int64_t peakBytes = 0;   ///< with resident bytes
    std::int64_t maskBytes = 0;   ///< more because dropout masks are numbers there, not bytes
    std::int64_t heldBytes = 0;   ///< more because tensors are kept of which only the shape is read
    std::int64_t otherBytes = 0;  ///< more because of what recurrent layers keep of each step, and of gradients held at once
};

/// The import report: what `poet inspect` prints and the window's panel shows. Sizes of RAM include resident bytes.
struct InspectReport {
    InspectInput model;
    TrainingSummary summary;                       ///< of the training graph
    StepFigures figures;
    std::optional<PyTorchPeak> pytorch;            ///< absent for a cost graph, and with Keeping::PyTorch
    std::optional<FreezeSavings> freezing;
    bool hasDevice = false;
};

/// Errors: those of replay and buildTrainingGraph. Cost: building the training graph once more, and three replays.
[[nodiscard]] Expected<InspectReport> inspectModel(InspectInput input);

/// One line of the report. Texts are English and, but for names, of a fixed set that the window translates: `section`,
/// `item` where it has no arguments, and the pattern and parts of `value`.
struct ReportRow {
    std::string section;
    std::string item;                         ///< a figure's name, or an operator
    std::string pattern;                      ///< of the value: "%1 at %2"
    std::vector<std::string> arguments = {};  ///< of the pattern
    std::optional<double> number = {};        ///< the figure itself, for tables
    std::string unit = {};                    ///< of `number`: "B", "s", "J", "FLOP", "FLOP/B", or empty for counts
    NodeId node = -1;                         ///< of the cost graph, when the line is about one
    bool isWarning = false;                   ///< refused, or taken conservatively
    bool isRecognised = false;                ///< the first argument names a pattern
    [[nodiscard]] std::string value() const { return filledIn(pattern, arguments); }
};

/// Everything that is reported, in the order of reading.
[[nodiscard]] std::vector<ReportRow> reportRows(const InspectReport& report);
/// Those of reportRows that say what freezing saves; none when nothing is frozen.
[[nodiscard]] std::vector<ReportRow> freezingRows(const InspectReport& report);
/// The rows for people.
[[nodiscard]] std::string reportText(const InspectReport& report);
/// One JSON object: the same figures, the fields that acceptance reads, nodes and parameters.
[[nodiscard]] std::string reportJson(const InspectReport& report);

/// How operations of one type are taken in training.
struct OperatorUse {
    int count = 0;             ///< forward operations
    bool isView = false;       ///< all of them share the memory of their input
    bool isConservative = false;
    std::int64_t keptBytes = 0;  ///< what backward keeps because of them
};
/// By operator; those of the loss have count 0.
[[nodiscard]] std::map<std::string, OperatorUse> operatorUses(const InspectReport& report);

}  // namespace poet
