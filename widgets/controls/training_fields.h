// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/problem.h"

#include <QWidget>

class QComboBox;
class QLineEdit;

namespace poet {

/// How the model is trained: dimensions, data inputs, loss of each output, optimizer, frozen layers, element type, what is kept; as the
/// command's options of these names.
class TrainingFields : public QWidget {
    Q_OBJECT
public:
    explicit TrainingFields(QWidget* parent = nullptr);

    void showSetup(const ModelSetup& setup);
    /// Names of the outputs, as a help for the field of their losses.
    void setOutputs(const QStringList& names);
    /// Writes what the fields say into `setup`.
    void fill(ModelSetup& setup) const;

Q_SIGNALS:
    void edited();

private:
    void createFields();

    QLineEdit* m_dims = nullptr;
    QLineEdit* m_data = nullptr;
    QComboBox* m_loss = nullptr;
    QLineEdit* m_losses = nullptr;
    QComboBox* m_optimizer = nullptr;
    QLineEdit* m_freeze = nullptr;
    QComboBox* m_type = nullptr;
    QComboBox* m_keep = nullptr;
};

}  // namespace poet
