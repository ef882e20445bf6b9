// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/graph/cost_graph.h"

#include <memory>
#include <string>
#include <vector>

namespace poet::bench {

/// A network on a device. Cost graphs carry their device; ONNX files are costed with a shipped profile.
struct BenchCase {
    std::string network;  ///< as printed
    std::string device;
    std::string path;     ///< absolute: NAME.graph.json or NAME.onnx
};

/// The named list: the paper's networks on its devices (outside reference data), then the example networks on the
/// paper's A72, a Raspberry Pi 4 and, where they are small enough to mean something, microcontrollers.
[[nodiscard]] std::vector<BenchCase> benchCases();

/// Ten cases of 19 to 133 nodes for the comparison with the published program, each with its %span.
struct ComparisonCase {
    BenchCase benchCase;
    int spanPercent = 50;
};
[[nodiscard]] std::vector<ComparisonCase> comparisonCases();

/// Reads or builds the cost graph. Errors: those of the readers; FileNotFound where a file is absent.
[[nodiscard]] Expected<std::shared_ptr<const CostGraph>> loadCase(const BenchCase& benchCase);

}  // namespace poet::bench
