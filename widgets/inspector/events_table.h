// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/inspector/events_model.h"

#include <QSortFilterProxyModel>
#include <QTableView>

namespace poet {

/// The events as a sortable table; its current row is the document's selection.
class EventsTable : public QTableView {
    Q_OBJECT
public:
    explicit EventsTable(DocumentState& state, QWidget* parent = nullptr);
    /// All rows, in the order that is shown.
    [[nodiscard]] EventRows rows() const;

private:
    void followSelection();

    DocumentState& m_state;
    EventsModel* m_events;
    QSortFilterProxyModel* m_sorted;
    bool m_isFollowing = false;
};

}  // namespace poet
