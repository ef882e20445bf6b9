// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/problem.h"

#include <set>

/// Small problems and schedules whose numbers can be checked by hand.
namespace poet::test {

/// A chain of `length` forward nodes with a loss and their backward nodes; 1 KiB to 8 KiB tensors, 1 mJ and 1 ms an
/// operation, 0.5 mJ and 2 ms a page; names "op0" ... and "op0" + prime; blocks "block0" of three nodes when asked for.
[[nodiscard]] CostGraph chainGraph(int length, TransferModel transfer = TransferModel::Blocking);
[[nodiscard]] ProblemPtr chainProblem(int length, TransferModel transfer = TransferModel::Blocking, bool hasBlocks = false);

/// Keep-all, except that the given forward tensors are written out at once and read back for their first backward use.
[[nodiscard]] Schedule pagedSchedule(const CostGraph& graph, const std::set<NodeId>& paged);

/// A plan with that schedule, replayed. Peak, energy and time are the replay's.
[[nodiscard]] PlanPtr planOf(const Problem& problem, const Schedule& schedule, Strategy strategy = Strategy::Integrated);

/// The cheapest of a fixed family of paged schedules that fits `memoryBytes`; null if none does.
[[nodiscard]] PlanPtr scriptedAnswer(const Problem& problem, std::int64_t memoryBytes);

}  // namespace poet::test
