// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/differences.h"

#include "core/device/device_report.h"
#include "core/schedule/alternatives.h"
#include "widgets/style/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>
#include <map>

namespace poet {

namespace {

struct DifferencesText {
    Q_DECLARE_TR_FUNCTIONS(poet::Differences)
};

QString differenceOf(double a, double b)
{
    if (a == b)
        return {};
    const double percent = a > 0 ? (b - a) / a * 100 : 0;
    if (a <= 0)
        return DifferencesText::tr("differs");
    return percent > 0 ? text::morePercent(percent) : QChar(0x2212) + text::percent(-percent);
}

void addFigure(std::vector<ComparedFigure>& figures, const QString& name, double a, double b, const std::function<QString(double)>& shown)
{
    figures.push_back({name, shown(a), shown(b), differenceOf(a, b)});
}

void addText(std::vector<ComparedFigure>& figures, const QString& name, const QString& a, const QString& b)
{
    figures.push_back({name, a, b, a == b ? QString() : DifferencesText::tr("differs")});
}

QString shownBytes(double value) { return text::bytes(static_cast<std::int64_t>(value)); }

QString shownCount(double value) { return QString::number(value, 'f', 0); }

double overheadPercent(double energy, double reference) { return reference > 0 ? (energy - reference) / reference * 100 : 0; }

bool hasSameNodes(const CostGraph& a, const CostGraph& b)
{
    return a.size() == b.size() && std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), [](const CostNode& x, const CostNode& y) { return x.name == y.name && x.inputs == y.inputs; });
}

}  // namespace

std::vector<ComparedFigure> comparePlans(const Problem& problem, const Plan& a, const Plan& b)
{
    std::vector<ComparedFigure> figures;
    const double keepAll = problem.keepAll->replay.energyJoules;
    addText(figures, DifferencesText::tr("Strategy"), text::strategy(a.strategy), text::strategy(b.strategy));
    addFigure(figures, DifferencesText::tr("RAM needed"), static_cast<double>(memoryNeed(*problem.graph, a)), static_cast<double>(memoryNeed(*problem.graph, b)), shownBytes);
    addFigure(figures, DifferencesText::tr("Energy of a step"), a.replay.energyJoules, b.replay.energyJoules, text::joules);
    addText(figures, DifferencesText::tr("energy over keep-all"), text::morePercent(overheadPercent(a.replay.energyJoules, keepAll)), text::morePercent(overheadPercent(b.replay.energyJoules, keepAll)));
    addFigure(figures, DifferencesText::tr("Time of a step"), a.replay.seconds, b.replay.seconds, text::seconds);
    addFigure(figures, DifferencesText::tr("Paged out"), static_cast<double>(a.replay.pagedOutBytes), static_cast<double>(b.replay.pagedOutBytes), shownBytes);
    addFigure(figures, DifferencesText::tr("Paged in"), static_cast<double>(a.replay.pagedInBytes), static_cast<double>(b.replay.pagedInBytes), shownBytes);
    addFigure(figures, DifferencesText::tr("Nodes recomputed"), a.replay.recomputedNodes, b.replay.recomputedNodes, shownCount);
    return figures;
}

std::vector<ComparedFigure> compareProblems(const Problem& a, const Problem& b, const Plan* plan)
{
    std::vector<ComparedFigure> figures;
    addText(figures, DifferencesText::tr("Model"), a.title, b.title);
    addText(figures, DifferencesText::tr("Device"), a.deviceName, b.deviceName);
    addFigure(figures, DifferencesText::tr("Operations"), a.graph->size(), b.graph->size(), shownCount);
    if (a.training && b.training)
        addFigure(figures, DifferencesText::tr("Weights"), static_cast<double>(a.training->parameterBytes()), static_cast<double>(b.training->parameterBytes()), shownBytes);
    addFigure(figures, DifferencesText::tr("Resident all the time"), static_cast<double>(a.residentBytes()), static_cast<double>(b.residentBytes()), shownBytes);
    addFigure(figures, DifferencesText::tr("Smallest possible memory"), static_cast<double>(a.wallBytes), static_cast<double>(b.wallBytes), shownBytes);
    addFigure(figures, DifferencesText::tr("Keep-all memory"), static_cast<double>(a.keepAllPeakBytes), static_cast<double>(b.keepAllPeakBytes), shownBytes);
    addFigure(figures, DifferencesText::tr("Keep-all energy"), a.keepAll->replay.energyJoules, b.keepAll->replay.energyJoules, text::joules);
    addFigure(figures, DifferencesText::tr("Keep-all time"), a.keepAll->replay.seconds, b.keepAll->replay.seconds, text::seconds);
    if (plan && hasSameNodes(*a.graph, *b.graph))
        if (const auto there = replay(*b.graph, b.graph->device.transfer, plan->replay.schedule)) {
            addFigure(figures, DifferencesText::tr("The shown plan: energy"), plan->replay.energyJoules, there->energyJoules, text::joules);
            addText(figures, DifferencesText::tr("The shown plan: over keep-all"), text::morePercent(overheadPercent(plan->replay.energyJoules, a.keepAll->replay.energyJoules)),
                    text::morePercent(overheadPercent(there->energyJoules, b.keepAll->replay.energyJoules)));
            addFigure(figures, DifferencesText::tr("The shown plan: time"), plan->replay.seconds, there->seconds, text::seconds);
        }
    return figures;
}

