// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/device/device_profile.h"
#include "core/device/profile_store.h"
#include "core/device/resource_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>

namespace poet {
namespace {

/// A small valid profile; tests change one place of its text.
const std::string kBase = R"({
  "format": "poet-device", "version": 1, "id": "base", "name": "Base", "class": "user", "power_scope": "chip",
  "memory": [{"name": "sram", "kind": "sram", "bytes": {"value": 64, "unit": "KiB", "origin": "datasheet"}}],
  "operating_points": [
    {"name": "fast", "frequency": {"value": 100, "unit": "MHz", "origin": "datasheet"},
     "active_power": {"value": 20, "unit": "mW", "origin": "measured"}, "idle_power": {"value": 4, "unit": "mW", "origin": "measured"}},
    {"name": "slow", "frequency": {"value": 50, "unit": "MHz", "origin": "datasheet"},
     "active_power": {"value": 10, "unit": "mW", "origin": "measured"}, "idle_power": {"value": 3, "unit": "mW", "origin": "measured"}}],
  "rates": [{"library": "plain", "type": "f32", "cycles_per_flop": {"value": 5, "unit": "cycle/FLOP", "origin": "estimated"}}],
  "transfer": {"model": ["blocking", "dma"]},
  "stores": [{"use": "card", "bus_bandwidth": {"value": 2, "unit": "MB/s", "origin": "datasheet"}}]
})";
const std::string kCard = R"({"id": "card", "kind": "sd", "block": 512, "write_latency": {"value": 1, "unit": "ms", "origin": "measured"},
  "write_bandwidth": {"value": 10, "unit": "MB/s", "origin": "measured"}, "read_bandwidth": {"value": 20, "unit": "MB/s", "origin": "measured"}})";

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

Expected<ReadProfile> parse(const std::string& json, const std::map<std::string, std::string>& others = {{"base", kBase}})
{
    ProfileSources sources;
    sources.profileText = [&](const std::string& id) -> Expected<std::string> {
        if (const auto found = others.find(id); found != others.end())
            return found->second;
        return fail(ErrorCode::BadProfile, "none", "Known: base.");
    };
    sources.storeText = [](const std::string& id) -> Expected<std::string> {
        if (id == "card")
            return kCard;
        return fail(ErrorCode::BadProfile, "none", "Known: card.");
    };
    return parseDeviceProfile(json, "mine.json", sources);
}

void expectError(const std::string& json, const std::string& part, const std::map<std::string, std::string>& others = {{"base", kBase}})
{
    const auto read = parse(json, others);
    ASSERT_FALSE(read) << part;
    EXPECT_EQ(read.error().code, ErrorCode::BadProfile);
    EXPECT_NE(read.error().message.find(part), std::string::npos) << read.error().message;
    EXPECT_TRUE(read.error().message.starts_with("mine.json")) << read.error().message;
}

TEST(DeviceProfile, readsWhatItSays)
{
    const auto read = parse(kBase);
    ASSERT_TRUE(read) << read.error().text();
    const DeviceProfile& profile = read->profile;
    EXPECT_EQ(profile.memory.front().bytes.value, 65536);
    EXPECT_EQ(profile.operatingPoint("")->name, "fast");
    EXPECT_EQ(profile.operatingPoint("slow")->activePower.value, 0.010);
    EXPECT_EQ(profile.operatingPoint("none"), nullptr);
    EXPECT_EQ(profile.stores.front().id, "card");
    EXPECT_EQ(profile.stores.front().busBandwidth->value, 2e6);
    EXPECT_EQ(profile.stores.front().writeLatency->value, 1e-3);
    EXPECT_EQ(profile.transferModels, (std::vector{TransferModel::Blocking, TransferModel::Dma}));
    EXPECT_TRUE(read->warnings.empty());
}

