// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/device/device_draft.h"
#include "widgets/document/document_state.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace poet {

struct DeviceEntry;
class DeviceBox;
class QuantityModel;
class SensitivityPanel;

/// Edits a copy of a device profile: every number with its origin, beside those of another device; sliders for the
/// uncertain ones with the plans that they decide between; measured rows. Saves new files, never shipped ones.
class DeviceEditor : public QDialog {
    Q_OBJECT
public:
    DeviceEditor(DocumentState& state, QWidget* parent = nullptr);

    /// Starts a new draft from a profile. What was edited before is gone. Errors: those of ProfileStore::find.
    [[nodiscard]] Expected<void> edit(const QString& device);
    /// To compare with.
    void setDevices(const QList<DeviceEntry>& entries);
    void compareWith(const QString& device);
    void importRows(const QString& file);
    /// Writes the draft. Errors: those of DeviceDraft::save.
    [[nodiscard]] Expected<void> save(const QString& file);

    [[nodiscard]] const DeviceDraft& draft() const { return m_draft; }
    [[nodiscard]] QuantityModel& model() { return *m_model; }
    [[nodiscard]] SensitivityPanel& sensitivity() { return *m_sensitivity; }
    [[nodiscard]] QString note() const;
    void reject() override { close(); }

Q_SIGNALS:
    /// A profile was saved and shall be the open model's device.
    void deviceSaved(const QString& file);

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void build();
    QWidget* buildTable();
    QWidget* buildSensitivity();
    void draftEdited();
    void judge();
    void showNote(const QString& text);
    void askRows();
    void askSave();
    [[nodiscard]] bool mayLoseEdits();

    DocumentState& m_state;
    DeviceDraft m_draft;
    bool m_isSaved = true;
    bool m_isJudging = false;
    bool m_isJudgedLate = false;  ///< edited again meanwhile
    QuantityModel* m_model = nullptr;
    SensitivityPanel* m_sensitivity = nullptr;
    QLineEdit* m_id = nullptr;
    QLineEdit* m_name = nullptr;
    DeviceBox* m_other = nullptr;
    QTableView* m_table = nullptr;
    QLabel* m_note = nullptr;
    QPushButton* m_save = nullptr;
};

}  // namespace poet
