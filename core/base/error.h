// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace poet {

/// Kind of failure; the window translates by it, the command maps it to its exit code.
enum class ErrorCode {
    FileNotFound,     ///< a file cannot be opened or written
    BadUsage,         ///< an option or a typed value cannot be understood
    BadModel,         ///< an ONNX file, cost graph, schedule or sweep file is not of its format
    UnsupportedOp,    ///< the model holds something that cannot be planned
    UnknownShape,     ///< a value's shape cannot be found
    BadProfile,       ///< a device profile is broken
    InvalidSchedule,  ///< a schedule breaks a rule of its graph or transfer model
    WorkerFailed,     ///< a child process crashed or answered nonsense
    Cancelled,        ///< the caller asked to stop
    Internal          ///< a broken invariant of this program
};

/// A failure as a value: one sentence that says what and where, and one that says what to do.
/// Core speaks English; neither text ends in a newline.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string message;  ///< what went wrong, and where
    std::string hint;     ///< what the user can do next; may be empty

    /// Both texts as one line.
    [[nodiscard]] std::string text() const { return hint.empty() ? message : message + " " + hint; }
};

/// Every function that can fail returns this; it is empty only if the question could not be asked or answered.
template <class T>
using Expected = std::expected<T, Error>;

/// Shorthand for the failing side of an Expected.
[[nodiscard]] inline std::unexpected<Error> fail(ErrorCode code, std::string message, std::string hint = {})
{
    return std::unexpected<Error>(Error{code, std::move(message), std::move(hint)});
}

}  // namespace poet

/// Declares `name` as the value of `expression`, or returns its error from the enclosing function.
/// Needed because libstdc++ 12 has no monadic operations on std::expected.
#define POET_TRY(name, expression)                                    \
    auto name##Result = (expression);                                 \
    if (!name##Result)                                                \
        return std::unexpected<::poet::Error>(std::move(name##Result).error()); \
    auto& name = *name##Result

/// As POET_TRY for an Expected<void>.
#define POET_CHECK(expression)                                                     \
    do {                                                                           \
        if (auto checkedResult = (expression); !checkedResult)                     \
            return std::unexpected<::poet::Error>(std::move(checkedResult).error()); \
    } while (false)
