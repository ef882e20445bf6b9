// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/planning/linear_program.h"

#include <functional>
#include <string>
#include <vector>

namespace poet::planning {

/// When the solver may stop, in units of the program's objective.
struct MipLimits {
    double absoluteGap = 1e-6;   ///< incumbent - bound
    double seconds = 60;         ///< elapsed
    double cutoff = kInfinity;   ///< only solutions below this are of interest
    int threads = 1;
    /// A good solution is known: all effort goes into the bound. CBC's heuristics and its preprocessing stay off, which on
    /// large programs take more time than its cuts.
    bool isForProof = false;
};

/// Called while the solver runs, from the calling thread.
struct MipEvents {
    std::function<void(double objective)> bound;
    std::function<bool()> wantsStop;
    std::function<void(const std::string& reason)> failure;  ///< CBC threw; the call returns Stopped
};

enum class MipStatus {
    Proven,      ///< the best solution is optimal within the gap; or, without one, nothing lies below the cutoff
    Infeasible,  ///< no solution at all (only without a cutoff)
    Stopped      ///< time limit or asked to stop
};

struct MipResult {
    MipStatus status = MipStatus::Stopped;
    std::vector<double> solution;    ///< best found; empty if none
    double bound = -kInfinity;       ///< no solution is below it
};

/// Optimum of the linear relaxation.
struct Relaxation {
    double bound = -kInfinity;
    std::vector<double> values;       ///< empty: not solved in time
    std::vector<double> reducedCosts;
    std::vector<LinearProgram::Row> cuts;  ///< rows that were added on the way
};

/// Rows that a solution of the relaxation violates and no integer solution does.
using Separator = std::function<std::vector<LinearProgram::Row>(const std::vector<double>& values)>;

/// Solves the linear relaxation with Clp in a process of its own, and with a separator again and again until it finds no
/// more rows or half of the time is gone: the last optimum, and all rows. Bounds are reported as they rise. Errors and
/// threads as for solveMip; the separator runs in the other process, on a copy of all that it refers to.
[[nodiscard]] Expected<Relaxation> solveRelaxation(const LinearProgram& program, double seconds, const MipEvents& events, const Separator& separate = {});

/// Minimises with CBC's own default strategy (but for `isForProof`) in a process of its own, made by fork: CBC cannot be stopped during root
/// cuts, keeps state between calls, and can abort; a process can be killed and takes nothing along. All costs and all
/// lower limits of columns must be >= 0. A solver that throws or crashes counts as Stopped with the bounds that it had
/// reported. Errors: Internal, when no process can be made. Threads: may be called from several at once.
[[nodiscard]] Expected<MipResult> solveMip(const LinearProgram& program, const MipLimits& limits, const MipEvents& events);

}  // namespace poet::planning
