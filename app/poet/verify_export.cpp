// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/verify_export.h"

#include "core/export/firmware/verify_folder.h"

#include <filesystem>
#include <iostream>
#include <system_error>

namespace poet {

bool isExport(const std::string& path)
{
    std::error_code code;
    return path.ends_with(".poet") || std::filesystem::is_directory(path, code);
}

Expected<Exit> runVerifyExport(const std::string& path)
{
    POET_TRY(proof, firmware::verifyExport(path));
    std::cout << "arena     " << proof.program.arenaBytes << " B, used " << proof.facts.highWaterBytes << " B, peak " << proof.facts.peakBytes << " B\n";
    for (const ArenaRegion& region : proof.program.regions)
        std::cout << "  memory  " << region.bytes << " B" << (region.hasDma ? "" : ", out of reach of DMA") << '\n';
    std::cout << "moved     " << proof.facts.outBytes << " B out, " << proof.facts.inBytes << " B in\n"
              << "recompute " << proof.facts.recomputes << " nodes\n"
              << "verified: every rule holds" << (proof.hasSources ? ", and table, straight-line form, header and replay agree" : "") << '\n';
    return Exit::Done;
}

}  // namespace poet
