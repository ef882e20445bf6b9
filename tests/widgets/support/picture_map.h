// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QStringList>

namespace poet::test {

/// A picture as rows of letters, one a cell of 12 x 10 pixels: the hue that fills most of the coloured part of the cell
/// (b blue: forward, backward; o orange: recompute; p purple: page-out; g green: page-in; r vermilion: over budget), a
/// dot where hardly anything is coloured. Text and grey lines do not count, so that another font changes little.
[[nodiscard]] QStringList pictureMap(const QImage& image);

/// Cells that differ, in percent of the cells that are coloured in either map. A letter that stands one cell aside in
/// the other map is the same. 100 when the sizes differ by more than one cell.
[[nodiscard]] double mapDifferencePercent(const QStringList& a, const QStringList& b);

}  // namespace poet::test
