// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace poet {

using nlohmann::ordered_json;

namespace {
constexpr double kLargest = 4.611686018427388e18;  // 2^62: sums of two still fit a signed 64-bit integer
}

Expected<ordered_json> parseJson(std::string_view text, std::string_view where, ErrorCode code)
{
    try {
        return ordered_json::parse(text);
    } catch (const nlohmann::json::exception& error) {
        std::string reason = error.what();
        if (const auto at = reason.find("] "); at != std::string::npos)
            reason = reason.substr(at + 2);  // drops the library's own error number
        return fail(code, std::string(where) + " is not valid JSON: " + reason + ".", "Check that the file is whole.");
    }
}

ObjectReader::ObjectReader(const ordered_json& value, std::string path, ErrorCode code)
    : m_value(value), m_path(std::move(path)), m_code(code)
{
    if (!value.is_object())
        m_error = Error{m_code, m_path + " must be an object.", {}};
}

bool ObjectReader::has(std::string_view key) const
{
    return m_value.is_object() && m_value.contains(std::string(key)) && !m_value.at(std::string(key)).is_null();
}

bool ObjectReader::isNull(std::string_view key) const
{
    return m_value.is_object() && m_value.contains(std::string(key)) && m_value.at(std::string(key)).is_null();
}

void ObjectReader::complain(std::string_view key, std::string_view problem)
{
    if (!m_error)
        m_error = Error{m_code, m_path + (key.empty() ? "" : ": '" + std::string(key) + "'") + " " + std::string(problem) + ".", {}};
}

const ordered_json* ObjectReader::member(std::string_view key, bool isRequired)
{
    if (has(key))
        return &m_value.at(std::string(key));
    if (isRequired)
        complain(key, "is missing");
    return nullptr;
}

std::string ObjectReader::text(std::string_view key, std::optional<std::string> fallback)
{
    const ordered_json* value = member(key, !fallback);
    if (value && value->is_string())
        return value->get<std::string>();
    if (value)
        complain(key, "must be a text");
    return fallback.value_or("");
}

bool ObjectReader::flag(std::string_view key, std::optional<bool> fallback)
{
    const ordered_json* value = member(key, !fallback);
    if (value && value->is_boolean())
        return value->get<bool>();
    if (value)
        complain(key, "must be true or false");
    return fallback.value_or(false);
}

double ObjectReader::number(std::string_view key, double low, std::optional<double> fallback)
{
    const ordered_json* value = member(key, !fallback);
    if (!value)
        return fallback.value_or(0);
    if (!value->is_number()) {
        complain(key, "must be a number");
        return 0;
    }
    const double number = value->get<double>();
    if (!std::isfinite(number))
        complain(key, "must be finite");
    else if (number < low)
        complain(key, low == 0 ? "must not be negative" : "is below the smallest allowed value");
    return number;
}

std::int64_t ObjectReader::integer(std::string_view key, std::int64_t low, std::optional<std::int64_t> fallback)
{
    const ordered_json* value = member(key, !fallback);
    if (!value)
        return fallback.value_or(0);
    const double approximate = number(key, static_cast<double>(low));
    if (!ok())
        return 0;
    if (std::abs(approximate) > kLargest) {
        complain(key, "is too large");
        return 0;
    }
    if (value->is_number_integer())
        return value->get<std::int64_t>();
    if (approximate != std::floor(approximate))
        complain(key, "must be a whole number");
    return static_cast<std::int64_t>(approximate);
}

const ordered_json* ObjectReader::array(std::string_view key, bool isRequired)
{
    const ordered_json* value = member(key, isRequired);
    if (value && !value->is_array()) {
        complain(key, "must be an array");
        return nullptr;
    }
    return value;
}

const ordered_json* ObjectReader::object(std::string_view key, bool isRequired)
{
    const ordered_json* value = member(key, isRequired);
    if (value && !value->is_object()) {
        complain(key, "must be an object");
        return nullptr;
    }
    return value;
}

void ObjectReader::onlyKnown(std::initializer_list<std::string_view> keys)
{
    if (!m_value.is_object())
        return;
    for (const auto& [key, value] : m_value.items())
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            complain(key, "is not a known field");
}

void ObjectReader::expectFormat(std::string_view format, int version)
{
    if (text("format") != format)
        complain("format", "must be \"" + std::string(format) + "\"");
    if (integer("version") != version)
        complain("version", "is not known to this program, which reads version " + std::to_string(version));
}

Expected<void> ObjectReader::result() const
{
    if (m_error)
        return std::unexpected<Error>(*m_error);
    return {};
}

void ObjectReader::adopt(const Expected<void>& nested)
{
    if (!m_error && !nested)
        m_error = nested.error();
}

}  // namespace poet
