// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace poet {

class LimitSlider;

/// A limit as the user sets it: a named field with a button that resets it, a slider below, and a line that says how the
/// field was understood, or what is wrong with it.
class LimitRow : public QWidget {
    Q_OBJECT
public:
    struct Texts {
        QString id;          ///< object names are "memorySlider", "memoryField"
        QString label;       ///< with its mnemonic
        QString sliderName;  ///< for screen readers
        QString fieldName;
        QString fieldTip;
        QString resetTip;
    };

    explicit LimitRow(const Texts& texts, QWidget* parent = nullptr);

    [[nodiscard]] LimitSlider* slider() const { return m_slider; }
    [[nodiscard]] QLineEdit* field() const { return m_field; }
    /// Behind the field, before the button.
    void addBesideField(QWidget* widget);
    /// Between field and slider.
    void addBelowField(QWidget* widget);
    /// The present value, unless the user is typing.
    void showValue(const QString& text);
    void showUnderstood(const QString& text);
    /// In the colour of errors, behind a sign: the text in the field cannot be taken.
    void showProblem(const QString& text);
    [[nodiscard]] bool hasProblem() const { return m_hasProblem; }
    /// True when the user typed something that was not taken yet.
    [[nodiscard]] bool isTyped() const;

Q_SIGNALS:
    void resetAsked();

protected:
    void changeEvent(QEvent* event) override;

private:
    void colorMessage();

    LimitSlider* m_slider = nullptr;
    QLineEdit* m_field = nullptr;
    QLabel* m_sign = nullptr;
    QLabel* m_message = nullptr;
    QHBoxLayout* m_row = nullptr;
    QVBoxLayout* m_column = nullptr;
    bool m_hasProblem = false;
};

}  // namespace poet
