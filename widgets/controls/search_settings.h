// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QWidget>

class QComboBox;
class QSpinBox;

namespace poet {

/// When a search ends: at which gap, and after which time; and on how many threads it runs.
class SearchSettings : public QWidget {
    Q_OBJECT
public:
    explicit SearchSettings(DocumentState& state, QWidget* parent = nullptr);
    [[nodiscard]] QComboBox* gapBox() const { return m_gap; }
    [[nodiscard]] QSpinBox* limitBox() const { return m_limit; }
    /// Not in this widget's own row: stands where the owner puts it.
    [[nodiscard]] QSpinBox* threadsBox() const { return m_threads; }

private:
    void showControls();

    DocumentState& m_state;
    QComboBox* m_gap = nullptr;
    QSpinBox* m_limit = nullptr;
    QSpinBox* m_threads = nullptr;
};

}  // namespace poet
