// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dag/legend.h"

#include "widgets/style/colors.h"
#include "widgets/style/text.h"

#include <QPainter>

#include <algorithm>

namespace poet {

namespace {

using style::Meaning;
using Mark = LegendEntry::Mark;

constexpr int kMarkWidth = 26;
constexpr int kPad = 8;
constexpr int kGap = 14;  // between entries
constexpr int kMostOperators = 5;  // the legend must not cover the graph

/// The operators that most boxes have, most frequent first.
QList<LegendEntry> operatorEntries(const DagModel& model, const Problem& problem, const QPalette& palette)
{
    QHash<QString, int> counts;
    for (const DagBox& box : model.boxes)
        ++counts[problem.facts[static_cast<std::size_t>(box.members.front())].op];
    QStringList names = counts.keys();
    std::sort(names.begin(), names.end(), [&](const QString& a, const QString& b) { return counts[a] != counts[b] ? counts[a] > counts[b] : a < b; });
    QList<LegendEntry> entries;
    for (const QString& name : std::as_const(names).first(std::min<qsizetype>(kMostOperators, names.size())))
        entries.append({Mark::Fill, 0, operatorFill(model, name, palette), text::shortNodeName(name, 14)});
    if (names.size() > kMostOperators)
        entries.append({Mark::Fill, 0, palette.color(QPalette::Base), DagLegend::tr("%1 more").arg(names.size() - kMostOperators)});
    return entries;
}

/// The first blocks, each with how many are like it.
QList<LegendEntry> blockEntries(const DagModel& model, const QPalette& palette)
{
    QMap<int, int> counts;
    QHash<int, QString> first;
    for (const QString& block : model.blocks) {
        const int kind = model.blockClass.value(block);
        ++counts[kind];
        if (!first.contains(kind))
            first.insert(kind, block);
    }
    QList<LegendEntry> entries;
    for (auto kind = counts.constBegin(); kind != counts.constEnd() && entries.size() < kMostOperators; ++kind) {
        const QString name = text::shortNodeName(first[kind.key()], 14);
        entries.append({Mark::Fill, 0, blockFill(model, first[kind.key()], palette), *kind > 1 ? DagLegend::tr("%1 (%2 alike)").arg(name).arg(*kind) : name});
    }
    if (counts.size() > kMostOperators)
        entries.append({Mark::Fill, 0, palette.color(QPalette::Base), DagLegend::tr("%1 more").arg(counts.size() - kMostOperators)});
    return entries;
}

QList<LegendEntry> fillEntries(const DagModel& model, const Problem& problem, DagColoring coloring, const QPalette& palette)
{
    switch (coloring) {
    case DagColoring::Operator: return operatorEntries(model, problem, palette);
    case DagColoring::Block: return blockEntries(model, palette);
    case DagColoring::Bytes: {
        std::int64_t largest = 0;
        for (const DagBox& box : model.boxes)
            largest = std::max(largest, box.bytes);
        return {{Mark::Ramp, 0, bytesFill(1, palette), DagLegend::tr("tensor, up to %1 (logarithmic)").arg(text::bytes(largest))}};
    }
    case DagColoring::Energy: {
        double largest = 0;
        for (const DagBox& box : model.boxes)
            largest = std::max(largest, boxEnergy(box, *problem.graph));
        return {{Mark::Ramp, 0, energyFill(1, palette), DagLegend::tr("energy of a run, up to %1 (logarithmic)").arg(text::joules(largest))}};
    }
    case DagColoring::Decision: break;
    }
    return {};
}

}  // namespace

QList<QList<LegendEntry>> legendRows(const DagModel& model, const DocumentState& state, DagColoring coloring, const QPalette& palette)
{
    if (!state.problem())
        return {};
    if (state.cursorStep() >= 0)  // while stepping the fill tells where a tensor is
        return {{{Mark::State, static_cast<int>(TensorState::InRam), {}, DagLegend::tr("in RAM")},
                 {Mark::State, static_cast<int>(TensorState::Flash), {}, DagLegend::tr("in flash")},
                 {Mark::State, static_cast<int>(TensorState::MovingOut), {}, DagLegend::tr("moving")},
                 {Mark::State, static_cast<int>(TensorState::Nowhere), {}, DagLegend::tr("nowhere")},
                 {Mark::State, static_cast<int>(TensorState::Dead), {}, DagLegend::tr("not needed now")}}};
    QList<QList<LegendEntry>> rows{{{Mark::Phase, static_cast<int>(Meaning::Forward), {}, DagLegend::tr("forward")},
                                    {Mark::Phase, static_cast<int>(Meaning::Backward), {}, DagLegend::tr("backward")},
                                    {Mark::Fate, static_cast<int>(Fate::Kept), {}, text::fate(Fate::Kept)},
                                    {Mark::Fate, static_cast<int>(Fate::Paged), {}, text::fate(Fate::Paged) + QStringLiteral(" (O)")},
                                    {Mark::Fate, static_cast<int>(Fate::Recomputed), {}, text::fate(Fate::Recomputed) + QStringLiteral(" (R)")}}};
    if (const QList<LegendEntry> fills = fillEntries(model, *state.problem(), coloring, palette); !fills.isEmpty())
        rows.append(fills);
    return rows;
}

DagLegend::DagLegend(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("dagLegend"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAccessibleName(DagLegend::tr("Legend"));
}

void DagLegend::show(const QList<QList<LegendEntry>>& rows)
{
    if (rows == m_rows)
        return;
    m_rows = rows;
    QStringList spoken;
    for (const QList<LegendEntry>& row : rows)
        for (const LegendEntry& entry : row)
            spoken.append(entry.text);
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    resize(sizeHint());
    update();
}

int DagLegend::rowHeight() const { return fontMetrics().height() + 4; }

void DagLegend::setRoom(int width)
{
    m_room = std::max(width, 120);
    resize(sizeHint());
    update();
}

QList<DagLegend::Placed> DagLegend::placed() const
{
    QList<Placed> all;
    int line = 0;
    for (const QList<LegendEntry>& row : m_rows) {
        int x = kPad;
        for (const LegendEntry& entry : row) {
            const int textWidth = std::min(fontMetrics().horizontalAdvance(entry.text), m_room - kMarkWidth - 5 - 2 * kPad);
            const int length = kMarkWidth + 5 + textWidth;
            if (x > kPad && x + length + kPad > m_room) {
                x = kPad;
                ++line;
            }
            all.append({&entry, x, line, textWidth});
            x += length + kGap;
        }
        ++line;
    }
    return all;
}

QSize DagLegend::sizeHint() const
{
    int width = 0;
    int lines = 0;
    for (const Placed& place : placed()) {
        width = std::max(width, place.x + kMarkWidth + 5 + place.textWidth + kPad);
        lines = place.line + 1;
    }
    return {width, lines * rowHeight() + 6};
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
    for (const Placed& place : placed()) {
        const int top = 3 + place.line * rowHeight();
        paintMark(painter, QRectF(place.x, top + 3, kMarkWidth, rowHeight() - 6), *place.entry);
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QRectF(place.x + kMarkWidth + 5, top, place.textWidth + 2, rowHeight()), Qt::AlignVCenter | Qt::AlignLeft,
                         fontMetrics().elidedText(place.entry->text, Qt::ElideRight, place.textWidth + 1));
    }
}

void DagLegend::paintMark(QPainter& painter, const QRectF& where, const LegendEntry& entry) const
{
    const QPalette& p = palette();
    const QColor text = p.color(QPalette::Text);
    if (entry.mark == Mark::Phase) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(style::color(static_cast<Meaning>(entry.value), p));
        painter.drawRoundedRect(QRectF(where.left() + 10, where.top(), 8, where.height()), 2, 2);
        return;
    }
    if (entry.mark == Mark::Fate) {
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
    if (entry.mark == Mark::Fill || entry.mark == Mark::Ramp) {
        QLinearGradient ramp(where.topLeft(), where.topRight());
        ramp.setColorAt(0, p.color(QPalette::Base));
        ramp.setColorAt(1, entry.color);
        painter.setPen(QPen(p.color(QPalette::Mid), 1));
        painter.setBrush(entry.mark == Mark::Ramp ? QBrush(ramp) : QBrush(entry.color));
        painter.drawRoundedRect(where.adjusted(2, 0, -2, 0), 2, 2);
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
