// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_loader.h"

#include <QComboBox>

namespace poet {

/// Devices to choose from, in groups by where their numbers come from; each row with what the device has. A name that
/// does not fit ends in dots, its tool tip has all of it. Profile files that were used are remembered as the user's own.
class DeviceBox : public QComboBox {
    Q_OBJECT
public:
    explicit DeviceBox(QWidget* parent = nullptr);

    /// Fills the list anew; `none` is the text of a first row without a device, empty for no such row. The chosen device
    /// stays.
    void setDevices(const QList<DeviceEntry>& entries, const QString& none = {});
    /// Id or path of the chosen device; empty: none.
    [[nodiscard]] QString device() const { return currentData().toString(); }
    /// Chooses a device; a path that is not in the list becomes one of the user's own, an unknown id chooses none.
    void setDevice(const QString& device);
    /// Profile files that the user has used and that still exist.
    [[nodiscard]] static QStringList ownFiles();

    void showPopup() override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void addHeading(const QString& text);
    void addDevice(const DeviceEntry& entry);
    void updateTip();
};

}  // namespace poet
