// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/firmware/model.h"
#include "core/export/firmware/program.h"

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace poet::firmware {

/// Files of an exported folder by their path in it.
using FolderFiles = std::map<std::string, std::string>;

/// All that the folder is made from.
struct FolderInput {
    const Program* program = nullptr;
    const BoundModel* model = nullptr;
    std::string identifier;          ///< prefix of every external name: [a-z][a-z0-9_]*
    std::string parameters;          ///< initial parameter memory
    bool hasHostProgram = true;      ///< false: kernels are the user's, so nothing can be built yet
    Optimizer optimizer = Optimizer::Sgd;
    std::string device;              ///< profile id, for the header
    std::string planText;            ///< budget, deadline, strategy, gap in one line
    std::string scheduleJson;
    std::string buffersCsv;
    std::string report;
    std::vector<std::pair<std::string, std::string>> rows;  ///< per node: operator and shape of a measured row; empty: no calibration
    std::filesystem::path runtime;   ///< folder of the runtime sources
};

/// The files of the folder (firmware.md, section 1). Errors: FileNotFound when the runtime sources are not installed.
[[nodiscard]] Expected<FolderFiles> makeFolder(const FolderInput& input);

/// Writes them beside `folder` and renames; an existing folder is replaced only if it was written by this program, and files
/// in it that are not of the earlier export (extras/files.txt) stay. Errors: FileNotFound, BadUsage.
[[nodiscard]] Expected<void> writeFolder(const std::filesystem::path& folder, const FolderFiles& files);

/// "ResNet-18" -> "resnet_18": a C identifier in lower case.
[[nodiscard]] std::string identifierOf(std::string_view name);

/// Generated sources, one function a file.
[[nodiscard]] std::string headerSource(const FolderInput& input);
[[nodiscard]] std::string configSource(const FolderInput& input);
[[nodiscard]] std::string scheduleSource(const FolderInput& input);
[[nodiscard]] std::string graphSource(const FolderInput& input);
[[nodiscard]] std::string kernelsSource(const FolderInput& input);
[[nodiscard]] std::string runtimeSource(const FolderInput& input);
[[nodiscard]] std::string setupSource(const FolderInput& input);
[[nodiscard]] std::string internalHeader(const FolderInput& input);
[[nodiscard]] std::string straightSource(const FolderInput& input);
[[nodiscard]] std::string weightsSource(const FolderInput& input);

/// Kernels that the model calls, in alphabetical order: the kernel table.
[[nodiscard]] std::vector<std::string> kernelNames(const FolderInput& input);

}  // namespace poet::firmware
