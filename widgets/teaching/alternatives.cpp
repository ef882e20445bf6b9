// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/teaching/alternatives.h"

#include "widgets/style/text.h"

#include <QObject>

#include <algorithm>

namespace poet {

namespace {

using namespace Qt::StringLiterals;
QString obstacleOf(const Problem& problem, const Alternative& item)
{
    switch (item.obstacle) {
    case Obstacle::None: return {};
    case Obstacle::UsedAtOnce: return QObject::tr("it is used again at once");
    case Obstacle::InputGone: return QObject::tr("its input %1 is gone by then").arg(text::shortNodeName(problem.facts[static_cast<std::size_t>(item.obstacleNode)].name));
    case Obstacle::NotPageable: return QObject::tr("it may not be paged");
    case Obstacle::Gradient: return QObject::tr("a gradient is computed once");
    case Obstacle::NotRecomputable: return QObject::tr("it cannot be computed again");
    case Obstacle::BreaksSchedule: return QObject::tr("that one change alone does not give a working schedule");
    }
    return {};
}

}  // namespace

QString whyHtml(const Problem& problem, const Plan& plan, NodeId node, std::int64_t memoryBytes, std::optional<double> deadlineSeconds, bool isProven)
{
    const std::vector<Alternative> items = alternativesFor(*problem.graph, problem.graph->device.transfer, plan.replay.schedule, node);
    static const char* const kNames[] = {QT_TRANSLATE_NOOP("poet::Alternatives", "keep"), QT_TRANSLATE_NOOP("poet::Alternatives", "page"), QT_TRANSLATE_NOOP("poet::Alternatives", "recompute")};
    QString html = QObject::tr("<p><b>Why %1?</b> Each line changes only this decision and replays the schedule.</p>")
                       .arg(text::shortNodeName(problem.facts[static_cast<std::size_t>(node)].name, 30).toHtmlEscaped());
    html += u"<table cellpadding='2'>"_s;
    bool isCheaperKnown = false;
    for (const Alternative& item : items) {
        QString line;
        if (!item.isPossible) {
            line = QObject::tr("not possible: %1").arg(obstacleOf(problem, item));
        } else {
            const double energy = item.replay.energyJoules;
            const double seconds = item.replay.seconds;
            const std::int64_t peak = item.replay.peakBytes + problem.residentBytes();
            const double extra = energy - plan.replay.energyJoules;
            line = item.isChosen ? QObject::tr("%1 a step, %2, %3").arg(text::joules(energy), text::seconds(seconds), text::bytes(peak))
                                 : QObject::tr("%1%2, %3, %4").arg(extra < 0 ? u"\u2212"_s : u"+"_s, text::joules(std::abs(extra)), text::seconds(seconds), text::bytes(peak));
            const bool isOver = peak > memoryBytes;
            const bool isLate = deadlineSeconds && seconds > *deadlineSeconds * (1 + 1e-9);
            if (isOver)
                line += QObject::tr(", %1 over budget").arg(text::bytes(peak - memoryBytes));
            if (isLate)
                line += QObject::tr(", %1 late").arg(text::seconds(seconds - *deadlineSeconds));
            if (!item.alsoRecomputed.empty())
                line += QObject::tr("; other tensors that must come back too: %1").arg(item.alsoRecomputed.size());
            if (!item.isChosen && !isOver && !isLate && extra < -1e-12 * plan.replay.energyJoules)
                isCheaperKnown = true;
        }
        html += u"<tr><td><b>%1</b></td><td>%2%3</td></tr>"_s.arg(QObject::tr(kNames[static_cast<int>(item.choice)]), line, item.isChosen ? QObject::tr(" \u2014 <b>chosen</b>") : QString());
    }
    html += u"</table>"_s;
    if (isCheaperKnown && !isProven)
        html += QObject::tr("<p>An allowed alternative is cheaper: the shown plan is not proven optimal. Press <i>Prove it</i>.</p>");
    return html;
}

}  // namespace poet
