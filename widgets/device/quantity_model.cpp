// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/device/quantity_model.h"

#include "core/device/device_report.h"
#include "widgets/style/text.h"

#include <QFont>

#include <algorithm>
#include <map>

namespace poet {

namespace {

/// A path with the place of a named thing instead of its name: the first operating point of one device stands beside the
/// first of another, whatever they are called. `names` collects the names by list, in their order.
std::string byPlace(const std::string& path, std::map<std::string, std::vector<std::string>>& names)
{
    const auto open = path.find('[');
    const auto close = path.find(']');
    if (open == std::string::npos || close == std::string::npos)
        return path;
    std::vector<std::string>& known = names[path.substr(0, open)];
    const std::string name = path.substr(open + 1, close - open - 1);
    auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end())
        at = known.insert(known.end(), name);
    return path.substr(0, open) + '#' + std::to_string(at - known.begin()) + path.substr(close + 1);
}

}  // namespace

QuantityModel::QuantityModel(DeviceDraft& draft, QObject* parent) : QAbstractTableModel(parent), m_draft(draft) { refresh(); }

void QuantityModel::setOther(std::optional<DeviceProfile> other)
{
    m_other = std::move(other);
    refresh();
}

void QuantityModel::refresh()
{
    std::vector<Row> rows;
    std::map<std::string, NamedQuantity> original;
    for (const NamedQuantity& named : quantities(m_draft.original()))
        original.emplace(named.path, named);
    std::map<std::string, NamedQuantity> other;
    std::map<std::string, std::vector<std::string>> otherNames;
    std::map<std::string, std::vector<std::string>> ownNames;
    if (m_other)
        for (const NamedQuantity& named : quantities(*m_other))
            other.emplace(byPlace(named.path, otherNames), named);
    for (const NamedQuantity& named : quantities(m_draft.profile())) {
        const QuantityText shown = describe(named);
        Row row{text::from(shown.path), text::shown(shown.value), {}, text::shown(shown.spread), text::from(shown.origin), text::from(shown.source), false, false};
        if (!shown.mark.empty())
            row.origin += QStringLiteral(", ") + text::from(shown.mark);
        const auto old = original.find(named.path);
        row.isEdited = old == original.end() || *old->second.quantity != *named.quantity;
        if (m_other) {
            const auto theirs = other.find(byPlace(named.path, ownNames));
            row.other = theirs == other.end() ? QStringLiteral("\u2013") : text::shown(describe(theirs->second).value);
            row.isDifferent = theirs == other.end() || theirs->second.quantity->value != named.quantity->value;
        }
        rows.push_back(std::move(row));
    }
    if (rows.size() == m_rows.size()) {  // keeps selection and scroll position
        m_rows = std::move(rows);
        if (!m_rows.empty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        Q_EMIT headerDataChanged(Qt::Horizontal, OtherColumn, OtherColumn);
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

std::string QuantityModel::pathAt(int row) const { return text::to(m_rows[static_cast<std::size_t>(row)].path); }
bool QuantityModel::isDifferent(int row) const { return m_rows[static_cast<std::size_t>(row)].isDifferent; }
bool QuantityModel::isEdited(int row) const { return m_rows[static_cast<std::size_t>(row)].isEdited; }

int QuantityModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }
int QuantityModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant QuantityModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || static_cast<std::size_t>(index.row()) >= m_rows.size())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::FontRole && ((index.column() == ValueColumn && row.isEdited) || (index.column() == OtherColumn && row.isDifferent))) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    if (role == Qt::ToolTipRole && index.column() == ValueColumn)
        return row.isEdited ? tr("Edited. Type a value with its unit; Delete takes the profile's own number back.") : tr("Double-click to type another value, such as 12 mW.");
    if (role == Qt::ToolTipRole)
        return index.column() == SourceColumn ? row.source : row.path;
    if (role != Qt::DisplayRole && role != Qt::EditRole)
        return {};
    switch (index.column()) {
    case NumberColumn: return row.path;
    case ValueColumn: return row.value;
    case OtherColumn: return row.isDifferent ? QStringLiteral("\u2260 ") + row.other : row.other;
    case SpreadColumn: return row.spread;
    case OriginColumn: return row.origin;
    case SourceColumn: return row.source;
    default: return {};
    }
}

QVariant QuantityModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    switch (section) {
    case NumberColumn: return tr("Number");
    case ValueColumn: return tr("Value");
    case OtherColumn: return m_other ? text::from(m_other->id) : tr("Compared");
    case SpreadColumn: return tr("Spread");
    case OriginColumn: return tr("Origin");
    case SourceColumn: return tr("Source");
    default: return {};
    }
}

Qt::ItemFlags QuantityModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == ValueColumn ? flags | Qt::ItemIsEditable : flags;
}

bool QuantityModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !index.isValid() || index.column() != ValueColumn)
        return false;
    const std::string path = pathAt(index.row());
    if (value.toString().trimmed().isEmpty()) {
        m_draft.reset(path);
    } else if (const auto done = m_draft.setText(path, text::typed(value.toString().trimmed())); !done) {
        Q_EMIT refused(text::from(done.error().text()));
        return false;
    }
    refresh();
    Q_EMIT edited();
    return true;
}

}  // namespace poet
