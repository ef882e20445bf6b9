// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <QScrollBar>

namespace poet {

/// A column of controls that scrolls up and down. It asks for the width that its content needs, so that nothing is ever
/// cut at the side, whatever the language.
class ColumnScroll : public QScrollArea {
    Q_OBJECT
public:
    explicit ColumnScroll(QWidget* content, QWidget* parent = nullptr) : QScrollArea(parent)
    {
        setWidget(content);
        setWidgetResizable(true);
        setFrameShape(QFrame::NoFrame);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setFocusPolicy(Qt::NoFocus);  // its controls take it, one after the other
    }
    [[nodiscard]] QSize minimumSizeHint() const override
    {
        const QSize inner = widget()->minimumSizeHint();
        return {inner.width() + verticalScrollBar()->sizeHint().width(), QScrollArea::minimumSizeHint().height()};
    }
};

}  // namespace poet