TEST(DeviceProfile, transferPowerFollowsTheModel)
{
    const auto read = parse(kBase);
    ASSERT_TRUE(read);
    const OperatingPoint& point = read->profile.operatingPoints.front();
    EXPECT_EQ(point.transferWatts(TransferModel::Blocking), 0.020);
    EXPECT_EQ(point.transferWatts(TransferModel::Dma), 0.004);
    EXPECT_EQ(point.transferWatts(TransferModel::Paper), 0);
}

TEST(DeviceProfile, ratesFallBackFromExactToOther)
{
    const std::string json = replaced(kBase, R"("rates": [)", R"("rates": [
      {"library": "plain", "type": "f32", "class": "conv", "flops": {"value": 1, "unit": "MFLOP/s", "origin": "estimated"}},
      {"library": "tuned", "class": "other", "flops": {"value": 2, "unit": "MFLOP/s", "origin": "estimated"}},)");
    const auto read = parse(json);
    ASSERT_TRUE(read) << read.error().text();
    const DeviceProfile& profile = read->profile;
    EXPECT_EQ(profile.rate("", "f32", "conv")->flops->value, 1e6);
    EXPECT_EQ(profile.rate("", "f16", "conv")->flops->value, 1e6) << "f32 stands in for a type without rates";
    EXPECT_TRUE(profile.rate("plain", "f32", "pool")->cyclesPerFlop);
    EXPECT_EQ(profile.rate("tuned", "i8", "conv")->flops->value, 2e6);
    EXPECT_EQ(profile.rate("none", "f32", "conv"), nullptr);
}

TEST(DeviceProfile, basedOnTakesAbsentFieldsAndMergesByName)
{
    const auto read = parse(R"({"format": "poet-device", "version": 1, "id": "mine", "name": "Mine", "class": "user", "based_on": "base",
      "operating_points": [{"name": "slow", "active_power": {"value": 12, "unit": "mW", "origin": "measured", "source": "my meter"}}],
      "stores": [{"use": "card", "read_latency": {"value": 3, "unit": "ms", "origin": "measured"}}]})");
    ASSERT_TRUE(read) << read.error().text();
    const DeviceProfile& profile = read->profile;
    EXPECT_EQ(profile.name, "Mine");
    EXPECT_EQ(profile.basedOn, "base");
    EXPECT_EQ(profile.memory.size(), 1U);
    ASSERT_EQ(profile.operatingPoints.size(), 2U);
    EXPECT_EQ(profile.operatingPoints.front().name, "slow") << "what the user names comes first";
    EXPECT_EQ(profile.operatingPoints.front().activePower.value, 0.012);
    EXPECT_EQ(profile.operatingPoints.front().activePower.source, "my meter");
    EXPECT_EQ(profile.operatingPoints.front().idlePower->value, 0.003);
    EXPECT_EQ(profile.operatingPoints.back().activePower.value, 0.020);
    ASSERT_EQ(profile.stores.size(), 1U);
    EXPECT_EQ(profile.stores.front().readLatency->value, 3e-3);
    EXPECT_EQ(profile.stores.front().writeLatency->value, 1e-3);
    EXPECT_EQ(profile.stores.front().busBandwidth->value, 2e6);
}

TEST(DeviceProfile, quantitiesAreTakenWhole)
{
    // A value without its own provenance must not inherit that of another value.
    expectError(R"({"format": "poet-device", "version": 1, "id": "mine", "name": "Mine", "class": "user", "based_on": "base",
      "operating_points": [{"name": "slow", "active_power": {"value": 12, "unit": "mW"}}]})", "$.operating_points[0].active_power.origin is missing");
}

TEST(DeviceProfile, basedOnMayChainButNotCycle)
{
    const std::string a = R"({"format": "poet-device", "version": 1, "id": "a", "name": "A", "class": "user", "based_on": "b"})";
    const std::string b = R"({"format": "poet-device", "version": 1, "id": "b", "name": "B", "class": "user", "based_on": "base"})";
    const std::string c = R"({"format": "poet-device", "version": 1, "id": "b", "name": "B", "class": "user", "based_on": "a"})";
    const auto chained = parse(a, {{"b", b}, {"base", kBase}});
    ASSERT_TRUE(chained) << chained.error().text();
    EXPECT_EQ(chained->profile.operatingPoints.size(), 2U);
    expectError(a, "$.based_on \"a\" leads back", {{"b", c}});
    expectError(a, "$.based_on \"b\" is not a known profile", {});
}

