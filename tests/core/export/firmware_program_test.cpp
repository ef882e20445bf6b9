// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// Lowering, packed form and verifier on random graphs and schedules; the interpreter of the runtime on the same programs.
#include "core/export/firmware/packed.h"
#include "core/export/firmware/verify.h"
#include "core/export/firmware/views.h"
#include "tests/core/export/firmware_machine.h"
#include "tests/core/export/firmware_random.h"

#include <gtest/gtest.h>

namespace poet::firmware::test {
namespace {

/// A random program of either transfer model; empty code when the random schedule was not possible.
Program randomProgram(unsigned seed, CostGraph& graph)
{
    std::mt19937 random(seed);
    graph = randomGraph(random, 3 + static_cast<int>(seed % 10));
    Schedule schedule = seed % 7 == 0 ? keepAllSchedule(graph) : RandomScheduler(graph, random).run();
    const bool isDma = seed % 3 == 0;
    if (isDma)
        schedule = overlapTransfers(graph, std::move(schedule), random);
    const Plan plan = planOf(graph, isDma ? TransferModel::Dma : TransferModel::Blocking, schedule);
    LowerOptions options;
    options.alignment = seed % 2 == 0 ? 8 : 4;
    options.arenaSeconds = 1;
    options.arenaLimitBytes = 1 << 20;
    if (seed % 4 == 1)  // a small memory that DMA does not reach, and a large one
        options.regions = {{"dtcm", 64 + plan.replay.peakBytes * (1 + seed % 3) / 4, false}, {"sram", plan.replay.peakBytes * 4 + 1024, true}};
    auto program = lower(graph, plan, options);
    EXPECT_TRUE(program.has_value()) << (program ? "" : program.error().text());
    return program ? *program : Program{};
}

LowerOptions roomy()
{
    LowerOptions options;
    options.arenaLimitBytes = 1 << 20;
    return options;
}

TEST(FirmwareProgram, everyLoweredScheduleIsProven)
{
    int recomputes = 0, pages = 0, flying = 0, inTwoMemories = 0;
    for (unsigned seed = 1; seed <= 400; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        CostGraph graph;
        const Program program = randomProgram(seed, graph);
        const auto facts = verifyProgram(program);
        ASSERT_TRUE(facts.has_value()) << facts.error().text();
        EXPECT_LE(facts->highWaterBytes, program.arenaBytes);
        recomputes += facts->recomputes;
        inTwoMemories += program.regions.empty() ? 0 : 1;
        pages += static_cast<int>(program.pages.size());
        flying += static_cast<int>(std::ranges::count_if(program.code, [](const Instruction& i) { return i.op == OpCode::Wait; }));
    }
    EXPECT_GT(recomputes, 100);
    EXPECT_GT(pages, 100);
    EXPECT_GT(flying, 20);
    EXPECT_GT(inTwoMemories, 50);
}

TEST(FirmwareProgram, packedFormReadsBackEqual)
{
    std::size_t bytes = 0, instructions = 0;
    for (unsigned seed = 1; seed <= 400; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        CostGraph graph;
        const Program program = randomProgram(seed, graph);
        for (const bool withGraph : {true, false}) {
            const std::string packed = encode(program, withGraph);
            EXPECT_EQ(hasGraph(packed), withGraph);
            const auto back = decode(packed, withGraph ? nullptr : &program);
            ASSERT_TRUE(back.has_value()) << back.error().text();
            EXPECT_EQ(back->code, program.code);
            EXPECT_EQ(back->nodes, program.nodes);
            EXPECT_EQ(back->pages, program.pages);
            const auto sameMemory = [](const ArenaRegion& a, const ArenaRegion& b) { return a.bytes == b.bytes && a.hasDma == b.hasDma; };
            EXPECT_TRUE(std::ranges::equal(back->regions, program.regions, sameMemory));
            EXPECT_EQ(back->modelHash, program.modelHash);
            EXPECT_EQ(encode(*back, withGraph), packed);
        }
        bytes += encode(program, false).size() - kPackedHeaderBytes;
        instructions += program.code.size();
    }
    EXPECT_LE(static_cast<double>(bytes), 4.0 * static_cast<double>(instructions));
}

TEST(FirmwareProgram, damagedFilesAreRefusedOrProvenEqual)
{
    std::mt19937 random(11);
    for (unsigned seed = 1; seed <= 60; ++seed) {
        CostGraph graph;
        const std::string packed = encode(randomProgram(seed, graph), true);
        for (int k = 0; k < 40; ++k) {
            std::string damaged = packed;
            damaged[random() % damaged.size()] = static_cast<char>(random());
            if (below(random, 4) == 0)
                damaged.resize(random() % damaged.size());
            if (damaged != packed) {
                EXPECT_FALSE(decode(damaged, nullptr).has_value());
            }
        }
    }
}

TEST(FirmwareProgram, randomBytesBehindAGoodHeaderNeverCrash)
{
    std::mt19937 random(5);
    int accepted = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
        CostGraph graph;
        const Program program = randomProgram(seed, graph);
        const std::string packed = encode(program, true);
        for (int k = 0; k < 60; ++k) {
            std::string damaged = packed;
            for (unsigned i = 0; i <= below(random, 3); ++i)
                damaged[kPackedHeaderBytes + random() % (damaged.size() - kPackedHeaderBytes)] = static_cast<char>(random());
            repairCrc(damaged);
            const auto read = decode(damaged, nullptr);
            if (!read || !verifyProgram(*read))
                continue;
            ++accepted;  // then it must still be right
            EXPECT_EQ(runSymbolically(*read, *read), "") << "seed " << seed;
        }
    }
    EXPECT_GT(accepted, 0);
}

TEST(FirmwareProgram, theInterpreterGivesTheSameBytesUnderEverySchedule)
{
    for (unsigned seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        CostGraph graph;
        const Program program = randomProgram(seed, graph);
        const auto reference = lower(graph, planOf(graph, TransferModel::Blocking, keepAllSchedule(graph)), roomy());
        ASSERT_TRUE(reference.has_value());
        const MachineResult truth = runMachine(*reference), got = runMachine(program);
        ASSERT_EQ(truth.code, 0);
        ASSERT_EQ(got.code, 0) << "instruction " << got.instruction << " id " << got.id;
        EXPECT_EQ(got.backward, truth.backward);
        EXPECT_EQ(got.outBytes, program.outBytes);
        EXPECT_EQ(got.inBytes, program.inBytes);
    }
}

/// One random change of the instruction list, as a flipped bit or a bad tool would make it.
Program mutate(const Program& program, std::mt19937& random)
{
    Program changed = program;
    const std::size_t at = random() % changed.code.size(), other = random() % changed.code.size();
    const auto iterator = changed.code.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(random, 6)) {
    case 0: changed.code.erase(iterator); break;
    case 1: std::swap(changed.code[at], changed.code[other]); break;
    case 2: changed.code.insert(iterator, *iterator); break;
    case 3: changed.code[at].arg = changed.alignment * below(random, changed.arenaBytes / changed.alignment + 1); break;
    case 4:
        if (!changed.pages.empty())
            changed.code[at].arg = below(random, static_cast<unsigned>(changed.pages.size()));
        break;
    default: changed.code[at].id = static_cast<std::uint16_t>(below(random, static_cast<unsigned>(changed.nodes.size()))); break;
    }
    return changed;
}

