// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/teaching/step_text.h"

#include "widgets/style/text.h"

#include <QObject>

#include <algorithm>

namespace poet {

namespace {

/// The next step after `step` that reads the tensor; -1 if none.
int nextUse(const CostGraph& graph, const Schedule& schedule, NodeId node, int step)
{
    for (std::size_t s = static_cast<std::size_t>(step) + 1; s < schedule.steps.size(); ++s) {
        const Step& next = schedule.steps[s];
        if (next.kind != StepKind::Compute && next.kind != StepKind::Recompute)
            continue;
        const auto& inputs = graph.nodes[static_cast<std::size_t>(next.node)].inputs;
        if (std::find(inputs.begin(), inputs.end(), node) != inputs.end())
            return static_cast<int>(s);
    }
    return -1;
}

/// The step that brings the tensor back after `step`; -1 if none.
int nextReturn(const PlanFacts& facts, const Schedule& schedule, NodeId node, int step)
{
    for (int own : facts.stepsOf[static_cast<std::size_t>(node)])
        if (own > step && schedule.steps[static_cast<std::size_t>(own)].kind != StepKind::PageOut)
            return own;
    return -1;
}

QString nameOf(const Problem& problem, NodeId node) { return text::shortNodeName(problem.facts[static_cast<std::size_t>(node)].name, 30); }

}  // namespace

QString stepSentence(const Problem& problem, const Plan& plan, const PlanFacts& facts, int step)
{
    const Schedule& schedule = plan.replay.schedule;
    if (step < 0 || static_cast<std::size_t>(step) >= schedule.steps.size())
        return {};
    const Step& now = schedule.steps[static_cast<std::size_t>(step)];
    const CostNode& node = problem.graph->nodes[static_cast<std::size_t>(now.node)];
    const QString name = nameOf(problem, now.node);
    const QString size = text::bytes(node.bytes);
    const int use = nextUse(*problem.graph, schedule, now.node, step);
    const QString user = use >= 0 ? nameOf(problem, schedule.steps[static_cast<std::size_t>(use)].node) : QString();
    const QString start = QObject::tr("t %1: ").arg(now.stage);
    switch (now.kind) {
    case StepKind::Compute:
        if (node.phase == Phase::Backward)
            return start + (node.bytes > 0 ? QObject::tr("%1 runs: the gradient (%2) goes on to the layer before; weights are updated.").arg(name, size)
                                           : QObject::tr("%1 runs: it only updates weights and leaves no tensor.").arg(name));
        return start + (use < 0                                           ? QObject::tr("%1 runs; nothing reads its result.").arg(name)
                        : use - step > 40                                 ? QObject::tr("%1 runs and makes %2; its last reader comes much later, in the backward pass.").arg(name, size)
                                                                          : QObject::tr("%1 runs and makes %2, needed next by %3.").arg(name, size, user));
    case StepKind::Recompute:
        return start + QObject::tr("%1 (%2) is computed a second time because %3 needs it: keeping it would have cost %2 of RAM all the while; running it again costs %4.")
                           .arg(name, size, user.isEmpty() ? QObject::tr("a later step") : user, text::joules(node.compute.joules));
    case StepKind::PageOut: {
        const int back = nextReturn(facts, schedule, now.node, step);
        const int reader = back >= 0 ? nextUse(*problem.graph, schedule, now.node, back) : -1;
        if (reader < 0)
            return start + QObject::tr("%1 (%2) is written to flash.").arg(name, size);
        const int stages = schedule.steps[static_cast<std::size_t>(reader)].stage - now.stage;
        return start + QObject::tr("%1 (%2) is written to flash, which costs %3: %4 needs it again only %5 stages later, and until then its %2 of RAM are free for others.")
                           .arg(name, size, text::joules(node.pageOut.joules), nameOf(problem, schedule.steps[static_cast<std::size_t>(reader)].node))
                           .arg(stages);
    }
    case StepKind::PageIn:
        return start + QObject::tr("%1 (%2) is read back from flash for %3; that costs %4.").arg(name, size, user.isEmpty() ? QObject::tr("a later step") : user, text::joules(node.pageIn.joules));
    case StepKind::Free: {
        const bool isBack = std::any_of(facts.stepsOf[static_cast<std::size_t>(now.node)].begin(), facts.stepsOf[static_cast<std::size_t>(now.node)].end(),
                                        [step](int other) { return other > step; });
        return start + (isBack ? QObject::tr("%1 (%2) leaves RAM; it comes back later.").arg(name, size) : QObject::tr("%1 (%2) is not needed any more and leaves RAM.").arg(name, size));
    }
    }
    return {};
}

}  // namespace poet
