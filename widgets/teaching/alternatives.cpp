// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/teaching/alternatives.h"

#include "widgets/style/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace poet {

namespace {

using namespace Qt::StringLiterals;
using Steps = std::vector<Step>;

QString tr(const char* text, const char* comment = nullptr, int n = -1) { return QCoreApplication::translate("poet::Alternatives", text, comment, n); }

const CostNode& nodeOf(const CostGraph& graph, NodeId id) { return graph.nodes[static_cast<std::size_t>(id)]; }

bool reads(const CostGraph& graph, const Step& step, NodeId node)
{
    if (step.kind != StepKind::Compute && step.kind != StepKind::Recompute)
        return false;
    const auto& inputs = nodeOf(graph, step.node).inputs;
    return std::find(inputs.begin(), inputs.end(), node) != inputs.end();
}

/// Removes page-ins and recomputes that nobody reads before their Free, with that Free, until nothing changes.
void prune(const CostGraph& graph, Steps& steps)
{
    bool isChanged = true;
    while (isChanged) {
        isChanged = false;
        for (std::size_t s = 0; s < steps.size() && !isChanged; ++s) {
            if (steps[s].kind != StepKind::PageIn && steps[s].kind != StepKind::Recompute)
                continue;
            for (std::size_t t = s + 1; t < steps.size(); ++t) {
                if (reads(graph, steps[t], steps[s].node) || (steps[t].kind == StepKind::PageOut && steps[t].node == steps[s].node))
                    break;
                if (steps[t].kind == StepKind::Free && steps[t].node == steps[s].node) {
                    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(t));
                    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(s));
                    isChanged = true;
                    break;
                }
            }
        }
    }
}

std::size_t computeOf(const Steps& steps, NodeId node)
{
    for (std::size_t s = 0; s < steps.size(); ++s)
        if (steps[s].kind == StepKind::Compute && steps[s].node == node)
            return s;
    return steps.size();
}

std::vector<std::size_t> usesOf(const CostGraph& graph, const Steps& steps, NodeId node)
{
    std::vector<std::size_t> uses;
    for (std::size_t s = 0; s < steps.size(); ++s)
        if (reads(graph, steps[s], node))
            uses.push_back(s);
    return uses;
}

/// The schedule with the tensor in RAM from its compute to its last use.
Steps kept(const CostGraph& graph, Steps steps, NodeId node)
{
    std::erase_if(steps, [&](const Step& step) { return step.node == node && step.kind != StepKind::Compute; });
    const auto uses = usesOf(graph, steps, node);
    const std::size_t last = uses.empty() ? computeOf(steps, node) : uses.back();
    Step release{.stage = steps[last].stage, .kind = StepKind::Free, .node = node};
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(last) + 1, release);
    return steps;
}

/// Where a step may be put so that it runs before step `at`: before the background transfers that belong to it.
std::size_t before(const Steps& steps, std::size_t at)
{
    while (at > 0 && steps[at - 1].stage == steps[at].stage && steps[at - 1].mode != TransferMode::Blocking &&
           (steps[at - 1].kind == StepKind::PageIn || steps[at - 1].kind == StepKind::PageOut))
        --at;
    return at;
}

/// The uses around the gap across which the tensor is best dropped: the longest one. False when it is used at once.
bool longestGap(const CostGraph& graph, const Steps& steps, NodeId node, std::size_t& from, std::size_t& to)
{
    std::vector<std::size_t> uses = usesOf(graph, steps, node);
    uses.insert(uses.begin(), computeOf(steps, node));
    std::size_t longest = 0;
    for (std::size_t u = 0; u + 1 < uses.size(); ++u)
        if (uses[u + 1] - uses[u] > longest) {
            longest = uses[u + 1] - uses[u];
            from = uses[u];
            to = uses[u + 1];
        }
    return longest > 1;
}

bool isInRam(const Steps& steps, NodeId node, std::size_t at)
{
    bool isThere = false;
    for (std::size_t s = 0; s < at; ++s)
        if (steps[s].node == node) {
            if (steps[s].kind == StepKind::Free)
                isThere = false;
            else if (steps[s].kind != StepKind::PageOut)
                isThere = true;
        }
    return isThere;
}

bool isStored(const Steps& steps, NodeId node, std::size_t at)
{
    return std::any_of(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(at),
                       [&](const Step& step) { return step.node == node && step.kind == StepKind::PageOut; });
}

