// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/break_even.h"
#include "core/device/profile_store.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace poet {
namespace {

constexpr std::int64_t k4KiB = 4096;
constexpr std::int64_t k64KiB = 65536;

DeviceProfile shipped(const std::string& id)
{
    const auto read = ProfileStore(std::filesystem::path(POET_SOURCE_DIR) / "resources").find(id);
    EXPECT_TRUE(read) << (read ? "" : read.error().text());
    return read ? read->profile : DeviceProfile{};
}

/// Columns of the check table: 4 KiB, 64 KiB, without latency.
struct Columns {
    double small, large, limit;
};

/// Within one percent of the table, which has three digits.
void expectColumns(const BreakEvenTerms& terms, double BreakEven::*kind, const Columns& columns)
{
    EXPECT_NEAR(terms.at(k4KiB).*kind / columns.small, 1, 0.01);
    EXPECT_NEAR(terms.at(k64KiB).*kind / columns.large, 1, 0.01);
    EXPECT_NEAR(terms.limit().*kind / columns.limit, 1, 0.01);
}

struct PaperRow {
    const char* id;
    double nanojoulesPerFlop, nanojoulesPerByte, fixedMicrojoules;
    Columns energy, time;
};

TEST(BreakEven, paperConstantsGiveTheCheckTable)
{
    const PaperRow table[] = {
        {"paper-m0", 396.0, 145.81, 73.26, {1.653, 1.484, 1.473}, {0.331, 0.297, 0.295}},
        {"paper-m4", 1.7241, 145.81, 73.26, {379.8, 340.9, 338.3}, {12.64, 11.34, 11.26}},
        {"paper-a72", 24.928, 9.419, 3.544, {1.650, 1.520, 1.511}, {548.5, 505.2, 502.4}},
        {"paper-a72-nocache", 24.928, 12.069, 636.06, {26.85, 3.494, 1.937}, {537.1, 69.88, 38.73}},
        {"paper-tx2", 0.09575, 6.122, 907.22, {9510, 834, 256}, {23600, 2070, 634}},
    };
    for (const PaperRow& row : table) {
        SCOPED_TRACE(row.id);
        const auto terms = breakEvenTerms(shipped(row.id));
        ASSERT_TRUE(terms) << terms.error().text();
        EXPECT_NEAR(terms->joulesPerFlop * 1e9 / row.nanojoulesPerFlop, 1, 1e-3);
        EXPECT_NEAR((terms->store.in.joulesPerByte + terms->store.out.joulesPerByte) * 1e9 / row.nanojoulesPerByte, 1, 1e-3);
        EXPECT_NEAR((terms->store.in.fixedJoules + terms->store.out.fixedJoules) * 1e6 / row.fixedMicrojoules, 1, 1e-3);
        expectColumns(*terms, &BreakEven::energy, row.energy);
        expectColumns(*terms, &BreakEven::energyWithIdle, row.energy);  // the paper counts no idle power
        expectColumns(*terms, &BreakEven::time, row.time);
    }
}

struct CorrectedRow {
    const char* id;
    const char* store;
    Columns energy, energyWithIdle, time;
};

TEST(BreakEven, correctedProfilesGiveTheCheckTable)
{
    const CorrectedRow table[] = {
        {"mkr1000", "sd-a1", {36.2, 25.4, 24.6}, {25.2, 17.6, 17.1}, {1.84, 1.29, 1.25}},
        {"nrf52840", "sd-a1", {870, 556, 536}, {745, 476, 458}, {35.8, 22.9, 22.0}},
        {"nrf52840", "nor-qspi-16m", {1200, 1200, 1200}, {1040, 1040, 1040}, {138, 138, 138}},
        {"stm32u575", "sd-a1", {578, 220, 196}, {489, 186, 166}, {52.0, 19.7, 17.6}},
        {"stm32h743", "sd-a1", {420, 106, 85.5}, {376, 95.3, 76.6}, {259, 65.7, 52.8}},
        {"esp32s3", "psram-octal", {7.65, 7.55, 7.54}, {6.71, 6.62, 6.61}, {5.41, 5.34, 5.33}},
        {"rpi4b", "sd-a1-fast", {264, 58.3, 44.6}, {2390, 529, 405}, {9850, 2180, 1670}},
        {"jetson-tx2", "emmc-paper", {17700, 1550, 475}, {151000, 13300, 4070}, {687000, 60200, 18500}},
    };
    for (const CorrectedRow& row : table) {
        SCOPED_TRACE(std::string(row.id) + " with " + row.store);
        CostOptions options;
        options.store = row.store;
        const auto terms = breakEvenTerms(shipped(row.id), options);
        ASSERT_TRUE(terms) << terms.error().text();
        expectColumns(*terms, &BreakEven::energy, row.energy);
        expectColumns(*terms, &BreakEven::energyWithIdle, row.energyWithIdle);
        expectColumns(*terms, &BreakEven::time, row.time);
    }
}

TEST(BreakEven, fixedCostOfACallDoesNotCount)
{
    DeviceProfile profile = shipped("nrf52840");
    const auto before = breakEvenFlopPerFloat(profile, k4KiB);
    profile.rates.front().callOverhead = makeQuantity(1e-3, Dimension::Time, Origin::Estimated, "test", "2026-11");
    const auto after = breakEvenFlopPerFloat(profile, k4KiB);
    ASSERT_TRUE(before && after);
    EXPECT_NEAR(after->energy, before->energy, 1e-6 * before->energy);
}

TEST(BreakEven, deviceWithoutStoreIsAnError)
{
    DeviceProfile profile = shipped("nrf52840");
    profile.stores.clear();
    EXPECT_FALSE(breakEvenFlopPerFloat(profile, k4KiB));
}

}  // namespace
}  // namespace poet
