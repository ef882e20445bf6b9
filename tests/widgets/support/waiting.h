// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/export/view_exporter.h"

#include <QtTest/QtTest>

#include <memory>
#include <optional>

namespace poet::test {

/// Waits for the answer of what writes beside the window's thread: `write` is called with what hears it.
template <class Write>
[[nodiscard]] Expected<void> waitFor(Write write)
{
    const auto answer = std::make_shared<std::optional<Expected<void>>>();  // may come after the patience has ended
    write([answer](const Expected<void>& result) { *answer = result; });
    if (!QTest::qWaitFor([&] { return answer->has_value(); }, 30000))
        return fail(ErrorCode::Internal, "There was no answer.");
    return **answer;
}

}  // namespace poet::test
