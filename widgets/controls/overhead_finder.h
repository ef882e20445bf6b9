// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QWidget>

class QDoubleSpinBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace poet {

class OverheadSearch;

/// "How little memory is enough if a step may need 5 % more energy?": asks, shows how far the search is, and hands the
/// memory on.
class OverheadFinder : public QWidget {
    Q_OBJECT
public:
    OverheadFinder(DocumentState& state, OverheadSearch& search, QWidget* parent = nullptr);

    [[nodiscard]] QDoubleSpinBox* percentBox() const { return m_percent; }
    [[nodiscard]] QPushButton* button() const { return m_button; }
    [[nodiscard]] QString message() const;

Q_SIGNALS:
    /// The memory limit is to be this.
    void memoryFound(qint64 bytes);

private:
    void build();
    void show();
    [[nodiscard]] QString describe() const;

    DocumentState& m_state;
    OverheadSearch& m_search;
    QDoubleSpinBox* m_percent = nullptr;
    QPushButton* m_button = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_message = nullptr;
};

}  // namespace poet
