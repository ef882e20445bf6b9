// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/printable.h"

#include <algorithm>
#include <cstddef>

namespace poet {
namespace {

unsigned byteAt(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// Bytes of the UTF-8 character that begins the text; 0 when none does.
std::size_t utf8Length(std::string_view text)
{
    const unsigned first = byteAt(text, 0);
    const std::size_t length = first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
    if (length == 0 || length > text.size())
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byteAt(text, i) & 0xc0) != 0x80)
            return 0;
    return length;
}

/// The control characters of ASCII, and those of Latin 1 as UTF-8 writes them.
bool isControl(std::string_view character)
{
    const unsigned first = byteAt(character, 0);
    return first < 0x20 || first == 0x7f || (first == 0xc2 && byteAt(character, 1) < 0xa0);
}

}  // namespace

std::string printable(std::string_view text, bool keepsLines)
{
    constexpr char kDigits[] = "0123456789abcdef";
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8Length(text);
        const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
        const bool isLayout = keepsLines && (character[0] == '\n' || character[0] == '\t');
        if (isLayout || (length > 0 && !isControl(character))) {
            result += character;
        } else {
            for (const char byte : character) {
                const auto value = static_cast<unsigned char>(byte);
                result += {'\\', 'x', kDigits[value >> 4], kDigits[value & 15]};
            }
        }
        text.remove_prefix(character.size());
    }
    return result;
}

}  // namespace poet
