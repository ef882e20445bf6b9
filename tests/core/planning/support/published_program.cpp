// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/planning/support/published_program.h"

#include <coin/Cbc_C_Interface.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <vector>

namespace poet::testing {
namespace {

constexpr double kKeepAllScaled = 1000;
constexpr double kInfinity = 1e30;

struct Term {
    int column;
    double factor;
};

/// Columns and rows as they are made, handed to CBC in one go.
class Program {
public:
    int column(double low, double high, bool isInteger, double cost)
    {
        m_low.push_back(low);
        m_high.push_back(high);
        m_cost.push_back(cost);
        m_isInteger.push_back(isInteger);
        return static_cast<int>(m_low.size()) - 1;
    }
    /// sum of terms within [low, high]
    void row(const std::vector<Term>& terms, double low, double high)
    {
        std::vector<Term> merged = terms;
        std::sort(merged.begin(), merged.end(), [](const Term& a, const Term& b) { return a.column < b.column; });
        m_starts.push_back(static_cast<int>(m_columns.size()));
        for (std::size_t i = 0; i < merged.size(); ++i) {
            if (i > 0 && merged[i].column == merged[i - 1].column) {
                m_factors.back() += merged[i].factor;
                continue;
            }
            m_columns.push_back(merged[i].column);
            m_factors.push_back(merged[i].factor);
        }
        m_rowLow.push_back(low);
        m_rowHigh.push_back(high);
    }
    void atMost(const std::vector<Term>& terms, double high) { row(terms, -kInfinity, high); }
    int columns() const { return static_cast<int>(m_low.size()); }
    int rows() const { return static_cast<int>(m_rowLow.size()); }
    Cbc_Model* make() const;

private:
    std::vector<double> m_low, m_high, m_cost, m_factors, m_rowLow, m_rowHigh;
    std::vector<bool> m_isInteger;
    std::vector<int> m_starts, m_columns;
};

/// CBC wants columns first: transpose.
Cbc_Model* Program::make() const
{
    std::vector<CoinBigIndex> starts(m_low.size() + 1, 0);
    for (const int c : m_columns)
        ++starts[static_cast<std::size_t>(c) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<CoinBigIndex> next(starts.begin(), starts.end() - 1);
    std::vector<int> index(m_columns.size());
    std::vector<double> value(m_columns.size());
    for (std::size_t r = 0; r < m_rowLow.size(); ++r) {
        const std::size_t end = r + 1 < m_starts.size() ? static_cast<std::size_t>(m_starts[r + 1]) : m_columns.size();
        for (auto k = static_cast<std::size_t>(m_starts[r]); k < end; ++k) {
            const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(m_columns[k])]++);
            index[at] = static_cast<int>(r);
            value[at] = m_factors[k];
        }
    }
    Cbc_Model* model = Cbc_newModel();
    Cbc_loadProblem(model, columns(), rows(), starts.data(), index.data(), value.data(), m_low.data(), m_high.data(),
                    m_cost.data(), m_rowLow.data(), m_rowHigh.data());
    for (int c = 0; c < columns(); ++c)
        if (m_isInteger[static_cast<std::size_t>(c)])
            Cbc_setInteger(model, c);
    return model;
}

/// Names the columns of the published program; n x n tables, -1 where the variable is fixed to 0.
class Published {
public:
    Published(const CostGraph& graph, Strategy strategy, std::int64_t budget, std::optional<double> deadline, double scale);
    Program program;

private:
    using Table = std::vector<std::vector<int>>;
    const CostNode& node(int i) const { return m_graph.nodes[static_cast<std::size_t>(i)]; }
    static int& at(Table& table, int t, int i) { return table[static_cast<std::size_t>(t)][static_cast<std::size_t>(i)]; }
    double size(std::int64_t bytes) const { return static_cast<double>(bytes) / m_unit; }
    void makeColumns();
    void makeFlowRows();
    void makeMemoryRows(int t);
    void makeFreeRows(int t, int u, int k, int freed);

