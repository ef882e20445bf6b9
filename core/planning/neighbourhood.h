// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/linear_program.h"
#include "core/planning/planner.h"
#include "core/planning/program.h"

#include <cstdint>
#include <functional>
#include <random>

namespace poet::planning {

/// Improves a known plan by large neighbourhood search: the choices around a few stages are set free, all others stay,
/// and the small program that is left is solved by CBC. Window sizes adapt to how fast that goes. Deterministic for a
/// seed as long as no time limit is hit. Source: Shaw, "Using constraint programming and local search methods to
/// solve vehicle routing problems" (CP 1998), applied to the program of planning.md, section 3.
class Neighbourhoods {
public:
    /// `program` must outlive the object; rows may be added to it between moves.
    Neighbourhoods(const Program& program, unsigned seed) : m_program(program), m_random(seed) {}

    /// One move from `start` (a solution of encode): a solution better than it by more than `leastGain` (objective
    /// units), or empty. `seconds` bounds the move.
    [[nodiscard]] std::vector<double> improve(const std::vector<double>& start, double leastGain, double seconds,
                                              const std::function<bool()>& wantsStop);

private:
    [[nodiscard]] std::vector<bool> pickStages();

    const Program& m_program;
    std::mt19937 m_random;
    double m_width = 6;  ///< stages in a window
};

}  // namespace poet::planning