TEST(FirmwareProgram, noMutationComputesWrongGradients)
{
    std::mt19937 random(2026);
    int rejected = 0, harmless = 0, stopped = 0;
    for (unsigned seed = 1; seed <= 150; ++seed) {
        CostGraph graph;
        const Program program = randomProgram(seed, graph);
        const MachineResult truth = runMachine(program);
        for (int k = 0; k < 20; ++k) {
            SCOPED_TRACE("seed " + std::to_string(seed) + ", mutation " + std::to_string(k));
            const Program changed = mutate(program, random);
            if (changed.code == program.code)
                continue;
            const bool isProven = verifyProgram(changed).has_value();
            if (isProven) {
                EXPECT_EQ(runSymbolically(changed, program), "");
            }
            const MachineResult got = runMachine(changed);
            if (got.code != 0)
                ++stopped;
            else
                EXPECT_EQ(got.backward, truth.backward) << "the checked interpreter let a wrong gradient pass";
            ++(isProven ? harmless : rejected);
        }
    }
    std::cout << rejected << " mutations rejected, " << harmless << " proven harmless; the interpreter stopped " << stopped << '\n';
    EXPECT_GE(rejected + harmless, 1000);
    EXPECT_GT(rejected, harmless);
}

/// Drops, swaps, duplicates or moves one instruction with its operand.
Program rearrange(const Program& program, int kind, std::mt19937& random)
{
    std::vector<std::vector<Instruction>> records;
    for (const Instruction& i : program.code)
        if (i.op == OpCode::Ext)
            records.back().push_back(i);
        else
            records.push_back({i});
    const std::size_t at = random() % records.size(), other = random() % records.size();
    const std::vector<Instruction> taken = records[at];
    const auto place = [&](std::size_t index) { return records.begin() + static_cast<std::ptrdiff_t>(index); };
    if (kind == 1) {
        std::swap(records[at], records[other]);
    } else {
        if (kind != 2)
            records.erase(place(at));
        if (kind >= 2)
            records.insert(place(kind == 2 ? at : std::min(other, records.size())), taken);
    }
    Program changed = program;
    changed.code.clear();
    for (const auto& record : records)
        changed.code.insert(changed.code.end(), record.begin(), record.end());
    return changed;
}

