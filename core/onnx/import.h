// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/graph/forward_graph.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace poet::onnx {

/// How to read a model file.
struct ImportOptions {
    std::map<std::string, std::int64_t> dims = {};  ///< symbolic dimensions by name ("batch" -> 8); others are 1
    std::vector<std::string> dataInputs = {};        ///< inputs that are data whatever their name; the others are guessed
};

/// Reads "batch=8". Errors: BadUsage.
[[nodiscard]] Expected<std::pair<std::string, std::int64_t>> parseDim(std::string_view text);

/// Reads an ONNX file into a graph with every shape known: binds dimensions, tells data from weights, folds constants and
/// shape arithmetic, infers shapes. Operator sets 7 to 22. Weights are not loaded; external data need not exist.
/// Errors: FileNotFound; BadModel (truncated, cyclic, inconsistent); UnsupportedOp (If, Loop, sequences ...); UnknownShape;
/// BadUsage (a dimension or data input that the model does not have). Each names the node or value.
/// Threads: pure. Memory: a little more than the file without its weights.
[[nodiscard]] Expected<ForwardGraph> importModel(const std::filesystem::path& path, const ImportOptions& options);

/// As importModel, but with every value of the file, also those that only compute shapes and constants.
[[nodiscard]] Expected<ForwardGraph> inferModel(const std::filesystem::path& path, const ImportOptions& options);

/// What a model file asks for before it can be imported: named dimensions and inputs (for the dialog of the window).
struct ModelQuestions {
    std::vector<std::string> dims;        ///< symbolic dimension names, in file order
    std::vector<std::string> dataInputs;  ///< inputs taken for data
    std::vector<std::string> otherInputs; ///< inputs taken for weights
};
/// Errors: FileNotFound, BadModel.
[[nodiscard]] Expected<ModelQuestions> askModel(const std::filesystem::path& path);

}  // namespace poet::onnx
