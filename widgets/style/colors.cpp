// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/colors.h"

#include <array>
#include <cmath>

namespace poet::style {

namespace {

double linear(double channel) { return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4); }

double luminance(const QColor& c) { return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF()); }

/// Okabe and Ito's colours (2008), as gui.md fixes them.
QColor lightColor(Meaning meaning)
{
    switch (meaning) {
    case Meaning::Forward: return {0x00, 0x72, 0xB2};
    case Meaning::Backward: return {0x56, 0xB4, 0xE9};
    case Meaning::Recompute: return {0xE6, 0x9F, 0x00};
    case Meaning::PageOut: return {0xCC, 0x79, 0xA7};
    case Meaning::PageIn: return {0x00, 0x9E, 0x73};
    case Meaning::OverBudget: return {0xD5, 0x5E, 0x00};
    case Meaning::Idle: break;
    }
    return {0xA0, 0xA0, 0xA0};
}

QColor raised(const QColor& c)
{
    float h = 0;
    float s = 0;
    float l = 0;
    c.getHslF(&h, &s, &l);
    return QColor::fromHslF(std::max(h, 0.0F), s, std::min(0.78F, l + 0.12F));
}

}  // namespace

bool isDark(const QPalette& palette) { return palette.color(QPalette::Window).lightness() < 128; }

QColor color(Meaning meaning, const QPalette& palette)
{
    if (meaning == Meaning::Idle)
        return palette.color(QPalette::Mid);
    return isDark(palette) ? raised(lightColor(meaning)) : lightColor(meaning);
}

QBrush hatch(Meaning meaning, const QPalette& palette)
{
    const QColor fill = color(meaning, palette);
    switch (meaning) {
    case Meaning::Recompute: return {fill, Qt::BDiagPattern};
    case Meaning::OverBudget: return {fill, Qt::DiagCrossPattern};
    case Meaning::PageOut: return {fill, Qt::HorPattern};
    case Meaning::PageIn: return {fill, Qt::HorPattern};
    default: return {fill, Qt::SolidPattern};
    }
}

QString badge(Meaning meaning)
{
    switch (meaning) {
    case Meaning::Recompute: return QStringLiteral("R");
    case Meaning::PageOut: return QStringLiteral("O");
    case Meaning::PageIn: return QStringLiteral("I");
    default: return {};
    }
}

QColor textOn(const QColor& fill)
{
    return contrast(fill, Qt::black) >= contrast(fill, Qt::white) ? QColor(Qt::black) : QColor(Qt::white);
}

QColor errorText(const QPalette& palette) { return isDark(palette) ? QColor(0xFF, 0x9A, 0x85) : QColor(0xB0, 0x25, 0x15); }

double contrast(const QColor& a, const QColor& b)
{
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor mix(const QColor& a, const QColor& b, double share)
{
    const auto part = [share](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

QColor category(int index, const QPalette& palette)
{
    static const std::array<QColor, 8> colors{QColor(0x00, 0x72, 0xB2), QColor(0xE6, 0x9F, 0x00), QColor(0x00, 0x9E, 0x73),
                                              QColor(0xCC, 0x79, 0xA7), QColor(0x56, 0xB4, 0xE9), QColor(0xD5, 0x5E, 0x00),
                                              QColor(0xF0, 0xE4, 0x42), QColor(0x99, 0x99, 0x99)};
    const QColor base = colors[static_cast<std::size_t>(index) % colors.size()];
    return isDark(palette) ? raised(base) : base;
}

QPalette lightPalette()
{
    QPalette p(QColor(0xEF, 0xF0, 0xF1));
    p.setColor(QPalette::Window, QColor(0xF5, 0xF5, 0xF4));
    p.setColor(QPalette::Base, Qt::white);
    p.setColor(QPalette::AlternateBase, QColor(0xF3, 0xF4, 0xF6));
    p.setColor(QPalette::Button, QColor(0xF0, 0xF0, 0xEF));
    for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(role, QColor(0x1C, 0x1E, 0x21));
    p.setColor(QPalette::Mid, QColor(0xA8, 0xAA, 0xAD));
    p.setColor(QPalette::Midlight, QColor(0xDD, 0xDE, 0xE0));
    p.setColor(QPalette::Dark, QColor(0x80, 0x82, 0x85));
    p.setColor(QPalette::PlaceholderText, QColor(0x60, 0x63, 0x68));
    p.setColor(QPalette::Highlight, QColor(0x1F, 0x6F, 0xB5));
    p.setColor(QPalette::HighlightedText, Qt::white);
    p.setColor(QPalette::Link, QColor(0x00, 0x5A, 0x9C));
    p.setColor(QPalette::ToolTipBase, QColor(0xFF, 0xFF, 0xE8));
    p.setColor(QPalette::ToolTipText, QColor(0x1C, 0x1E, 0x21));
    for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, QColor(0x8A, 0x8D, 0x91));
    return p;
}

QPalette darkPalette()
{
    QPalette p(QColor(0x2B, 0x2D, 0x30));
    p.setColor(QPalette::Window, QColor(0x26, 0x28, 0x2B));
    p.setColor(QPalette::Base, QColor(0x1C, 0x1E, 0x20));
    p.setColor(QPalette::AlternateBase, QColor(0x24, 0x26, 0x29));
    p.setColor(QPalette::Button, QColor(0x35, 0x38, 0x3C));
    for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::BrightText})
        p.setColor(role, QColor(0xE6, 0xE7, 0xE9));
    p.setColor(QPalette::Mid, QColor(0x5C, 0x60, 0x66));
    p.setColor(QPalette::Midlight, QColor(0x42, 0x45, 0x4A));
    p.setColor(QPalette::Dark, QColor(0x16, 0x17, 0x19));
    p.setColor(QPalette::Light, QColor(0x4A, 0x4E, 0x53));
    p.setColor(QPalette::PlaceholderText, QColor(0xA4, 0xA8, 0xAE));
    p.setColor(QPalette::Highlight, QColor(0x3D, 0x8B, 0xCF));
    p.setColor(QPalette::HighlightedText, Qt::black);
    p.setColor(QPalette::Link, QColor(0x7C, 0xBB, 0xF0));
    p.setColor(QPalette::ToolTipBase, QColor(0x3A, 0x3D, 0x41));
    p.setColor(QPalette::ToolTipText, QColor(0xE6, 0xE7, 0xE9));
    for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, QColor(0x80, 0x84, 0x8A));
    return p;
}

}  // namespace poet::style
