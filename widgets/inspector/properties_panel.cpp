// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/properties_panel.h"

#include "widgets/style/text.h"

#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace poet {

using namespace Qt::StringLiterals;

namespace {

QString row(const QString& name, const QString& value)
{
    return u"<tr><td style='padding-right:10px'>%1</td><td>%2</td></tr>"_s.arg(name, value);
}

}  // namespace

PropertiesPanel::PropertiesPanel(DocumentState& state, QWidget* parent) : QWidget(parent), m_state(state)
{
    m_text = new QTextBrowser;
    m_text->setObjectName(u"propertiesText"_s);
    m_text->setAccessibleName(tr("Properties of the selection"));
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_text);
    connect(m_text, &QTextBrowser::anchorClicked, this, &PropertiesPanel::follow);
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & DocumentState::SelectionAspect)
            m_instant = -1;
        if (aspects & (DocumentState::SelectionAspect | DocumentState::PlanAspect | DocumentState::ProblemAspect))
            refresh();
    });
    refresh();
}

QString PropertiesPanel::html() const { return m_text->toHtml(); }

void PropertiesPanel::showHtml(const QString& html)
{
    m_text->setHtml(html + tr("<p><a href='back:0'>Back to the node</a></p>"));
}

void PropertiesPanel::showInstant(int step)
{
    m_instant = step;
    refresh();
}

void PropertiesPanel::refresh()
{
    if (!m_state.problem())
        m_text->setHtml(tr("<p>Nothing is selected.</p>"));
    else if (m_instant >= 0 && m_state.plan())
        m_text->setHtml(instantHtml(m_instant));
    else if (m_state.selection().node >= 0)
        m_text->setHtml(nodeHtml(m_state.selection().node));
    else
        m_text->setHtml(tr("<p>Nothing is selected. Click a node of the graph, a bar of the timeline or a row of the table.</p>"));
}

QString PropertiesPanel::linkTo(NodeId node) const
{
    const QString name = text::shortNodeName(m_state.problem()->facts[static_cast<std::size_t>(node)].name, 30).toHtmlEscaped();
    return u"<a href='node:%1'>%2</a> <span>(%3)</span>"_s.arg(node).arg(name, text::bytes(m_state.problem()->graph->nodes[static_cast<std::size_t>(node)].bytes));
}

QString PropertiesPanel::nodeHtml(NodeId node) const
{
    const Problem& problem = *m_state.problem();
    const CostNode& cost = problem.graph->nodes[static_cast<std::size_t>(node)];
    const NodeFacts& fact = problem.facts[static_cast<std::size_t>(node)];
    QString html = u"<p><b>%1</b></p><table>"_s.arg(fact.name.toHtmlEscaped());
    html += row(tr("Operation"), fact.op.toHtmlEscaped() + (cost.phase == Phase::Backward ? tr(", backward") : tr(", forward")));
    if (!fact.shape.isEmpty())
        html += row(tr("Shape"), fact.shape);
    html += row(tr("Tensor"), tr("%1 (%L2 bytes)").arg(text::bytes(cost.bytes)).arg(cost.bytes));
    if (cost.workspaceBytes > 0)
        html += row(tr("Workspace"), text::bytes(cost.workspaceBytes));
    html += row(tr("Compute"), text::joules(cost.compute.joules) + u", "_s + text::seconds(cost.compute.seconds));
    if (fact.flops > 0)
        html += row(tr("Work"), text::shown(formatSi(fact.flops, "FLOP")));
    html += row(tr("Page out + in"), cost.pageable ? text::joules(cost.pageIn.joules + cost.pageOut.joules) + u", "_s + text::seconds(cost.pageIn.seconds + cost.pageOut.seconds)
                                                   : tr("not pageable"));
    html += row(tr("Recompute"), problem.graph->mayRecompute(node, problem.graph->device.transfer) ? text::joules(cost.compute.joules) : tr("not possible"));
    html += u"</table>"_s;
    if (m_state.plan()) {
        html += tr("<p>In the shown plan: <b>%1</b>. <a href='why:%2'>Why?</a></p>").arg(text::fate(m_state.facts().fates[static_cast<std::size_t>(node)])).arg(node);
        html += u"<table>"_s;
        for (int s : m_state.facts().stepsOf[static_cast<std::size_t>(node)]) {
            const Step& step = m_state.plan()->replay.schedule.steps[static_cast<std::size_t>(s)];
            html += row(u"<a href='step:%1'>%2</a>"_s.arg(s).arg(text::stepKind(step.kind)), tr("stage %1, at %2").arg(step.stage).arg(text::seconds(step.startSeconds)));
        }
        html += u"</table>"_s;
    }
    if (!cost.inputs.empty()) {
        html += tr("<p>Reads:<br>");
        for (NodeId input : cost.inputs)
            html += u"\u2190 "_s + linkTo(input) + u"<br>"_s;
        html += u"</p>"_s;
    }
    if (!problem.consumers[static_cast<std::size_t>(node)].empty()) {
        html += tr("<p>Read by:<br>");
        for (NodeId reader : problem.consumers[static_cast<std::size_t>(node)])
            html += u"\u2192 "_s + linkTo(reader) + u"<br>"_s;
        html += u"</p>"_s;
    }
    return html;
}

QString PropertiesPanel::instantHtml(int step) const
{
    const Problem& problem = *m_state.problem();
    const Step& at = m_state.plan()->replay.schedule.steps[static_cast<std::size_t>(step)];
    const std::int64_t bytes = m_state.plan()->replay.duringBytes.size() > static_cast<std::size_t>(step) ? m_state.plan()->replay.duringBytes[static_cast<std::size_t>(step)] : at.ramBytes;
    QString html = tr("<p><b>In RAM during %1 of %2</b> (at %3)</p><p>%4 planned + %5 resident = %6</p>")
                       .arg(text::stepKind(at.kind).toLower(), text::shortNodeName(problem.facts[static_cast<std::size_t>(at.node)].name).toHtmlEscaped(),
                            text::seconds(at.startSeconds), text::bytes(bytes), text::bytes(problem.residentBytes()), text::bytes(bytes + problem.residentBytes()));
    html += u"<table>"_s;
    for (NodeId node : m_state.facts().residentAt(*problem.graph, step))
        html += row(text::bytes(problem.graph->nodes[static_cast<std::size_t>(node)].bytes),
                    u"<a href='node:%1'>%2</a>"_s.arg(node).arg(text::shortNodeName(problem.facts[static_cast<std::size_t>(node)].name, 30).toHtmlEscaped()));
    return html + u"</table>"_s;
}

void PropertiesPanel::follow(const QUrl& link)
{
    const int value = link.path().toInt();
    if (link.scheme() == "back"_L1)
        refresh();
    if (link.scheme() == "node"_L1)
        m_state.selectNode(value);
    else if (link.scheme() == "step"_L1 && m_state.plan())
        m_state.select({m_state.plan()->replay.schedule.steps[static_cast<std::size_t>(value)].node, value, -1});
    else if (link.scheme() == "why"_L1)
        Q_EMIT whyAsked(value);
}

}  // namespace poet