/// Lists, inputs first, what must come back before `node` can be recomputed at step `at`. False when one cannot.
bool collect(const CostGraph& graph, TransferModel model, const Steps& steps, NodeId node, std::size_t at, std::vector<Step>& acquire, QString& obstacle)
{
    for (NodeId input : nodeOf(graph, node).inputs) {
        const bool isListed = std::any_of(acquire.begin(), acquire.end(), [&](const Step& step) { return step.node == input; });
        if (isListed || isInRam(steps, input, at))
            continue;
        if (graph.mayRecompute(input, model)) {
            if (!collect(graph, model, steps, input, at, acquire, obstacle))
                return false;
            acquire.push_back({.stage = steps[at].stage, .kind = StepKind::Recompute, .node = input});
        } else if (isStored(steps, input, at)) {
            acquire.push_back({.stage = steps[at].stage, .kind = StepKind::PageIn, .node = input});
        } else {
            obstacle = tr("its input %1 is gone by then").arg(text::shortNodeName(text::from(nodeOf(graph, input).name)));
            return false;
        }
    }
    return true;
}

Steps paged(const CostGraph& graph, TransferModel model, Steps steps, NodeId node, QString& obstacle)
{
    std::size_t from = 0;
    std::size_t to = 0;
    if (!longestGap(graph, steps, node, from, to)) {
        obstacle = tr("it is used again at once");
        return {};
    }
    const bool isPaper = model == TransferModel::Paper;
    std::size_t in = before(steps, to);
    if (isPaper)
        while (in > 0 && steps[in - 1].stage == steps[to].stage)
            --in;
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(in),
                 {.stage = steps[to].stage, .kind = StepKind::PageIn, .mode = isPaper ? TransferMode::Prefetch : TransferMode::Blocking, .node = node});
    std::size_t out = computeOf(steps, node);
    if (isPaper) {  // the source stays through the next stage
        const int stage = steps[out].stage + 1;
        while (out + 1 < steps.size() && steps[out + 1].stage <= stage)
            ++out;
        from = std::max(from, out);
    }
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(out) + 1,
                 {.stage = steps[out].stage, .kind = StepKind::PageOut, .mode = isPaper ? TransferMode::Background : TransferMode::Blocking, .node = node});
    const std::size_t release = std::max(from, out) + 1;
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(release) + 1 - (from > out ? 0 : 0), {.stage = steps[release].stage, .kind = StepKind::Free, .node = node});
    return steps;
}

Steps recomputed(const CostGraph& graph, TransferModel model, Steps steps, NodeId node, QString& obstacle, std::vector<NodeId>& also)
{
    std::size_t from = 0;
    std::size_t to = 0;
    if (!longestGap(graph, steps, node, from, to)) {
        obstacle = tr("it is used again at once");
        return {};
    }
    std::vector<Step> acquire;
    const std::size_t at = before(steps, to);
    if (!collect(graph, model, steps, node, at, acquire, obstacle))
        return {};
    std::vector<Step> block = acquire;
    block.push_back({.stage = steps[to].stage, .kind = StepKind::Recompute, .node = node});
    for (const Step& step : acquire) {
        also.push_back(step.node);
        // The use itself may read it too: then it stays until after that.
        if (!reads(graph, steps[to], step.node))
            block.push_back({.stage = steps[to].stage, .kind = StepKind::Free, .node = step.node});
    }
    const int stage = steps[to].stage;
    std::vector<Step> after;
    for (const Step& step : acquire)
        if (reads(graph, steps[to], step.node))
            after.push_back({.stage = stage, .kind = StepKind::Free, .node = step.node});
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(to) + 1, after.begin(), after.end());
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(at), block.begin(), block.end());
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(from) + 1, {.stage = steps[from].stage, .kind = StepKind::Free, .node = node});
    return steps;
}

bool isChoiceOf(Choice choice, Fate fate)
{
    switch (choice) {
    case Choice::Keep: return fate == Fate::Kept;
    case Choice::Page: return fate == Fate::Paged || fate == Fate::PagedAndRecomputed;
    case Choice::Recompute: return fate == Fate::Recomputed || fate == Fate::PagedAndRecomputed;
    }
    return false;
}

}  // namespace

