// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dag/dag_paint.h"

#include "widgets/dag/dag_model.h"
#include "widgets/style/colors.h"

#include <algorithm>
#include <cmath>

namespace poet {

namespace {

using style::Meaning;

/// Lightens a category colour until text of the palette reads on it.
QColor tint(const QColor& color, const QPalette& palette, double share)
{
    return style::mix(palette.color(QPalette::Base), color, share);
}

double logShare(double value, double largest)
{
    return value > 0 && largest > 0 ? std::clamp(1 + std::log10(value / largest) / 4, 0.05, 1.0) : 0;
}

void addFate(BoxLook& look, const DagBox& box, const DocumentState& state)
{
    if (!state.plan())
        return;
    for (NodeId node : box.members) {
        const Fate fate = state.facts().fates[static_cast<std::size_t>(node)];
        look.pagedMembers += fate == Fate::Paged || fate == Fate::PagedAndRecomputed;
        look.recomputedMembers += fate == Fate::Recomputed || fate == Fate::PagedAndRecomputed;
    }
    look.fate = look.pagedMembers > 0 && look.recomputedMembers > 0 ? Fate::PagedAndRecomputed
                : look.pagedMembers > 0                              ? Fate::Paged
                : look.recomputedMembers > 0                         ? Fate::Recomputed
                                                                     : Fate::Kept;
    if (state.cursorStep() >= 0 && !box.isBlock) {
        look.hasState = true;
        look.state = state.facts().stateAt(state.plan()->replay.schedule, box.members.front(), state.cursorStep());
    }
}

QColor decisionFill(const BoxLook& look, const QPalette& palette)
{
    switch (look.fate) {
    case Fate::Paged: return tint(style::color(Meaning::PageOut, palette), palette, 0.38);
    case Fate::PagedAndRecomputed:
    case Fate::Recomputed: return tint(style::color(Meaning::Recompute, palette), palette, 0.42);
    case Fate::Kept: break;
    }
    return tint(look.stripe, palette, 0.10);
}

}  // namespace

QColor operatorFill(const DagModel& model, const QString& op, const QPalette& palette)
{
    return tint(style::category(model.operators.value(op), palette), palette, 0.40);
}

QColor blockFill(const DagModel& model, const QString& block, const QPalette& palette)
{
    const auto kind = model.blockClass.constFind(block);
    return kind == model.blockClass.constEnd() ? palette.color(QPalette::Base) : tint(style::category(*kind, palette), palette, 0.40);
}

QColor bytesFill(double share, const QPalette& palette) { return tint(style::color(Meaning::Forward, palette), palette, 0.55 * share); }

QColor energyFill(double share, const QPalette& palette) { return tint(style::color(Meaning::OverBudget, palette), palette, 0.6 * share); }

double boxEnergy(const DagBox& box, const CostGraph& graph)
{
    double joules = 0;
    for (NodeId node : box.members)
        joules += graph.nodes[static_cast<std::size_t>(node)].compute.joules;
    return joules;
}

std::vector<BoxLook> makeBoxLooks(const DagModel& model, const DocumentState& state, DagColoring coloring, const QPalette& palette)
{
    std::vector<BoxLook> looks(model.boxes.size());
    const Problem& problem = *state.problem();
    double largestBytes = 0;
    double largestEnergy = 0;
    for (const DagBox& box : model.boxes) {
        largestBytes = std::max(largestBytes, static_cast<double>(box.bytes));
        largestEnergy = std::max(largestEnergy, boxEnergy(box, *problem.graph));
    }
    const Selection& selection = state.selection();
    const int selectedBox = selection.node >= 0 ? model.boxOf[static_cast<std::size_t>(selection.node)] : -1;
    const int hoveredBox = state.hoveredNode() >= 0 ? model.boxOf[static_cast<std::size_t>(state.hoveredNode())] : -1;
    for (std::size_t b = 0; b < model.boxes.size(); ++b) {
        const DagBox& box = model.boxes[b];
        BoxLook& look = looks[b];
        const bool isBackward = problem.graph->nodes[static_cast<std::size_t>(box.members.front())].phase == Phase::Backward;
        look.stripe = style::color(isBackward ? Meaning::Backward : Meaning::Forward, palette);
        addFate(look, box, state);
        look.isFaded = !state.planFits();
        look.isSelected = static_cast<int>(b) == selectedBox;
        look.isHovered = static_cast<int>(b) == hoveredBox;
        switch (coloring) {
        case DagColoring::Decision: look.fill = decisionFill(look, palette); break;
        case DagColoring::Operator: look.fill = operatorFill(model, problem.facts[static_cast<std::size_t>(box.members.front())].op, palette); break;
        case DagColoring::Bytes: look.fill = bytesFill(logShare(static_cast<double>(box.bytes), largestBytes), palette); break;
        case DagColoring::Energy: look.fill = energyFill(logShare(boxEnergy(box, *problem.graph), largestEnergy), palette); break;
        case DagColoring::Block: look.fill = blockFill(model, box.block, palette); break;
        }
    }
    if (selectedBox >= 0)
        for (const DagEdge& edge : model.edges) {
            if (edge.to == selectedBox)
                looks[static_cast<std::size_t>(edge.from)].isInput = true;
            if (edge.from == selectedBox)
                looks[static_cast<std::size_t>(edge.to)].isOutput = true;
        }
    return looks;
}

void markLineage(const DagModel& model, const DocumentState& state, std::vector<BoxLook>& looks)
{
    const NodeId node = state.selection().node;
    if (node < 0)
        return;
    const Problem& problem = *state.problem();
    const auto mark = [&](bool isUp) {
        std::vector<NodeId> open{node};
        std::vector<bool> seen(problem.graph->nodes.size(), false);
        while (!open.empty()) {
            const auto at = static_cast<std::size_t>(open.back());
            open.pop_back();
            for (NodeId next : isUp ? problem.graph->nodes[at].inputs : problem.consumers[at]) {
                if (seen[static_cast<std::size_t>(next)])
                    continue;
                seen[static_cast<std::size_t>(next)] = true;
                open.push_back(next);
                const int box = model.boxOf[static_cast<std::size_t>(next)];
                if (box >= 0)
                    (isUp ? looks[static_cast<std::size_t>(box)].isInput : looks[static_cast<std::size_t>(box)].isOutput) = true;
            }
        }
    };
    mark(true);
    mark(false);
}

}  // namespace poet
