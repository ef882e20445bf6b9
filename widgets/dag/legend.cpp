// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dag/legend.h"

#include "widgets/style/colors.h"

#include <QPainter>

namespace poet {

namespace {
using style::Meaning;
constexpr int kMarkWidth = 26;
constexpr int kPad = 8;
}  // namespace

DagLegend::DagLegend(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("dagLegend"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAccessibleName(tr("Legend"));
}

void DagLegend::show(DagColoring coloring, bool isStepping)
{
    m_coloring = coloring;
    m_isStepping = isStepping;
    resize(sizeHint());
    update();
}

QList<DagLegend::Entry> DagLegend::entries() const
{
    using Mark = Entry::Mark;
    if (m_isStepping)
        return {{Mark::State, static_cast<int>(TensorState::InRam), tr("in RAM")},
                {Mark::State, static_cast<int>(TensorState::Flash), tr("in flash")},
                {Mark::State, static_cast<int>(TensorState::MovingOut), tr("moving")},
                {Mark::State, static_cast<int>(TensorState::Nowhere), tr("nowhere")},
                {Mark::State, static_cast<int>(TensorState::Dead), tr("not needed now")}};
    QList<Entry> list{{Mark::Box, static_cast<int>(Meaning::Forward), tr("forward")}, {Mark::Box, static_cast<int>(Meaning::Backward), tr("backward")}};
    list += {{Mark::Line, static_cast<int>(Fate::Kept), tr("kept")},
             {Mark::Line, static_cast<int>(Fate::Paged), tr("paged (O)")},
             {Mark::Line, static_cast<int>(Fate::Recomputed), tr("recomputed (R)")}};
    return list;
}

QSize DagLegend::sizeHint() const
{
    int width = kPad;
    for (const Entry& entry : entries())
        width += kMarkWidth + 5 + fontMetrics().horizontalAdvance(entry.text) + 14;
    return {width, fontMetrics().height() + 10};
}

void DagLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor background = palette().color(QPalette::Base);
    background.setAlpha(235);
    painter.setPen(palette().color(QPalette::Midlight));
    painter.setBrush(background);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    double x = kPad;
    for (const Entry& entry : entries()) {
        const QRectF mark(x, 5, kMarkWidth, height() - 10);
        paintMark(painter, mark, entry);
        x += kMarkWidth + 5;
        painter.setPen(palette().color(QPalette::Text));
        const int advance = fontMetrics().horizontalAdvance(entry.text);
        painter.drawText(QRectF(x, 0, advance + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, entry.text);
        x += advance + 14;
    }
}

void DagLegend::paintMark(QPainter& painter, const QRectF& where, const Entry& entry) const
{
    const QPalette& p = palette();
    const QColor text = p.color(QPalette::Text);
    if (entry.mark == Entry::Mark::Box) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(style::color(static_cast<Meaning>(entry.value), p));
        painter.drawRoundedRect(QRectF(where.left() + 10, where.top(), 8, where.height()), 2, 2);
        return;
    }
    if (entry.mark == Entry::Mark::Line) {
        const auto fate = static_cast<Fate>(entry.value);
        QPen pen(style::mix(text, p.color(QPalette::Base), 0.45), 2);
        if (fate == Fate::Paged) {
            pen = QPen(style::color(Meaning::PageOut, p), 4);
            pen.setDashPattern({1.2, 1.2});
        } else if (fate == Fate::Recomputed) {
            pen = QPen(style::color(Meaning::Recompute, p), 2.4, Qt::DashLine);
        }
        pen.setCapStyle(Qt::FlatCap);
        painter.setPen(pen);
        painter.drawLine(QPointF(where.left(), where.center().y()), QPointF(where.right(), where.center().y()));
        return;
    }
    const auto state = static_cast<TensorState>(entry.value);
    const QRectF box = where.adjusted(2, 1, -2, -1);
    painter.setPen(QPen(state == TensorState::Dead ? p.color(QPalette::Mid) : text, 1, state == TensorState::Nowhere ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(state == TensorState::InRam    ? QBrush(style::mix(p.color(QPalette::Base), style::color(Meaning::Forward, p), 0.35))
                     : state == TensorState::Flash  ? QBrush(style::color(Meaning::PageOut, p), Qt::HorPattern)
                                                    : QBrush(Qt::NoBrush));
    painter.drawRect(box);
    if (state == TensorState::MovingOut) {
        painter.fillRect(QRectF(box.left(), box.center().y(), box.width(), box.height() / 2), style::color(Meaning::PageOut, p));
    }
}

}  // namespace poet
