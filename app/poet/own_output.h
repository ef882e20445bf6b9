// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ext/stdio_filebuf.h>

#include <fcntl.h>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace poet {

/// Keeps std::cout for this program alone: what libraries print to file descriptor 1 goes nowhere (CBC prints blank
/// lines while it preprocesses, which would break the JSON lines of `--events`). Lives as long as main.
class OwnOutput {
public:
    OwnOutput()
    {
        const int own = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
        const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (own < 0 || nowhere < 0)
            return;
        m_buffer = std::make_unique<__gnu_cxx::stdio_filebuf<char>>(own, std::ios::out);
        m_before = std::cout.rdbuf(m_buffer.get());
        ::dup2(nowhere, STDOUT_FILENO);
        ::close(nowhere);
    }
    ~OwnOutput()
    {
        std::cout.flush();
        if (m_before)
            std::cout.rdbuf(m_before);
    }
    OwnOutput(const OwnOutput&) = delete;
    OwnOutput& operator=(const OwnOutput&) = delete;

private:
    std::unique_ptr<__gnu_cxx::stdio_filebuf<char>> m_buffer;
    std::streambuf* m_before = nullptr;
};

}  // namespace poet
