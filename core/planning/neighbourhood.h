// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/linear_program.h"
#include "core/planning/planner.h"
#include "core/planning/program.h"
#include "core/planning/reduction.h"

#include <array>
#include <cstdint>
#include <functional>
#include <random>

namespace poet::planning {

/// Improves a known plan by large neighbourhood search: some choices are set free, all others stay, and the small program
/// that is left is solved by CBC. The first moves leave the plan alone: they round the linear relaxation, whose whole
/// numbers stay (Berthold, "RENS: the optimal rounding", Mathematical Programming Computation 6, 2014), and again when rows
/// were added because of that. Then three kinds of neighbourhood take turns at random, because each gets stuck where the
/// others do not: the choices around some stages; the whole life of some tensors; those in which the plan and the linear
/// relaxation disagree. The size of each kind adapts to how fast its moves go. Deterministic for a seed as long as no
/// time limit is hit. Sources: Shaw, "Using constraint programming and local search methods to solve vehicle routing
/// problems" (CP 1998); Danna, Rothberg and Le Pape, "Exploring relaxation induced neighborhoods to improve MIP
/// solutions" (Mathematical Programming 102, 2005); applied to the program of planning.md, section 3.
class Neighbourhoods {
public:
    /// `program` must outlive the object; rows may be added to it between moves, and it leaves room for tiny tensors where
    /// plans come out over budget because of them.
    Neighbourhoods(Program& program, unsigned seed) : m_program(program), m_random(seed) { program.leaveRoomForTiny(); }

    /// One move from `start`, a solution of encode that costs `cost` (by its replay: encode leaves out durations, which cost
    /// idle power): a solution better than that by more than `leastGain` (objective units), or empty. `seconds` bounds the
    /// move.
    [[nodiscard]] std::vector<double> improve(const std::vector<double>& start, double cost, double leastGain, double seconds,
                                              const std::function<bool()>& wantsStop);

private:
    enum Kind : std::size_t { Stages, Tensors, Disagreements, kKinds };

    [[nodiscard]] unsigned draw(unsigned below) { return static_cast<unsigned>(m_random() % below); }
    [[nodiscard]] std::vector<bool> pickWindows(double size, bool prefersLate);
    [[nodiscard]] std::vector<bool> freeDisagreements(const std::vector<double>& start, double share, const std::function<bool()>& wantsStop);
    [[nodiscard]] const std::vector<double>& relaxed(const std::vector<double>& fallback, const std::function<bool()>& wantsStop);
    [[nodiscard]] std::vector<bool> freeFractions(const std::vector<double>& values) const;
    [[nodiscard]] std::vector<double> solve(const ReducedProgram& reduced, double below, double leastGain, double seconds,
                                            const std::function<bool()>& wantsStop) const;
    [[nodiscard]] std::vector<bool> pickFree(Kind kind, const std::vector<double>& start, const std::function<bool()>& wantsStop);
    void adapt(Kind kind, double tookShare);

    const Program& m_program;
    std::mt19937 m_random;
    std::array<double, kKinds> m_sizes{6, 6, 0.3};  ///< stages, tensors, share of the disagreeing columns
    std::vector<double> m_relaxed;                  ///< optimum of the linear relaxation; empty until it is needed
    int m_relaxedRevision = -1;                     ///< of the program
    int m_roundedRevision = -1;
    int m_roundings = 0;
};

}  // namespace poet::planning
