// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_view.h"

#include "widgets/style/text.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

namespace poet {

namespace {

using namespace Qt::StringLiterals;

constexpr int kScrollRange = 100000;

}  // namespace

TimelineView::TimelineView(DocumentState& state, QWidget* parent) : QAbstractScrollArea(parent), m_state(state)
{
    setObjectName(u"timelineView"_s);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("What the device does over one training step, and the memory that it needs; the table dock lists the same events."));
    setWhatsThis(tr("One training step over time: what is computed, recomputed and moved, and below it how much RAM that takes against the "
                    "budget line. Drag to measure a range; click the memory curve to list what is in RAM at that instant."));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setBackgroundRole(QPalette::Base);
    m_lanes.push_back(makeComputeLane());
    m_lanes.push_back(makeRecomputeLane());
    m_lanes.push_back(makePageInLane());
    m_lanes.push_back(makePageOutLane());
    connect(&m_state, &DocumentState::changed, this, &TimelineView::refresh);
}

void TimelineView::refresh(DocumentState::Aspects aspects)
{
    if (aspects & (DocumentState::ProblemAspect | DocumentState::PlanAspect | DocumentState::CompareAspect))
        rebuild(!(aspects & DocumentState::ProblemAspect));
    if (aspects & (DocumentState::SelectionAspect | DocumentState::CursorAspect)) {
        const int step = m_state.cursorStep() >= 0 ? m_state.cursorStep() : m_state.selection().step;
        if (step >= 0 && static_cast<std::size_t>(step) < m_model.beginOf.size())
            m_axis.ensureVisible((m_model.beginOf[static_cast<std::size_t>(step)] + m_model.endOf[static_cast<std::size_t>(step)]) / 2);
    }
    updateScrollBar();
    viewport()->update();
}

void TimelineView::rebuild(bool keepView)
{
    const double begin = m_axis.begin;
    const double end = m_axis.end;
    const double oldLength = m_model.length;
    const bool wasAll = m_axis.begin <= m_axis.fullBegin && m_axis.end >= m_axis.fullEnd;
    m_memoryCache.clear();
    m_builtFor = m_state.plan();
    m_model = m_state.plan() ? makeTimelineModel(*m_state.plan(), m_wantedUnit) : TimelineModel{};
    m_ghost = m_state.comparePlan() ? std::make_unique<TimelineModel>(makeTimelineModel(*m_state.comparePlan(), m_wantedUnit)) : nullptr;
    m_axis.setFull(0, std::max(m_model.length, m_ghost ? m_ghost->length : 0));
    if (keepView && !wasAll && oldLength > 0)
        m_axis.showRange(begin + (end - begin) / 22, end - (end - begin) / 22);
    if (std::exchange(m_range, std::nullopt))
        Q_EMIT rangeChanged({});
}

void TimelineView::catchUp()
{
    if (m_builtFor != m_state.plan())
        rebuild(true);
}

void TimelineView::setUnit(TimelineUnit unit)
{
    m_wantedUnit = unit;
    rebuild(false);
    updateScrollBar();
    viewport()->update();
}

void TimelineView::setMemoryForm(MemoryForm form)
{
    m_form = form;
    viewport()->update();
}

void TimelineView::setDetail(int tensors)
{
    m_detail = tensors;
    viewport()->update();
}

void TimelineView::updateGeometryValues()
{
    int header = 0;
    for (const auto& lane : m_lanes)
        header = std::max(header, fontMetrics().horizontalAdvance(lane->title()));
    header = std::max(header, fontMetrics().horizontalAdvance(u"888.8 KiB"_s)) + 16;
    m_axis.left = header;
    m_axis.width = std::max(50, viewport()->width() - header - 10);
}

MemoryScale TimelineView::memoryScale() const
{
    MemoryScale scale;
    const QRectF area = memoryRect();
    scale.top = area.top();
    scale.bottom = area.bottom();
    std::int64_t largest = 1;
    if (m_state.problem()) {
        largest = std::max(largest, m_model.peakBytes + m_state.problem()->residentBytes());
        largest = std::max(largest, m_state.controls().query.memoryBytes);
        if (m_ghost)
            largest = std::max(largest, m_ghost->peakBytes + m_state.problem()->residentBytes());
    }
    const std::int64_t resident = m_state.problem() ? m_state.problem()->residentBytes() : 0;
    const std::int64_t planned = std::max<std::int64_t>(largest - resident, 1);
    if (resident > planned)
        scale.minimumBytes = resident - planned / 3;
    scale.maximumBytes = largest + (largest - scale.minimumBytes) / 12 + 1;
    return scale;
}

LaneContext TimelineView::laneContext() const
{
    return {*m_state.problem()->graph, m_model, m_axis, palette(), m_state.selection().node, m_state.hoveredNode(), m_state.selection().step};
}

