// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/teaching/side_by_side.h"

#include "widgets/style/colors.h"
#include "widgets/style/text.h"
#include "widgets/timeline/memory_curve.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace poet {

namespace {
constexpr Strategy kStrategies[] = {Strategy::KeepAll, Strategy::Paging, Strategy::Recompute, Strategy::Integrated};
}  // namespace

SideBySide::SideBySide(DocumentState& state, QWidget* parent) : QWidget(parent), m_state(state)
{
    setObjectName(QStringLiteral("sideBySide"));
    setAccessibleName(tr("Strategies side by side"));
    setWhatsThis(tr("The same model under the same limits, four ways: keep everything, page only, recompute only, and both. The curve is the memory over "
                    "one training step, the dashed line the budget. Click a column to take its strategy."));
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(320, 120);
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & (DocumentState::ProblemAspect | DocumentState::CacheAspect | DocumentState::ControlsAspect | DocumentState::PlanAspect)) {
            m_isStale = true;
            if (isVisible())
                rebuild();
        }
    });
}

SideBySide::~SideBySide() = default;

void SideBySide::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    rebuild();
}

void SideBySide::rebuild()
{
    if (!m_isStale)
        return;
    m_isStale = false;
    std::vector<Column> columns;
    m_largestBytes = 1;
    m_longestSeconds = 1e-12;
    if (const ProblemPtr& problem = m_state.problem()) {
        for (const Strategy strategy : kStrategies) {
            Column column;
            column.strategy = strategy;
            PlanQuery query = m_state.controls().query;
            query.strategy = strategy;
            column.plan = m_state.cache().best(*problem, query);
            column.fits = column.plan != nullptr;
            if (!column.plan && strategy == Strategy::KeepAll)
                column.plan = problem->keepAll;
            if (column.plan) {
                // The curve of an unchanged plan is not computed again.
                const auto known = std::find_if(m_columns.begin(), m_columns.end(), [&](const Column& old) { return old.plan == column.plan && old.curve; });
                column.curve = known != m_columns.end() ? known->curve : std::make_shared<TimelineModel>(makeTimelineModel(*column.plan, TimelineUnit::Time));
                m_largestBytes = std::max(m_largestBytes, column.curve->peakBytes + problem->residentBytes());
                m_longestSeconds = std::max(m_longestSeconds, column.curve->length);
            }
            columns.push_back(std::move(column));
        }
        m_largestBytes = std::max(m_largestBytes, m_state.controls().query.memoryBytes);
    }
    m_columns = std::move(columns);
    update();
}

QRectF SideBySide::columnRect(int column) const
{
    const double width = this->width() / static_cast<double>(std::size(kStrategies));
    return QRectF(column * width, 0, width, height()).adjusted(6, 4, -6, -4);
}

QString SideBySide::figures(const Column& column) const
{
    const Problem& problem = *m_state.problem();
    if (!column.plan) {
        PlanQuery query = m_state.controls().query;
        query.strategy = column.strategy;
        return m_state.cache().infeasible(problem, query) ? tr("proven infeasible") : tr("not searched yet");
    }
    const ReplayReport& report = column.plan->replay;
    const double reference = problem.keepAll->replay.energyJoules;
    const QString energy = text::joules(report.energyJoules) + QStringLiteral(" (") + text::morePercent(reference > 0 ? (report.energyJoules - reference) / reference * 100 : 0) + QLatin1Char(')');
    return tr("%1\n%2, %3 of RAM").arg(energy, text::seconds(report.seconds), text::bytes(memoryNeed(*problem.graph, *column.plan)));
}

void SideBySide::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (m_columns.empty()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, tr("Open a model to compare what each idea alone can do."));
        return;
    }
    paintAll(painter, rect());
}

void SideBySide::renderTo(QPainter& painter, const QRect& area)
{
    rebuild();
    painter.save();
    painter.translate(area.topLeft());
    paintAll(painter, QRectF(QPointF(), area.size()));
    painter.restore();
}

void SideBySide::paintAll(QPainter& painter, const QRectF&) const
{
    painter.setFont(font());
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const QRectF area = columnRect(static_cast<int>(i));
        const bool isTaken = m_columns[i].strategy == m_state.controls().query.strategy;
        const bool isCurrent = hasFocus() && static_cast<int>(i) == m_current;
        painter.setPen(QPen(palette().color(isCurrent ? QPalette::Highlight : isTaken ? QPalette::Text : QPalette::Midlight), isCurrent || isTaken ? 2 : 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(area);
        paintColumn(painter, area.adjusted(6, 4, -6, -4), m_columns[i]);
    }
}

void SideBySide::paintColumn(QPainter& painter, const QRectF& area, const Column& column) const
{
    const QFontMetricsF metrics(font());
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRectF(area.left(), area.top(), area.width(), metrics.height()), Qt::AlignLeft, text::strategy(column.strategy));
    painter.setFont(font());
    painter.drawText(QRectF(area.left(), area.top() + metrics.height() + 2, area.width(), 2 * metrics.height()), Qt::AlignLeft, figures(column));
    const QRectF plot = area.adjusted(0, 3 * metrics.height() + 8, 0, 0);
    if (plot.height() < 16)
        return;
    if (column.curve)
        paintMemoryCurve(painter, plot, *column.curve,
                         {m_state.problem()->residentBytes(), m_state.controls().query.memoryBytes, m_largestBytes, m_longestSeconds}, palette());
    else
        painter.fillRect(plot, column.plan ? QBrush() : QBrush(palette().color(QPalette::Midlight), Qt::Dense6Pattern));
    if (!column.fits && column.plan) {
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(plot.adjusted(4, 2, -4, -2), Qt::AlignRight | Qt::AlignTop, tr("does not fit"));
    }
}

void SideBySide::mousePressEvent(QMouseEvent* event)
{
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        if (columnRect(static_cast<int>(i)).contains(event->position())) {
            m_current = static_cast<int>(i);
            Q_EMIT strategyPicked(m_columns[i].strategy);
        }
}

void SideBySide::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(m_columns.size()) - 1;
    if (event->key() == Qt::Key_Left)
        m_current = std::max(0, m_current - 1);
    else if (event->key() == Qt::Key_Right)
        m_current = std::min(last, m_current + 1);
    else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_current <= last && last >= 0)
        Q_EMIT strategyPicked(m_columns[static_cast<std::size_t>(m_current)].strategy);
    else
        return QWidget::keyPressEvent(event);
    update();
}

}  // namespace poet
