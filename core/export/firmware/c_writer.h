// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace poet::firmware {

inline constexpr std::string_view kSourceHead =
    "/* Exported by POET Explorer. SPDX-License-Identifier: Apache-2.0 */\n";

/// Upper case of an identifier: the prefix of macros.
inline std::string upper(std::string_view text)
{
    std::string result;
    for (const char c : text)
        result += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return result;
}

/// Replaces `@name@` by the identifier and `@NAME@` by its upper case.
inline std::string fill(std::string_view text, std::string_view identifier)
{
    const std::string big = upper(identifier);
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        if (text.substr(at, 6) == "@name@") {
            result += identifier;
            at += 6;
        } else if (text.substr(at, 6) == "@NAME@") {
            result += big;
            at += 6;
        } else {
            result += text[at++];
        }
    }
    return result;
}

/// Collects `value, value, ...` in lines of about 110 characters.
class ListWriter {
public:
    void add(const std::string& value)
    {
        if (m_column + value.size() > 110) {
            m_text += "\n    ";
            m_column = 4;
        }
        m_text += value + ", ";
        m_column += value.size() + 2;
    }
    [[nodiscard]] std::string text() const { return m_text; }

private:
    std::string m_text = "    ";
    std::size_t m_column = 4;
};

}  // namespace poet::firmware
