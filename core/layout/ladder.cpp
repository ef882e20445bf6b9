// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/layout/ladder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace poet {

namespace {

constexpr double kRowGap = 18;      // between rungs
constexpr double kColumnGap = 96;   // between the sides of the ladder: room for saved-tensor arrows
constexpr double kSlotGap = 16;     // between boxes that share a rung and a column
constexpr double kMargin = 24;
constexpr std::size_t kColumns = 4;

std::size_t columnIndex(const GraphViewNode& node) { return static_cast<std::size_t>(node.column); }

/// Pixels that the longest bow sticks out beside its column.
double bowWidth(int rungs) { return 14.0 + 10.0 * std::log2(static_cast<double>(std::max(rungs, 1))); }

}  // namespace

std::vector<LayoutPoint> ladderEdge(const GraphViewNode& from, LayoutPoint a, const GraphViewNode& to, LayoutPoint b, double bow)
{
    if (from.row == to.row || from.column != to.column) {
        // Sideways: leave and enter at the middle of the facing sides.
        if (std::abs(a.x - b.x) > (from.width + to.width) / 2) {
            const double side = b.x > a.x ? 1 : -1;
            const LayoutPoint start{a.x + side * from.width / 2, a.y};
            const LayoutPoint end{b.x - side * to.width / 2, b.y};
            if (from.row == to.row)
                return {start, end};
            const double reach = std::max(std::abs(end.x - start.x) / 2, 20.0);
            return {start, {start.x + side * reach, start.y}, {end.x - side * reach, end.y}, end};
        }
    }
    const double down = b.y > a.y ? 1 : -1;
    if (std::abs(from.row - to.row) <= 1 || from.column != to.column) {
        return {{a.x, a.y + down * from.height / 2}, {b.x, b.y - down * to.height / 2}};
    }
    const double side = from.column == LayoutColumn::Forward ? -1 : 1;
    const LayoutPoint start{a.x + side * from.width / 2, a.y};
    const LayoutPoint end{b.x + side * to.width / 2, b.y};
    const double outer = side < 0 ? std::min(start.x, end.x) : std::max(start.x, end.x);
    // A cubic reaches three quarters of the way to its control points.
    const double control = outer + side * bow * 4 / 3;
    return {start, {control, start.y}, {control, end.y}, end};
}

Expected<Layout> ladderLayout(const GraphView& view)
{
    POET_CHECK(validate(view));
    Layout layout;
    layout.engine = "ladder";
    layout.centers.resize(view.nodes.size());
    int rows = 0;
    for (const GraphViewNode& node : view.nodes)
        rows = std::max(rows, node.row + 1);

    std::vector<double> rowHeight(static_cast<std::size_t>(rows), 0);
    std::vector<std::array<double, kColumns>> slotWidth(static_cast<std::size_t>(rows), std::array<double, kColumns>{});
    std::array<double, kColumns> columnWidth{};
    for (const GraphViewNode& node : view.nodes) {
        const auto row = static_cast<std::size_t>(node.row);
        rowHeight[row] = std::max(rowHeight[row], node.height);
        double& used = slotWidth[row][columnIndex(node)];
        used += node.width + (used > 0 ? kSlotGap : 0);
        columnWidth[columnIndex(node)] = std::max(columnWidth[columnIndex(node)], used);
    }
    int longestForward = 1;
    int longestBackward = 1;
    for (const auto& [from, to] : view.edges) {
        const GraphViewNode& a = view.nodes[static_cast<std::size_t>(from)];
        const GraphViewNode& b = view.nodes[static_cast<std::size_t>(to)];
        if (a.column == b.column)
            (a.column == LayoutColumn::Forward ? longestForward : longestBackward) =
                std::max(a.column == LayoutColumn::Forward ? longestForward : longestBackward, std::abs(a.row - b.row));
    }

    std::array<double, kColumns> columnLeft{};
    double x = kMargin + bowWidth(longestForward);
    for (std::size_t c = 0; c < kColumns; ++c) {
        columnLeft[c] = x;
        if (columnWidth[c] > 0)
            x += columnWidth[c] + (c + 1 < kColumns ? kColumnGap : 0);
    }
    layout.width = x + bowWidth(longestBackward) + kMargin;
    std::vector<double> rowCenter(rowHeight.size(), 0);
    double y = kMargin;
    for (std::size_t r = 0; r < rowHeight.size(); ++r) {
        rowCenter[r] = y + rowHeight[r] / 2;
        y += rowHeight[r] + kRowGap;
    }
    layout.height = y - (rowHeight.empty() ? 0 : kRowGap) + kMargin;

    std::vector<std::array<double, kColumns>> filled(rowHeight.size(), std::array<double, kColumns>{});
    for (std::size_t i = 0; i < view.nodes.size(); ++i) {
        const GraphViewNode& node = view.nodes[i];
        const std::size_t c = columnIndex(node);
        double& offset = filled[static_cast<std::size_t>(node.row)][c];
        layout.centers[i] = {columnLeft[c] + offset + node.width / 2, rowCenter[static_cast<std::size_t>(node.row)]};
        offset += node.width + kSlotGap;
    }
    layout.edges.reserve(view.edges.size());
    for (const auto& [from, to] : view.edges) {
        const auto f = static_cast<std::size_t>(from);
        const auto t = static_cast<std::size_t>(to);
        layout.edges.push_back(ladderEdge(view.nodes[f], layout.centers[f], view.nodes[t], layout.centers[t],
                                          bowWidth(std::abs(view.nodes[f].row - view.nodes[t].row))));
    }
    return layout;
}

}  // namespace poet
