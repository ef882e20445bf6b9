// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/device_columns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

namespace poet {

std::string Columns::text() const
{
    std::vector<std::size_t> widths;
    for (const auto& row : m_rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const auto& row : m_rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            line.append(widths[i] - row[i].size() + 2, ' ');
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

std::string shortNumber(double value)
{
    constexpr int kDigits = 4;
    std::array<char, 64> buffer{};
    const double magnitude = std::abs(value);
    if (magnitude != 0 && (magnitude < 1e-3 || magnitude >= 1e7)) {
        const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific, kDigits - 1).ptr;
        return {buffer.data(), end};
    }
    const int before = magnitude >= 1 ? static_cast<int>(std::log10(magnitude)) + 1 : magnitude > 0 ? static_cast<int>(std::floor(std::log10(magnitude))) + 1 : 1;
    const int decimals = std::max(0, kDigits - before);
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals).ptr;
    std::string text(buffer.data(), end);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.ends_with('.'))
            text.pop_back();
    }
    return text;
}

std::string siNumber(double value, std::string_view unit)
{
    constexpr std::string_view kPrefixes[] = {"n", "u", "m", "", "k", "M", "G", "T"};
    constexpr int kNone = 3;
    int prefix = kNone;
    // 999.95 rounds to 1000 in four digits and takes the next prefix.
    while (std::abs(value) >= 999.95 && prefix + 1 < static_cast<int>(std::size(kPrefixes))) {
        value /= 1000;
        ++prefix;
    }
    while (value != 0 && std::abs(value) < 0.99995 && prefix > 0) {
        value *= 1000;
        --prefix;
    }
    return shortNumber(value) + " " + std::string(kPrefixes[prefix]) + std::string(unit);
}

}  // namespace poet
