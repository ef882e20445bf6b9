// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_lane.h"

#include "widgets/style/colors.h"
#include "widgets/style/text.h"

#include <QObject>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace poet {

namespace {

using style::Meaning;

/// As much of a node's name as fits, dropping leading parts of the path first; empty rather than a stump.
QString labelFor(const QString& name, const QFontMetrics& metrics, double width)
{
    QString label = text::shortNodeName(name, 40);
    while (metrics.horizontalAdvance(label) > width) {
        const qsizetype cut = label.indexOf(QLatin1Char('/'));
        if (cut < 0)
            break;
        label = label.mid(cut + 1);
    }
    const QString elided = metrics.elidedText(label, Qt::ElideRight, static_cast<int>(width));
    return elided == label || elided.size() > 4 ? elided : QString();
}

void drawLabel(QPainter& painter, const QRectF& bar, const QString& label, const QColor& color)
{
    if (label.isEmpty())
        return;
    painter.setPen(color);
    painter.drawText(bar.adjusted(3, 0, -2, 0), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, label);
}

/// A fill under 3:1 against the background gets an outline in the text colour.
void outline(QPainter& painter, const QRectF& bar, const QColor& fill, const QPalette& palette)
{
    if (bar.width() < 3 || style::contrast(fill, palette.color(QPalette::Base)) >= 3)
        return;
    painter.setPen(QPen(style::mix(palette.color(QPalette::Text), palette.color(QPalette::Base), 0.4), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
}

class ComputeLane : public TimelineLane {
public:
    [[nodiscard]] LaneKind kind() const override { return LaneKind::Compute; }
    [[nodiscard]] QString title() const override { return QObject::tr("Compute"); }

protected:
    void paintEvent(QPainter& painter, const QRectF& bar, const TimelineEvent& event, const QString& label, const LaneContext& context) const override
    {
        const bool isBackward = context.graph.nodes[static_cast<std::size_t>(event.node)].phase == Phase::Backward;
        const QColor fill = style::color(isBackward ? Meaning::Backward : Meaning::Forward, context.palette);
        painter.fillRect(bar, fill);
        if (bar.width() > 4)
            painter.fillRect(QRectF(bar.right() - 1, bar.top(), 1, bar.height()), context.palette.color(QPalette::Base));
        outline(painter, bar, fill, context.palette);
        drawLabel(painter, bar, label, style::textOn(fill));
    }
};

class RecomputeLane : public TimelineLane {
public:
    [[nodiscard]] LaneKind kind() const override { return LaneKind::Recompute; }
    [[nodiscard]] QString title() const override { return QObject::tr("Recompute"); }

protected:
    void paintEvent(QPainter& painter, const QRectF& bar, const TimelineEvent&, const QString& label, const LaneContext& context) const override
    {
        const QColor fill = style::color(Meaning::Recompute, context.palette);
        painter.fillRect(bar, fill);
        painter.fillRect(bar, QBrush(style::mix(fill, Qt::black, 0.35), Qt::BDiagPattern));
        outline(painter, bar, fill, context.palette);
        if (!label.isEmpty()) {
            const double width = std::min<double>(bar.width(), painter.fontMetrics().horizontalAdvance(label) + 6);
            painter.fillRect(QRectF(bar.left(), bar.top(), width, bar.height()), fill);
        }
        drawLabel(painter, bar, label, style::textOn(fill));
    }
};

class TransferLane : public TimelineLane {
public:
    explicit TransferLane(LaneKind kind) : m_kind(kind) {}
    [[nodiscard]] LaneKind kind() const override { return m_kind; }
    [[nodiscard]] QString title() const override { return m_kind == LaneKind::PageIn ? QObject::tr("Page-in") : QObject::tr("Page-out"); }

protected:
    void paintEvent(QPainter& painter, const QRectF& bar, const TimelineEvent&, const QString& label, const LaneContext& context) const override
    {
        const bool isIn = m_kind == LaneKind::PageIn;
        const QColor fill = style::color(isIn ? Meaning::PageIn : Meaning::PageOut, context.palette);
        painter.fillRect(bar, fill);
        outline(painter, bar, fill, context.palette);
        const QColor ink = style::textOn(fill);
        double from = bar.left() + 4;
        if (!label.isEmpty())
            from += painter.fontMetrics().horizontalAdvance(label) + 6;
        QColor mark = ink;
        mark.setAlpha(150);
        painter.setPen(QPen(mark, 1.4));
        const double tip = isIn ? bar.bottom() - 6 : bar.top() + 6;
        const double wing = isIn ? tip - 5 : tip + 5;
        for (double x = from; x + 8 < bar.right(); x += 12)
            painter.drawPolyline(QPolygonF({QPointF(x, wing), QPointF(x + 4, tip), QPointF(x + 8, wing)}));
        drawLabel(painter, bar, label, ink);
    }

private:
    LaneKind m_kind;
};

}  // namespace

void TimelineLane::paint(QPainter& painter, const QRectF& area, const LaneContext& context) const
{
    const auto& events = context.model.lane(kind());
    auto first = std::lower_bound(events.begin(), events.end(), context.axis.begin, [](const TimelineEvent& e, double t) { return e.end < t; });
    double lastPixel = -1e9;
    for (auto it = first; it != events.end() && it->begin <= context.axis.end; ++it) {
        const double left = std::max(area.left(), context.axis.mapTimeToX(it->begin));
        const double right = std::min(area.right(), context.axis.mapTimeToX(it->end));
        const double width = std::max(1.0, right - left);
        const bool isMarked = it->node == context.selectedNode || it->step == context.selectedStep;
        if (width <= 1.0 && std::floor(left) == lastPixel && !isMarked)
            continue;
        lastPixel = std::floor(left);
        const QRectF bar(left, area.top() + 2, width, area.height() - 4);
        QString label;
        if (width > 20)
            label = labelFor(text::from(context.graph.nodes[static_cast<std::size_t>(it->node)].name), painter.fontMetrics(), width - 5);
        paintEvent(painter, bar, *it, label, context);
        if (isMarked || it->node == context.hoveredNode) {
            painter.setPen(QPen(isMarked ? context.palette.color(QPalette::Highlight) : context.palette.color(QPalette::Text), isMarked ? 2 : 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(bar.adjusted(-1, -1, 1, 1));
        }
    }
}

std::unique_ptr<TimelineLane> makeComputeLane() { return std::make_unique<ComputeLane>(); }
std::unique_ptr<TimelineLane> makeRecomputeLane() { return std::make_unique<RecomputeLane>(); }
std::unique_ptr<TimelineLane> makePageInLane() { return std::make_unique<TransferLane>(LaneKind::PageIn); }
std::unique_ptr<TimelineLane> makePageOutLane() { return std::make_unique<TransferLane>(LaneKind::PageOut); }

}  // namespace poet
