// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QCheckBox;
class QComboBox;

namespace poet {

/// What the program remembers of a user's taste; each change counts at once and is kept in the settings.
class PreferencesDialog : public QDialog {
    Q_OBJECT
public:
    explicit PreferencesDialog(QWidget* parent = nullptr);

    [[nodiscard]] QComboBox* themeBox() const { return m_theme; }
    [[nodiscard]] QComboBox* languageBox() const { return m_language; }
    [[nodiscard]] QCheckBox* wheelBox() const { return m_wheel; }
    [[nodiscard]] QCheckBox* automaticBox() const { return m_automatic; }
    [[nodiscard]] QCheckBox* restoreBox() const { return m_restore; }

Q_SIGNALS:
    void themeChosen(const QString& theme);        ///< "light", "dark"; empty: the system's
    void languageChosen(const QString& language);  ///< "en", "de"
    void wheelZoomsChosen(bool zooms);
    void automaticChosen(bool isAutomatic);        ///< search by itself when limits change

private:
    QComboBox* m_theme = nullptr;
    QComboBox* m_language = nullptr;
    QCheckBox* m_wheel = nullptr;
    QCheckBox* m_automatic = nullptr;
    QCheckBox* m_restore = nullptr;
};

}  // namespace poet
