// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

/// Strict reading of JSON objects, with messages that name the place. For the .cpp files of readers only.
namespace poet {

/// Parses one JSON value up to the end of `text`. Errors: `code`, naming `where` and the position.
[[nodiscard]] Expected<nlohmann::ordered_json> parseJson(std::string_view text, std::string_view where, ErrorCode code);

/// Reads fields of one object and remembers the first error, so that readers stay flat: read everything, then ask.
class ObjectReader {
public:
    /// `path` names the object in messages ("model.json: nodes[3]"). The object must outlive the reader.
    ObjectReader(const nlohmann::ordered_json& value, std::string path, ErrorCode code);

    [[nodiscard]] bool has(std::string_view key) const;
    /// The member is there and null, which `has` takes for absent.
    [[nodiscard]] bool isNull(std::string_view key) const;
    /// The member, or nullptr (an error is remembered when it is required).
    const nlohmann::ordered_json* member(std::string_view key, bool isRequired = true);
    std::string text(std::string_view key, std::optional<std::string> fallback = {});
    bool flag(std::string_view key, std::optional<bool> fallback = {});
    /// Integer, exact (1e3 counts as 1000), from `low` to 2^62.
    std::int64_t integer(std::string_view key, std::int64_t low = 0, std::optional<std::int64_t> fallback = {});
    /// Finite and >= low.
    double number(std::string_view key, double low = 0, std::optional<double> fallback = {});
    /// An array member, or nullptr.
    const nlohmann::ordered_json* array(std::string_view key, bool isRequired = true);
    const nlohmann::ordered_json* object(std::string_view key, bool isRequired = true);
    /// Every member must be one of these.
    void onlyKnown(std::initializer_list<std::string_view> keys);
    /// `format` must be this text and `version` this number.
    void expectFormat(std::string_view format, int version);

    /// Remembers an error about `key` unless there is one already.
    void complain(std::string_view key, std::string_view problem);
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] bool ok() const { return !m_error; }
    /// The first error, or success.
    [[nodiscard]] Expected<void> result() const;
    /// Takes over the error of a nested reader.
    void adopt(const Expected<void>& nested);

private:
    const nlohmann::ordered_json& m_value;
    std::string m_path;
    ErrorCode m_code;
    std::optional<Error> m_error;
};

/// Reads a text member that names a value of an enumeration, such as a status; an unknown name is an error.
template <class T>
void readName(ObjectReader& reader, std::string_view key, T& target, std::optional<T> (*fromName)(std::string_view))
{
    if (const auto value = fromName(reader.text(key)))
        target = *value;
    else
        reader.complain(key, "holds an unknown name");
}

}  // namespace poet
