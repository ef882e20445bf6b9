// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/inspector/node_search.h"

#include <QLineEdit>

class QListWidget;

namespace poet {

/// Searches while typing; the results drop down below it, Enter and F3 go to the next, Shift+F3 to the previous.
class SearchField : public QLineEdit {
    Q_OBJECT
public:
    explicit SearchField(DocumentState& state, QWidget* parent = nullptr);
    void next(int direction);
    [[nodiscard]] const std::vector<NodeId>& results() const { return m_results; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void search();
    void showResults();
    void go(int index);

    DocumentState& m_state;
    QListWidget* m_list = nullptr;
    std::vector<NodeId> m_results;
    int m_current = -1;
};

}  // namespace poet
