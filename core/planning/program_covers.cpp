// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/program.h"

#include <algorithm>
#include <limits>

/// Covering rows. The relaxation recomputes a tensor a third at a time in three stages and each time needs only a third of
/// its inputs. In a plan, who needs v in stage t must have it at some time in every window of stages [s, t]: it is in RAM
/// when the window begins, or is paged in within it, or is recomputed, and then its inputs must have been had in the window
/// in the same way. Along any path of inputs this gives a row
///     sum over the path of (hold into the window + page-ins within it) + recomputes of its last tensor within it >= 1,
/// which counts an input that is held on through the window once, not once a recompute. A tensor that is paged in was
/// written, so its page-outs may stand in the row instead of its page-ins: the relaxation pages in an eighth in each of
/// eight stages and pays an eighth of the page-out.
namespace poet::planning {

/// The cheapest path of every tensor in one window, for the values of a relaxation.
class Program::CoverSearch {
public:
    CoverSearch(const Program& program, const std::vector<double>& values)
        : m_program(program), m_values(values), m_memo(program.m_tensors.size()), m_stamps(program.m_tensors.size(), 0)
    {
    }

    void open(int first, int last)
    {
        m_first = first;
        m_last = last;
        ++m_stamp;
    }

    /// Least left side of a row for `id`; infinite when the tensor is there without any choice.
    double least(NodeId id)
    {
        Path& path = m_memo[static_cast<std::size_t>(id)];
        if (m_stamps[static_cast<std::size_t>(id)] == m_stamp)
            return path.value;
        m_stamps[static_cast<std::size_t>(id)] = m_stamp;
        path = {};
        if (m_program.isTiny(id) || id >= m_first)
            return path.value = std::numeric_limits<double>::infinity();
        double fixed = 0;
        double pages = 0;
        double recomputes = 0;
        visit(id, [&](int hold, const EventColumns& event) {
            fixed += at(hold);
            pages += at(event.demand) + at(event.prefetch);
            recomputes += at(event.recompute);
        });
        const double outs = at(m_program.tensor(id).outImmediate) + at(m_program.tensor(id).outBackground);
        path.countsOuts = outs < pages;
        fixed += std::min(outs, pages);
        double best = recomputes;
        if (recomputes > kNothing && fixed < 1)
            for (const NodeId input : m_program.node(id).inputs)
                if (const double value = least(input); value < best) {
                    best = value;
                    path.input = input;
                }
        return path.value = fixed + best;
    }

    Terms row(NodeId id) const
    {
        Terms terms;
        while (true) {
            const NodeId next = m_memo[static_cast<std::size_t>(id)].input;
            const bool countsOuts = m_memo[static_cast<std::size_t>(id)].countsOuts;
            const auto add = [&](std::initializer_list<int> columns) {
                for (const int column : columns)
                    if (column >= 0)
                        terms.emplace_back(column, 1);
            };
            if (countsOuts)
                add({m_program.tensor(id).outImmediate, m_program.tensor(id).outBackground});
            visit(id, [&](int hold, const EventColumns& event) {
                add({hold, next < 0 ? event.recompute : -1});
                if (!countsOuts)
                    add({event.demand, event.prefetch});
            });
            if (next < 0)
                return terms;
            id = next;
        }
    }

private:
    struct Path {
        double value = 0;
        NodeId input = -1;        ///< the next tensor of the path; -1: its own recomputes end it
        bool countsOuts = false;  ///< its page-outs are counted instead of its page-ins
    };

    double at(int column) const { return column >= 0 ? m_values[static_cast<std::size_t>(column)] : 0; }

    /// Calls `take(hold, event)` for the tensor's events in the window; `hold` is -1 but for the first.
    template <class Take>
    void visit(NodeId id, const Take& take) const
    {
        const auto& events = m_program.tensor(id).events;
        const std::size_t begin = std::max<std::size_t>(1, m_program.eventIndex(id, m_first));
        for (std::size_t e = begin; e < events.size() && events[e].stage <= m_last; ++e)
            take(e == begin ? events[e].hold : -1, events[e]);
    }

    static constexpr double kNothing = 1e-6;

    const Program& m_program;
    const std::vector<double>& m_values;
    std::vector<Path> m_memo;
    std::vector<int> m_stamps;
    int m_stamp = 0;
    int m_first = 0;
    int m_last = 0;
};

std::vector<LinearProgram::Row> Program::coverRows(const std::vector<double>& relaxed) const
{
    constexpr double kViolation = 0.02;
    constexpr std::size_t kMostRows = 3000;
    struct Found {
        double value = 0;
        Terms terms;
    };
    std::vector<Found> found;
    CoverSearch search(*this, relaxed);
    for (int stage = 0; stage < m_graph.size(); ++stage)
        for (const NodeId id : node(stage).inputs) {
            if (isTiny(id))
                continue;
            const auto& events = tensor(id).events;
            Found best{1 - kViolation, {}};
            for (std::size_t e = eventIndex(id, stage); e > 0; --e) {
                if (relaxed[static_cast<std::size_t>(events[e].hold)] >= best.value)
                    continue;  // it is in RAM when the window begins
                search.open(events[e].stage, stage);
                if (const double value = search.least(id); value < best.value)
                    best = {value, search.row(id)};
            }
            if (!best.terms.empty())
                found.push_back(std::move(best));
        }
    std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.value < b.value; });
    found.resize(std::min(found.size(), kMostRows));
    std::vector<LinearProgram::Row> rows;
    for (Found& row : found)
        rows.push_back({std::move(row.terms), 1, kInfinity});
    return rows;
}

}  // namespace poet::planning
