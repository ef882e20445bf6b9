// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dag/box_item.h"

#include "widgets/style/colors.h"

#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <QWidget>

namespace poet {

namespace {

using namespace Qt::StringLiterals;
using style::Meaning;

constexpr double kRadius = 5;
constexpr double kStripeWidth = 6;
constexpr double kBadge = 16;

void drawBadge(QPainter& painter, const QRectF& where, const QString& letter, const QColor& fill, const QPalette& palette)
{
    painter.setBrush(fill);
    painter.setPen(QPen(palette.color(QPalette::Text), 0.8));
    painter.drawEllipse(where);
    painter.setPen(style::textOn(fill));
    painter.drawText(where, Qt::AlignCenter, letter);
}

}  // namespace

BoxItem::BoxItem(const DagBox& box, int index, const QFont& font) : m_box(box), m_index(index), m_font(font)
{
    setFlag(ItemUsesExtendedStyleOption);
    setAcceptHoverEvents(true);
    setZValue(1);
}

void BoxItem::setLook(const BoxLook& look)
{
    if (look == m_look)
        return;
    m_look = look;
    update();
}

QRectF BoxItem::boundingRect() const { return rect().adjusted(-5, -5, 5, 5); }

void BoxItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget)
{
    const QPalette palette = widget ? widget->palette() : option->palette;
    const double scale = QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
    if (m_look.isFaded)  // the shown plan does not fit the limits: it must not look valid
        painter->setOpacity(0.55);
    if (scale >= kFullDetail) {
        paintFull(*painter, palette);
        painter->setOpacity(1);
        return;
    }
    painter->setRenderHint(QPainter::Antialiasing, false);
    QColor fill = m_look.fill;
    if (m_look.fate == Fate::Paged)
        fill = style::color(Meaning::PageOut, palette);
    else if (m_look.fate != Fate::Kept)
        fill = style::color(Meaning::Recompute, palette);
    else if (scale < kSomeDetail)
        fill = style::mix(palette.color(QPalette::Base), m_look.stripe, 0.6);
    painter->fillRect(rect(), fill);
    if (scale >= kSomeDetail) {
        painter->fillRect(QRectF(rect().left(), rect().top(), kStripeWidth, rect().height()), m_look.stripe);
        QPen pen(palette.color(QPalette::Text), 0);
        pen.setCosmetic(true);
        painter->setPen(pen);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(rect());
    }
    if (m_look.isSelected || m_look.isInput || m_look.isOutput) {
        QPen pen(m_look.isSelected ? palette.color(QPalette::Highlight)
                                   : style::color(m_look.isInput ? Meaning::Forward : Meaning::PageIn, palette),
                 m_look.isSelected ? 3 : 2, m_look.isOutput ? Qt::DashLine : Qt::SolidLine);
        pen.setCosmetic(true);
        painter->setPen(pen);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(rect());
    }
    painter->setOpacity(1);
}

void BoxItem::paintFull(QPainter& painter, const QPalette& palette) const
{
    const QRectF box = rect();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_look.fill);
    painter.drawRoundedRect(box, kRadius, kRadius);
    if (m_look.hasState)
        paintState(painter, palette, box);
    else if (m_look.fate != Fate::Kept)
        paintFate(painter, palette, box);
    painter.setBrush(m_look.stripe);
    painter.setPen(Qt::NoPen);
    painter.drawRoundedRect(QRectF(box.left(), box.top(), kStripeWidth + 3, box.height()), 3, 3);
    painter.setBrush(m_look.hasState ? palette.color(QPalette::Base) : m_look.fill);
    if (!m_look.hasState)
        painter.drawRect(QRectF(box.left() + kStripeWidth, box.top() + 1, 4, box.height() - 2));
    paintBorder(painter, palette, box);
    paintTexts(painter, palette, box);
    paintBadges(painter, palette, box);
}

void BoxItem::paintFate(QPainter& painter, const QPalette& palette, const QRectF& box) const
{
    painter.setBrush(style::hatch(m_look.fate == Fate::Paged ? Meaning::PageOut : Meaning::Recompute, palette));
    const double opacity = painter.opacity();
    painter.setOpacity(0.55 * opacity);
    painter.drawRect(QRectF(box.right() - 30, box.top() + 1, 29, box.height() - 2));
    painter.setOpacity(opacity);
}

/// The outline, and the ring of what is selected, hovered or beside the selection.
void BoxItem::paintBorder(QPainter& painter, const QPalette& palette, const QRectF& box) const
{
    const bool isNowhere = m_look.hasState && m_look.state == TensorState::Nowhere;
    QPen border(style::mix(palette.color(QPalette::Text), palette.color(QPalette::Base), isNotNeeded() ? 0.7 : 0.35), m_box.isBlock ? 2 : 1);
    if (isNowhere)
        border.setStyle(Qt::DashLine);
    painter.setPen(border);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box, kRadius, kRadius);
    if (!m_look.isSelected && !m_look.isInput && !m_look.isOutput && !m_look.isHovered)
        return;
    const QColor ring = m_look.isSelected ? palette.color(QPalette::Highlight)
                        : m_look.isInput  ? style::color(Meaning::Forward, palette)
                        : m_look.isOutput ? style::color(Meaning::PageIn, palette)
                                          : palette.color(QPalette::Text);
    const bool isHoverOnly = !m_look.isSelected && !m_look.isInput && !m_look.isOutput;
    painter.setPen(QPen(ring, m_look.isSelected ? 3 : isHoverOnly ? 1.4 : 2, m_look.isOutput && !m_look.isSelected ? Qt::DashLine : Qt::SolidLine));
    painter.drawRoundedRect(box.adjusted(-2.5, -2.5, 2.5, 2.5), kRadius + 2, kRadius + 2);
}

