// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/note.h"

namespace poet {

std::string_view name(NoteKind kind)
{
    switch (kind) {
    case NoteKind::Read: return "read";
    case NoteKind::Folded: return "folded";
    case NoteKind::Recognised: return "recognised";
    case NoteKind::Conservative: return "conservative";
    case NoteKind::Refused: return "refused";
    }
    return "";
}

std::string filledIn(std::string_view pattern, const std::vector<std::string>& arguments)
{
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const std::size_t argument = pattern[i] == '%' && i + 1 < pattern.size() ? static_cast<std::size_t>(pattern[i + 1] - '1') : arguments.size();
        if (argument < arguments.size()) {
            text += arguments[argument];
            ++i;
        } else {
            text += pattern[i];
        }
    }
    return text;
}

std::string Note::text() const { return filledIn(pattern, arguments); }

}  // namespace poet
