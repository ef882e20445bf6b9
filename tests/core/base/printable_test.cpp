// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/printable.h"

#include <gtest/gtest.h>

#include <random>

namespace poet {
namespace {

TEST(Printable, plainTextInAnyLanguageStays)
{
    for (const char* text : {"", "conv1/relu:0", "größe µ 10 %", "层", "\xf0\x9f\x98\x80 smile", "two\nlines\tand a tab"})
        EXPECT_EQ(printable(text), text);
}

TEST(Printable, whatATerminalObeysBecomesVisible)
{
    EXPECT_EQ(printable("a\x1b[31mred"), "a\\x1b[31mred");
    EXPECT_EQ(printable("over\rwritten\x7f"), "over\\x0dwritten\\x7f");
    EXPECT_EQ(printable(std::string_view("nul\0!", 5)), "nul\\x00!");
    EXPECT_EQ(printable("\xc2\x9b" "31m"), "\\xc2\\x9b" "31m") << "the one-character form of ESC [";
    EXPECT_EQ(printable("\x9b" "31m"), "\\x9b" "31m") << "no UTF-8 at all";
    EXPECT_EQ(printable("cut \xe5\xb1"), "cut \\xe5\\xb1");
    EXPECT_EQ(printable("a\nb\tc", false), "a\\x0ab\\x09c");
}

TEST(Printable, noControlCharacterSurvives)
{
    constexpr std::uint32_t seed = 5;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    for (int i = 0; i < 2000; ++i) {
        std::string text;
        for (int n = 0; n < 12; ++n)
            text += static_cast<char>(random());
        const std::string shown = printable(text, false);
        for (const char c : shown)
            EXPECT_FALSE(static_cast<unsigned char>(c) < 0x20 || c == 0x7f) << i;
        EXPECT_EQ(printable(shown, false), shown) << "what was made visible stays as it is";
    }
}

}  // namespace
}  // namespace poet
