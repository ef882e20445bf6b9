// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPicture>
#include <QSize>
#include <QString>
#include <QStringList>

#include <vector>

class QPainter;

/// Tables on paper: all their rows, whatever part of them a view shows. Values and painting only, for any thread.
namespace poet {

/// A table as texts.
struct SheetTable {
    QString title;                   ///< above it; may be empty
    QStringList head;
    std::vector<bool> isNumber;      ///< per column: aligned to the right
    std::vector<QStringList> rows;   ///< as many cells as `head`
    std::vector<bool> isMarked;      ///< per row: in bold; may be empty: none
};

/// What stands on the paper: a picture (may be null), then the tables.
struct Sheet {
    QPicture picture = QPicture();
    QSize pictureSize;
    std::vector<SheetTable> tables;
};

/// One table alone.
[[nodiscard]] Sheet sheetOf(SheetTable table);

/// A sheet broken into pages; the head of a table is repeated on each page. Sizes in pixels at 100 %. Cost: O(cells).
class SheetPages {
public:
    /// Measures: the width is known then. `sheet` must outlive this.
    SheetPages(const Sheet& sheet, const QFont& font);

    /// Makes pages of at most that height, but of a few rows at least.
    void breakUp(int pageHeight);
    [[nodiscard]] int count() const { return static_cast<int>(m_pages.size()); }
    /// Of the largest page; before breakUp() only its width.
    [[nodiscard]] QSize pageSize() const { return m_pageSize; }
    /// Draws a page with its upper left corner at the origin, in the light palette.
    void paint(QPainter& painter, int page) const;
    /// Rows of tables on all pages together.
    [[nodiscard]] std::size_t rowCount() const;

private:
    /// Rows [begin, end) of a table, its head above them, from `top` on.
    struct Piece {
        std::size_t table = 0;
        std::size_t begin = 0;
        std::size_t end = 0;
        int top = 0;
    };
    struct Page {
        bool hasPicture = false;
        std::vector<Piece> pieces;
    };
    void measure();
    void paintPiece(QPainter& painter, const Piece& piece) const;
    void paintRow(QPainter& painter, std::size_t table, const QStringList& cells, int top, bool isBold) const;

    const Sheet& m_sheet;
    QFont m_font;
    QFont m_bold;
    int m_rowHeight = 0;
    std::vector<std::vector<int>> m_widths;  ///< per table and column
    std::vector<Page> m_pages;
    QSize m_pageSize;
};

}  // namespace poet