std::vector<ComparedFigure> decisionDifferences(const Problem& problem, const Plan& a, const Plan& b)
{
    const std::vector<Fate> fatesA = fatesOf(*problem.graph, a.replay.schedule);
    const std::vector<Fate> fatesB = fatesOf(*problem.graph, b.replay.schedule);
    std::vector<std::size_t> nodes;
    for (std::size_t i = 0; i < std::min(fatesA.size(), fatesB.size()); ++i)
        if (fatesA[i] != fatesB[i])
            nodes.push_back(i);
    std::stable_sort(nodes.begin(), nodes.end(), [&](std::size_t x, std::size_t y) { return problem.graph->nodes[x].bytes > problem.graph->nodes[y].bytes; });
    std::vector<ComparedFigure> differences;
    for (const std::size_t i : nodes)
        differences.push_back({problem.facts[i].name, text::fate(fatesA[i]), text::fate(fatesB[i]), text::bytes(problem.graph->nodes[i].bytes)});
    return differences;
}

std::vector<ComparedFigure> deviceDifferences(const DeviceProfile& a, const DeviceProfile& b)
{
    const auto textsOf = [](const DeviceProfile& profile) {
        std::vector<std::pair<QString, std::pair<QString, double>>> texts;
        for (const NamedQuantity& named : quantities(profile)) {
            const QuantityText shown = describe(named);
            texts.push_back({text::from(shown.path), {text::from(shown.value), named.quantity->value}});
        }
        return texts;
    };
    const auto own = textsOf(a);
    std::map<QString, std::pair<QString, double>> other;
    for (const auto& [path, value] : textsOf(b))
        other.emplace(path, value);
    const QString dash(QChar(0x2013));
    std::vector<ComparedFigure> differences;
    for (const auto& [path, value] : own) {
        const auto found = other.find(path);
        if (found == other.end())
            differences.push_back({path, value.first, dash, DifferencesText::tr("only A")});
        else if (found->second.second != value.second)
            differences.push_back({path, value.first, found->second.first, differenceOf(value.second, found->second.second)});
        if (found != other.end())
            other.erase(found);
    }
    for (const auto& [path, value] : other)
        differences.push_back({path, dash, value.first, DifferencesText::tr("only B")});
    return differences;
}

std::vector<ComparedFigure> operatorDifferences(const Problem& a, const Problem& b)
{
    struct Sum {
        int count = 0;
        std::int64_t bytes = 0;
        bool operator==(const Sum&) const = default;
    };
    const auto sumsOf = [](const Problem& problem) {
        std::map<QString, Sum> sums;
        for (std::size_t i = 0; i < problem.facts.size(); ++i) {
            Sum& sum = sums[problem.facts[i].op];
            ++sum.count;
            sum.bytes += problem.graph->nodes[i].bytes;
        }
        return sums;
    };
    std::map<QString, std::pair<Sum, Sum>> both;
    for (const auto& [op, sum] : sumsOf(a))
        both[op].first = sum;
    for (const auto& [op, sum] : sumsOf(b))
        both[op].second = sum;
    std::vector<std::pair<QString, std::pair<Sum, Sum>>> rows;
    std::copy_if(both.begin(), both.end(), std::back_inserter(rows), [](const auto& row) { return !(row.second.first == row.second.second); });
    const auto largest = [](const auto& row) { return std::max(row.second.first.bytes, row.second.second.bytes); };
    std::stable_sort(rows.begin(), rows.end(), [&](const auto& x, const auto& y) { return largest(x) > largest(y); });
    std::vector<ComparedFigure> differences;
    const auto shown = [](const Sum& sum) { return sum.count == 0 ? QString(QChar(0x2013)) : QStringLiteral("%1 \u00D7, %2").arg(sum.count).arg(text::bytes(sum.bytes)); };
    for (const auto& [op, sums] : rows)
        differences.push_back({op, shown(sums.first), shown(sums.second), differenceOf(static_cast<double>(sums.first.bytes), static_cast<double>(sums.second.bytes))});
    return differences;
}

}  // namespace poet
