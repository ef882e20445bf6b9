// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/memory_painter.h"

#include "widgets/style/colors.h"
#include "widgets/style/text.h"

#include <QObject>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace poet {

namespace {

using style::Meaning;

/// Largest bytes per pixel column, resident excluded; -1 where there is nothing.
std::vector<std::int64_t> columns(const TimelineModel& model, const TimeAxis& axis)
{
    const auto width = static_cast<std::size_t>(std::max(1.0, std::ceil(axis.width)));
    std::vector<std::int64_t> largest(width, -1);
    auto it = std::lower_bound(model.memory.begin(), model.memory.end(), axis.begin, [](const MemorySample& m, double t) { return m.end < t; });
    for (; it != model.memory.end() && it->begin <= axis.end; ++it) {
        const auto from = static_cast<std::int64_t>(std::floor(axis.mapTimeToX(it->begin) - axis.left));
        const auto to = static_cast<std::int64_t>(std::ceil(axis.mapTimeToX(it->end) - axis.left));
        const auto last = std::max(from + 1, to);
        for (std::int64_t x = std::max<std::int64_t>(0, from); x < std::min<std::int64_t>(static_cast<std::int64_t>(width), last); ++x)
            largest[static_cast<std::size_t>(x)] = std::max(largest[static_cast<std::size_t>(x)], it->bytes);
    }
    return largest;
}

QPolygonF outlineOf(const std::vector<std::int64_t>& bytes, const QRectF& area, const MemoryContext& context)
{
    QPolygonF line;
    double lastY = -1;
    for (std::size_t x = 0; x < bytes.size(); ++x) {
        const double y = context.scale.mapBytesToY(static_cast<double>(std::max<std::int64_t>(bytes[x], 0) + context.residentBytes));
        const double px = area.left() + static_cast<double>(x);
        if (y != lastY) {
            if (!line.isEmpty())
                line.append(QPointF(px, lastY));
            line.append(QPointF(px, y));
            lastY = y;
        }
    }
    if (!line.isEmpty())
        line.append(QPointF(area.left() + static_cast<double>(bytes.size()), lastY));
    return line;
}

void paintExcess(QPainter& painter, const std::vector<std::int64_t>& bytes, const QRectF& area, const MemoryContext& context)
{
    const double budgetY = context.scale.mapBytesToY(static_cast<double>(context.budgetBytes));
    const QBrush brush = style::hatch(Meaning::OverBudget, context.lanes.palette);
    for (std::size_t x = 0, next = 0; x < bytes.size(); x = next) {
        for (next = x + 1; next < bytes.size() && bytes[next] == bytes[x];)
            ++next;
        const std::int64_t all = bytes[x] + context.residentBytes;
        if (bytes[x] < 0 || all <= context.budgetBytes)
            continue;
        const double y = context.scale.mapBytesToY(static_cast<double>(all));
        painter.fillRect(QRectF(area.left() + static_cast<double>(x), y, static_cast<double>(next - x), budgetY - y), brush);
    }
}

/// The `detail` nodes with the most byte-seconds; rank by node, -1 for the others.
const std::vector<int>& ranks(const MemoryContext& context)
{
    if (context.cache->detail == context.detail)
        return context.cache->ranks;
    context.cache->detail = context.detail;
    const CostGraph& graph = context.lanes.graph;
    std::vector<double> weight(graph.nodes.size(), 0);
    for (const Residency& stay : context.facts.residencies)
        weight[static_cast<std::size_t>(stay.node)] += static_cast<double>(stay.bytes) * (stay.endStep - stay.beginStep);
    std::vector<NodeId> order(graph.nodes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return weight[static_cast<std::size_t>(a)] > weight[static_cast<std::size_t>(b)]; });
    std::vector<int>& rank = context.cache->ranks;
    rank.assign(graph.nodes.size(), -1);
    for (int i = 0; i < context.detail && i < static_cast<int>(order.size()); ++i)
        rank[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = i;
    return rank;
}

double timeOfStep(const TimelineModel& model, int step, bool isEnd)
{
    if (step < 0 || static_cast<std::size_t>(step) >= model.beginOf.size())
        return model.length;
    return isEnd ? model.endOf[static_cast<std::size_t>(step)] : model.beginOf[static_cast<std::size_t>(step)];
}

/// Each tensor a rectangle: width its stay, height its bytes, y its place. `place` gives the bottom in bytes.
void paintStays(QPainter& painter, const QRectF& area, const MemoryContext& context, const std::vector<std::int64_t>& place)
{
    const std::vector<int>& rank = ranks(context);
    const QPalette& palette = context.lanes.palette;
    for (std::size_t r = 0; r < context.facts.residencies.size(); ++r) {
        const Residency& stay = context.facts.residencies[r];
        if (stay.bytes <= 0 || place[r] < 0)
            continue;
        const double left = std::max(area.left(), context.lanes.axis.mapTimeToX(timeOfStep(context.lanes.model, stay.beginStep, false)));
        const double right = std::min(area.right(), context.lanes.axis.mapTimeToX(timeOfStep(context.lanes.model, stay.endStep, false)));
        if (right < area.left() || left > area.right())
            continue;
        const double top = context.scale.mapBytesToY(static_cast<double>(place[r] + stay.bytes + context.residentBytes));
        const double bottom = context.scale.mapBytesToY(static_cast<double>(place[r] + context.residentBytes));
        const QRectF rect(left, top, std::max(1.0, right - left), std::max(1.0, bottom - top));
        const int color = rank[static_cast<std::size_t>(stay.node)];
        const bool isMarked = stay.node == context.lanes.selectedNode || stay.node == context.lanes.hoveredNode;
        const QColor fill = color < 0 ? palette.color(QPalette::Midlight)
                                      : style::mix(palette.color(QPalette::Base), style::category(color, palette), 0.55);
        painter.fillRect(rect, fill);
        if (rect.height() > 3 && rect.width() > 3) {
            painter.setPen(QPen(isMarked ? palette.color(QPalette::Highlight) : palette.color(QPalette::Base), isMarked ? 2 : 0.7));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(rect);
        }
        if (rect.height() > painter.fontMetrics().height() && rect.width() > 40 && color >= 0) {
            painter.setPen(palette.color(QPalette::Text));
            painter.drawText(rect.adjusted(3, 0, -2, 0), Qt::AlignCenter | Qt::TextSingleLine,
                             painter.fontMetrics().elidedText(
                                 text::shortNodeName(text::from(context.lanes.graph.nodes[static_cast<std::size_t>(stay.node)].name)),
                                 Qt::ElideRight, static_cast<int>(rect.width()) - 5));
        }
    }
}

/// Ranked tensors stacked by name, the rest as one grey area on top: one pass over the samples of each pixel column.
void paintStacked(QPainter& painter, const QRectF& area, const MemoryContext& context)
{
    const std::vector<int>& rank = ranks(context);
    const QPalette& palette = context.lanes.palette;
    const auto width = static_cast<int>(area.width());
    // Live bytes by rank at the step under each pixel; stays are few compared to pixels x steps, so go by stay.
    std::vector<std::vector<std::pair<int, std::int64_t>>> columnsOf(static_cast<std::size_t>(std::max(width, 1)));
    for (const Residency& stay : context.facts.residencies) {
        const int place = rank[static_cast<std::size_t>(stay.node)];
        if (place < 0)
            continue;
        const int from = static_cast<int>(std::floor(context.lanes.axis.mapTimeToX(timeOfStep(context.lanes.model, stay.beginStep, false)) - area.left()));
        const int to = static_cast<int>(std::ceil(context.lanes.axis.mapTimeToX(timeOfStep(context.lanes.model, stay.endStep, false)) - area.left()));
        for (int x = std::max(from, 0); x < std::min(to, width); ++x)
            columnsOf[static_cast<std::size_t>(x)].emplace_back(place, stay.bytes);
    }
    const std::vector<std::int64_t> total = columns(context.lanes.model, context.lanes.axis);
    for (auto& column : columnsOf)
        std::sort(column.begin(), column.end());
    const int end = std::min(width, static_cast<int>(total.size()));
    for (int x = 0, next = 0; x < end; x = next) {
        // Between two events all columns are the same: one rectangle a tensor.
        const auto& column = columnsOf[static_cast<std::size_t>(x)];
        for (next = x + 1; next < end && total[static_cast<std::size_t>(next)] == total[static_cast<std::size_t>(x)] && columnsOf[static_cast<std::size_t>(next)] == column;)
            ++next;
        std::int64_t at = context.residentBytes;
        const auto fill = [&](std::int64_t bytes, const QColor& color) {
            const double top = context.scale.mapBytesToY(static_cast<double>(at + bytes));
            painter.fillRect(QRectF(area.left() + x, top, next - x, context.scale.mapBytesToY(static_cast<double>(at)) - top), color);
            at += bytes;
        };
        for (const auto& [place, bytes] : column)
            fill(bytes, style::mix(palette.color(QPalette::Base), style::category(place, palette), place % 16 < 8 ? 0.62 : 0.35));
        const std::int64_t rest = total[static_cast<std::size_t>(x)] + context.residentBytes - at;
        if (rest > 0)
            fill(rest, palette.color(QPalette::Midlight));
    }
}

/// Where each stay lies: its arena offset if placed, else stacked as it comes (first fit by arrival).
const std::vector<std::int64_t>& places(const MemoryContext& context)
{
    const auto& stays = context.facts.residencies;
    std::vector<std::int64_t>& place = context.cache->places;
    if (place.size() == stays.size())
        return place;
    place.assign(stays.size(), -1);
    std::vector<std::size_t> live;  // by place
    for (std::size_t r = 0; r < stays.size(); ++r) {
        if (stays[r].offset) {
            place[r] = *stays[r].offset;
            continue;
        }
        std::erase_if(live, [&](std::size_t other) { return stays[other].endStep <= stays[r].beginStep; });
        std::int64_t at = 0;
        auto before = live.begin();
        for (; before != live.end() && place[*before] - at < stays[r].bytes; ++before)
            at = std::max(at, place[*before] + stays[*before].bytes);
        place[r] = at;
        live.insert(before, r);
    }
    return place;
}

bool hasRoomForBlocks(const MemoryContext& context)
{
    int inSight = 0;
    for (const Residency& stay : context.facts.residencies)
        inSight += timeOfStep(context.lanes.model, stay.endStep, false) >= context.lanes.axis.begin && timeOfStep(context.lanes.model, stay.beginStep, false) <= context.lanes.axis.end;
    return inSight <= kMostBlocks;
}

/// Calls `draw(x, width, y)` for each run of pixel columns of the same height: rectangles are many times cheaper to draw
/// than one polygon of thousands of corners.
template <class Draw>
void eachRun(const std::vector<std::int64_t>& bytes, const QRectF& area, const MemoryContext& context, const Draw& draw)
{
    for (std::size_t x = 0; x < bytes.size();) {
        std::size_t end = x + 1;
        while (end < bytes.size() && bytes[end] == bytes[x])
            ++end;
        draw(area.left() + static_cast<double>(x), static_cast<double>(end - x),
             context.scale.mapBytesToY(static_cast<double>(std::max<std::int64_t>(bytes[x], 0) + context.residentBytes)));
        x = end;
    }
}

void paintTotal(QPainter& painter, const std::vector<std::int64_t>& bytes, const QRectF& area, const MemoryContext& context)
{
    const QColor fill = style::mix(context.lanes.palette.color(QPalette::Base), style::color(Meaning::Forward, context.lanes.palette), 0.22);
    const double bottom = context.scale.mapBytesToY(static_cast<double>(context.residentBytes));
    eachRun(bytes, area, context, [&](double x, double width, double y) { painter.fillRect(QRectF(x, y, width, bottom - y), fill); });
}

void paintOutline(QPainter& painter, const std::vector<std::int64_t>& bytes, const QRectF& area, const MemoryContext& context)
{
    const QColor color = style::color(Meaning::Forward, context.lanes.palette);
    double last = -1;
    eachRun(bytes, area, context, [&](double x, double width, double y) {
        painter.fillRect(QRectF(x, y - 0.75, width, 1.5), color);
        if (last >= 0)
            painter.fillRect(QRectF(x - 0.75, std::min(y, last), 1.5, std::abs(y - last)), color);
        last = y;
    });
}

}  // namespace

