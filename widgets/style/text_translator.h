// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QHash>
#include <QTranslator>

namespace poet {

/// Translations by the English text alone, from a table in `widgets/translations/` (format `poet-translation` version 1):
/// no tool is needed to build them, and a test finds every text that has none.
class TextTranslator : public QTranslator {
    Q_OBJECT
public:
    using QTranslator::QTranslator;
    /// The shipped table of a language ("de"). Errors: BadUsage for a language without one, BadModel.
    [[nodiscard]] Expected<void> loadLanguage(const QString& language);

    [[nodiscard]] QString translate(const char* context, const char* source, const char* disambiguation, int n) const override;
    [[nodiscard]] bool isEmpty() const override { return m_texts.isEmpty(); }
    [[nodiscard]] const QHash<QString, QString>& texts() const { return m_texts; }

private:
    QHash<QString, QString> m_texts;
};

}  // namespace poet
