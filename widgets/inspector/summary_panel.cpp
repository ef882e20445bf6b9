// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/summary_panel.h"

#include "widgets/controls/status_text.h"
#include "widgets/style/text.h"

#include <QTextBrowser>
#include <QVBoxLayout>

namespace poet {

using namespace Qt::StringLiterals;

namespace {

struct Figures {
    QStringList values;
};

Figures figuresOf(const Problem& problem, const Plan& plan)
{
    const ReplayReport& r = plan.replay;
    const double reference = problem.keepAll->replay.energyJoules;
    const double referenceSeconds = problem.keepAll->replay.seconds;
    const auto more = [](double value, double base) { return base > 0 ? (value - base) / base * 100 : 0; };
    return {{text::strategy(plan.strategy), text::bytes(memoryNeed(*problem.graph, plan)),
             text::joules(r.energyJoules), text::morePercent(more(r.energyJoules, reference)), text::seconds(r.seconds),
             text::morePercent(more(r.seconds, referenceSeconds)), text::bytes(r.pagedOutBytes), text::bytes(r.pagedInBytes),
             QString::number(r.recomputedNodes), text::bytes(r.writtenBytes)}};
}

}  // namespace

SummaryPanel::SummaryPanel(DocumentState& state, QWidget* parent) : QWidget(parent), m_state(state)
{
    m_text = new QTextBrowser;
    m_text->setAccessibleName(tr("Summary of the schedule"));
    m_text->setFrameShape(QFrame::NoFrame);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_text);
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & (DocumentState::PlanAspect | DocumentState::ProblemAspect | DocumentState::ControlsAspect | DocumentState::SearchAspect |
                       DocumentState::CompareAspect | DocumentState::CacheAspect))
            m_soon.ask();
    });
    refresh();
}

QString SummaryPanel::html()
{
    m_soon.now();
    return m_html;
}

void SummaryPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_soon.shown();
}

void SummaryPanel::refresh()
{
    if (!m_state.problem() || !m_state.plan()) {
        m_html = tr("<p>The key figures of the schedule appear here once one is known.</p>");
        m_text->setHtml(m_html);
        return;
    }
    const Problem& problem = *m_state.problem();
    const QStringList names{tr("Strategy"), tr("RAM needed"), tr("Energy of a step"), tr("energy over keep-all"), tr("Time of a step"),
                            tr("time over keep-all"), tr("Paged out"), tr("Paged in"), tr("Nodes recomputed"), tr("Written to the store")};
    const Figures shown = figuresOf(problem, *m_state.plan());
    const Figures keepAll = figuresOf(problem, *problem.keepAll);
    const bool hasCompare = m_state.comparePlan() != nullptr;
    const Figures other = hasCompare ? figuresOf(problem, *m_state.comparePlan()) : Figures{};
    QString html = u"<table cellspacing='0' cellpadding='3'><tr><th align='left'></th><th align='right'>%1</th>"_s.arg(hasCompare ? tr("A: shown") : tr("Shown plan"));
    if (hasCompare)
        html += u"<th align='right'>%1</th>"_s.arg(tr("B: pinned"));
    html += u"<th align='right'>%1</th></tr>"_s.arg(tr("Keep all"));
    for (int i = 0; i < names.size(); ++i) {
        const bool isDifferent = hasCompare && shown.values[i] != other.values[i];
        html += u"<tr><td>%1</td><td align='right'>%2</td>"_s.arg(names[i], isDifferent ? u"<b>%1</b>"_s.arg(shown.values[i].toHtmlEscaped()) : shown.values[i].toHtmlEscaped());
        if (hasCompare)
            html += u"<td align='right'>%1</td>"_s.arg(isDifferent ? u"<b>%1</b>"_s.arg(other.values[i].toHtmlEscaped()) : other.values[i].toHtmlEscaped());
        html += u"<td align='right'>%1</td></tr>"_s.arg(keepAll.values[i].toHtmlEscaped());
    }
    const StatusLine status = describeStatus(m_state);
    html += u"</table><p>%1 %2</p>"_s.arg(status.mark, status.headline.toHtmlEscaped());
    if (html == m_html)  // asked twice a second while a search runs
        return;
    m_html = html;
    m_text->setHtml(html);
}

}  // namespace poet
