// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QStyle>
#include <QTimer>
#include <QWidget>

#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QToolButton;

namespace poet {

/// Plays and steps the time cursor one event at a time, each explained in a sentence.
class StepBar : public QWidget {
    Q_OBJECT
public:
    explicit StepBar(DocumentState& state, QWidget* parent = nullptr);
    void playOrPause();
    void move(int direction);
    void toEnd(bool isLast);
    void leave();
    [[nodiscard]] bool isPlaying() const { return m_timer.isActive(); }
    [[nodiscard]] QString sentence() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void showIcons();
    [[nodiscard]] int neighbour(int step, int direction) const;

    DocumentState& m_state;
    QTimer m_timer;
    QLabel* m_position = nullptr;
    QLabel* m_sentence = nullptr;
    QToolButton* m_play = nullptr;
    QComboBox* m_speed = nullptr;
    std::vector<std::pair<QToolButton*, QStyle::StandardPixmap>> m_icons;
    std::pair<bool, qint64> m_iconsShown{false, -1};  ///< playing, and key of the palette, for which the icons were made
};

}  // namespace poet
