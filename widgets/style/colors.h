// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBrush>
#include <QColor>
#include <QPalette>
#include <QString>

/// The fixed, colour-blind-safe colours of gui.md section 7 and their redundant marks. Text and background always
/// come from the palette; the dark set keeps the hues and raises lightness.
namespace poet::style {

enum class Meaning { Forward, Backward, Recompute, PageOut, PageIn, OverBudget, Idle };

/// True when the window background is dark (Qt 6.4 has no QStyleHints::colorScheme).
[[nodiscard]] bool isDark(const QPalette& palette);
/// Fill colour of a meaning for this palette.
[[nodiscard]] QColor color(Meaning meaning, const QPalette& palette);
/// Fill with the redundant mark: plain, // hatch, chevrons drawn by drawMark, cross hatch.
[[nodiscard]] QBrush hatch(Meaning meaning, const QPalette& palette);
/// One-letter badge: R, O, I; empty for plain meanings.
[[nodiscard]] QString badge(Meaning meaning);
/// Black or white, whichever reads better on `fill`.
[[nodiscard]] QColor textOn(const QColor& fill);
/// Text that says what is wrong: at least 4.5:1 on the window's background.
[[nodiscard]] QColor errorText(const QPalette& palette);
/// WCAG contrast ratio of two opaque colours, 1 to 21.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);
/// A mix of two colours; `share` of the second, 0 to 1.
[[nodiscard]] QColor mix(const QColor& a, const QColor& b, double share);
/// The n-th of 8 colour-blind-safe colours for categories (operators, blocks, curves).
[[nodiscard]] QColor category(int index, const QPalette& palette);
/// A palette for dark appearance (Fusion), and the light one that exports and tests use.
[[nodiscard]] QPalette darkPalette();
[[nodiscard]] QPalette lightPalette();

}  // namespace poet::style
