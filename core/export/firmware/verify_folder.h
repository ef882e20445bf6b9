// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/firmware/verify.h"

#include <filesystem>
#include <string>

namespace poet::firmware {

/// What was proven of an exported file or folder.
struct ExportProof {
    Program program;
    ProgramFacts facts;
    bool hasSources = false;   ///< a folder: its C table, straight-line form and header were compared, too
};

/// Decodes a `.poet` file with its graph, or the one in an export folder's extras/, and proves it (verifyProgram). In a
/// folder the table in src/, the straight-line form, the header's numbers and the schedule's own replay must agree with it.
/// Errors: FileNotFound, InvalidSchedule with the first difference.
[[nodiscard]] Expected<ExportProof> verifyExport(const std::filesystem::path& path);

}  // namespace poet::firmware
