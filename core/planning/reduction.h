// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/cbc_driver.h"
#include "core/planning/linear_program.h"
#include "core/planning/program.h"

#include <vector>

namespace poet::planning {

/// A program with some columns fixed: fixed columns leave, rows without free columns too.
struct ReducedProgram {
    LinearProgram program;
    std::vector<int> columns;    ///< of the whole program, per column of the reduced one
    std::vector<double> values;  ///< of the whole program's columns; those of the free ones mean nothing
    double constant = 0;         ///< cost of the fixed columns

    ReducedProgram() = default;
    /// The whole program: nothing is fixed.
    explicit ReducedProgram(const LinearProgram& whole);

    /// The solution of the whole program that a solution of this one stands for.
    [[nodiscard]] std::vector<double> expand(const std::vector<double>& solution) const;
};

/// Fixes the columns that are not free at their `values`, integer ones at the nearest integer.
[[nodiscard]] ReducedProgram reduce(const LinearProgram& whole, const std::vector<bool>& isFree, std::vector<double> values);

/// Which columns can differ from the relaxation in a solution that costs less than `cutoff`: an integer column at one of
/// its limits cannot leave it where the bound plus its reduced cost reaches the cutoff (reduced cost fixing; Dantzig,
/// Fulkerson and Johnson, 1954). All others, among them all continuous ones, are free.
[[nodiscard]] std::vector<bool> freeBelow(const LinearProgram& program, const Relaxation& relaxation, double cutoff);


/// Adds covering rows to a program (program_covers.cpp) until its relaxation violates none or half of the time is gone, and
/// leaves out the columns that no solution below `cutoff` can change; all of them stay when the relaxation takes too long.
/// `events` get the bounds of the relaxation. Errors: Internal, when no process can be made.
[[nodiscard]] Expected<ReducedProgram> reduceBelow(Program& program, double cutoff, double seconds, const MipEvents& events);

}  // namespace poet::planning
