// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/reduction.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace poet::planning {

ReducedProgram::ReducedProgram(const LinearProgram& whole) : program(whole), columns(whole.columns.size()), values(whole.columns.size(), 0.0)
{
    std::iota(columns.begin(), columns.end(), 0);
}

std::vector<double> ReducedProgram::expand(const std::vector<double>& solution) const
{
    std::vector<double> whole = values;
    for (std::size_t c = 0; c < columns.size(); ++c)
        whole[static_cast<std::size_t>(columns[c])] = solution[c];
    return whole;
}

ReducedProgram reduce(const LinearProgram& whole, const std::vector<bool>& isFree, std::vector<double> values)
{
    ReducedProgram reduced;
    std::vector<int> index(whole.columns.size(), -1);
    for (std::size_t c = 0; c < whole.columns.size(); ++c) {
        if (isFree[c]) {
            index[c] = static_cast<int>(reduced.columns.size());
            reduced.columns.push_back(static_cast<int>(c));
            reduced.program.columns.push_back(whole.columns[c]);
        } else {
            if (whole.columns[c].isInteger)
                values[c] = std::round(values[c]);
            reduced.constant += whole.columns[c].cost * values[c];
        }
    }
    for (const auto& row : whole.rows) {
        std::vector<std::pair<int, double>> terms;
        double fixed = 0;
        for (const auto& [column, value] : row.terms) {
            if (index[static_cast<std::size_t>(column)] >= 0)
                terms.emplace_back(index[static_cast<std::size_t>(column)], value);
            else
                fixed += value * values[static_cast<std::size_t>(column)];
        }
        if (!terms.empty())
            reduced.program.addRow(std::move(terms), row.lower - fixed, row.upper - fixed);
    }
    reduced.values = std::move(values);
    return reduced;
}

std::vector<bool> freeBelow(const LinearProgram& program, const Relaxation& relaxation, double cutoff)
{
    constexpr double kAtLimit = 1e-9;
    const double room = cutoff - relaxation.bound + 1e-6 * std::abs(cutoff);
    std::vector<bool> isFree(program.columns.size(), true);
    for (std::size_t c = 0; c < isFree.size(); ++c) {
        const auto& column = program.columns[c];
        const double value = relaxation.values[c];
        const bool isAtLower = value - column.lower < kAtLimit && relaxation.reducedCosts[c] > room;
        const bool isAtUpper = column.upper - value < kAtLimit && -relaxation.reducedCosts[c] > room;
        isFree[c] = !column.isInteger || !(isAtLower || isAtUpper);
    }
    return isFree;
}

Expected<ReducedProgram> reduceBelow(Program& program, double cutoff, double seconds, const MipEvents& events)
{
    const LinearProgram& whole = program.linear();
    POET_TRY(relaxation, solveRelaxation(whole, seconds, events, [&](const auto& values) { return program.coverRows(values); }));
    program.addRows(relaxation.cuts);
    if (relaxation.values.empty())
        return ReducedProgram(whole);
    const std::vector<bool> isFree = freeBelow(whole, relaxation, cutoff);
    return reduce(whole, isFree, std::move(relaxation.values));
}

}  // namespace poet::planning
