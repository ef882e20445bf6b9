// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace poet {

/// A text table: columns as wide as their widest cell, two spaces between, no trailing spaces.
class Columns {
public:
    void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::vector<std::string>> m_rows;
};

/// At most four significant digits, no exponent from 0.001 to 1e7: "0.71", "5800000", "1.5e+09".
[[nodiscard]] std::string shortNumber(double value);

/// "10 mW", "8.3 GFLOP/s", "150 us": at most four significant digits with an SI prefix from n to T.
[[nodiscard]] std::string siNumber(double value, std::string_view unit);

}  // namespace poet
