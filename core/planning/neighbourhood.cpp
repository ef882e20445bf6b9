// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/neighbourhood.h"

#include "core/planning/cbc_driver.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace poet::planning {
namespace {

/// The program with some columns fixed: fixed columns leave, rows without free columns too.
struct Reduced {
    LinearProgram program;
    std::vector<int> columns;  ///< of the whole program, per column of the reduced one
    double constant = 0;       ///< cost of the fixed columns
};

Reduced reduce(const LinearProgram& whole, const std::vector<bool>& isFree, const std::vector<double>& values)
{
    Reduced reduced;
    std::vector<int> index(whole.columns.size(), -1);
    for (std::size_t c = 0; c < whole.columns.size(); ++c) {
        if (isFree[c]) {
            index[c] = static_cast<int>(reduced.columns.size());
            reduced.columns.push_back(static_cast<int>(c));
            reduced.program.columns.push_back(whole.columns[c]);
        } else {
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
    return reduced;
}

}  // namespace

std::vector<bool> Neighbourhoods::pickStages()
{
    const int count = m_program.stageCount();
    std::vector<bool> isPicked(static_cast<std::size_t>(count), false);
    const int windows = 1 + static_cast<int>(m_random() % 3);
    const int width = std::max(1, static_cast<int>(m_width / windows));
    for (int w = 0; w < windows; ++w) {
        // Most choices are made where backward needs what forward made, in the second half.
        const bool isLate = m_random() % 4 != 0;
        const int begin = (isLate ? count / 2 : 0) + static_cast<int>(m_random() % static_cast<unsigned>(isLate ? (count + 1) / 2 : count));
        for (int stage = begin; stage < std::min(count, begin + width); ++stage)
            isPicked[static_cast<std::size_t>(stage)] = true;
    }
    return isPicked;
}

std::vector<double> Neighbourhoods::improve(const std::vector<double>& start, double leastGain, double seconds, const std::function<bool()>& wantsStop)
{
    const std::vector<bool> isFree = m_program.freeAround(pickStages());
    const Reduced reduced = reduce(m_program.linear(), isFree, start);
    double before = 0;
    for (std::size_t c = 0; c < start.size(); ++c)
        if (m_program.linear().columns[c].isInteger)
            before += m_program.linear().columns[c].cost * start[c];
    MipLimits limits;
    limits.seconds = seconds;
    limits.absoluteGap = leastGain / 2;
    limits.cutoff = before - reduced.constant - leastGain;
    MipEvents events;
    events.wantsStop = wantsStop;
    const auto begin = std::chrono::steady_clock::now();
    const auto result = solveMip(reduced.program, limits, events);
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double most = static_cast<double>(m_program.stageCount());
    m_width = std::clamp(took < 0.25 * seconds ? m_width * 1.1 : took > 0.8 * seconds ? m_width * 0.75 : m_width, 2.0, most);
    if (!result || result->solution.empty())
        return {};
    std::vector<double> improved = start;
    for (std::size_t c = 0; c < reduced.columns.size(); ++c)
        improved[static_cast<std::size_t>(reduced.columns[c])] = result->solution[c];
    return improved;
}

}  // namespace poet::planning
