// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace poet {

/// A JSON value that keeps the order of its fields; what profiles are merged and read from.
struct JsonTree {
    enum class Kind { Null, Bool, Number, Text, Array, Object };
    Kind kind = Kind::Null;
    bool boolean = false;
    double number = 0;
    std::string text;
    std::vector<JsonTree> items;                            ///< of an array
    std::vector<std::pair<std::string, JsonTree>> fields;   ///< of an object; keys are unique

    [[nodiscard]] static JsonTree ofText(std::string_view value);
    [[nodiscard]] static JsonTree ofNumber(double value);
    [[nodiscard]] static JsonTree ofBool(bool value);
    [[nodiscard]] static JsonTree array();
    [[nodiscard]] static JsonTree object();

    /// The field of that name, or null; also null for what is not an object.
    [[nodiscard]] const JsonTree* find(std::string_view key) const;
    /// Appends or replaces a field.
    void set(std::string_view key, JsonTree value);
};

/// Reads one JSON value. Errors: BadProfile with the place, also for a key that stands twice in one object.
/// `where` names the source in messages.
[[nodiscard]] Expected<JsonTree> parseJsonTree(std::string_view json, std::string_view where);
/// Indented by two; whole numbers without a fraction.
[[nodiscard]] std::string toText(const JsonTree& tree);
/// On one line.
[[nodiscard]] std::string toLine(const JsonTree& tree);

}  // namespace poet