TEST(FirmwareProgram, exportedBinariesThatWereRearrangedAreRejectedOrHarmless)
{
    static constexpr const char* kNames[] = {"drop", "swap", "duplicate", "move"};
    std::mt19937 random(77);
    for (int kind = 0; kind < 4; ++kind) {
        int rejected = 0, harmless = 0;
        for (unsigned seed = 1; seed <= 120; ++seed) {
            CostGraph graph;
            const Program program = randomProgram(seed, graph);
            const MachineResult truth = runMachine(program);
            for (int k = 0; k < 5; ++k) {
                SCOPED_TRACE(std::string(kNames[kind]) + ", seed " + std::to_string(seed));
                const Program changed = rearrange(program, kind, random);
                if (changed.code == program.code)
                    continue;
                const auto read = decode(encode(changed, true), nullptr);
                if (!read || !verifyProgram(*read)) {
                    ++rejected;
                    continue;
                }
                ++harmless;  // independent instructions in another order
                EXPECT_EQ(runSymbolically(*read, program), "");
                EXPECT_EQ(runMachine(*read).backward, truth.backward);
                EXPECT_TRUE(kind == 1 || kind == 3) << "nothing can be left out or done twice";
            }
        }
        std::cout << kNames[kind] << ": " << rejected << " rejected, " << harmless << " harmless\n";
        EXPECT_GT(rejected, 100);
    }
}

TEST(FirmwareProgram, aTensorAcrossTwoMemoriesOrOutOfReachIsRefused)
{
    int across = 0, outOfReach = 0;
    for (unsigned seed = 1; seed <= 200; seed += 4) {
        CostGraph graph;
        Program program = randomProgram(seed, graph);
        if (program.regions.empty())
            continue;
        Program moved = program;  // the border, into the middle of a tensor
        for (const Instruction& i : program.code)
            if (i.op == OpCode::Compute && program.nodes[i.id].bytes > program.alignment && i.arg + program.nodes[i.id].bytes < program.regions[0].bytes) {
                moved.regions[1].bytes += moved.regions[0].bytes - i.arg - program.alignment;
                moved.regions[0].bytes = i.arg + program.alignment;
                break;
            }
        if (moved.regions != program.regions) {
            ++across;
            EXPECT_FALSE(verifyProgram(moved).has_value()) << "seed " << seed;
        }
        const bool flies = std::ranges::any_of(program.code, [](const Instruction& i) { return i.op == OpCode::Wait; });
        program.regions[1].hasDma = false;
        if (flies) {
            ++outOfReach;
            EXPECT_FALSE(verifyProgram(program).has_value()) << "seed " << seed;
        }
    }
    EXPECT_GT(across, 5);
    EXPECT_GT(outOfReach, 3);
}

TEST(FirmwareProgram, buffersCsvNamesTheMemory)
{
    CostGraph graph;
    Program program = randomProgram(1, graph);
    for (unsigned seed = 5; program.regions.empty(); seed += 4)
        program = randomProgram(seed, graph);
    const std::string csv = buffersCsv(program);
    EXPECT_TRUE(csv.starts_with("id,lower,upper,size,alignment,offset,region\n"));
    EXPECT_NE(csv.find(",0,sram\n"), std::string::npos);
    EXPECT_NE(csv.find(",0,dtcm\n"), std::string::npos);
}

TEST(FirmwareProgram, buffersCsvIsAnAllocatorsInstance)
{
    CostGraph graph;
    const Program program = randomProgram(3, graph);
    const std::string csv = buffersCsv(program);
    EXPECT_TRUE(csv.starts_with("id,lower,upper,size,alignment,offset\n"));
    EXPECT_GT(std::ranges::count(csv, '\n'), graph.size());
}

}  // namespace
}  // namespace poet::firmware::test
