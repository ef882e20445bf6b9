// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/graph/forward_graph.h"
#include "core/graph/training_graph.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace poet {

/// How to train: what the model options of the command say (architecture.md).
struct TrainingOptions {
    /// "cross-entropy" (from logits, or a Softmax output recognised), "bce", "mse", or "none" (the model's outputs are
    /// losses already). Several outputs: their losses are added; "OUTPUT=KIND:WEIGHT,..." gives each its own (loss_terms.h).
    /// Beside an output that is a loss already, the others take no part unless they are named.
    std::string loss = "cross-entropy";
    Optimizer optimizer = Optimizer::Sgd;
    /// What is not trained: name patterns of parameters with `*` and `?`, or a kind: `biases-only`, `norm-only`,
    /// `last:K` (only the last K layers that have parameters are trained).
    std::vector<std::string> freeze = {};
    /// What backward finds kept: what it needs, or what PyTorch keeps.
    Keeping keeping = Keeping::Lean;
    /// Element type of activations and weights; absent: as in the file.
    std::optional<ElementType> type = {};
};

/// Builds one training step: recognises patterns, adds the loss, backward with what each operation really reads, and
/// gradient accumulation, in execution order. `TrainingGraph::forward` is the graph after recognition; indices refer to it.
/// Errors: BadUsage (unknown loss, pattern that matches nothing), BadModel (nothing to train), UnsupportedOp.
/// Threads: pure. Cost: about linear in the operations. Source: training-graph.md.
[[nodiscard]] Expected<TrainingGraph> buildTrainingGraph(std::shared_ptr<const ForwardGraph> forward,
                                                         const TrainingOptions& options);

/// The options that `graph` was built with; its type is in TrainingGraph::forward, which may be built from again.
[[nodiscard]] TrainingOptions optionsOf(const TrainingGraph& graph);

/// The model of `graph` with nothing frozen and the same options otherwise. Errors: those of buildTrainingGraph.
[[nodiscard]] Expected<TrainingGraph> withNothingFrozen(const TrainingGraph& graph);

}  // namespace poet