    const CostGraph& m_graph;
    const Strategy m_strategy;
    const double m_scale;
    const int m_count;
    double m_unit;       ///< bytes of one unit of the memory rows
    double m_budget;     ///< in that unit
    std::vector<std::vector<NodeId>> m_consumers;
    Table m_run, m_ram, m_store, m_in, m_out;
};

Published::Published(const CostGraph& graph, Strategy strategy, std::int64_t budget, std::optional<double> deadline, double scale)
    : m_graph(graph), m_strategy(strategy), m_scale(scale), m_count(graph.size()), m_consumers(graph.nodes.size())
{
    std::int64_t unit = 0;
    for (const CostNode& node : graph.nodes)
        unit = std::gcd(unit, std::gcd(node.bytes, node.workspaceBytes));
    unit = std::max<std::int64_t>(unit, 1);
    m_unit = static_cast<double>(unit);
    m_budget = static_cast<double>(budget / unit);
    for (int k = 0; k < m_count; ++k)
        for (const NodeId u : node(k).inputs)
            m_consumers[static_cast<std::size_t>(u)].push_back(k);
    makeColumns();
    makeFlowRows();
    for (int t = 0; t < m_count; ++t)
        makeMemoryRows(t);
    if (deadline) {
        std::vector<Term> time;
        for (int t = 0; t < m_count; ++t)
            for (int i = 0; i <= t; ++i)
                if (at(m_run, t, i) >= 0)
                    time.push_back({at(m_run, t, i), node(i).compute.seconds});
        program.atMost(time, *deadline * (1 + 1e-9));
    }
}

void Published::makeColumns()
{
    const Table empty(static_cast<std::size_t>(m_count), std::vector<int>(static_cast<std::size_t>(m_count), -1));
    m_run = m_ram = m_store = m_in = m_out = empty;
    for (int t = 0; t < m_count; ++t)
        for (int i = 0; i <= t; ++i) {
            const bool mayRecompute = m_strategy != Strategy::Paging && node(i).recomputable && node(i).phase == Phase::Forward;
            const bool mayPage = m_strategy != Strategy::Recompute && node(i).pageable;
            if (i == t)
                at(m_run, t, i) = program.column(1, 1, true, m_scale * node(i).compute.joules);
            else if (mayRecompute)
                at(m_run, t, i) = program.column(0, 1, true, m_scale * node(i).compute.joules);
            if (i < t)
                at(m_ram, t, i) = program.column(0, 1, true, 0);
            if (i < t && mayPage) {
                at(m_store, t, i) = program.column(0, 1, true, 0);
                at(m_in, t, i) = program.column(0, 1, true, m_scale * node(i).pageIn.joules);
                at(m_out, t, i) = program.column(0, 1, true, m_scale * node(i).pageOut.joules);
            }
        }
}

void Published::makeFlowRows()
{
    const auto push = [](std::vector<Term>& terms, int column, double factor) {
        if (column >= 0)
            terms.push_back({column, factor});
    };
    for (int t = 0; t < m_count; ++t)
        for (int i = 0; i <= t; ++i) {
            if (at(m_run, t, i) >= 0)
                for (const NodeId u : node(i).inputs) {
                    std::vector<Term> terms{{at(m_run, t, i), 1}};
                    push(terms, at(m_run, t, u), -1);
                    push(terms, at(m_ram, t, u), -1);
                    program.atMost(terms, 0);
                }
            if (t + 1 < m_count) {
                std::vector<Term> terms{{at(m_ram, t + 1, i), 1}};
                push(terms, at(m_ram, t, i), -1);
                push(terms, at(m_run, t, i), -1);
                push(terms, at(m_in, t, i), -1);
                program.atMost(terms, 0);
            }
            if (t + 1 < m_count && at(m_store, t + 1, i) >= 0) {
                std::vector<Term> terms{{at(m_store, t + 1, i), 1}};
                push(terms, at(m_store, t, i), -1);
                push(terms, at(m_out, t, i), -1);
                program.atMost(terms, 0);
            }
            if (at(m_in, t, i) >= 0) {
                program.atMost({{at(m_in, t, i), 1}, {at(m_store, t, i), -1}}, 0);
                program.atMost({{at(m_out, t, i), 1}, {at(m_ram, t, i), -1}}, 0);
            }
        }
}

/// 1 - F <= h and hmax (1 - F) >= h, h = 1 - R[t,k] + S[t+1,u] + sum of R[t,j] over later consumers j.
void Published::makeFreeRows(int t, int u, int k, int freed)
{
    double constant = 1, largest = 1;
    std::vector<Term> hazards;
    if (at(m_run, t, k) >= 0)
        hazards.push_back({at(m_run, t, k), -1});
    if (t + 1 < m_count) {
        hazards.push_back({at(m_ram, t + 1, u), 1});
        ++largest;
    }
    for (const NodeId j : m_consumers[static_cast<std::size_t>(u)])
        if (j > k && j <= t && at(m_run, t, j) >= 0) {
            hazards.push_back({at(m_run, t, j), 1});
            ++largest;
        }
    std::vector<Term> terms = hazards;
    terms.push_back({freed, 1});
    program.row(terms, 1 - constant, kInfinity);
    terms.back().factor = largest;
    program.atMost(terms, largest - constant);
}

/// Memory during every slot of stage t, all that was freed after earlier slots subtracted.
void Published::makeMemoryRows(int t)
{
    int before = -1;
    std::vector<Term> freedBefore;
    for (int k = 0; k <= t; ++k) {
        const int used = program.column(0, m_budget, false, 0);
        std::vector<Term> terms{{used, 1}};
        if (k == 0)
            for (int i = 0; i < t; ++i)
                terms.push_back({at(m_ram, t, i), -size(node(i).bytes)});
        else
            terms.push_back({before, -1});
        if (at(m_run, t, k) >= 0)
            terms.push_back({at(m_run, t, k), -size(node(k).bytes)});
        terms.insert(terms.end(), freedBefore.begin(), freedBefore.end());
        program.row(terms, 0, 0);
        if (node(k).workspaceBytes > 0 && at(m_run, t, k) >= 0)
            program.atMost({{used, 1}, {at(m_run, t, k), size(node(k).workspaceBytes)}}, m_budget);
        freedBefore.clear();
        for (const NodeId u : node(k).inputs) {
            const int freed = program.column(0, 1, true, 0);
            makeFreeRows(t, u, k, freed);
            freedBefore.push_back({freed, size(node(u).bytes)});
        }
        before = used;
    }
}

}  // namespace

