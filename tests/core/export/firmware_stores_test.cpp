// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// The NOR ring log on a simulated flash: programming only clears bits, erasing sets a whole block.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "resources/runtime/poet_types.h"

#include "resources/runtime/poet_store_nor.inl"
#include "resources/runtime/poet_store_ram.inl"

namespace {

constexpr std::uint32_t kErase = 4096, kSize = 16 * kErase;

/// SPI flash: one command a selection; `last` ends it.
struct Flash {
    std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(kSize, 0);  // not erased: a missing erase shows
    std::vector<std::uint8_t> command;
    std::vector<int> erases = std::vector<int>(kSize / kErase, 0);
    bool isEnabled = false;

    void transfer(const std::uint8_t* out, std::uint8_t* in, std::uint32_t count, bool isLast)
    {
        const std::size_t before = command.size();
        for (std::uint32_t i = 0; i < count; ++i) {
            if (in)
                in[i] = command[0] == 0x05 ? 0 : bytes[address() + before + i - 4];
            command.push_back(out ? out[i] : 0);
        }
        if (isLast) {
            finish();
            command.clear();
        }
    }
    [[nodiscard]] std::size_t address() const { return static_cast<std::size_t>(command[1]) << 16 | static_cast<std::size_t>(command[2]) << 8 | command[3]; }
    void finish()
    {
        if (command[0] == 0x06)
            isEnabled = true;
        if (command[0] == 0xD8 && isEnabled) {
            std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(address() / kErase * kErase), kErase, std::uint8_t{0xFF});
            ++erases[address() / kErase];
            isEnabled = false;
        }
        if (command[0] == 0x02 && isEnabled) {
            const std::size_t page = address() / 256 * 256;
            for (std::size_t i = 4; i < command.size(); ++i)
                bytes[page + (address() + i - 4) % 256] &= command[i];
            isEnabled = false;
        }
    }
};

void transfer(void* u, const std::uint8_t* out, std::uint8_t* in, std::uint32_t bytes, int last)
{
    static_cast<Flash*>(u)->transfer(out, in, bytes, last != 0);
}

struct Nor {
    Flash flash;
    poet_store store{};
    poet_nor_store nor{};
    poet_nor_place places[8]{};
    Nor()
    {
        const poet_nor_bus bus{transfer, &flash};
        poet_nor_store_open(&store, &nor, &bus, 0, kSize, kErase, places, 8, 512, 64);
    }
};

std::vector<std::uint8_t> content(std::mt19937& random, std::size_t n)
{
    std::vector<std::uint8_t> bytes(n);
    for (auto& byte : bytes)
        byte = static_cast<std::uint8_t>(random());
    return bytes;
}

TEST(FirmwareStores, norRingGivesBackWhatTheStepWroteThroughManyTurns)
{
    Nor n;
    std::mt19937 random(3);
    for (std::uint32_t step = 1; step <= 60; ++step) {
        ASSERT_EQ(n.store.begin_step(n.store.u, step), 0);
        std::vector<std::vector<std::uint8_t>> pages;
        for (std::uint32_t page = 0; page < 5; ++page) {
            pages.push_back(content(random, 100 + random() % 3000));
            ASSERT_EQ(n.store.write(n.store.u, page * 8, pages.back().data(), static_cast<std::uint32_t>(pages.back().size())), 0);
        }
        for (std::uint32_t page = 0; page < 5; ++page) {
            std::vector<std::uint8_t> back(pages[page].size());
            ASSERT_EQ(n.store.read(n.store.u, page * 8, back.data(), static_cast<std::uint32_t>(back.size())), 0) << "step " << step << " page " << page;
            EXPECT_EQ(back, pages[page]);
        }
    }
    const auto [least, most] = std::minmax_element(n.flash.erases.begin(), n.flash.erases.end());
    EXPECT_LE(*most - *least, 1) << "wear is levelled over the ring";
    EXPECT_GT(*least, 3);
}

TEST(FirmwareStores, norRingRefusesOldStepsAndTooMuch)
{
    Nor n;
    std::vector<std::uint8_t> page(1000, 7);
    n.store.begin_step(n.store.u, 1);
    ASSERT_EQ(n.store.write(n.store.u, 0, page.data(), 1000), 0);
    n.store.begin_step(n.store.u, 2);
    EXPECT_EQ(n.store.read(n.store.u, 0, page.data(), 1000), POET_NOR_LOST);
    std::vector<std::uint8_t> huge(kSize, 1);
    EXPECT_EQ(n.store.write(n.store.u, 8, huge.data(), kSize), POET_NOR_FULL);
}

TEST(FirmwareStores, aMissingEraseNeverPassesAsData)
{
    Nor n;
    n.nor.skip_erase = 1;
    std::vector<std::uint8_t> page(1000, 0x5A), back(1000);
    n.store.begin_step(n.store.u, 1);
    ASSERT_EQ(n.store.write(n.store.u, 0, page.data(), 1000), 0);
    EXPECT_NE(n.store.read(n.store.u, 0, back.data(), 1000), 0);
}

TEST(FirmwareStores, memoryWindowKeepsBlocksApart)
{
    std::vector<std::uint8_t> memory(4 * 64, 0), page(64, 9), back(64);
    poet_store store{};
    poet_ram_store ram{};
    poet_ram_store_open(&store, &ram, memory.data(), 64, 4);
    ASSERT_EQ(store.write(store.u, 2, page.data(), 64), 0);
    ASSERT_EQ(store.read(store.u, 2, back.data(), 64), 0);
    EXPECT_EQ(back, page);
    EXPECT_EQ(memory[2 * 64 - 1], 0);
    EXPECT_EQ(memory[3 * 64], 0);
}

}  // namespace
