// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pareto/heat_map.h"

#include "widgets/style/colors.h"
#include "widgets/style/text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace poet {

using style::Meaning;

HeatMap::HeatMap(DocumentState& state, QWidget* parent) : QWidget(parent), m_state(state)
{
    setObjectName(QStringLiteral("heatMap"));
    setAccessibleName(tr("Energy over memory and deadline"));
    setWhatsThis(tr("Each cell is one memory and one deadline; the number is the energy over keep-all in percent, darker is dearer. Hatched cells "
                    "are proven impossible, dotted ones not searched yet. Click a cell to show its schedule."));
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(220, 150);
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & (DocumentState::ProblemAspect | DocumentState::CacheAspect | DocumentState::PlanAspect | DocumentState::ControlsAspect)) {
            m_isStale = true;
            if (isVisible())
                rebuild();
        }
    });
}

void HeatMap::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    rebuild();
}

void HeatMap::rebuild()
{
    if (!m_isStale)
        return;
    m_isStale = false;
    m_grid = m_state.problem() ? makeHeatGrid(*m_state.problem(), m_state.cache(), m_state.controls().query.strategy, kSize) : HeatGrid{};
    // The keyboard's cell stays while answers arrive; it follows the limits when they change.
    const PlanQuery& query = m_state.controls().query;
    if (!m_grid.cells.empty() && (query != m_shownQuery || m_column >= kSize || m_row >= kSize))
        std::tie(m_column, m_row) = m_grid.cellOf(query);
    m_shownQuery = query;
    update();
}

QRectF HeatMap::plotRect(const QRectF& area) const
{
    const QFontMetricsF metrics(font());
    const double left = metrics.horizontalAdvance(QStringLiteral("8888 ms")) + 10;
    return area.adjusted(left, metrics.height() + 8, -8, -2 * metrics.height() - 8);
}

QRectF HeatMap::cellRect(const QRectF& area, int column, int row) const
{
    const QRectF plot = plotRect(area);
    const double width = plot.width() / static_cast<double>(m_grid.memories.size());
    const double height = plot.height() / static_cast<double>(m_grid.deadlines.size());
    return {plot.left() + column * width, plot.top() + row * height, width, height};
}

QRectF HeatMap::cellRect(int column, int row) const { return cellRect(rect(), column, row); }

std::optional<std::pair<int, int>> HeatMap::cellAt(const QPointF& at) const
{
    const QRectF plot = plotRect(rect());
    if (m_grid.cells.empty() || !plot.contains(at))
        return std::nullopt;
    const auto index = [](double share, std::size_t count) { return std::min(static_cast<int>(share * static_cast<double>(count)), static_cast<int>(count) - 1); };
    return std::pair{index((at.x() - plot.left()) / plot.width(), m_grid.memories.size()), index((at.y() - plot.top()) / plot.height(), m_grid.deadlines.size())};
}

/// One hue from the background to dark, so that order survives colour blindness and grey print.
QColor HeatMap::heat(double overheadPercent) const
{
    const double share = m_grid.largestOverhead > 0 ? std::sqrt(std::clamp(overheadPercent / m_grid.largestOverhead, 0.0, 1.0)) : 0;
    return style::mix(palette().color(QPalette::Base), style::color(Meaning::Forward, palette()), 0.06 + 0.94 * share);
}

void HeatMap::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (m_grid.cells.empty()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, tr("Open a model to see what each memory and deadline costs."));
        return;
    }
    paintAll(painter, rect());
}

void HeatMap::renderTo(QPainter& painter, const QRect& area)
{
    rebuild();
    painter.fillRect(area, palette().color(QPalette::Base));
    if (!m_grid.cells.empty())
        paintAll(painter, area);
}

void HeatMap::paintAll(QPainter& painter, const QRectF& area) const
{
    painter.setFont(font());
    const int columns = static_cast<int>(m_grid.memories.size());
    const int rows = static_cast<int>(m_grid.deadlines.size());
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            paintCell(painter, cellRect(area, column, row), m_grid.at(column, row));
    const QRectF current = cellRect(area, m_column, m_row).adjusted(1, 1, -1, -1);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette().color(QPalette::Base), 4));
    painter.drawRect(current);
    painter.setPen(QPen(palette().color(hasFocus() ? QPalette::Highlight : QPalette::Text), 2));
    painter.drawRect(current);
    painter.setPen(palette().color(QPalette::Text));
    const QFontMetricsF metrics(font());
    for (int row = 0; row < rows; row += std::max(1, static_cast<int>(std::ceil(metrics.height() / cellRect(area, 0, 0).height())))) {
        const QRectF box = cellRect(area, 0, row);
        painter.drawText(QRectF(area.left(), box.top(), box.left() - area.left() - 5, box.height()), Qt::AlignRight | Qt::AlignVCenter,
                         text::seconds(m_grid.deadlines[static_cast<std::size_t>(row)]));
    }
    const double widest = metrics.horizontalAdvance(QStringLiteral("88.8 MiB")) + 8;
    const int step = std::max(1, static_cast<int>(std::ceil(widest / cellRect(area, 0, 0).width())));
    for (int column = columns - 1; column >= 0; column -= step) {
        const QRectF box = cellRect(area, column, rows - 1);
        painter.drawText(QRectF(box.center().x() - widest / 2, box.bottom() + 2, widest, metrics.height()), Qt::AlignCenter,
                         text::bytes(m_grid.memories[static_cast<std::size_t>(column)]));
    }
    paintScale(painter, area);
}

