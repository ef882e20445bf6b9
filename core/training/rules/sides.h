// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/training/rules/rule.h"

namespace poet::training {

/// Side output of an operation that selects: for each element of output 0 the place of it in input 0, 8 bytes each as
/// frameworks keep them. `flops` of the selection.
[[nodiscard]] SideOutput selectedIndices(const OpView& view, double flops);

/// PyTorch keeps the input of the operation although its gradients may ask for no more than the shape.
void holdInput(const OpView& view, OpPlan& plan);

/// Makes the operation a part of its input's memory, as frameworks do, when that is computed in the step: whoever keeps the
/// part keeps the whole. A batched product copies what does not lie in one piece, so its operands stay copies.
void makePart(const OpView& view, OpPlan& plan);

}  // namespace poet::training
