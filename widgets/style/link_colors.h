// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace poet::style {

/// Links of a rich text take the colour that the application has when the text is set. This gives the links of all labels
/// and text browsers of a window the palette's colour after each change of appearance.
class LinkColors : public QObject {
    Q_OBJECT
public:
    /// Follows what `window`, its owner, holds now.
    explicit LinkColors(QWidget* window);
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace poet::style
