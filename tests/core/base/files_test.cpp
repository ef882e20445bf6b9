// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace poet {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test.
class Files : public ::testing::Test {
protected:
    void SetUp() override
    {
        m_folder = fs::path(::testing::TempDir()) / ("poet_files_test_" + std::to_string(::getpid()));
        fs::remove_all(m_folder);
        fs::create_directories(m_folder);
    }
    void TearDown() override { fs::remove_all(m_folder); }
    std::ptrdiff_t count() const { return std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()); }

    fs::path m_folder;
};

TEST_F(Files, bytesReadBackAsWritten)
{
    std::string all;
    for (int i = 0; i < 70000; ++i)
        all += static_cast<char>(i * 7);
    for (const std::string& content : {std::string(), std::string("\0\r\n\xff", 4), all}) {
        ASSERT_TRUE(writeFile(m_folder / "a", content));
        EXPECT_EQ(readFile(m_folder / "a").value(), content);
    }
    EXPECT_EQ(count(), 1) << "no file beside it is left";
}

TEST_F(Files, missingFilesAndFoldersAreNamed)
{
    const auto missing = readFile(m_folder / "none");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::FileNotFound);
    EXPECT_NE(missing.error().message.find((m_folder / "none").string()), std::string::npos);
    EXPECT_NE(missing.error().message.find("No such file"), std::string::npos) << missing.error().message;
    const auto folder = readFile(m_folder);
    ASSERT_FALSE(folder);
    EXPECT_NE(folder.error().message.find("folder"), std::string::npos);
    const auto nowhere = writeFile(m_folder / "no" / "such" / "file", "x");
    ASSERT_FALSE(nowhere);
    EXPECT_NE(nowhere.error().message.find("such/file"), std::string::npos);
    EXPECT_NE(nowhere.error().message.find("No such file"), std::string::npos) << nowhere.error().message;
}

TEST_F(Files, failureToReplaceLeavesTheOldContentAndNothingBeside)
{
    fs::create_directories(m_folder / "taken" / "inside");
    EXPECT_FALSE(writeFile(m_folder / "taken", "x")) << "a folder that is not empty cannot be replaced by a file";
    EXPECT_TRUE(fs::is_directory(m_folder / "taken" / "inside"));
    EXPECT_EQ(count(), 1);
}

TEST_F(Files, aFullDiskLeavesTheOldContentAndNothingBeside)
{
    // The file aside is a link to a device that is always full, so that the write itself fails.
    if (!fs::exists("/dev/full"))
        GTEST_SKIP() << "no /dev/full";
    const fs::path target = m_folder / "plan.json";
    ASSERT_TRUE(writeFile(target, "old"));
    fs::create_symlink("/dev/full", m_folder / ("plan.json.part" + std::to_string(::getpid())));
    const auto full = writeFile(target, std::string(100000, 'n'));
    ASSERT_FALSE(full);
    EXPECT_NE(full.error().message.find("plan.json"), std::string::npos);
    EXPECT_EQ(readFile(target).value(), "old");
    EXPECT_EQ(count(), 1);
    EXPECT_TRUE(fs::exists("/dev/full"));
}

TEST_F(Files, linksStayLinksAndPermissionsStay)
{
    ASSERT_TRUE(writeFile(m_folder / "real", "old"));
    fs::permissions(m_folder / "real", fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("real", m_folder / "link");
    ASSERT_TRUE(writeFile(m_folder / "link", "new"));
    EXPECT_TRUE(fs::is_symlink(m_folder / "link"));
    EXPECT_EQ(readFile(m_folder / "real").value(), "new");
    EXPECT_EQ(fs::status(m_folder / "real").permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(count(), 2);
}

TEST_F(Files, aPipeIsWrittenToAndStaysAPipe)
{
    const fs::path pipe = m_folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    EXPECT_TRUE(writeFile(pipe, "content"));
    std::array<char, 16> got{};
    EXPECT_EQ(::read(reader, got.data(), got.size()), 7);
    EXPECT_STREQ(got.data(), "content");
    EXPECT_TRUE(fs::is_fifo(pipe));
    ::close(reader);
}

TEST_F(Files, readersSeeTheOldOrTheNewFileButNeverAPart)
{
    const fs::path target = m_folder / "shared";
    const std::string a(300000, 'a');
    const std::string b(200000, 'b');
    ASSERT_TRUE(writeFile(target, a));
    std::atomic<bool> isOver = false;
    std::jthread writer([&] {
        for (int i = 0; i < 60; ++i)
            EXPECT_TRUE(writeFile(target, i % 2 ? a : b));
        isOver = true;
    });
    int reads = 0;
    while (!isOver || reads == 0) {
        const auto content = readFile(target);
        ASSERT_TRUE(content);
        EXPECT_TRUE(*content == a || *content == b) << content->size();
        ++reads;
    }
}

TEST_F(Files, whatCannotBeWrittenIsKnownBefore)
{
    EXPECT_TRUE(checkCanWrite(m_folder / "new"));
    ASSERT_TRUE(writeFile(m_folder / "old", "x"));
    EXPECT_TRUE(checkCanWrite(m_folder / "old"));
    EXPECT_TRUE(checkCanWrite("name-only"));
    EXPECT_FALSE(checkCanWrite(m_folder)) << "a folder";
    const auto absent = checkCanWrite(m_folder / "no" / "such" / "file");
    ASSERT_FALSE(absent);
    EXPECT_NE(absent.error().message.find("no folder"), std::string::npos) << absent.error().text();
    EXPECT_EQ(count(), 1) << "checking leaves nothing behind";
}

}  // namespace
}  // namespace poet
