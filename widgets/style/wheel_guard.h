// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace poet::style {

/// Turning the wheel over a panel scrolls it: a list to choose from or a number field takes the wheel only while it has the
/// keyboard focus, which the wheel does not give. One for the whole application, installed as its event filter.
class WheelGuard : public QObject {
    Q_OBJECT
public:
    explicit WheelGuard(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace poet::style
