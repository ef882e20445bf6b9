// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace poet {
namespace {

std::vector<ArenaBuffer> readMiniMalloc(const std::filesystem::path& path)
{
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);  // id,lower,upper,size
    std::vector<ArenaBuffer> buffers;
    while (std::getline(in, line)) {
        std::ranges::replace(line, ',', ' ');
        std::istringstream row(line);
        ArenaBuffer buffer;
        row >> buffer.id >> buffer.lower >> buffer.upper >> buffer.size;
        if (row)
            buffers.push_back(buffer);
    }
    return buffers;
}

std::vector<ArenaBuffer> randomBuffers(std::mt19937& random, int count, int times, int sizes)
{
    std::vector<ArenaBuffer> buffers;
    for (int i = 0; i < count; ++i) {
        const int lower = static_cast<int>(random() % static_cast<unsigned>(times));
        const int length = 1 + static_cast<int>(random() % static_cast<unsigned>(times));
        buffers.push_back({.id = i, .lower = lower, .upper = lower + length,
                           .size = 1 + static_cast<int>(random() % static_cast<unsigned>(sizes))});
    }
    return buffers;
}

/// The smallest arena, over all orders of placing each buffer at its lowest free place above earlier ones.
std::int64_t bruteForce(const std::vector<ArenaBuffer>& buffers)
{
    std::vector<std::size_t> order(buffers.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    do {
        std::vector<std::int64_t> top(buffers.size(), 0);
        std::int64_t used = 0;
        for (std::size_t k = 0; k < order.size() && used < best; ++k) {
            std::int64_t offset = 0;
            for (std::size_t j = 0; j < k; ++j)
                if (buffers[order[j]].lower < buffers[order[k]].upper && buffers[order[k]].lower < buffers[order[j]].upper)
                    offset = std::max(offset, top[order[j]]);
            top[order[k]] = offset + buffers[order[k]].size;
            used = std::max(used, top[order[k]]);
        }
        best = std::min(best, used);
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

TEST(Arena, exactSearchEqualsBruteForce)
{
    for (unsigned seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        const auto buffers = randomBuffers(random, 2 + static_cast<int>(seed % 6), 6, 5);
        const std::int64_t best = bruteForce(buffers);
        const auto result = allocateArena(buffers, {.minimize = true});
        ASSERT_TRUE(result.has_value());
        EXPECT_EQ(result->usedBytes, best);
        EXPECT_GE(result->usedBytes, result->lowerBoundBytes);
        EXPECT_TRUE(checkArena(buffers, result->offsets, 1, best).has_value());
        const auto found = searchArena(buffers, best, 10);
        ASSERT_EQ(found.status, ArenaSearchStatus::Found);
        EXPECT_TRUE(checkArena(buffers, found.offsets, 1, best).has_value());
        EXPECT_EQ(searchArena(buffers, best - 1, 10).status, ArenaSearchStatus::Impossible);
    }
}

TEST(Arena, offsetsAreAlignedAndNeverOverlap)
{
    for (unsigned seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        const auto buffers = randomBuffers(random, 40, 30, 1000);
        for (const std::int64_t alignment : {1, 4, 8, 32}) {
            const auto result = allocateArena(buffers, {.alignment = alignment, .timeLimitSeconds = 0.02});
            ASSERT_TRUE(result.has_value());
            EXPECT_TRUE(checkArena(buffers, result->offsets, alignment, result->usedBytes).has_value());
            EXPECT_GE(result->usedBytes, arenaLowerBound(buffers, alignment));
            EXPECT_EQ(result->conflict.has_value(), !result->fits);
        }
    }
}

TEST(Arena, checkerFindsEveryOverlap)
{
    const std::vector<ArenaBuffer> buffers{{.id = 0, .lower = 0, .upper = 4, .size = 8}, {.id = 1, .lower = 3, .upper = 6, .size = 8},
                                           {.id = 2, .lower = 4, .upper = 8, .size = 8}};
    const auto verdict = [&](std::vector<std::int64_t> offsets) { return checkArena(buffers, offsets, 8, 16); };
    EXPECT_TRUE(verdict({0, 8, 0}).has_value());
    EXPECT_FALSE(verdict({0, 0, 8}).has_value());   // the first two live together at 3
    EXPECT_FALSE(verdict({0, 8, 8}).has_value());
    EXPECT_FALSE(verdict({0, 12, 0}).has_value());  // not aligned
    EXPECT_FALSE(verdict({0, 16, 0}).has_value());  // behind the end
    EXPECT_FALSE(verdict({0, 8}).has_value());
}

TEST(Arena, aPlanThatCannotFitNamesTheInstant)
{
    const std::vector<ArenaBuffer> buffers{{.id = 0, .lower = 0, .upper = 4, .size = 8}, {.id = 1, .lower = 2, .upper = 6, .size = 8}};
    const auto result = allocateArena(buffers, {.capacityBytes = 12});
    ASSERT_TRUE(result.has_value());
    EXPECT_FALSE(result->fits);
    EXPECT_TRUE(result->isProvenTooSmall);
    ASSERT_TRUE(result->conflict.has_value());
    EXPECT_EQ(result->conflict->instant, 2);
    EXPECT_EQ(result->conflict->buffers.size(), 2U);
    EXPECT_FALSE(allocateArena(buffers, {.alignment = 3}).has_value());
}

TEST(Arena, residenciesFollowTheSchedule)
{
    CostGraph graph;
    graph.nodes.resize(2);
    graph.nodes[0].bytes = 8;
    graph.nodes[1].bytes = 16;
    graph.nodes[1].inputs = {0};
    graph.nodes[1].workspaceBytes = 4;
    Schedule schedule;
    schedule.steps = {{.kind = StepKind::Compute, .node = 0}, {.kind = StepKind::PageOut, .node = 0}, {.kind = StepKind::Free, .node = 0},
                      {.kind = StepKind::PageIn, .node = 0},  {.kind = StepKind::Compute, .node = 1}, {.kind = StepKind::Free, .node = 0}};
    const auto buffers = residencies(graph, schedule);
    ASSERT_EQ(buffers.size(), 4U);
    EXPECT_EQ(buffers[0].upper, 2);
    EXPECT_EQ(buffers[1].lower, 3);
    EXPECT_EQ(buffers[1].upper, 5);
    EXPECT_EQ(buffers[2].upper, 6);  // never freed: to the end
    EXPECT_TRUE(buffers[3].isWorkspace);
    EXPECT_EQ(buffers[3].upper, buffers[3].lower + 1);
    EXPECT_EQ(arenaLowerBound(buffers, 1), 28);
}

/// Some split of the buffers over two memories fits both.
bool bruteForceFits(const std::vector<ArenaBuffer>& buffers, std::int64_t first, std::int64_t second)
{
    for (unsigned split = 0; split < 1U << buffers.size(); ++split) {
        std::vector<ArenaBuffer> parts[2];
        bool isAllowed = true;
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            const unsigned part = split >> i & 1U;
            isAllowed = isAllowed && (buffers[i].regions >> part & 1U) != 0;
            parts[part].push_back(buffers[i]);
        }
        const auto fits = [](const std::vector<ArenaBuffer>& part, std::int64_t bytes) { return part.empty() || bruteForce(part) <= bytes; };
        if (isAllowed && fits(parts[0], first) && fits(parts[1], second))
            return true;
    }
    return false;
}

TEST(Arena, twoRegionsAreFilledWhenBruteForceCan)
{
    int fitting = 0, impossible = 0, split = 0;
    for (unsigned seed = 1; seed <= 400; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        auto buffers = randomBuffers(random, 2 + static_cast<int>(seed % 5), 6, 6);
        for (ArenaBuffer& buffer : buffers)
            buffer.regions = random() % 5 == 0 ? 2U : 0xFFFFFFFFU;
        const std::int64_t bound = arenaLowerBound(buffers, 1);
        const std::int64_t first = bound / 3 + static_cast<std::int64_t>(random() % 3), second = bound - first + static_cast<std::int64_t>(random() % 4);
        const auto result = allocateArena(buffers, {.regionBytes = {first, second}});
        ASSERT_TRUE(result.has_value());
        EXPECT_EQ(result->fits, bruteForceFits(buffers, first, second));
        if (!result->fits) {
            ++impossible;
            EXPECT_TRUE(result->isProvenTooSmall);
            continue;
        }
        ++fitting;
        ASSERT_EQ(result->regionUsedBytes.size(), 2U);
        EXPECT_LE(result->regionUsedBytes[0], first);
        EXPECT_LE(result->regionUsedBytes[1], second);
        split += result->regionUsedBytes[0] > 0 && result->regionUsedBytes[1] > 0 ? 1 : 0;
        EXPECT_TRUE(checkArena(buffers, result->offsets, 1, result->usedBytes, result->regionUsedBytes).has_value());
    }
    EXPECT_GT(fitting, 100);
    EXPECT_GT(impossible, 50);
    EXPECT_GT(split, 100);
}

TEST(Arena, whatCrossesABorderIsFound)
{
    const std::vector<ArenaBuffer> buffers{{.id = 0, .lower = 0, .upper = 2, .size = 8}, {.id = 1, .lower = 0, .upper = 2, .size = 8, .regions = 1}};
    EXPECT_TRUE(checkArena(buffers, std::vector<std::int64_t>{8, 0}, 1, 16, std::vector<std::int64_t>{8, 8}).has_value());
    EXPECT_FALSE(checkArena(buffers, std::vector<std::int64_t>{8, 0}, 1, 16, std::vector<std::int64_t>{12, 4}).has_value());
    EXPECT_FALSE(checkArena(buffers, std::vector<std::int64_t>{0, 8}, 1, 16, std::vector<std::int64_t>{8, 8}).has_value());
    EXPECT_FALSE(checkArena(buffers, std::vector<std::int64_t>{0, 16}, 1, 32, std::vector<std::int64_t>{8, 8}).has_value());
}

TEST(ArenaHard, publishedInstancesFitTheirCapacity)
{
    const char* const variable = std::getenv("POET_MINIMALLOC_DIR");
    const std::filesystem::path folder = variable ? std::filesystem::path(variable)
                                                  : std::filesystem::path(POET_SHARED_DIR) / "oracle" / "minimalloc";
    if (!std::filesystem::is_directory(folder))
        GTEST_SKIP() << "no folder " << folder;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".csv")
            files.push_back(entry.path());
    std::ranges::sort(files);
    for (const auto& file : files) {
        const auto buffers = readMiniMalloc(file);
        ASSERT_FALSE(buffers.empty()) << file;
        const auto begin = std::chrono::steady_clock::now();
        const auto result = allocateArena(buffers, {.capacityBytes = 1 << 20, .timeLimitSeconds = 30});
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        ASSERT_TRUE(result.has_value());
        std::cout << file.filename() << ": " << result->usedBytes << " of " << (1 << 20) << ", " << result->method << ", "
                  << seconds << " s\n";
        EXPECT_TRUE(result->fits) << file;
        EXPECT_TRUE(checkArena(buffers, result->offsets, 1, 1 << 20).has_value());
    }
}

}  // namespace
}  // namespace poet
