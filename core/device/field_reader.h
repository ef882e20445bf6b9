// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/json_tree.h"
#include "core/device/quantity.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace poet {

/// What all readers of one file share: its name, the first error, the warnings.
struct ReadState {
    std::string where;                   ///< names the file in messages
    std::optional<Error> error;
    std::vector<std::string> warnings;   ///< one sentence each

    /// Remembers the first error: "WHERE: PATH PROBLEM.".
    void complain(const std::string& path, const std::string& problem, const std::string& hint = {});
    void warn(const std::string& path, const std::string& problem);
};

/// Reads the fields of one object strictly: flat code reads everything, `finish()` reports fields nobody read.
/// After an error it returns defaults; the caller looks at `ReadState::error` once, at the end.
class FieldReader {
public:
    /// `path` is the JSON path of `tree` ("$.memory[0]"). Tree and state must outlive the reader.
    FieldReader(const JsonTree& tree, std::string path, ReadState& state);

    /// The member, or null; marks it as read.
    const JsonTree* member(std::string_view key, bool isRequired = false);
    std::string text(std::string_view key, bool isRequired = false);
    std::optional<bool> flag(std::string_view key);
    /// A number >= 0.
    std::optional<double> number(std::string_view key, bool isRequired = false);
    /// A whole number of bytes by definition, not by measurement: bare, or a quantity with a unit of size.
    std::optional<std::int64_t> wholeBytes(std::string_view key);
    /// A quantity of that dimension (devices.md, section 1).
    std::optional<Quantity> quantity(std::string_view key, Dimension dimension, bool isRequired = false);
    /// Items of an array member; empty when absent.
    const std::vector<JsonTree>& array(std::string_view key);
    /// One of `allowed`; an error lists them. Empty when absent and not required.
    std::string choice(std::string_view key, std::initializer_list<std::string_view> allowed, bool isRequired = false);

    void complain(std::string_view key, const std::string& problem, const std::string& hint = {});
    [[nodiscard]] std::string pathOf(std::string_view key) const { return m_path + "." + std::string(key); }
    /// Reports the first field that nobody read.
    void finish();

private:
    const JsonTree& m_tree;
    std::string m_path;
    ReadState& m_state;
    std::set<std::string, std::less<>> m_read;
};

/// "$.memory[3]"
[[nodiscard]] std::string itemPath(std::string_view arrayPath, std::size_t index);

/// A quantity as JSON, in the unit it was written in.
[[nodiscard]] JsonTree toTree(const Quantity& quantity);

}  // namespace poet
