// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace poet {

/// A shipped example: file, device, and the one-line lesson.
struct Example {
    QString title;
    QString lesson;
    QString path;
    QString device;
};

/// What the graph's place shows while no model is open.
class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);
    void setExamples(const std::vector<Example>& examples);
    void setRecentFiles(const QStringList& files);

Q_SIGNALS:
    void openAsked();
    void exampleChosen(const poet::Example& example);
    void recentChosen(const QString& path);
    void tourAsked();

private:
    QVBoxLayout* m_examples = nullptr;
    QVBoxLayout* m_recent = nullptr;
    QWidget* m_recentBox = nullptr;
};

}  // namespace poet
