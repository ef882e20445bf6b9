// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/style/colors.h"

#include <QApplication>
#include <QFontDatabase>
#include <QLocale>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

/// Fixed surroundings for every test of the window: style, font, palette, locale, settings in a temporary file.
#define POET_QTEST_MAIN(Class)                                                                             \
    int main(int argc, char** argv)                                                                        \
    {                                                                                                      \
        QTemporaryDir settings;                                                                            \
        QSettings::setDefaultFormat(QSettings::IniFormat);                                                 \
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());                   \
        QLocale::setDefault(QLocale::c());                                                                 \
        QApplication application(argc, argv);                                                              \
        QCoreApplication::setOrganizationName(QStringLiteral("poet-test"));                                \
        QApplication::setStyle(QStringLiteral("fusion"));                                                  \
        QApplication::setFont(QFont(QStringLiteral("DejaVu Sans"), 9));                                    \
        QApplication::setPalette(poet::style::lightPalette());                                             \
        Class test;                                                                                        \
        return QTest::qExec(&test, argc, argv);                                                            \
    }
