// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/solver_messages.h"

#include <algorithm>
#include <array>
#include <utility>

namespace poet::planning {

bool Inbox::fill(int pipe)
{
    std::array<char, 65536> buffer{};
    const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
    if (got <= 0)
        return false;
    m_bytes.append(buffer.data(), static_cast<std::size_t>(got));
    return true;
}

void Inbox::take(Answer& answer, const MipEvents& events)
{
    while (takeOne(answer, events))
        m_bytes.erase(0, m_at);
}

bool Inbox::takeOne(Answer& answer, const MipEvents& events)
{
    m_at = 0;
    Message kind{};
    if (!read(kind))
        return false;
    switch (kind) {
    case Message::Bound: return takeBound(answer, events);
    case Message::Relaxed: return takeRelaxation(answer, events);
    case Message::Row: return takeRow(answer);
    case Message::Failure: return takeFailure(answer);
    case Message::Result: return takeResult(answer);
    }
    return false;
}

bool Inbox::takeResult(Answer& answer)
{
    MipResult whole;
    if (!read(whole.status) || !read(whole.bound) || !read(whole.solution))
        return false;
    answer.result = std::move(whole);
    return true;
}

bool Inbox::takeBound(Answer& answer, const MipEvents& events)
{
    double bound = 0;
    if (!read(bound))
        return false;
    answer.result.bound = std::max(answer.result.bound, bound);
    if (events.bound)
        events.bound(bound);
    return true;
}

bool Inbox::takeRelaxation(Answer& answer, const MipEvents& events)
{
    Relaxation next;
    if (!read(next.bound) || !read(next.values) || !read(next.reducedCosts))
        return false;
    next.cuts = std::move(answer.relaxation.cuts);
    answer.relaxation = std::move(next);
    if (events.bound)
        events.bound(answer.relaxation.bound);
    return true;
}

bool Inbox::takeRow(Answer& answer)
{
    std::vector<int> columns;
    std::vector<double> values;
    LinearProgram::Row row;
    if (!read(columns) || !read(values) || !read(row.lower) || !read(row.upper))
        return false;
    for (std::size_t i = 0; i < columns.size(); ++i)
        row.terms.emplace_back(columns[i], values[i]);
    answer.relaxation.cuts.push_back(std::move(row));
    return true;
}

bool Inbox::takeFailure(Answer& answer)
{
    std::vector<char> text;
    if (!read(text))
        return false;
    answer.failure.assign(text.begin(), text.end());
    return true;
}

}  // namespace poet::planning
