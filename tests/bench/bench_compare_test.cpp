// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "tests/bench/bench_compare.h"
#include "tests/bench/bench_report.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <unistd.h>

namespace poet::bench {
namespace {

BenchRow row(const std::string& network, int span, double seconds, const std::string& status)
{
    return {.network = network, .device = "paper-a72", .transfer = "paper", .nodes = 10, .spanPercent = span, .memoryBytes = 1000, .variables = 5, .rows = 7,
            .seconds = seconds, .status = status, .gapPercent = 0.01, .overheadPercent = 3, .published = std::nullopt};
}

class BenchCompare : public ::testing::Test {
protected:
    BenchCompare() { std::filesystem::create_directories(m_folder); }
    ~BenchCompare() override { std::filesystem::remove_all(m_folder); }
    std::string file(const std::string& name) const { return (m_folder / name).string(); }

private:
    std::filesystem::path m_folder = std::filesystem::temp_directory_path() / ("poet_bench_compare_" + std::to_string(::getpid()));
};

TEST_F(BenchCompare, ratiosMeanAndRowsOfOneFileOnly)
{
    ASSERT_TRUE(writeJson({row("a", 50, 2, "feasible"), row("b", 50, 1, "optimal"), row("gone", 10, 1, "optimal")}, file("old.json")));
    ASSERT_TRUE(writeJson({row("a", 50, 1, "optimal"), row("b", 50, 8, "optimal"), row("fresh", 10, 1, "optimal")}, file("new.json")));
    const auto text = compareResults(file("old.json"), file("new.json"));
    ASSERT_TRUE(text) << text.error().text();
    for (const char* part : {"0.50", "8.00", "feasible -> optimal", "2 cases, geometric mean of the ratios 2.000", "gone paper-a72 paper 10%: only in", "fresh"})
        EXPECT_NE(text->find(part), std::string::npos) << part << "\n" << *text;
}

TEST_F(BenchCompare, otherFilesAreRefused)
{
    ASSERT_TRUE(writeFile(file("notes.json"), "{}"));
    ASSERT_TRUE(writeFile(file("rows.json"), "[{\"network\": \"a\"}]"));
    EXPECT_FALSE(compareResults(file("notes.json"), file("notes.json")));
    EXPECT_FALSE(compareResults(file("rows.json"), file("rows.json")));
    EXPECT_FALSE(compareResults(file("absent.json"), file("absent.json")));
}

}  // namespace
}  // namespace poet::bench