TEST(DeviceProfile, brokenFilesAreRefusedWithTheirPlace)
{
    const struct {
        const char* from;
        const char* to;
        const char* expected;
    } table[] = {
        {R"("version": 1)", R"("version": 2)", "$.version is not known"},
        {R"("poet-device")", R"("poet-graph")", "$.format must be"},
        {R"("name": "Base", )", "", "$.name is missing"},
        {R"("class": "user")", R"("class": "mine")", "$.class \"mine\" is none of"},
        {R"("power_scope")", R"("power_scop")", "$.power_scop is not a known field"},
        {R"("kind": "sram")", R"("kind": "ram")", "$.memory[0].kind"},
        {R"({"value": 64, "unit": "KiB", "origin": "datasheet"})", "65536", "$.memory[0].bytes must be a quantity"},
        {R"({"value": 64, "unit": "KiB")", R"({"value": 64, "unit": "kHz")", "$.memory[0].bytes.unit \"kHz\" is a unit of frequency"},
        {R"("name": "slow")", R"("name": "fast")", "$.operating_points[1] has the name \"fast\""},
        {R"({"value": 4, "unit": "mW")", R"({"value": 40, "unit": "mW")", "$.operating_points[0].idle_power is above the active power"},
        {R"({"value": 4, "unit": "mW")", R"({"value": -4, "unit": "mW")", "$.operating_points[0].idle_power.value must not be negative"},
        {R"({"value": 4, "unit": "mW")", R"({"value": 1e999, "unit": "mW")", "mine.json"},
        {R"("use": "card")", R"("use": "floppy")", "$.stores[0].use \"floppy\" is not a known store"},
        {R"({"value": 2, "unit": "MB/s")", R"({"value": 0, "unit": "MB/s")", "$.stores[0].bus_bandwidth must be greater than 0"},
        {R"(["blocking", "dma"])", R"(["blocking", "magic"])", "$.transfer.model[1] \"magic\" is none of"},
        {R"(["blocking", "dma"])", R"(["dma", "dma"])", "$.transfer.model[1] names a model twice"},
        {R"("cycles_per_flop")", R"("flopz")", "$.rates[0]"},
        {R"("transfer":)", R"("sensitivity": ["stores[x].read_latency"], "transfer":)", "$.sensitivity names \"stores[x].read_latency\""},
        {R"("transfer":)", R"("alignment": 24, "transfer":)", "$.alignment must be a power of two from 4 to 64"},
        {R"("transfer":)", R"("index_bytes": 3, "transfer":)", "$.index_bytes must be a power of two"},
        {R"("transfer":)", R"("measured": [{"op": "Conv"}], "transfer":)", "$.measured[0].seconds is missing"},
        {R"("memory":)", R"("memory": [], "memory":)", "stands twice"},
    };
    for (const auto& row : table)
        expectError(replaced(kBase, row.from, row.to), row.expected);
    expectError("", "cannot be read as JSON");
    expectError("[]", "$ must be an object");
    expectError("{\"format\": \"poet-device\"", "cannot be read as JSON");
}

TEST(DeviceProfile, implausibleNumbersAreWarnedAbout)
{
    const auto power = parse(replaced(kBase, R"({"value": 20, "unit": "mW")", R"({"value": 2000, "unit": "W")"));
    ASSERT_TRUE(power) << power.error().text();
    ASSERT_FALSE(power->warnings.empty());
    EXPECT_NE(power->warnings.front().find("$.operating_points[fast].active_power"), std::string::npos);
    const auto scope = parse(replaced(kBase, R"("idle_power": {"value": 4, "unit": "mW")", R"("idle_power": {"scope": "board", "value": 4, "unit": "mW")"));
    ASSERT_TRUE(scope) << scope.error().text();
    ASSERT_EQ(scope->warnings.size(), 1U);
    EXPECT_NE(scope->warnings.front().find("covers the board"), std::string::npos);
}

