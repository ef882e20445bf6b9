// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_loader.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace poet {

/// How the device is used: transfers, kernel library, page store and its limits, period, caution; as the command's options
/// of these names. Choices that are seldom made are folded away.
class DeviceOptions : public QWidget {
    Q_OBJECT
public:
    explicit DeviceOptions(QWidget* parent = nullptr);

    /// What the device offers; the first of each is its default.
    void setChoices(const DeviceChoices& choices);
    void showSetup(const ModelSetup& setup);
    void fill(ModelSetup& setup) const;

Q_SIGNALS:
    void edited();

private:
    void createFields();

    QComboBox* m_transfer = nullptr;
    QComboBox* m_library = nullptr;
    QComboBox* m_store = nullptr;
    QLineEdit* m_capacity = nullptr;
    QLineEdit* m_written = nullptr;
    QLineEdit* m_lifetime = nullptr;
    QLineEdit* m_period = nullptr;
    QCheckBox* m_cautious = nullptr;
    QWidget* m_more = nullptr;
};

}  // namespace poet
