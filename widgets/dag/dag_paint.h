// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QColor>
#include <QPalette>

#include <vector>

namespace poet {

/// What decides the fill of a box.
enum class DagColoring { Decision, Operator, Bytes, Energy, Block };

/// Everything about a box that changes without moving it.
struct BoxLook {
    QColor fill;               ///< background of the box
    QColor stripe;             ///< phase: forward or backward
    Fate fate = Fate::Kept;    ///< of the tensor; for a block, the strongest of its members
    int pagedMembers = 0;
    int recomputedMembers = 0;
    bool hasState = false;     ///< a time cursor is set: `state` counts
    TensorState state = TensorState::InRam;
    bool isSelected = false;
    bool isHovered = false;
    bool isInput = false;      ///< of the selection
    bool isOutput = false;
    bool isFaded = false;
    bool operator==(const BoxLook&) const = default;
};

struct DagBox;
struct DagModel;

/// Fills by what a box is; `share` of the largest is 0 to 1. Blocks that are alike share a colour.
[[nodiscard]] QColor operatorFill(const DagModel& model, const QString& op, const QPalette& palette);
[[nodiscard]] QColor blockFill(const DagModel& model, const QString& block, const QPalette& palette);
[[nodiscard]] QColor bytesFill(double share, const QPalette& palette);
[[nodiscard]] QColor energyFill(double share, const QPalette& palette);
/// Joules of one run of every member.
[[nodiscard]] double boxEnergy(const DagBox& box, const CostGraph& graph);

/// Looks of all boxes for the present document. `palette` decides light or dark.
[[nodiscard]] std::vector<BoxLook> makeBoxLooks(const DagModel& model, const DocumentState& state, DagColoring coloring,
                                                const QPalette& palette);

/// Marks every ancestor of the selection as input and every descendant as output.
void markLineage(const DagModel& model, const DocumentState& state, std::vector<BoxLook>& looks);

}  // namespace poet
