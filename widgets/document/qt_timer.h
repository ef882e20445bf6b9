// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/solver_backend.h"

#include <QTimer>

namespace poet {

/// The real clock behind DelayTimer.
class QtDelayTimer : public DelayTimer {
    Q_OBJECT
public:
    explicit QtDelayTimer(QObject* parent = nullptr);
    void start(int milliseconds) override;
    void stop() override;
    [[nodiscard]] bool isActive() const override;

private:
    QTimer m_timer;
};

}  // namespace poet
