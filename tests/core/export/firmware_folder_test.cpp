// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/c_folder.h"

#include "core/base/files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include <unistd.h>

/// An export replaces what an earlier one wrote, and nothing else.
namespace poet::firmware {
namespace {

namespace fs = std::filesystem;

class Folder : public ::testing::Test {
protected:
    void SetUp() override
    {
        m_place = fs::path(::testing::TempDir()) / ("poet_folder_test_" + std::to_string(::getpid()));
        fs::remove_all(m_place);
        fs::create_directories(m_place);
    }
    void TearDown() override { fs::remove_all(m_place); }

    fs::path m_place;
};

TEST_F(Folder, whatTheUserAddedStaysAndStaleFilesGo)
{
    const fs::path folder = m_place / "out";
    ASSERT_TRUE(writeFolder(folder, {{"src/a.c", "1"}, {"src/stale.c", "2"}, {"extras/report.txt", "3"}}));
    ASSERT_TRUE(writeFile(folder / "src" / "own.c", "mine"));
    fs::create_directories(folder / "build" / "deep");
    ASSERT_TRUE(writeFile(folder / "build" / "deep" / "object.o", "built"));
    ASSERT_TRUE(writeFolder(folder, {{"src/a.c", "new"}, {"extras/report.txt", "3"}}));
    EXPECT_EQ(readFile(folder / "src" / "a.c").value(), "new");
    EXPECT_EQ(readFile(folder / "src" / "own.c").value(), "mine");
    EXPECT_EQ(readFile(folder / "build" / "deep" / "object.o").value(), "built");
    EXPECT_FALSE(fs::exists(folder / "src" / "stale.c"));
    EXPECT_EQ(std::distance(fs::directory_iterator(m_place), fs::directory_iterator()), 1) << "nothing is left beside it";
}

TEST_F(Folder, foldersOfOthersAreLeftAlone)
{
    fs::create_directories(m_place / "out.part");
    ASSERT_TRUE(writeFile(m_place / "out.part" / "notes.txt", "mine"));
    ASSERT_TRUE(writeFolder(m_place / "out", {{"extras/report.txt", "3"}}));
    EXPECT_EQ(readFile(m_place / "out.part" / "notes.txt").value(), "mine");
    EXPECT_FALSE(writeFolder(m_place / "out.part", {{"extras/report.txt", "3"}}));
    EXPECT_EQ(readFile(m_place / "out.part" / "notes.txt").value(), "mine");
}

TEST_F(Folder, aFailedExportLeavesNothing)
{
    EXPECT_FALSE(writeFolder(m_place / "out", {{"a", "1"}, {"a/b", "a file cannot be a folder"}, {"extras/report.txt", "3"}}));
    EXPECT_TRUE(fs::is_empty(m_place));
}

}  // namespace
}  // namespace poet::firmware
