// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_loader.h"
#include "widgets/document/document_state.h"

#include <QWidget>

class QLabel;
class QTreeWidget;

namespace poet {

class DeviceBox;
class DeviceOptions;
class TrainingFields;

/// The opened model, its device and how training is set up; changing anything re-makes the problem.
class ModelPanel : public QWidget {
    Q_OBJECT
public:
    ModelPanel(DocumentState& state, const ModelReaders& readers, QWidget* parent = nullptr);

    /// Fills the device list; call again when profiles were added.
    void reloadDevices();
    [[nodiscard]] QString device() const;
    void setDevice(const QString& device);
    [[nodiscard]] ModelSetup setup() const;
    /// Shows `setup` in the fields, for the next model that is opened.
    void showSetup(const ModelSetup& setup);
    /// Shows the open problem's setup again, as after an edit that could not be read.
    void refresh();

Q_SIGNALS:
    /// The same model is to be opened with another setup.
    void setupEdited(const poet::ModelSetup& setup);
    void blockActivated(const QString& block);
    /// The device's numbers are to be seen and edited.
    void deviceEditAsked();
    /// What was read and how it was taken is to be seen.
    void reportAsked();

private:
    void createTexts();
    void createFields();
    void layOut();
    void connectFields();
    void showBlocks();
    void showDeviceText();
    void showChange();
    void showNotes();
    void emitEdited();

    DocumentState& m_state;
    const ModelReaders& m_readers;
    QLabel* m_title = nullptr;
    QLabel* m_facts = nullptr;
    QLabel* m_wall = nullptr;
    DeviceBox* m_device = nullptr;
    QLabel* m_deviceText = nullptr;
    DeviceOptions* m_options = nullptr;
    TrainingFields* m_training = nullptr;
    QLabel* m_change = nullptr;
    QLabel* m_freezing = nullptr;
    ProblemPtr m_before;  ///< the problem of the last refresh
    QTreeWidget* m_blocks = nullptr;
    QLabel* m_notes = nullptr;
};

}  // namespace poet
