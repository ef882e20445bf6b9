// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QString>

#include <vector>

namespace poet {

/// A typed search: words that must all occur in the name, and filters `type:Conv`, `shape:64`, `size>64K`, `size<1M`,
/// `decision:paged|recomputed|kept`, `phase:forward|backward`.
struct NodeQuery {
    QStringList words;
    QStringList types;
    QStringList shapes;
    QStringList decisions;
    QStringList phases;
    std::int64_t largerThan = -1;   ///< bytes; -1: no limit
    std::int64_t smallerThan = -1;
    QString problem;                ///< what was not understood; empty if all was
};

[[nodiscard]] NodeQuery parseNodeQuery(const QString& text);
/// Nodes that match, in execution order. Cost: O(nodes).
[[nodiscard]] std::vector<NodeId> findNodes(const DocumentState& state, const NodeQuery& query);

}  // namespace poet