PublishedAnswer solvePublished(const CostGraph& graph, Strategy strategy, std::int64_t budgetBytes,
                               std::optional<double> deadlineSeconds, double timeLimitSeconds, double relativeGap)
{
    PublishedAnswer answer;
    double keepAllJoules = 0;
    for (const CostNode& node : graph.nodes)
        keepAllJoules += node.compute.joules;
    const double scale = keepAllJoules > 0 ? kKeepAllScaled / keepAllJoules : 1;
    const double constant = scale * keepAllJoules;
    const Published published(graph, strategy, budgetBytes, deadlineSeconds, scale);
    answer.variables = published.program.columns();
    answer.rows = published.program.rows();

    Cbc_Model* model = published.program.make();
    Cbc_setLogLevel(model, 0);
    Cbc_setParameter(model, "timeMode", "elapsed");
    Cbc_setParameter(model, "sec", std::to_string(timeLimitSeconds).c_str());
    Cbc_setParameter(model, "allowableGap", std::to_string(std::max(1e-6, relativeGap * constant)).c_str());
    Cbc_setParameter(model, "ratioGap", "0");
    const auto start = std::chrono::steady_clock::now();
    Cbc_solve(model);
    answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    const double objective = Cbc_getObjValue(model);
    if (Cbc_isProvenInfeasible(model))
        answer.status = PublishedStatus::Infeasible;
    else if (Cbc_isProvenOptimal(model))
        answer.status = PublishedStatus::Optimal;
    answer.hasSchedule = answer.status != PublishedStatus::Infeasible && objective < 1e29;
    answer.overheadJoules = (objective - constant) / scale;
    answer.boundJoules = (Cbc_getBestPossibleObjValue(model) - constant) / scale;
    Cbc_deleteModel(model);
    return answer;
}

}  // namespace poet::testing
