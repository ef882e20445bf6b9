// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/planning/linear_program.h"

#include <functional>
#include <vector>

namespace poet::planning {

/// When the solver may stop, in units of the program's objective.
struct MipLimits {
    double absoluteGap = 1e-6;   ///< incumbent - bound
    double seconds = 60;         ///< elapsed
    double cutoff = kInfinity;   ///< only solutions below this are of interest
    int threads = 1;
    bool usePreprocessing = false;  ///< CBC's own; faster on small programs, but then no solution events come
};

/// Called while the solver runs, from its thread. Values are in the columns of the given program.
struct MipEvents {
    std::function<void(const std::vector<double>& solution, double objective)> solution;
    std::function<void(double objective)> bound;
    std::function<bool()> wantsStop;
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

/// Minimises with CBC's own default strategy. Solver messages are swallowed. When CBC does not react within a short
/// grace after its time, the call returns without it (CBC cannot be stopped during root cuts) and what it has
/// reported so far counts. Errors: Internal, when CBC throws or gives up on numerics.
[[nodiscard]] Expected<MipResult> solveMip(const LinearProgram& program, const MipLimits& limits, const MipEvents& events);

}  // namespace poet::planning
