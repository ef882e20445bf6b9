// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/replay.h"
#include "core/schedule/step_figures.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poet {

/// What a planner may do. Sources: planning.md, section 5.
enum class Strategy {
    Integrated,  ///< recompute and page, by integer program (POET)
    Paging,      ///< page only, by integer program
    Recompute,   ///< recompute only, by integer program (Checkmate)
    KeepAll,     ///< nothing dropped
    PageAll,     ///< naive swap: every tensor is paged between uses
    Sqrt,        ///< checkpoint every sqrt(n)-th (Chen et al. 2016)
    Revolve,     ///< binomial checkpointing of chains (Griewank and Walther 2000)
    Greedy,      ///< joules per byte-second
    Capuchin,    ///< swap or recompute by measured cost (Peng et al. 2020)
    Dtr          ///< online eviction (Kirisame et al. 2021)
};
[[nodiscard]] std::string_view name(Strategy strategy);
[[nodiscard]] std::optional<Strategy> strategyFromName(std::string_view text);
/// Where a strategy comes from, for people: "Chen et al. 2016".
[[nodiscard]] std::string_view sourceOf(Strategy strategy);

/// What is known about a problem. An answer, not an error.
enum class SolveStatus {
    Optimal,     ///< a schedule, proven within the asked gap
    Feasible,    ///< a schedule, without that proof
    Infeasible,  ///< proven impossible
    Stopped      ///< no schedule found, nothing proven
};
[[nodiscard]] std::string_view name(SolveStatus status);
[[nodiscard]] std::optional<SolveStatus> solveStatusFromName(std::string_view text);

/// Something in RAM at a moment: a tensor by the name of its node, or "workspace" or "resident".
struct RamItem {
    std::string name;
    std::int64_t bytes = 0;
    bool operator==(const RamItem&) const = default;
};

/// Why a problem is proven infeasible, and what would work. Sizes include resident bytes.
struct InfeasibleReason {
    std::string reason;  ///< one sentence
    std::string node;    ///< the node whose needs do not fit; empty if none alone is to blame
    std::optional<std::int64_t> smallestMemoryBytes;
    std::optional<double> smallestDeadlineSeconds;
    /// What is known where the smallest value is not proven: no smaller memory (or deadline) is feasible. A smallest value
    /// that stands beside it is feasible, and perhaps not the smallest.
    std::optional<std::int64_t> memoryBoundBytes = {};
    std::optional<double> deadlineBoundSeconds = {};
    std::vector<RamItem> inRam = {};          ///< while `node` runs at the smallest memory, largest first
    std::vector<std::string> commands = {};   ///< command lines that apply the suggestions
    bool operator==(const InfeasibleReason&) const = default;
};

/// Where a plan came from; written into the file so that it can be made again.
struct PlanSource {
    std::string model;       ///< path relative to the schedule file; empty for standard input
    std::string sha256;      ///< of the model file, hex
    std::vector<std::string> dims;    ///< "batch=8"
    std::string loss;
    std::string optimizer;
    std::vector<std::string> freeze;
    std::string device;      ///< profile id or path
    std::string program;     ///< version of this program
    std::string operatingPoint = {};      ///< of the device; empty: its first
    std::vector<std::string> data = {};  ///< inputs that are data whatever their name
    std::string type = {};               ///< element type of training; empty: as in the model
    std::string keep = {};               ///< "lean" or "pytorch" (Keeping); empty: lean
};

/// One operating point that was weighed for a plan (`--operating-point auto`).
struct PointOutcome {
    std::string name;
    SolveStatus status = SolveStatus::Stopped;
    bool isCutOff = false;           ///< not solved: keeping everything already costs more here than the plan does
    bool isChosen = false;
    std::optional<double> energyJoules;  ///< of its best plan
    double boundJoules = 0;          ///< no plan at this point needs less
    std::optional<double> seconds;
    bool operator==(const PointOutcome&) const = default;
};

/// 10 %, 50 % and 90 % quantiles of a plan's energy and time over the uncertainty of the device's numbers.
struct PlanBands {
    std::array<double, 3> energyJoules{};
    std::array<double, 3> seconds{};
    bool operator==(const PlanBands&) const = default;
};

/// The plan is in the smallest memory at which the overhead stays under a limit (`--overhead-at-most`).
struct OverheadLimit {
    double percent = 0;                 ///< of keep-all energy
    std::int64_t memoryBoundBytes = 0;  ///< no schedule with so little overhead needs less; proven smallest when it is the plan's memory
    bool operator==(const OverheadLimit&) const = default;
};

/// The answer of a planner: what `solve --json` prints and schedule files hold (architecture.md).
/// Everything about the schedule is from the replay; only `boundJoules` is the solver's.
struct Plan {
    SolveStatus status = SolveStatus::Stopped;
    bool isRestrictedProof = false;  ///< scope "restricted": the proof is of the restricted program
    /// The proof is of every schedule there is; otherwise of those that recompute early only where the candidate sets of
    /// planning.md, section 3, offer it, and in `dma` page in no earlier than in the stage before the use.
    bool coversEverySchedule = false;
    Strategy strategy = Strategy::Integrated;
    TransferModel transfer = TransferModel::Blocking;
    std::int64_t memoryBytes = 0;    ///< all RAM, resident bytes included
    std::optional<double> deadlineSeconds;
    double keepAllEnergyJoules = 0;
    double keepAllSeconds = 0;
    std::int64_t keepAllPeakBytes = 0;         ///< with resident bytes
    std::int64_t largestWorkingSetBytes = 0;   ///< with resident bytes
    double boundJoules = 0;          ///< no schedule in the scope of the strategy needs less; 0 if nothing is known
    ReplayReport replay;             ///< of the best schedule; empty steps when there is none
    std::optional<InfeasibleReason> infeasible;
    double solveSeconds = 0;
    int variables = 0;               ///< of the integer program as solved
    int rows = 0;
    PlanSource source;
    std::optional<PlanBands> bands;    ///< where a device's numbers say how sure they are
    std::optional<FreezeSavings> freezing;       ///< where something is frozen
    std::optional<OverheadLimit> overheadLimit;  ///< where the memory was looked for, not given
    std::vector<PointOutcome> points;  ///< by the energy of keeping everything; empty unless points were weighed

    [[nodiscard]] bool hasSchedule() const { return !replay.schedule.steps.empty(); }
    [[nodiscard]] double overheadJoules() const { return replay.energyJoules - keepAllEnergyJoules; }
    /// (energy - bound) / energy in percent; 100 when there is no bound.
    [[nodiscard]] double gapPercent() const;
};

}  // namespace poet
