// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/cbc_driver.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <unistd.h>

/// What the solving process and its caller say to each other through a pipe; both are of one build, on one machine.
namespace poet::planning {

/// What the solving process sends: bounds, relaxations and rows while it runs, the result at its end.
enum class Message : std::int32_t { Bound, Relaxed, Row, Result, Failure };

/// The writing end of the pipe to the caller.
class Wire {
public:
    explicit Wire(int pipe) : m_pipe(pipe) {}
    void send(const void* data, std::size_t bytes) const
    {
        const char* at = static_cast<const char*>(data);
        while (bytes > 0) {
            const ssize_t sent = ::write(m_pipe, at, bytes);
            if (sent <= 0)
                std::_Exit(1);
            at += sent;
            bytes -= static_cast<std::size_t>(sent);
        }
    }
    template <class T>
    void send(const T& value) const
    {
        send(&value, sizeof value);
    }
    template <class T>
    void send(const std::vector<T>& values) const
    {
        send(static_cast<std::uint64_t>(values.size()));
        send(values.data(), values.size() * sizeof(T));
    }

private:
    int m_pipe;
};

/// All that the solving process said.
struct Answer {
    MipResult result;
    Relaxation relaxation;
    std::string failure;
};

/// What has arrived so far; messages are taken off the front once they are whole.
class Inbox {
public:
    /// Reads what is there. False at the end of the stream.
    bool fill(int pipe);
    /// Moves all whole messages into `answer` and tells `events` of bounds.
    void take(Answer& answer, const MipEvents& events);

private:
    bool takeOne(Answer& answer, const MipEvents& events);
    bool takeBound(Answer& answer, const MipEvents& events);
    bool takeRelaxation(Answer& answer, const MipEvents& events);
    bool takeRow(Answer& answer);
    bool takeFailure(Answer& answer);
    bool takeResult(Answer& answer);

    template <class T>
    bool read(T& value)
    {
        if (m_bytes.size() - m_at < sizeof value)
            return false;
        std::memcpy(&value, m_bytes.data() + m_at, sizeof value);
        m_at += sizeof value;
        return true;
    }
    template <class T>
    bool read(std::vector<T>& values)
    {
        std::uint64_t count = 0;
        if (!read(count) || (m_bytes.size() - m_at) / sizeof(T) < count)
            return false;
        values.resize(count);
        std::memcpy(values.data(), m_bytes.data() + m_at, count * sizeof(T));
        m_at += count * sizeof(T);
        return true;
    }

    std::string m_bytes;
    std::size_t m_at = 0;
};

}  // namespace poet::planning
