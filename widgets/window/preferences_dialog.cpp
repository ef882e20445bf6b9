// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/preferences_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLocale>
#include <QSettings>

#include <algorithm>

namespace poet {

using namespace Qt::StringLiterals;

PreferencesDialog::PreferencesDialog(QWidget* parent) : QDialog(parent)
{
    setObjectName(u"preferencesDialog"_s);
    setWindowTitle(tr("Preferences"));
    const QSettings settings;
    m_theme = new QComboBox;
    m_theme->setAccessibleName(tr("Appearance"));
    m_theme->addItem(tr("as the system"), QString());
    m_theme->addItem(tr("light"), u"light"_s);
    m_theme->addItem(tr("dark"), u"dark"_s);
    m_theme->setCurrentIndex(std::max(0, m_theme->findData(settings.value(u"theme"_s).toString())));
    m_language = new QComboBox;
    m_language->setAccessibleName(tr("Language"));
    m_language->addItem(u"English"_s, u"en"_s);
    m_language->addItem(u"Deutsch"_s, u"de"_s);
    m_language->setCurrentIndex(std::max(0, m_language->findData(settings.value(u"language"_s, QLocale::system().name().section(u'_', 0, 0)).toString())));
    m_language->setToolTip(tr("Counts when the program is started again"));
    m_wheel = new QCheckBox(tr("The wheel zooms the graph (otherwise it scrolls; Ctrl and wheel always zooms)"));
    m_wheel->setChecked(settings.value(u"wheelZooms"_s, true).toBool());
    m_automatic = new QCheckBox(tr("Search by itself when limits change (otherwise press F5)"));
    m_automatic->setChecked(settings.value(u"automaticSearch"_s, true).toBool());
    m_restore = new QCheckBox(tr("Open at the start what was open at the end, with its plans"));
    m_restore->setChecked(settings.value(u"restoreSession"_s, true).toBool());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* form = new QFormLayout(this);
    form->addRow(tr("Appearance"), m_theme);
    form->addRow(tr("Language"), m_language);
    form->addRow(m_wheel);
    form->addRow(m_automatic);
    form->addRow(m_restore);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_theme, &QComboBox::activated, this, [this] { Q_EMIT themeChosen(m_theme->currentData().toString()); });
    connect(m_language, &QComboBox::activated, this, [this] {
        QSettings().setValue(u"language"_s, m_language->currentData().toString());
        Q_EMIT languageChosen(m_language->currentData().toString());
    });
    connect(m_wheel, &QCheckBox::toggled, this, &PreferencesDialog::wheelZoomsChosen);
    connect(m_restore, &QCheckBox::toggled, this, [](bool restores) { QSettings().setValue(u"restoreSession"_s, restores); });
    connect(m_automatic, &QCheckBox::toggled, this, [this](bool isAutomatic) {
        QSettings().setValue(u"automaticSearch"_s, isAutomatic);
        Q_EMIT automaticChosen(isAutomatic);
    });
}

}  // namespace poet
