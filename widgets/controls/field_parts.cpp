// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/field_parts.h"

#include <QComboBox>
#include <QLineEdit>
#include <QRegularExpression>

namespace poet {

QLineEdit* textField(const QString& objectName, const QString& name, const QString& whenEmpty, const QString& tip)
{
    auto* field = new QLineEdit;
    field->setObjectName(objectName);
    field->setAccessibleName(name);
    field->setPlaceholderText(whenEmpty);
    field->setToolTip(tip);
    field->setMinimumWidth(60);
    return field;
}

QComboBox* choiceBox(const QString& objectName, const QString& name, const QString& tip)
{
    auto* box = new QComboBox;
    box->setObjectName(objectName);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(7);
    return box;
}

void whenEdited(QLineEdit* field, QObject* context, const std::function<void()>& work)
{
    QObject::connect(field, &QLineEdit::editingFinished, context, [field, work] {
        if (!field->isModified())
            return;
        field->setModified(false);
        work();
    });
}

QStringList listed(const QString& text)
{
    static const QRegularExpression separator(QStringLiteral("[,\\s]+"));
    return text.split(separator, Qt::SkipEmptyParts);
}

}  // namespace poet
