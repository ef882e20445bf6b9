// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/device_profile.h"
#include "core/device/profile_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace poet {
namespace {

ProfileStore shippedStore() { return ProfileStore(std::filesystem::path(POET_SOURCE_DIR) / "resources"); }

DeviceProfile shipped(const std::string& id)
{
    const auto read = shippedStore().find(id);
    EXPECT_TRUE(read) << (read ? "" : read.error().text());
    return read ? read->profile : DeviceProfile{};
}

/// Six digits.
void expectSix(double actual, double expected) { EXPECT_NEAR(actual, expected, 5e-7 * expected); }

TEST(ShippedProfiles, everyFileOfTheDesignIsThere)
{
    const auto ids = shippedStore().deviceIds();
    for (const char* id : {"paper-m0", "paper-m4", "paper-a72", "paper-a72-nocache", "paper-tx2", "mkr1000", "nrf52840", "nrf5340", "nrf54l15",
                           "stm32f411", "stm32f446", "stm32f407", "stm32f746", "stm32h743", "stm32h7a3", "stm32l4r5", "stm32u575", "stm32u385",
                           "ra6m4", "rx65n", "rp2040", "rp2350", "esp32s3", "max78000", "alif-e7", "himax-we2", "rpi-zero2w", "rpi4b", "cm4",
                           "rpi5", "cm5", "jetson-nano", "jetson-tx2", "orin-nano-8g", "phone-class", "laptop-class"})
        EXPECT_TRUE(std::ranges::count(ids, id) == 1) << id;
    EXPECT_EQ(ids.front().substr(0, 6), "paper-");
}

TEST(ShippedProfiles, validateWithSourcesAndPlausibleValues)
{
    const auto store = shippedStore();
    for (const std::string& id : store.deviceIds()) {
        const auto read = store.find(id);
        ASSERT_TRUE(read) << id << ": " << read.error().text();
        EXPECT_EQ(read->profile.id, id);
        EXPECT_FALSE(read->profile.powerScope.empty()) << id;
        EXPECT_FALSE(read->profile.sensitivity.empty()) << id;
        for (const NamedQuantity& named : quantities(read->profile)) {
            EXPECT_FALSE(named.quantity->source.empty()) << id << " " << named.path;
            EXPECT_FALSE(named.quantity->date.empty()) << id << " " << named.path;
        }
        for (const std::string& warning : read->warnings) {
            // Two known oddities are shown, not hidden: the published a72 constants contradict each other, and the
            // idle power of the ESP32-S3 was measured on a kit.
            const bool isKnown = (id == "paper-a72" && warning.contains("implies 49.86 W")) || (id == "esp32s3" && warning.contains("covers the board"));
            EXPECT_TRUE(isKnown) << id << ": " << warning;
        }
    }
}

TEST(ShippedProfiles, storesValidateAndInternalFlashRefuses)
{
    const auto store = shippedStore();
    for (const std::string& id : store.storeIds()) {
        const auto found = store.findStore(id);
        ASSERT_TRUE(found) << found.error().text();
        EXPECT_EQ(found->id, id);
        EXPECT_EQ(found->refused.empty(), id != "internal-flash") << id;
    }
    EXPECT_GE(store.storeIds().size(), 14U);
}

TEST(ShippedProfiles, surviveWritingAndReadingAgain)
{
    const auto store = shippedStore();
    for (const std::string& id : store.deviceIds()) {
        const DeviceProfile profile = shipped(id);
        const auto again = store.parse(toJson(profile), id, {});
        ASSERT_TRUE(again) << again.error().text();
        auto expected = profile;
        expected.basedOn.clear();  // merged already
        EXPECT_EQ(toJson(again->profile), toJson(expected)) << id;
        EXPECT_EQ(again->profile, expected) << id;
    }
}

struct Published {
    const char* id;
    double flopPerJoule, flops, inLatency, inBandwidth, outLatency, outBandwidth, memoryWatts, processorWatts;
};

TEST(ShippedProfiles, paperConstantsAreThePublishedOnes)
{
    const Published table[] = {
        {"paper-m0", 2.525253e6, 166666.7, 0.109e-3, 4616510, 0.113e-3, 4.440e6, 0.33, 0.066},
        {"paper-m4", 5.800108e8, 6.369910e6, 0.109e-3, 4616510, 0.113e-3, 4.440e6, 0.33, 0.0109824},
        {"paper-a72", 4.011579e7, 2.0e9, 5.09561e-6, 45.5e6, 18.5314e-6, 24.5e6, 0.15, 3.0},
        {"paper-a72-nocache", 4.011579e7, 1.203474e8, 5.09561e-6, 45.5e6, 4.23532e-3, 17.1e6, 0.15, 3.0},
        {"paper-tx2", 1.044386e10, 8.0e9, 0.54e-3, 108.5e6, 2.396e-3, 94.37e6, 0.309, 0.766},
    };
    for (const Published& row : table) {
        SCOPED_TRACE(row.id);
        const DeviceProfile profile = shipped(row.id);
        EXPECT_EQ(profile.profileClass, ProfileClass::PaperConstants);
        EXPECT_EQ(profile.accounting, Accounting::Paper);
        EXPECT_EQ(profile.transferModels.front(), TransferModel::Paper);
        const Rate& rate = *profile.rate("", "f32", "conv");
        const StoreProfile& store = profile.stores.front();
        expectSix(rate.flopPerJoule->value, row.flopPerJoule);
        expectSix(rate.flops->value, row.flops);
        expectSix(store.readLatency->value, row.inLatency);
        expectSix(store.readBandwidth->value, row.inBandwidth);
        expectSix(store.writeLatency->value, row.outLatency);
        expectSix(store.writeBandwidth->value, row.outBandwidth);
        expectSix(store.readPower->value, row.memoryWatts);
        expectSix(store.writePower->value, row.memoryWatts);
        expectSix(profile.operatingPoints.front().activePower.value, row.processorWatts);
        EXPECT_FALSE(profile.notes.empty());
    }
}

}  // namespace
}  // namespace poet