void paintMemory(QPainter& painter, const QRectF& area, const MemoryContext& context)
{
    const QPalette& palette = context.lanes.palette;
    painter.save();
    painter.setClipRect(area);
    const std::vector<std::int64_t> bytes = columns(context.lanes.model, context.lanes.axis);
    const double residentY = context.scale.mapBytesToY(static_cast<double>(context.residentBytes));
    if (context.form == MemoryForm::Stacked)
        paintStacked(painter, area, context);
    else if (context.form == MemoryForm::Blocks && hasRoomForBlocks(context))
        paintStays(painter, area, context, places(context));
    else
        paintTotal(painter, bytes, area, context);
    paintExcess(painter, bytes, area, context);
    paintOutline(painter, bytes, area, context);
    painter.setBrush(Qt::NoBrush);
    if (context.ghost) {
        MemoryContext other = context;
        const QPolygonF ghost = outlineOf(columns(*context.ghost, context.lanes.axis), area, other);
        painter.setPen(QPen(palette.color(QPalette::Text), 1.2, Qt::DotLine));
        painter.drawPolyline(ghost);
    }
    if (context.residentBytes > 0) {
        const QRectF base(area.left(), residentY, area.width(), context.scale.bottom - residentY);
        painter.fillRect(base, style::mix(palette.color(QPalette::Base), palette.color(QPalette::Text), 0.16));
        painter.fillRect(base, QBrush(style::mix(palette.color(QPalette::Base), palette.color(QPalette::Text), 0.35), Qt::Dense6Pattern));
        if (base.height() > painter.fontMetrics().height()) {
            const QString label = QObject::tr("resident %1: weights, gradients, optimizer").arg(text::bytes(context.residentBytes));
            const QRectF box(area.left() + 6, base.center().y() - painter.fontMetrics().height() / 2.0,
                             painter.fontMetrics().horizontalAdvance(label) + 8, painter.fontMetrics().height());
            painter.fillRect(box, palette.color(QPalette::Base));
            painter.setPen(palette.color(QPalette::Text));
            painter.drawText(box, Qt::AlignCenter, label);
        }
    }
    if (context.scale.minimumBytes > 0) {  // a torn edge says that the axis does not begin at 0
        QPolygonF tear;
        for (double x = area.left(); x <= area.right() + 8; x += 8)
            tear.append(QPointF(x, area.bottom() - (tear.size() % 2 ? 7 : 3)));
        painter.setPen(QPen(palette.color(QPalette::Base), 4));
        painter.drawPolyline(tear);
        painter.setPen(QPen(palette.color(QPalette::Text), 1));
        painter.drawPolyline(tear);
    }
    painter.restore();
    const double budgetY = std::round(context.scale.mapBytesToY(static_cast<double>(context.budgetBytes)));
    painter.setPen(QPen(style::color(Meaning::OverBudget, palette), 2, Qt::DashLine));
    painter.drawLine(QPointF(area.left(), budgetY), QPointF(area.right(), budgetY));
}

}  // namespace poet
