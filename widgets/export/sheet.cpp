// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/sheet.h"

#include "widgets/style/colors.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <numeric>
#include <utility>

namespace poet {

namespace {
constexpr int kSheetMargin = 10;
constexpr int kCellPadding = 8;
constexpr int kTableSpace = 10;
}  // namespace

Sheet sheetOf(SheetTable table)
{
    Sheet sheet;
    sheet.tables.push_back(std::move(table));
    return sheet;
}

SheetPages::SheetPages(const Sheet& sheet, const QFont& font) : m_sheet(sheet), m_font(font), m_bold(font)
{
    m_bold.setBold(true);
    m_rowHeight = QFontMetrics(m_bold).height() + 5;
    measure();
}

void SheetPages::measure()
{
    const QFontMetrics metrics(m_bold);  // the wider of both
    for (const SheetTable& table : m_sheet.tables) {
        std::vector<int> widths(static_cast<std::size_t>(table.head.size()), 0);
        const auto widen = [&](const QStringList& cells) {
            for (qsizetype c = 0; c < std::min(cells.size(), table.head.size()); ++c)
                widths[static_cast<std::size_t>(c)] = std::max(widths[static_cast<std::size_t>(c)], metrics.horizontalAdvance(cells[c]) + 2 * kCellPadding);
        };
        widen(table.head);
        for (const QStringList& cells : table.rows)
            widen(cells);
        const int width = std::max(std::accumulate(widths.begin(), widths.end(), 0), metrics.horizontalAdvance(table.title));
        m_pageSize.setWidth(std::max(m_pageSize.width(), width + 2 * kSheetMargin));
        m_widths.push_back(std::move(widths));
    }
    m_pageSize.setWidth(std::max(m_pageSize.width(), m_sheet.pictureSize.width()));
}

void SheetPages::breakUp(int pageHeight)
{
    pageHeight = std::max(pageHeight, 6 * m_rowHeight + 2 * kSheetMargin);
    m_pages.assign(1, {});
    int top = kSheetMargin;
    int lowest = 0;
    const auto newPage = [&] {
        m_pages.emplace_back();
        top = kSheetMargin;
    };
    if (!m_sheet.picture.isNull()) {
        m_pages.back().hasPicture = true;
        top = m_sheet.pictureSize.height() + kTableSpace;
        lowest = top;
    }
    for (std::size_t t = 0; t < m_sheet.tables.size(); ++t) {
        const SheetTable& table = m_sheet.tables[t];
        std::size_t begin = 0;
        do {
            const int above = (table.title.isEmpty() || begin > 0 ? 1 : 2) * m_rowHeight;  // title and head
            int room = (pageHeight - kSheetMargin - top - above) / m_rowHeight;
            const std::size_t left = table.rows.size() - begin;
            if (room < static_cast<int>(std::min<std::size_t>(left, 3)) && top > kSheetMargin) {  // a head alone says nothing
                newPage();
                continue;
            }
            const std::size_t rows = std::min(left, static_cast<std::size_t>(std::max(room, 1)));
            m_pages.back().pieces.push_back({t, begin, begin + rows, top});
            top += above + static_cast<int>(rows) * m_rowHeight + kTableSpace;
            lowest = std::max(lowest, top);
            begin += rows;
            if (begin < table.rows.size())
                newPage();
        } while (begin < table.rows.size());
    }
    m_pageSize.setHeight(std::max(lowest - kTableSpace, m_sheet.pictureSize.height()) + kSheetMargin);
}

std::size_t SheetPages::rowCount() const
{
    std::size_t rows = 0;
    for (const Page& page : m_pages)
        for (const Piece& piece : page.pieces)
            rows += piece.end - piece.begin;
    return rows;
}

void SheetPages::paint(QPainter& painter, int page) const
{
    const Page& shown = m_pages[static_cast<std::size_t>(page)];
    if (shown.hasPicture)
        painter.drawPicture(0, 0, m_sheet.picture);
    for (const Piece& piece : shown.pieces)
        paintPiece(painter, piece);
}

void SheetPages::paintPiece(QPainter& painter, const Piece& piece) const
{
    const SheetTable& table = m_sheet.tables[piece.table];
    const QPalette palette = style::lightPalette();
    int top = piece.top;
    painter.setPen(palette.color(QPalette::Text));
    if (!table.title.isEmpty() && piece.begin == 0) {
        painter.setFont(m_bold);
        painter.drawText(QRect(kSheetMargin, top, m_pageSize.width() - 2 * kSheetMargin, m_rowHeight), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, table.title);
        top += m_rowHeight;
    }
    paintRow(painter, piece.table, table.head, top, true);
    const std::vector<int>& widths = m_widths[piece.table];
    const int width = std::accumulate(widths.begin(), widths.end(), 0);
    painter.setPen(palette.color(QPalette::Mid));
    painter.drawLine(kSheetMargin, top + m_rowHeight - 1, kSheetMargin + width, top + m_rowHeight - 1);
    for (std::size_t row = piece.begin; row < piece.end; ++row) {
        top += m_rowHeight;
        if (row % 2 == 1)
            painter.fillRect(QRect(kSheetMargin, top, width, m_rowHeight), palette.color(QPalette::AlternateBase));
        painter.setPen(palette.color(QPalette::Text));
        paintRow(painter, piece.table, table.rows[row], top, !table.isMarked.empty() && table.isMarked[row]);
    }
}

void SheetPages::paintRow(QPainter& painter, std::size_t table, const QStringList& cells, int top, bool isBold) const
{
    painter.setFont(isBold ? m_bold : m_font);
    int left = kSheetMargin;
    for (std::size_t c = 0; c < m_widths[table].size() && static_cast<qsizetype>(c) < cells.size(); ++c) {
        const QRect cell(left, top, m_widths[table][c], m_rowHeight);
        const bool isNumber = c < m_sheet.tables[table].isNumber.size() && m_sheet.tables[table].isNumber[c];
        painter.drawText(cell.adjusted(kCellPadding, 0, -kCellPadding, 0), Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::TextSingleLine,
                         cells[static_cast<qsizetype>(c)]);
        left += cell.width();
    }
}

}  // namespace poet
