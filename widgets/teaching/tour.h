// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>

#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace poet {

/// One stop of the tour: a part of the window, and what it is for.
struct TourStop {
    std::function<QWidget*()> target;  ///< brings the part to the front and names it; null: the stop is passed over
    QString title;
    QString text;
};

/// A short way round a window: a card beside each part that it points at, the rest of the window dimmed. The part itself
/// can be used meanwhile. Enter or Right goes on, Left goes back, Esc leaves.
class Tour : public QFrame {
    Q_OBJECT
public:
    /// A child of `window`; shows nothing before start().
    Tour(std::vector<TourStop> stops, QWidget* window);
    ~Tour() override;

    void start();
    void move(int direction);
    void leave();
    [[nodiscard]] bool isRunning() const { return m_stop >= 0; }
    [[nodiscard]] int stop() const { return m_stop; }
    [[nodiscard]] int stopCount() const { return static_cast<int>(m_stops.size()); }
    /// What the present stop points at.
    [[nodiscard]] QWidget* target() const { return m_target; }

Q_SIGNALS:
    /// At the end, or when the user leaves.
    void ended();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Shade;

    void build();
    void show(int stop, int direction);
    void place();

    std::vector<TourStop> m_stops;
    int m_stop = -1;
    QPointer<QWidget> m_target;
    Shade* m_shade;
    QLabel* m_title = nullptr;
    QLabel* m_text = nullptr;
    QLabel* m_count = nullptr;
    QPushButton* m_back = nullptr;
    QPushButton* m_next = nullptr;
};

}  // namespace poet
