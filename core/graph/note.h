// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace poet {

/// What became of a part of a model.
enum class NoteKind {
    Read,          ///< how something was understood that the file leaves open
    Folded,        ///< computed once and for all: no step of training
    Recognised,    ///< several operations are taken as one
    Conservative,  ///< not known well enough: taken at its worst
    Refused        ///< left out, and why
};
/// "read", "folded", ...: keys of JSON.
[[nodiscard]] std::string_view name(NoteKind kind);
inline constexpr NoteKind kNoteKinds[] = {NoteKind::Read, NoteKind::Folded, NoteKind::Recognised, NoteKind::Conservative, NoteKind::Refused};

/// One sentence about the import; its pattern is one of a fixed set, so that the window can translate it.
struct Note {
    NoteKind kind = NoteKind::Read;
    std::string pattern;                      ///< English, with %1, %2 ... for the arguments
    std::vector<std::string> arguments = {};  ///< names, numbers
    /// In English.
    [[nodiscard]] std::string text() const;
};

/// `pattern` with its place holders %1 to %9 replaced.
[[nodiscard]] std::string filledIn(std::string_view pattern, const std::vector<std::string>& arguments);

}  // namespace poet
