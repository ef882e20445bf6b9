// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/verify_folder.h"

#include "core/base/files.h"
#include "core/export/firmware/c_folder.h"
#include "core/export/firmware/c_writer.h"
#include "core/export/firmware/packed.h"
#include "core/export/plan_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace poet::firmware {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> differs(const std::string& what)
{
    return fail(ErrorCode::InvalidSchedule, "The exported folder disagrees with itself: " + what + ".", "Export it again.");
}

/// Next unsigned number at or behind `at`, which moves behind it.
std::optional<std::uint64_t> nextNumber(std::string_view text, std::size_t& at)
{
    while (at < text.size() && (text[at] < '0' || text[at] > '9'))
        ++at;
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (code != std::errc{})
        return std::nullopt;
    at = static_cast<std::size_t>(end - text.data());
    return value;
}

/// Reads the table of records back out of the generated source.
std::vector<Instruction> readTable(std::string_view source)
{
    std::vector<Instruction> code;
    std::size_t at = source.find("_code[] = {");
    const std::size_t end = source.find("};", at == std::string_view::npos ? 0 : at);
    while (at != std::string_view::npos && (at = source.find("\n    {", at)) < end) {
        at += 6;
        const auto op = nextNumber(source, at), flags = nextNumber(source, at), id = nextNumber(source, at), arg = nextNumber(source, at);
        if (!op || !flags || !id || !arg)
            break;
        code.push_back({static_cast<OpCode>(*op), static_cast<std::uint8_t>(*flags), static_cast<std::uint16_t>(*id), static_cast<std::uint32_t>(*arg)});
    }
    return code;
}

Expected<void> checkMacro(const std::string& header, const std::string& name, std::uint64_t wanted)
{
    const std::string line = "#define " + name + " ";
    std::size_t at = header.find(line);
    if (at == std::string::npos)
        return differs("the header lacks " + name);
    at += line.size();
    const auto value = nextNumber(header, at);
    if (value != wanted)
        return differs(name + " is not " + std::to_string(wanted));
    return {};
}

Expected<void> checkSources(const fs::path& folder, const std::string& identifier, const Program& program)
{
    const std::string base = (folder / "src" / identifier).string(), big = upper(identifier);
    POET_TRY(table, readFile(base + "_schedule.c"));
    if (readTable(table) != program.code)
        return differs("the table in src/ is not the packed list of instructions");
    POET_TRY(straight, readFile(base + "_straight.c"));
    FolderInput input;
    input.program = &program;
    input.identifier = identifier;
    if (straight != straightSource(input))
        return differs("the straight-line form is not the packed list of instructions");
    POET_TRY(header, readFile(base + ".h"));
    POET_CHECK(checkMacro(header, big + "_ARENA_BYTES", program.arenaBytes));
    for (std::size_t r = 0; r < program.regions.size(); ++r)
        POET_CHECK(checkMacro(header, big + "_REGION_" + std::to_string(r) + "_BYTES", static_cast<std::uint64_t>(program.regions[r].bytes)));
    if (!program.regions.empty())
        POET_CHECK(checkMacro(header, big + "_REGIONS", program.regions.size()));
    POET_CHECK(checkMacro(header, big + "_N_TENSORS", program.nodes.size()));
    POET_CHECK(checkMacro(header, big + "_N_INSTR", program.code.size()));
    POET_CHECK(checkMacro(header, big + "_STORE_BLOCKS", program.storeBlocks));
    POET_CHECK(checkMacro(header, big + "_PRED_OUT_BYTES", program.outBytes));
    POET_CHECK(checkMacro(header, big + "_PRED_IN_BYTES", program.inBytes));
    POET_CHECK(checkMacro(header, big + "_PRED_ERASES", program.erases));
    return {};
}

bool isClose(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max({std::abs(a), std::abs(b), 1e-30}); }

Expected<void> checkPlan(const fs::path& file, const Program& program)
{
    POET_TRY(text, readFile(file));
    POET_TRY(plan, parsePlanFile(text, file.string()));  // replays it
    if (modelHash(plan.graph) != program.modelHash)
        return differs("the schedule is of another graph");
    const ReplayReport& replayed = plan.plan.replay;
    if (static_cast<std::uint64_t>(replayed.pagedOutBytes) != program.outBytes || static_cast<std::uint64_t>(replayed.pagedInBytes) != program.inBytes)
        return differs("the replayed schedule moves other bytes");
    const auto sameBytes = [](const ArenaRegion& a, const ArenaRegion& b) { return a.bytes == b.bytes && a.hasDma == b.hasDma; };
    if (!std::ranges::equal(replayed.schedule.regions, program.regions, sameBytes))
        return differs("the schedule names other memories");
    if (!isClose(replayed.energyJoules, static_cast<double>(program.joules)) || !isClose(replayed.seconds, static_cast<double>(program.seconds)))
        return differs("the replayed schedule has another energy or time");
    return {};
}

Expected<ExportProof> prove(const fs::path& file)
{
    POET_TRY(bytes, readFile(file));
    ExportProof proof;
    POET_TRY(program, decode(bytes, nullptr));
    proof.program = std::move(program);
    POET_TRY(facts, verifyProgram(proof.program));
    proof.facts = facts;
    return proof;
}

}  // namespace

Expected<ExportProof> verifyExport(const fs::path& path)
{
    std::error_code code;
    if (!fs::is_directory(path, code))
        return prove(path);
    std::vector<fs::path> binaries;
    for (const auto& entry : fs::directory_iterator(path / "extras", code))
        if (entry.path().extension() == ".poet")
            binaries.push_back(entry.path());
    if (binaries.size() != 1)
        return fail(ErrorCode::FileNotFound, "'" + path.string() + "' holds no exported schedule in extras/.", "Give a folder made by 'poet export --format c'.");
    POET_TRY(proof, prove(binaries.front()));
    const std::string identifier = binaries.front().stem().string();
    POET_CHECK(checkSources(path, identifier, proof.program));
    POET_CHECK(checkPlan(path / "extras" / (identifier + ".schedule.json"), proof.program));
    proof.hasSources = true;
    return proof;
}

}  // namespace poet::firmware