void BoxItem::paintTexts(QPainter& painter, const QPalette& palette, const QRectF& box) const
{
    const QColor text = palette.color(isNotNeeded() ? QPalette::PlaceholderText : QPalette::Text);
    painter.setPen(text);
    painter.setFont(m_font);
    const QRectF textRect = box.adjusted(kStripeWidth + 6, 4, -4, -4);
    if (m_look.hasState && m_look.state == TensorState::Flash) {  // lines must not strike the text out
        QColor veil = palette.color(QPalette::Base);
        veil.setAlpha(215);
        painter.fillRect(QRectF(textRect.left() - 2, textRect.top(), painter.fontMetrics().horizontalAdvance(m_box.title) + 4, textRect.height()), veil);
    }
    painter.drawText(textRect, Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine, m_box.title);
    QFont small = m_font;
    small.setPointSizeF(m_font.pointSizeF() * 0.88);
    painter.setFont(small);
    painter.setPen(isNotNeeded() ? text : style::mix(text, palette.color(QPalette::Base), 0.22));
    painter.drawText(textRect, Qt::AlignLeft | Qt::AlignBottom | Qt::TextSingleLine, m_box.subtitle);
}

void BoxItem::paintBadges(QPainter& painter, const QPalette& palette, const QRectF& box) const
{
    QFont font = m_font;
    font.setPointSizeF(m_font.pointSizeF() * 0.75);
    font.setBold(true);
    painter.setFont(font);
    double x = box.right() - kBadge - 4;
    if (m_look.recomputedMembers > 0) {
        drawBadge(painter, {x, box.top() + 4, kBadge, kBadge}, u"R"_s, style::color(Meaning::Recompute, palette), palette);
        x -= kBadge + 2;
    }
    if (m_look.pagedMembers > 0)
        drawBadge(painter, {x, box.top() + 4, kBadge, kBadge}, u"O"_s, style::color(Meaning::PageOut, palette), palette);
    if (m_box.isBlock) {
        painter.setPen(palette.color(QPalette::Text));
        painter.drawText(QRectF(box.right() - kBadge - 2, box.bottom() - kBadge - 2, kBadge, kBadge), Qt::AlignCenter, u"+"_s);
    }
}

void BoxItem::paintState(QPainter& painter, const QPalette& palette, const QRectF& box) const
{
    const QColor ram = style::color(Meaning::Forward, palette);
    const QColor flash = style::color(Meaning::PageOut, palette);
    const QRectF inner = box.adjusted(1, 1, -1, -1);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette.color(QPalette::Base));
    painter.drawRoundedRect(inner, kRadius, kRadius);
    const QColor solid = style::mix(palette.color(QPalette::Base), ram, 0.35);
    switch (m_look.state) {
    case TensorState::InRam:
    case TensorState::InRamWithCopy:
        painter.setBrush(solid);
        painter.drawRoundedRect(inner, kRadius, kRadius);
        if (m_look.state == TensorState::InRamWithCopy) {
            painter.setBrush(flash);
            painter.drawPolygon(QPolygonF({inner.bottomRight(), inner.bottomRight() - QPointF(12, 0), inner.bottomRight() - QPointF(0, 12)}));
        }
        break;
    case TensorState::Flash:
        painter.setBrush(QBrush(style::mix(palette.color(QPalette::Base), flash, 0.75), Qt::HorPattern));
        painter.drawRoundedRect(inner, kRadius, kRadius);
        break;
    case TensorState::MovingOut:
    case TensorState::MovingIn: {
        const bool isOut = m_look.state == TensorState::MovingOut;
        painter.setBrush(style::mix(palette.color(QPalette::Base), style::color(isOut ? Meaning::PageOut : Meaning::PageIn, palette), 0.5));
        QRectF half = inner;
        half.setTop(inner.center().y());
        painter.drawRect(half);
        painter.setPen(QPen(palette.color(QPalette::Text), 1.6));
        const QPointF tip(inner.right() - 12, isOut ? inner.bottom() - 4 : inner.center().y() + 3);
        const double up = isOut ? -1 : 1;
        painter.drawLine(tip, tip + QPointF(0, up * 10));
        painter.drawLine(tip, tip + QPointF(-4, up * 4));
        painter.drawLine(tip, tip + QPointF(4, up * 4));
        break;
    }
    default: break;
    }
}

}  // namespace poet
