// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/picture_map.h"

#include <QColor>

#include <algorithm>
#include <array>
#include <cmath>

namespace poet::test {

namespace {

constexpr int kCellWidth = 12;
constexpr int kCellHeight = 10;
constexpr double kLeastShare = 0.06;     // of a cell's pixels
constexpr int kLeastSaturation = 26;     // of 255: tints count, grey does not

/// Index into kLetters, or -1.
int hueOf(QRgb pixel)
{
    const QColor color = QColor(pixel).toHsv();
    if (color.hsvSaturation() < kLeastSaturation || color.value() < 40)
        return -1;
    const int hue = color.hsvHue();
    if (hue >= 185 && hue < 260)
        return 0;
    if (hue >= 35 && hue < 65)
        return 1;
    if (hue >= 280 && hue < 350)
        return 2;
    if (hue >= 130 && hue < 185)
        return 3;
    if (hue >= 8 && hue < 35)
        return 4;
    return -1;
}

constexpr std::array<char, 5> kLetters{'b', 'o', 'p', 'g', 'r'};

bool isNearby(const QStringList& map, qsizetype row, qsizetype column, QChar letter)
{
    for (qsizetype y = row - 1; y <= row + 1; ++y)
        for (qsizetype x = column - 1; x <= column + 1; ++x)
            if (y >= 0 && y < map.size() && x >= 0 && x < map[y].size() && map[y][x] == letter)
                return true;
    return false;
}

}  // namespace

QStringList pictureMap(const QImage& image)
{
    QStringList map;
    for (int top = 0; top < image.height(); top += kCellHeight) {
        QString row;
        for (int left = 0; left < image.width(); left += kCellWidth) {
            std::array<int, 5> counts{};
            int all = 0;
            for (int y = top; y < std::min(top + kCellHeight, image.height()); ++y)
                for (int x = left; x < std::min(left + kCellWidth, image.width()); ++x, ++all)
                    if (const int hue = hueOf(image.pixel(x, y)); hue >= 0)
                        ++counts[static_cast<std::size_t>(hue)];
            const auto most = std::max_element(counts.begin(), counts.end());
            row += *most >= kLeastShare * all ? QLatin1Char(kLetters[static_cast<std::size_t>(most - counts.begin())]) : QLatin1Char('.');
        }
        map << row;
    }
    return map;
}

double mapDifferencePercent(const QStringList& a, const QStringList& b)
{
    if (std::abs(a.size() - b.size()) > 1 || a.isEmpty() || b.isEmpty() || std::abs(a.first().size() - b.first().size()) > 1)
        return 100;
    int coloured = 0;
    int different = 0;
    const auto count = [&](const QStringList& from, const QStringList& to) {
        for (qsizetype y = 0; y < from.size(); ++y)
            for (qsizetype x = 0; x < from[y].size(); ++x)
                if (from[y][x] != QLatin1Char('.')) {
                    ++coloured;
                    different += !isNearby(to, y, x, from[y][x]);
                }
    };
    count(a, b);
    count(b, a);
    return coloured > 0 ? 100.0 * different / coloured : 0;
}

}  // namespace poet::test