void TimelineView::paintEvent(QPaintEvent*)
{
    catchUp();
    QPainter painter(viewport());
    painter.setFont(font());
    updateGeometryValues();
    if (!m_state.problem() || !m_state.plan())
        paintEmpty(painter);
    else
        paintAll(painter);
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void TimelineView::renderTo(QPainter& painter, const QRect& area)
{
    catchUp();
    painter.save();
    painter.translate(area.topLeft());
    painter.setFont(font());
    if (m_state.plan())
        paintAll(painter);
    painter.restore();
}

void TimelineView::paintEmpty(QPainter& painter)
{
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect(), Qt::AlignCenter,
                     m_state.problem() ? tr("No schedule is known yet. Press F5 to search for one.")
                                       : tr("Open a model to see what happens during one training step."));
}

void TimelineView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateGeometryValues();
    updateScrollBar();
}

void TimelineView::updateScrollBar()
{
    const double full = m_axis.fullEnd - m_axis.fullBegin;
    const double span = (m_axis.end - m_axis.begin) / full;
    m_isSyncingBar = true;
    QScrollBar* bar = horizontalScrollBar();
    const int page = std::clamp(static_cast<int>(span * kScrollRange), 1, kScrollRange);
    bar->setPageStep(page);
    bar->setRange(0, span > 0.999 ? 0 : kScrollRange - page);
    bar->setValue(static_cast<int>((m_axis.begin - m_axis.fullBegin) / full * kScrollRange));
    m_isSyncingBar = false;
}

void TimelineView::scrollContentsBy(int, int)
{
    if (m_isSyncingBar)
        return;
    const double full = m_axis.fullEnd - m_axis.fullBegin;
    const double span = m_axis.end - m_axis.begin;
    m_axis.begin = m_axis.fullBegin + full * horizontalScrollBar()->value() / kScrollRange;
    m_axis.end = m_axis.begin + span;
    viewport()->update();
}

void TimelineView::fitAll()
{
    m_axis.fit();
    updateScrollBar();
    viewport()->update();
}

void TimelineView::zoomBy(double factor)
{
    m_axis.zoom(factor, m_cursorX >= m_axis.left ? m_cursorX : m_axis.left + m_axis.width / 2);
    updateScrollBar();
    viewport()->update();
}

void TimelineView::stepEvent(int direction)
{
    if (!m_state.plan())
        return;
    catchUp();
    const auto& steps = m_state.plan()->replay.schedule.steps;
    int step = m_state.selection().step;
    if (step < 0 && m_state.selection().node >= 0 && !m_state.facts().stepsOf[static_cast<std::size_t>(m_state.selection().node)].empty())
        step = m_state.facts().stepsOf[static_cast<std::size_t>(m_state.selection().node)].front() - direction;
    step += direction;
    while (step >= 0 && step < static_cast<int>(steps.size()) && steps[static_cast<std::size_t>(step)].kind == StepKind::Free)
        step += direction;
    if (step >= 0 && step < static_cast<int>(steps.size()))
        selectStep(step);
}

void TimelineView::setRange(double from, double to)
{
    m_range = {std::min(from, to), std::max(from, to)};
    Q_EMIT rangeChanged(rangeText());
    viewport()->update();
}

void TimelineView::rangeFromSelection()
{
    catchUp();
    const int step = m_state.selection().step;
    const NodeId node = m_state.selection().node;
    if (step >= 0)
        setRange(m_model.beginOf[static_cast<std::size_t>(step)], m_model.endOf[static_cast<std::size_t>(step)]);
    else if (node >= 0 && m_state.plan()) {
        const auto& own = m_state.facts().stepsOf[static_cast<std::size_t>(node)];
        if (!own.empty())
            setRange(m_model.beginOf[static_cast<std::size_t>(own.front())], m_model.endOf[static_cast<std::size_t>(own.back())]);
    }
}

void TimelineView::clearRange()
{
    m_range.reset();
    Q_EMIT rangeChanged({});
    viewport()->update();
}

QString TimelineView::rangeText() const
{
    if (!m_range || !m_state.plan())
        return {};
    std::int64_t moved = 0;
    double energy = 0;
    const CostGraph& graph = *m_state.problem()->graph;
    for (const auto& lane : m_model.lanes)
        for (const TimelineEvent& event : lane) {
            if (event.end <= m_range->first || event.begin >= m_range->second)
                continue;
            const CostNode& node = graph.nodes[static_cast<std::size_t>(event.node)];
            const double span = event.end - event.begin;
            const double share = span > 0 ? (std::min(event.end, m_range->second) - std::max(event.begin, m_range->first)) / span : 1;
            const Cost& cost = event.kind == StepKind::PageIn ? node.pageIn : event.kind == StepKind::PageOut ? node.pageOut : node.compute;
            energy += share * cost.joules;
            if (event.kind == StepKind::PageIn || event.kind == StepKind::PageOut)
                moved += static_cast<std::int64_t>(share * static_cast<double>(node.bytes));
        }
    const double length = m_range->second - m_range->first;
    const QString extent = m_model.unit == TimelineUnit::Time ? text::seconds(length) : tr("%1 steps").arg(length, 0, 'f', 0);
    return tr("range %1, %2 moved, %3").arg(extent, text::bytes(moved), text::joules(energy));
}

}  // namespace poet
