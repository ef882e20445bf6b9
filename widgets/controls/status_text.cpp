// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/status_text.h"

#include "widgets/style/text.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>
#include <limits>

namespace poet {

namespace {

using namespace Qt::StringLiterals;
using SearchPhase = SearchState::Phase;

QString tr(const char* text) { return QCoreApplication::translate("poet::StatusLine", text); }

QString planNumbers(const DocumentState& state)
{
    const Problem& problem = *state.problem();
    const ReplayReport& report = state.plan()->replay;
    int paged = 0;
    for (const Fate fate : state.facts().fates)
        paged += fate == Fate::Paged || fate == Fate::PagedAndRecomputed;
    const double overhead = report.energyJoules - problem.keepAll->replay.energyJoules;
    const double percent = problem.keepAll->replay.energyJoules > 0 ? overhead / problem.keepAll->replay.energyJoules * 100 : 0;
    return tr("%1 (%2 over keep-all), %3\n%4 of RAM, %5 paged, %6 recomputed")
        .arg(text::joules(report.energyJoules), text::morePercent(percent), text::seconds(report.seconds),
             text::bytes(memoryNeed(*problem.graph, *state.plan())))
        .arg(paged)
        .arg(report.recomputedNodes);
}

QString wallReason(const Problem& problem, std::int64_t memory)
{
    const CostGraph& graph = *problem.graph;
    const CostNode& node = graph.nodes[static_cast<std::size_t>(problem.wallNode)];
    std::int64_t inputs = 0;
    for (NodeId input : node.inputs)
        inputs += graph.nodes[static_cast<std::size_t>(input)].bytes;
    QString parts = tr("inputs %1, output %2").arg(text::bytes(inputs), text::bytes(node.bytes));
    if (node.workspaceBytes > 0)
        parts += tr(", workspace %1").arg(text::bytes(node.workspaceBytes));
    if (problem.residentBytes() > 0)
        parts += tr(", resident %1").arg(text::bytes(problem.residentBytes()));
    return tr("%1 needs %2 at once (%3); the budget is %4.")
        .arg(text::from(node.name), text::bytesApart(problem.wallBytes, {memory}), parts, text::bytesApart(memory, {problem.wallBytes}));
}

/// `now`: the budget that it must not look like.
StatusJump toMemory(std::int64_t bytes, std::int64_t now) { return {tr("Go to %1").arg(text::bytesApart(bytes, {now})), bytes, std::nullopt}; }

StatusJump toDeadline(double seconds)
{
    return {std::isinf(seconds) ? tr("Drop the deadline") : tr("Go to %1").arg(text::seconds(seconds)), std::nullopt, seconds};
}

/// Limits that no search is needed to refuse, then proofs that searches brought.
bool describeInfeasible(const DocumentState& state, StatusLine& line)
{
    const Problem& problem = *state.problem();
    const PlanQuery& query = state.controls().query;
    line.mark = u"\u2715"_s;
    line.headline = tr("Infeasible");
    if (query.memoryBytes < problem.wallBytes && problem.wallNode >= 0) {
        line.detail = wallReason(problem, query.memoryBytes);
        line.jumps.append(toMemory(problem.wallBytes, query.memoryBytes));
        return true;
    }
    if (query.deadlineSeconds && *query.deadlineSeconds < problem.shortestSeconds * (1 - 1e-9)) {
        line.detail = tr("The operations alone take %1; the deadline is %2.").arg(text::seconds(problem.shortestSeconds), text::seconds(*query.deadlineSeconds));
        line.jumps.append(toDeadline(problem.shortestSeconds * (1 + 1e-9)));
        return true;
    }
    const auto reason = state.cache().infeasible(problem, query);
    if (!reason)
        return false;
    line.detail = text::from(reason->reason);
    if (reason->smallestMemoryBytes)
        line.jumps.append(toMemory(*reason->smallestMemoryBytes, query.memoryBytes));
    else if (const auto known = state.cache().smallestKnownMemory(problem, query))
        line.jumps.append(toMemory(*known, query.memoryBytes));
    if (reason->smallestDeadlineSeconds)
        line.jumps.append(toDeadline(*reason->smallestDeadlineSeconds * (1 + 1e-9)));
    else if (query.deadlineSeconds)
        if (const auto known = state.cache().smallestKnownSeconds(problem, query))
            line.jumps.append(toDeadline(*known * (1 + 1e-9)));
    return true;
}

void describeNoPlan(const DocumentState& state, StatusLine& line)
{
    const Problem& problem = *state.problem();
    const PlanQuery& query = state.controls().query;
    if (state.search().phase == SearchPhase::TimedOut) {
        line.kind = StatusKind::Unknown;
        line.mark = u"?"_s;
        line.headline = tr("No schedule found in %1; not proven impossible").arg(text::seconds(state.search().elapsedSeconds));
    } else if (state.search().phase == SearchPhase::Stopped) {
        line.kind = StatusKind::Unknown;
        line.mark = u"?"_s;
        line.headline = tr("Stopped without a schedule; not proven impossible");
    } else {
        line.kind = StatusKind::Stale;
        line.mark = u"\u25C7"_s;
        line.headline = state.plan() ? tr("Showing %1 of RAM, %2").arg(text::bytes(memoryNeed(*problem.graph, *state.plan())), text::seconds(state.plan()->replay.seconds))
                                     : tr("No schedule yet");
        line.detail = tr("No known schedule fits the limits.");
    }
    if (const auto memory = state.cache().smallestKnownMemory(problem, query); memory && *memory > query.memoryBytes)
        line.jumps.append(toMemory(*memory, query.memoryBytes));
    if (query.deadlineSeconds)
        if (const auto seconds = state.cache().smallestKnownSeconds(problem, query))
            line.jumps.append(toDeadline(*seconds * (1 + 1e-9)));
}

/// True when the shown plan is proven only among the plans of a restricted program.
bool isRestrictedOptimum(const DocumentState& state)
{
    const double energy = state.plan()->replay.energyJoules;
    const double bound = state.cache().restrictedBound(*state.problem(), state.controls().query);
    return bound > 0 && energy - bound <= state.controls().gap * (1 + 1e-9) * energy;
}

/// What "optimal" is optimal among: see SolveParams::mostCandidates.
QString proofScope()
{
    return tr("Proven among all schedules of a small graph; of a large one, among those that recompute for later only where the inputs are at hand anyway.");
}

/// A plan may be right and yet of no use: the device has less RAM than it needs.
void warnOfRam(const DocumentState& state, StatusLine& line)
{
    const Problem& problem = *state.problem();
    const std::int64_t need = memoryNeed(*problem.graph, *state.plan());
    if (problem.deviceRamBytes <= 0 || need <= problem.deviceRamBytes)
        return;
    line.headline = tr("%1; does not fit the device: %2 of %3").arg(line.headline, text::bytes(need), text::bytes(problem.deviceRamBytes));
    line.detail += u'\n' + tr("%1 has %2 of RAM; the plan needs %3.").arg(problem.deviceName, text::bytes(problem.deviceRamBytes), text::bytes(need));
}

void describePlan(const DocumentState& state, StatusLine& line)
{
    const double gap = shownGapPercent(state);
    const double target = state.controls().gap * 100;
    line.detail = planNumbers(state);
    if (gap <= 1e-4) {
        line.kind = StatusKind::Optimal;
        line.mark = u"\u25CF"_s;
        line.headline = tr("Optimal");
        line.scope = proofScope();
    } else if (gap <= target * (1 + 1e-9)) {
        line.kind = StatusKind::Optimal;
        line.mark = u"\u25CF"_s;
        line.headline = tr("Optimal within %1").arg(QLocale().toString(target, 'g', 3) + u" %"_s);
        line.scope = proofScope();
        line.canProve = true;
    } else if (isRestrictedOptimum(state)) {
        line.kind = StatusKind::Gap;
        line.mark = u"\u25D1"_s;
        line.headline = tr("Optimal among restricted plans; among all, gap at most %1").arg(text::percent(gap));
        line.detail += u'\n' + tr("The proof is of the restricted program, which leaves out recomputing where paging costs less.");
        line.canProve = true;
    } else if (state.search().phase == SearchPhase::TimedOut || state.search().phase == SearchPhase::Stopped || state.search().phase == SearchPhase::Finished) {
        line.kind = StatusKind::Gap;
        line.mark = u"\u25D0"_s;
        line.headline = tr("Gap %1, %2").arg(text::percent(gap), state.search().phase == SearchPhase::Stopped ? tr("stopped") : state.search().phase == SearchPhase::TimedOut ? tr("time limit") : tr("search ended"));
        line.canProve = true;
    } else {
        line.kind = StatusKind::Preview;
        line.mark = u"\u25CC"_s;
        line.headline = tr("Known schedule, gap at most %1").arg(text::percent(gap));
        line.canProve = true;
    }
    warnOfRam(state, line);
}

}  // namespace

double shownGapPercent(const DocumentState& state)
{
    if (!state.problem() || !state.plan() || !state.planFits())
        return 100;
    const double energy = state.plan()->replay.energyJoules;
    const double bound = state.cache().bound(*state.problem(), state.controls().query);
    return energy > 0 ? std::max(0.0, (energy - bound) / energy * 100) : 0;
}

StatusLine describeStatus(const DocumentState& state)
{
    StatusLine line;
    if (!state.problem())
        return line;
    StatusLine infeasible;
    if (describeInfeasible(state, infeasible)) {
        infeasible.kind = StatusKind::Infeasible;
        return infeasible;
    }
    if (state.search().phase == SearchPhase::Failed) {
        line.kind = StatusKind::Failed;
        line.mark = u"!"_s;
        line.headline = tr("The search failed");
        line.detail = state.search().failure;
        line.canRetry = true;
        return line;
    }
    if (state.planFits())
        describePlan(state, line);
    else
        describeNoPlan(state, line);
    if (state.search().phase == SearchPhase::Running) {
        const double gap = shownGapPercent(state);
        line.kind = StatusKind::Searching;
        line.mark = u"\u25B7"_s;
        const auto wholeSeconds = [](double seconds) { return seconds < 100 ? QString::number(std::floor(seconds), 'f', 0) + u" s"_s : text::seconds(seconds); };
        const QString elapsed = tr("%1 of %2").arg(wholeSeconds(state.search().elapsedSeconds), wholeSeconds(state.search().limitSeconds));
        line.headline = !state.planFits() ? tr("Searching %1, no schedule yet").arg(elapsed)
                                          : tr("Searching %1, gap %2").arg(elapsed, text::percent(gap));
        if (!state.planFits())
            line.detail = tr("Showing %1 of RAM, which does not fit the limits.").arg(text::bytes(memoryNeed(*state.problem()->graph, *state.plan())));
        line.canStop = true;
        line.canProve = false;
    } else if (state.search().phase == SearchPhase::Waiting) {
        line.canStop = true;
        line.canProve = false;
    }
    return line;
}

}  // namespace poet