TEST(DeviceProfile, damagedFilesNeverCrashTheReader)
{
    const unsigned seed = 4711;
    std::mt19937 random(seed);
    const auto at = [&](std::size_t size) { return std::uniform_int_distribution<std::size_t>(0, size - 1)(random); };
    const std::string noise = "{}[]\",:0123456789-eE.truefalsnl \\\n";
    int accepted = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string json = kBase;
        for (std::size_t change = 0; change <= at(4); ++change) {
            const std::size_t place = at(json.size());
            switch (at(4)) {
            case 0: json[place] = noise[at(noise.size())]; break;
            case 1: json.erase(place, at(20) + 1); break;
            case 2: json.insert(place, 1, noise[at(noise.size())]); break;
            default: json.insert(place, json.substr(at(json.size()), at(60))); break;
            }
        }
        const auto read = parse(json);
        accepted += read ? 1 : 0;
        EXPECT_TRUE(read || !read.error().message.empty()) << "seed " << seed << " round " << round;
    }
    EXPECT_GT(accepted, 0) << "some changes are harmless";
    EXPECT_LT(accepted, 1500) << "most are not";
}

TEST(ProfileStoreFiles, unknownDevicesAreNamedWithTheKnownOnes)
{
    const ProfileStore store(std::string(POET_SOURCE_DIR) + "/resources");
    const auto unknown = store.find("nrf99");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("\"nrf99\""), std::string::npos);
    EXPECT_NE(unknown.error().hint.find("paper-m4"), std::string::npos);
    EXPECT_FALSE(store.find("../devices/paper-m4"));
    const auto missing = store.find("/nowhere/mine.json");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::FileNotFound);
    EXPECT_TRUE(store.find(std::string(POET_SOURCE_DIR) + "/resources/devices/rpi4b.json"));
}

TEST(ProfileStoreFiles, measuredRowsAreFoundBesideTheProfile)
{
    const auto folder = std::filesystem::path(testing::TempDir()) / "poet_profile_store_test";
    std::filesystem::create_directories(folder);
    ASSERT_TRUE(writeFile(folder / "rows.csv", "op,type,shape,seconds\nConv,f32,x=1,0.5\n"));
    ASSERT_TRUE(writeFile(folder / "mine.json", R"({"format": "poet-device", "version": 1, "id": "mine", "name": "Mine", "class": "user",
      "based_on": "nrf52840", "measured": ["rows.csv"]})"));
    const auto read = ProfileStore(std::string(POET_SOURCE_DIR) + "/resources").find((folder / "mine.json").string());
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_EQ(read->profile.measured.size(), 1U);
    EXPECT_EQ(read->profile.measured.front().seconds, 0.5);
    ASSERT_TRUE(writeFile(folder / "mine.json", R"({"format": "poet-device", "version": 1, "id": "mine", "name": "Mine", "class": "user",
      "based_on": "nrf52840", "measured": ["gone.csv"]})"));
    const auto gone = ProfileStore(std::string(POET_SOURCE_DIR) + "/resources").find((folder / "mine.json").string());
    ASSERT_FALSE(gone);
    EXPECT_NE(gone.error().message.find("$.measured[0] cannot be read"), std::string::npos) << gone.error().message;
    std::filesystem::remove_all(folder);
}

TEST(ResourceFolder, theEnvironmentVariableWins)
{
    ASSERT_EQ(setenv("POET_RESOURCES", "/somewhere/else", 1), 0);
    EXPECT_EQ(resourceFolder(), "/somewhere/else");
    EXPECT_TRUE(ProfileStore().deviceIds().empty());
    unsetenv("POET_RESOURCES");
    EXPECT_TRUE(std::filesystem::is_directory(resourceFolder() / "devices")) << "found from a build tree";
}

}  // namespace
}  // namespace poet
