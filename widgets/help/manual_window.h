// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/help/manual.h"

#include <QDialog>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace poet {

/// The manual and its glossary: a list to search in, and the text. Typing filters, Enter reads the first hit.
class ManualWindow : public QDialog {
    Q_OBJECT
public:
    explicit ManualWindow(QWidget* parent = nullptr);

    /// False when there is no such topic.
    bool showTopic(const QString& id);
    [[nodiscard]] QString topic() const { return m_topic; }
    [[nodiscard]] QLineEdit* searchField() const { return m_search; }
    [[nodiscard]] int shownCount() const;
    [[nodiscard]] QString text() const;

private:
    void build();
    void fillList();
    void read(int index);
    void markFound();

    std::vector<HelpTopic> m_topics;
    QString m_topic;
    QLineEdit* m_search = nullptr;
    QListWidget* m_list = nullptr;
    QTextBrowser* m_text = nullptr;
};

}  // namespace poet