void HeatMap::paintCell(QPainter& painter, const QRectF& box, const HeatCell& cell) const
{
    const QRectF inner = box.adjusted(0.5, 0.5, -0.5, -0.5);
    if (cell.state == HeatCell::State::Infeasible) {
        painter.fillRect(inner, style::hatch(Meaning::OverBudget, palette()));
        return;
    }
    if (cell.state == HeatCell::State::Unknown) {
        painter.fillRect(inner, QBrush(palette().color(QPalette::Mid), Qt::Dense6Pattern));
        return;
    }
    const QColor fill = heat(cell.overheadPercent);
    painter.fillRect(inner, fill);
    const double percent = cell.overheadPercent;  // never 0.0 for what is not zero
    const QString number = percent == 0 ? QStringLiteral("0") : percent < 0.05 ? QLatin1Char('<') + QLocale().toString(0.1) : QLocale().toString(percent, 'f', percent < 10 ? 1 : 0);
    if (painter.fontMetrics().horizontalAdvance(number) + 2 < inner.width() && painter.fontMetrics().height() <= inner.height()) {
        painter.setPen(style::textOn(fill));
        painter.drawText(inner, Qt::AlignCenter, number);
    }
}

/// What the colours mean, and the two axes.
void HeatMap::paintScale(QPainter& painter, const QRectF& area) const
{
    const QRectF plot = plotRect(area);
    const QFontMetricsF metrics(font());
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRectF(plot.left(), area.bottom() - metrics.height() - 2, plot.width(), metrics.height()), Qt::AlignCenter, tr("memory"));
    painter.drawText(QRectF(area.left() + 2, area.top() + 2, plot.left() - area.left(), metrics.height()), Qt::AlignLeft, tr("deadline"));
    const QString legend = tr("overhead, %: 0");
    const QString most = QLocale().toString(m_grid.largestOverhead, 'g', 3);
    const double width = std::min(80.0, plot.width() / 3);
    double x = plot.left();
    const double y = area.top() + 2;
    painter.drawText(QRectF(x, y, plot.width(), metrics.height()), Qt::AlignLeft | Qt::AlignVCenter, legend);
    x += metrics.horizontalAdvance(legend) + 4;
    for (int i = 0; i < 16; ++i)
        painter.fillRect(QRectF(x + i * width / 16, y + 3, width / 16 + 0.5, metrics.height() - 6), heat(m_grid.largestOverhead * (i + 0.5) / 16));
    painter.drawText(QRectF(x + width + 4, y, plot.width(), metrics.height()), Qt::AlignLeft | Qt::AlignVCenter, most);
}

QString HeatMap::describe(int column, int row) const
{
    const HeatCell& cell = m_grid.at(column, row);
    const QString limits = tr("%1, %2 a step").arg(text::bytes(m_grid.memories[static_cast<std::size_t>(column)]), text::seconds(m_grid.deadlines[static_cast<std::size_t>(row)]));
    switch (cell.state) {
    case HeatCell::State::Infeasible: return tr("%1\nproven infeasible").arg(limits);
    case HeatCell::State::Unknown: return tr("%1\nno schedule known; click to search, or sweep").arg(limits);
    case HeatCell::State::Known:
        return tr("%1\n%2 (%3), gap at most %4\nneeds %5 and %6; click to show")
            .arg(limits, text::joules(cell.plan->replay.energyJoules), text::morePercent(cell.overheadPercent), text::percent(cell.gapPercent),
                 text::bytes(memoryNeed(*m_state.problem()->graph, *cell.plan)), text::seconds(cell.plan->replay.seconds));
    }
    return {};
}

void HeatMap::pick(int column, int row)
{
    m_column = column;
    m_row = row;
    update();
    Q_EMIT limitsPicked(m_grid.memories[static_cast<std::size_t>(column)], m_grid.deadlines[static_cast<std::size_t>(row)]);
}

void HeatMap::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto cell = cellAt(event->position()))
        pick(cell->first, cell->second);
}

void HeatMap::keyPressEvent(QKeyEvent* event)
{
    if (m_grid.cells.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Left: m_column = std::max(0, m_column - 1); break;
    case Qt::Key_Right: m_column = std::min(static_cast<int>(m_grid.memories.size()) - 1, m_column + 1); break;
    case Qt::Key_Up: m_row = std::max(0, m_row - 1); break;
    case Qt::Key_Down: m_row = std::min(static_cast<int>(m_grid.deadlines.size()) - 1, m_row + 1); break;
    case Qt::Key_Return:
    case Qt::Key_Enter: pick(m_column, m_row); return;
    default: QWidget::keyPressEvent(event); return;
    }
    setAccessibleDescription(describe(m_column, m_row));
    update();
}

bool HeatMap::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto cell = cellAt(help->pos()))
            QToolTip::showText(help->globalPos(), describe(cell->first, cell->second), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

}  // namespace poet
