// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/device/host_energy.h"
#include "core/device/host_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <unistd.h>

namespace poet {
namespace {

namespace fs = std::filesystem;

/// A folder like /sys/class/powercap.
class HostEnergy : public ::testing::Test {
protected:
    ~HostEnergy() override { fs::remove_all(m_folder); }
    void set(const std::string& zone, double microjoules, double range = 1e9) const
    {
        fs::create_directories(m_folder / zone);
        ASSERT_TRUE(writeFile(m_folder / zone / "energy_uj", std::to_string(static_cast<long long>(microjoules)) + "\n"));
        ASSERT_TRUE(writeFile(m_folder / zone / "max_energy_range_uj", std::to_string(static_cast<long long>(range)) + "\n"));
    }
    fs::path m_folder = fs::temp_directory_path() / ("poet_powercap_" + std::to_string(::getpid()));
};

TEST_F(HostEnergy, packagesAddUpAndPartsAreNotCountedTwice)
{
    set("intel-rapl:0", 1000000);
    set("intel-rapl:1", 5000000);
    set("intel-rapl:0:0", 7);
    const EnergyCounters counters(m_folder);
    ASSERT_TRUE(counters.isPresent());
    set("intel-rapl:0", 3000000);
    set("intel-rapl:1", 6500000);
    set("intel-rapl:0:0", 900000000);
    EXPECT_NEAR(counters.joules().value(), 3.5, 1e-9);
}

TEST_F(HostEnergy, aCounterThatWrappedGoesOn)
{
    set("intel-rapl:0", 999000000);
    const EnergyCounters counters(m_folder);
    set("intel-rapl:0", 1000000);
    EXPECT_NEAR(counters.joules().value(), 2, 1e-9);
}

TEST_F(HostEnergy, withoutCountersThereIsNoEnergy)
{
    EXPECT_FALSE(EnergyCounters(m_folder).isPresent());
    EXPECT_FALSE(EnergyCounters(m_folder).joules());
    set("intel-rapl:0", 1);
    const EnergyCounters counters(m_folder);
    fs::remove_all(m_folder / "intel-rapl:0");
    EXPECT_FALSE(counters.joules()) << "gone while it measured";
}

TEST_F(HostEnergy, aDiskGivesRowsThatTheCalibrationFits)
{
    fs::create_directories(m_folder);
    const auto measured = measureHostStore(m_folder, 1);
    ASSERT_TRUE(measured) << measured.error().text();
    EXPECT_EQ(measured->rows.size(), 10U);
    for (const MeasuredRow& row : measured->rows) {
        EXPECT_TRUE(row.isStore());
        EXPECT_GT(row.seconds, 0);
        EXPECT_GE(row.count, 3);
    }
    EXPECT_TRUE(fs::is_empty(m_folder)) << "the file is gone";
    EXPECT_FALSE(measureHostStore(m_folder / "absent", 1));
}

TEST(MeasuredRowsFile, rowsReadBackEqual)
{
    std::vector<MeasuredRow> rows(3);
    rows[0] = {.op = "Conv", .type = "f32", .shape = "x=1x16x32x32 w=32x16x3x3", .node = "", .seconds = 0.0417, .joules = 0.25, .cycles = {}, .count = 10,
               .secondsDeviation = 4e-5, .joulesDeviation = {}, .flops = {}, .bytes = {}, .opClass = "", .operatingPoint = "", .library = "", .device = "", .date = "", .instrument = ""};
    rows[1] = rows[0];
    rows[1].shape.clear();
    rows[1].node = "block, \"first\"";
    rows[1].joules.reset();
    rows[2] = rows[1];
    rows[2].op = "store.write";
    rows[2].node.clear();
    rows[2].shape = "bytes=4096";
    addMeanPower(rows, 2);
    EXPECT_EQ(rows[0].joules, 0.25) << "measured energies stay";
    EXPECT_EQ(rows[1].joules, 2 * 0.0417);
    EXPECT_FALSE(rows[2].joules);
    for (MeasuredRow& row : rows) {
        row.device = "mine";
        row.library = "reference kernels";
        row.instrument = "clock of the host";
    }
    const auto back = parseMeasuredRows(toCsv(rows), "rows.csv");
    ASSERT_TRUE(back) << back.error().text();
    ASSERT_EQ(back->size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const MeasuredRow& row = (*back)[i];
        EXPECT_EQ(row.op, rows[i].op);
        EXPECT_EQ(row.shape, rows[i].shape);
        EXPECT_EQ(row.node, rows[i].node);
        EXPECT_EQ(row.seconds, rows[i].seconds);
        EXPECT_EQ(row.joules, rows[i].joules);
        EXPECT_EQ(row.count, rows[i].count);
        EXPECT_EQ(row.secondsDeviation, rows[i].secondsDeviation);
        EXPECT_EQ(row.device, rows[i].device);
        EXPECT_EQ(row.library, rows[i].library);
        EXPECT_EQ(row.instrument, rows[i].instrument);
    }
}

}  // namespace
}  // namespace poet
