// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/device/device_draft.h"

#include <QAbstractTableModel>

#include <optional>

namespace poet {

/// Every number of a draft with its origin, beside those of another profile; values can be edited.
class QuantityModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { NumberColumn, ValueColumn, OtherColumn, SpreadColumn, OriginColumn, SourceColumn, ColumnCount };

    explicit QuantityModel(DeviceDraft& draft, QObject* parent = nullptr);

    /// The draft was changed from outside.
    void refresh();
    void setOther(std::optional<DeviceProfile> other);
    [[nodiscard]] std::string pathAt(int row) const;
    /// Rows whose value is not that of the other profile, or that it lacks.
    [[nodiscard]] bool isDifferent(int row) const;
    [[nodiscard]] bool isEdited(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void edited();
    /// A typed value was refused, and why.
    void refused(const QString& message);

private:
    struct Row {
        QString path;
        QString value;
        QString other;
        QString spread;
        QString origin;
        QString source;
        bool isEdited = false;
        bool isDifferent = false;
    };

    DeviceDraft& m_draft;
    std::optional<DeviceProfile> m_other;
    std::vector<Row> m_rows;
};

}  // namespace poet