std::vector<Alternative> alternativesFor(const Problem& problem, const Plan& plan, NodeId node)
{
    const CostGraph& graph = *problem.graph;
    const TransferModel model = graph.device.transfer;
    const PlanFacts facts = makePlanFacts(graph, plan);
    const Fate fate = facts.fates[static_cast<std::size_t>(node)];
    const Steps base = kept(graph, plan.replay.schedule.steps, node);
    std::vector<Alternative> result;
    for (Choice choice : {Choice::Keep, Choice::Page, Choice::Recompute}) {
        Alternative item;
        item.choice = choice;
        item.isChosen = isChoiceOf(choice, fate);
        Steps steps;
        if (item.isChosen)
            steps = plan.replay.schedule.steps;
        else if (choice == Choice::Keep)
            steps = base;
        else if (choice == Choice::Page && !nodeOf(graph, node).pageable)
            item.obstacle = tr("it may not be paged");
        else if (choice == Choice::Page)
            steps = paged(graph, model, base, node, item.obstacle);
        else if (!graph.mayRecompute(node, model))
            item.obstacle = nodeOf(graph, node).phase == Phase::Backward ? tr("a gradient is computed once") : tr("it cannot be computed again");
        else
            steps = recomputed(graph, model, base, node, item.obstacle, item.alsoRecomputed);
        if (!steps.empty()) {
            if (!item.isChosen)
                prune(graph, steps);
            const auto report = replay(graph, model, Schedule{steps});
            item.isPossible = report.has_value();
            if (report) {
                item.energyJoules = report->energyJoules;
                item.seconds = report->seconds;
                item.peakBytes = report->peakBytes + graph.device.residentBytes;
            } else {
                item.obstacle = tr("that one change alone does not give a working schedule");
            }
        }
        result.push_back(item);
    }
    return result;
}

QString whyHtml(const Problem& problem, const Plan& plan, NodeId node, std::int64_t memoryBytes, std::optional<double> deadlineSeconds, bool isProven)
{
    const std::vector<Alternative> items = alternativesFor(problem, plan, node);
    static const char* const kNames[] = {QT_TRANSLATE_NOOP("poet::Alternatives", "keep"), QT_TRANSLATE_NOOP("poet::Alternatives", "page"), QT_TRANSLATE_NOOP("poet::Alternatives", "recompute")};
    QString html = tr("<p><b>Why %1?</b> Each line changes only this decision and replays the schedule.</p>")
                       .arg(text::shortNodeName(problem.facts[static_cast<std::size_t>(node)].name, 30).toHtmlEscaped());
    html += u"<table cellpadding='2'>"_s;
    bool isCheaperKnown = false;
    for (const Alternative& item : items) {
        QString line;
        if (!item.isPossible) {
            line = tr("not possible: %1").arg(item.obstacle);
        } else {
            const double extra = item.energyJoules - plan.replay.energyJoules;
            line = item.isChosen ? tr("%1 a step, %2, %3").arg(text::joules(item.energyJoules), text::seconds(item.seconds), text::bytes(item.peakBytes))
                                 : tr("%1%2, %3, %4").arg(extra < 0 ? u"\u2212"_s : u"+"_s, text::joules(std::abs(extra)), text::seconds(item.seconds), text::bytes(item.peakBytes));
            const bool isOver = item.peakBytes > memoryBytes;
            const bool isLate = deadlineSeconds && item.seconds > *deadlineSeconds * (1 + 1e-9);
            if (isOver)
                line += tr(", %1 over budget").arg(text::bytes(item.peakBytes - memoryBytes));
            if (isLate)
                line += tr(", %1 late").arg(text::seconds(item.seconds - *deadlineSeconds));
            if (!item.alsoRecomputed.empty())
                line += tr("; other tensors that must come back too: %1").arg(item.alsoRecomputed.size());
            if (!item.isChosen && !isOver && !isLate && extra < -1e-12 * plan.replay.energyJoules)
                isCheaperKnown = true;
        }
        html += u"<tr><td><b>%1</b></td><td>%2%3</td></tr>"_s.arg(tr(kNames[static_cast<int>(item.choice)]), line, item.isChosen ? tr(" \u2014 <b>chosen</b>") : QString());
    }
    html += u"</table>"_s;
    if (isCheaperKnown && !isProven)
        html += tr("<p>An allowed alternative is cheaper: the shown plan is not proven optimal. Press <i>Prove it</i>.</p>");
    return html;
}

}  // namespace poet
