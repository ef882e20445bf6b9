// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/regions.h"

#include <gtest/gtest.h>

/// Which memories an arena may lie in.
namespace poet::firmware {
namespace {

Quantity sized(double bytes)
{
    Quantity quantity;
    quantity.value = bytes;
    return quantity;
}

DeviceProfile threeMemories()
{
    DeviceProfile profile;
    profile.id = "board";
    profile.memory = {{.name = "axi", .kind = "sram", .bytes = sized(500), .reservedBytes = sized(20)},
                      {.name = "dtcm", .kind = "dtcm", .bytes = sized(100), .reservedBytes = {}, .hasDma = false},
                      {.name = "itcm", .kind = "itcm", .bytes = sized(64), .reservedBytes = {}},
                      {.name = "flash", .kind = "flash", .bytes = sized(4000), .reservedBytes = {}}};
    return profile;
}

TEST(Regions, dataMemoriesLessWhatTheyReserveAndHold)
{
    const RegionShares shares = regionShares(threeMemories(), 60);
    ASSERT_EQ(shares.arena.size(), 2U);  // neither code nor flash
    EXPECT_EQ(shares.arena[0], (ArenaRegion{"axi", 480, true}));
    EXPECT_EQ(shares.arena[1], (ArenaRegion{"dtcm", 40, false}));  // the last that holds the weights whole
    EXPECT_EQ(shares.residentRegion, "dtcm");
    EXPECT_EQ(reservedBytes(threeMemories()), 20);
    EXPECT_EQ(regionShares(threeMemories(), 200).residentRegion, "axi");
}

TEST(Regions, weightsThatFitNoMemoryAreSaid)
{
    const RegionShares shares = regionShares(threeMemories(), 490);
    EXPECT_TRUE(shares.arena.empty());
    EXPECT_NE(shares.problem.find("490 B"), std::string::npos);
}

TEST(Regions, paperProfilesAndSingleMemoriesAreOnePiece)
{
    DeviceProfile paper = threeMemories();
    paper.accounting = Accounting::Paper;
    EXPECT_TRUE(regionShares(paper, 0).arena.empty());
    DeviceProfile single = threeMemories();
    single.memory.erase(single.memory.begin() + 1);
    EXPECT_TRUE(regionShares(single, 0).arena.empty());
}

TEST(Regions, sizesAreReadWithTheirName)
{
    EXPECT_EQ(parseRegion("ccm=64KiB").value(), (ArenaRegion{"ccm", 65536, true}));
    for (const char* bad : {"ccm", "=64KiB", "ccm=", "ccm=-1", "ccm=lots"})
        EXPECT_FALSE(parseRegion(bad).has_value()) << bad;
}

}  // namespace
}  // namespace poet::firmware
