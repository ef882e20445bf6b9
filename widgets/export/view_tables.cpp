// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/view_tables.h"

#include "widgets/style/text.h"

namespace poet {

using namespace Qt::StringLiterals;

namespace {

QString number(double value) { return text::from(formatDouble(value)); }
QString number(std::int64_t value) { return QString::number(value); }

/// The figures of a plan, in the order of the summary's rows.
QStringList planFigures(const Problem& problem, const Plan& plan)
{
    const ReplayReport& report = plan.replay;
    return {number(memoryNeed(*problem.graph, plan)), number(report.energyJoules), number(report.seconds), number(report.pagedOutBytes),
            number(report.pagedInBytes), QString::number(report.recomputedNodes), number(report.writtenBytes)};
}

}  // namespace

QString csvLine(const QStringList& cells)
{
    QStringList quoted;
    for (QString cell : cells) {
        if (cell.contains(u',') || cell.contains(u'"') || cell.contains(u'\n'))
            cell = u'"' + cell.replace(u'"', u"\"\""_s) + u'"';
        quoted.append(cell);
    }
    return quoted.join(u',') + u'\n';
}

QString nodesCsv(const Problem& problem, const std::vector<Fate>& fates)
{
    QString out = csvLine({u"node"_s, u"name"_s, u"operator"_s, u"phase"_s, u"block"_s, u"shape"_s, u"bytes"_s, u"flop"_s, u"compute_joules"_s, u"compute_seconds"_s,
                           u"page_joules"_s, u"page_seconds"_s, u"decision"_s});
    for (std::size_t i = 0; i < problem.facts.size(); ++i) {
        const NodeFacts& fact = problem.facts[i];
        const CostNode& node = problem.graph->nodes[i];
        out += csvLine({QString::number(i), fact.name, fact.op, node.phase == Phase::Forward ? u"forward"_s : u"backward"_s, fact.block, fact.shape, number(node.bytes),
                        number(fact.flops), number(node.compute.joules), number(node.compute.seconds), number(node.pageOut.joules + node.pageIn.joules),
                        number(node.pageOut.seconds + node.pageIn.seconds), i < fates.size() ? text::from(name(fates[i])) : QString()});
    }
    return out;
}

QString heatGridCsv(const HeatGrid& grid)
{
    QString out = csvLine({u"memory_bytes"_s, u"deadline_seconds"_s, u"state"_s, u"overhead_percent"_s, u"gap_percent"_s});
    for (std::size_t row = 0; row < grid.deadlines.size(); ++row)
        for (std::size_t column = 0; column < grid.memories.size(); ++column) {
            const HeatCell& cell = grid.at(static_cast<int>(column), static_cast<int>(row));
            const bool isKnown = cell.state == HeatCell::State::Known;
            out += csvLine({number(grid.memories[column]), number(grid.deadlines[row]),
                            isKnown ? u"known"_s : cell.state == HeatCell::State::Infeasible ? u"infeasible"_s : u"unknown"_s,
                            isKnown ? number(cell.overheadPercent) : QString(), isKnown ? number(cell.gapPercent) : QString()});
        }
    return out;
}

QString strategiesCsv(const Problem& problem, const std::vector<SideBySide::Column>& columns)
{
    QString out = csvLine({u"strategy"_s, u"fits"_s, u"memory_bytes"_s, u"energy_joules"_s, u"seconds"_s, u"paged_out_bytes"_s, u"paged_in_bytes"_s, u"recomputed_nodes"_s, u"written_bytes"_s});
    for (const SideBySide::Column& column : columns) {
        const QStringList figures = column.plan ? planFigures(problem, *column.plan) : QStringList(7);
        out += csvLine(QStringList{text::from(name(column.strategy)), column.fits ? u"yes"_s : u"no"_s} + figures);
    }
    return out;
}

QString breakEvenCsv(const Problem& problem, const std::vector<BreakEvenView::Point>& points, const TransferLine& line)
{
    QString out = csvLine({u"tensor"_s, u"bytes"_s, u"recompute_cost"_s, u"page_cost"_s, u"decision"_s});
    for (const BreakEvenView::Point& point : points)
        out += csvLine({problem.facts[static_cast<std::size_t>(point.node)].name, number(point.bytes), number(point.cost), number(line.at(point.bytes)), text::from(name(point.fate))});
    return out;
}

QString summaryCsv(const Problem& problem, const Plan& plan, const Plan* pinned)
{
    static const QStringList names{u"memory_bytes"_s, u"energy_joules"_s, u"seconds"_s, u"paged_out_bytes"_s, u"paged_in_bytes"_s, u"recomputed_nodes"_s, u"written_bytes"_s};
    QStringList head{u"figure"_s, u"shown"_s, u"keep_all"_s};
    QList<QStringList> columns{planFigures(problem, plan), planFigures(problem, *problem.keepAll)};
    if (pinned) {
        head.append(u"pinned"_s);
        columns.append(planFigures(problem, *pinned));
    }
    QString out = csvLine(head);
    for (qsizetype i = 0; i < names.size(); ++i) {
        QStringList row{names[i]};
        for (const QStringList& column : std::as_const(columns))
            row.append(column[i]);
        out += csvLine(row);
    }
    return out;
}

QString comparisonCsv(const std::vector<ComparedFigure>& figures)
{
    QString out = csvLine({u"figure"_s, u"a"_s, u"b"_s, u"difference"_s});
    for (const ComparedFigure& figure : figures)
        out += csvLine({figure.name, figure.a, figure.b, figure.difference});
    return out;
}

}  // namespace poet
