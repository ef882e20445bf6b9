// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/cost_graph.h"
#include "core/graph/training_graph.h"

#include <cstdint>
#include <map>
#include <string>

namespace poet {

/// What one training step keeps and computes: the numbers of the import report. Bytes, multiply-accumulates, FLOP.
struct TrainingSummary {
    std::int64_t activationBytes = 0;  ///< forward tensors that backward reads, each once; without inputs and parameters
    std::int64_t indexElements = 0;    ///< the share of pooling and arg-max indices
    std::int64_t indexBytes = 0;
    std::int64_t maskElements = 0;     ///< the share of masks
    std::int64_t maskBytes = 0;
    std::int64_t heldBytes = 0;       ///< the share that is kept although its content is not read (Keeping::PyTorch)
    std::map<std::string, std::int64_t> bytesByOperator;  ///< of activationBytes, by the operation whose backward needs it
    std::int64_t inputBytes = 0;       ///< data and targets
    std::int64_t parameterBytes = 0;   ///< without buffers
    std::int64_t bufferBytes = 0;
    std::int64_t gradientBytes = 0;    ///< resident gradient buffers
    std::int64_t optimizerBytes = 0;
    double forwardMacs = 0;            ///< of convolutions and matrix products
    double backwardMacs = 0;
    double forwardFlops = 0;           ///< of everything
    double backwardFlops = 0;
    std::int64_t movedBytes = 0;       ///< read and written by all operations of one step

    /// FLOP a byte read or written, over the whole step.
    [[nodiscard]] double arithmeticIntensity() const;
    /// Weights, buffers, gradient buffers and optimizer state.
    [[nodiscard]] std::int64_t residentBytes() const { return parameterBytes + bufferBytes + gradientBytes + optimizerBytes; }
};

/// Pure; cost O(nodes + edges).
[[nodiscard]] TrainingSummary summarize(const TrainingGraph& graph);

/// The training graph as a cost graph in which nothing costs anything: for peaks and working sets without a device.
/// Resident bytes are those of the summary.
[[nodiscard]] CostGraph neutralCosts(const TrainingGraph& graph);

}  // namespace poet
