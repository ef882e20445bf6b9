// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/alternatives.h"

#include <algorithm>

namespace poet {

namespace {

using Steps = std::vector<Step>;

/// Why a change cannot be made.
struct Trouble {
    Obstacle obstacle = Obstacle::None;
    NodeId node = -1;
};

const CostNode& nodeOf(const CostGraph& graph, NodeId id) { return graph.nodes[static_cast<std::size_t>(id)]; }

bool reads(const CostGraph& graph, const Step& step, NodeId node)
{
    return (step.kind == StepKind::Compute || step.kind == StepKind::Recompute) && graph.reads(step.node, node);
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
bool collect(const CostGraph& graph, TransferModel model, const Steps& steps, NodeId node, std::size_t at, std::vector<Step>& acquire, Trouble& trouble)
{
    for (NodeId input : nodeOf(graph, node).inputs) {
        const bool isListed = std::any_of(acquire.begin(), acquire.end(), [&](const Step& step) { return step.node == input; });
        if (isListed || isInRam(steps, input, at))
            continue;
        if (graph.mayRecompute(input, model)) {
            if (!collect(graph, model, steps, input, at, acquire, trouble))
                return false;
            acquire.push_back({.stage = steps[at].stage, .kind = StepKind::Recompute, .node = input});
        } else if (isStored(steps, input, at)) {
            acquire.push_back({.stage = steps[at].stage, .kind = StepKind::PageIn, .node = input});
        } else {
            trouble = {Obstacle::InputGone, input};
            return false;
        }
    }
    return true;
}

Steps paged(const CostGraph& graph, TransferModel model, Steps steps, NodeId node, Trouble& trouble)
{
    std::size_t from = 0;
    std::size_t to = 0;
    if (!longestGap(graph, steps, node, from, to)) {
        trouble = {Obstacle::UsedAtOnce, -1};
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
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(release) + 1, {.stage = steps[release].stage, .kind = StepKind::Free, .node = node});
    return steps;
}

Steps recomputed(const CostGraph& graph, TransferModel model, Steps steps, NodeId node, Trouble& trouble, std::vector<NodeId>& also)
{
    std::size_t from = 0;
    std::size_t to = 0;
    if (!longestGap(graph, steps, node, from, to)) {
        trouble = {Obstacle::UsedAtOnce, -1};
        return {};
    }
    std::vector<Step> acquire;
    const std::size_t at = before(steps, to);
    if (!collect(graph, model, steps, node, at, acquire, trouble))
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

/// The schedule with one other choice for `node`; empty with the trouble when there is none.
Steps changed(const CostGraph& graph, TransferModel model, const Steps& base, NodeId node, Choice choice, Trouble& trouble, std::vector<NodeId>& also)
{
    if (choice == Choice::Keep)
        return base;
    if (choice == Choice::Page) {
        if (nodeOf(graph, node).pageable)
            return paged(graph, model, base, node, trouble);
        trouble = {Obstacle::NotPageable, -1};
        return {};
    }
    if (graph.mayRecompute(node, model))
        return recomputed(graph, model, base, node, trouble, also);
    trouble = {nodeOf(graph, node).phase == Phase::Backward ? Obstacle::Gradient : Obstacle::NotRecomputable, -1};
    return {};
}

}  // namespace

std::string_view name(Fate fate)
{
    switch (fate) {
    case Fate::Kept: return "kept";
    case Fate::Paged: return "paged";
    case Fate::Recomputed: return "recomputed";
    case Fate::PagedAndRecomputed: return "paged and recomputed";
    }
    return "";
}

std::string_view name(Choice choice)
{
    switch (choice) {
    case Choice::Keep: return "keep";
    case Choice::Page: return "page";
    case Choice::Recompute: return "recompute";
    }
    return "";
}

std::vector<Fate> fatesOf(const CostGraph& graph, const Schedule& schedule)
{
    std::vector<Fate> fates(graph.nodes.size(), Fate::Kept);
    for (const Step& step : schedule.steps) {
        Fate& fate = fates[static_cast<std::size_t>(step.node)];
        if (step.kind == StepKind::PageIn)
            fate = fate == Fate::Kept || fate == Fate::Paged ? Fate::Paged : Fate::PagedAndRecomputed;
        else if (step.kind == StepKind::Recompute)
            fate = fate == Fate::Kept || fate == Fate::Recomputed ? Fate::Recomputed : Fate::PagedAndRecomputed;
    }
    return fates;
}

std::vector<Alternative> alternativesFor(const CostGraph& graph, TransferModel model, const Schedule& schedule, NodeId node)
{
    const Fate fate = fatesOf(graph, schedule)[static_cast<std::size_t>(node)];
    const Steps base = kept(graph, schedule.steps, node);
    std::vector<Alternative> result;
    for (const Choice choice : {Choice::Keep, Choice::Page, Choice::Recompute}) {
        Alternative item;
        item.choice = choice;
        item.isChosen = isChoiceOf(choice, fate);
        Trouble trouble;
        Steps steps = item.isChosen ? schedule.steps : changed(graph, model, base, node, choice, trouble, item.alsoRecomputed);
        if (!steps.empty()) {
            if (!item.isChosen)
                prune(graph, steps);
            auto report = replay(graph, model, Schedule{std::move(steps)});
            item.isPossible = report.has_value();
            if (report)
                item.replay = std::move(*report);
            else
                trouble = {Obstacle::BreaksSchedule, -1};
        }
        item.obstacle = trouble.obstacle;
        item.obstacleNode = trouble.node;
        result.push_back(std::move(item));
    }
    return result;
}

std::string obstacleText(const CostGraph& graph, const Alternative& alternative)
{
    switch (alternative.obstacle) {
    case Obstacle::None: return "";
    case Obstacle::UsedAtOnce: return "it is used again at once, or never";
    case Obstacle::InputGone: return "its input '" + nodeOf(graph, alternative.obstacleNode).name + "' is gone by then";
    case Obstacle::NotPageable: return "it may not be paged";
    case Obstacle::Gradient: return "a gradient is computed once";
    case Obstacle::NotRecomputable: return "it cannot be computed again";
    case Obstacle::BreaksSchedule: return "that one change alone does not give a working schedule";
    }
    return "";
}

}  // namespace poet
