// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace poet {

Expected<std::string> readFile(const std::filesystem::path& path)
{
    std::error_code code;
    if (std::filesystem::is_directory(path, code))
        return fail(ErrorCode::FileNotFound, "'" + path.string() + "' is a folder, not a file.", "Name a file.");
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return fail(ErrorCode::FileNotFound, "'" + path.string() + "' cannot be opened: " + std::strerror(errno) + ".", "Check the path.");
    std::ostringstream content;
    content << in.rdbuf();
    if (in.bad())
        return fail(ErrorCode::FileNotFound, "'" + path.string() + "' cannot be read: " + std::strerror(errno) + ".");
    return std::move(content).str();
}

namespace {

/// A pipe or a device cannot be replaced by a file: it takes the bytes as they come.
Expected<void> writeThrough(const std::filesystem::path& path, std::string_view content)
{
    std::ofstream out(path, std::ios::binary);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    out.flush();
    if (!out)
        return fail(ErrorCode::FileNotFound, "'" + path.string() + "' cannot be written: " + std::strerror(errno) + ".", "Choose another file.");
    return {};
}

}  // namespace

Expected<void> writeFile(const std::filesystem::path& path, std::string_view content)
{
    std::error_code code;
    const std::filesystem::file_status status = std::filesystem::status(path, code);  // of what a link points to
    const bool isRegular = std::filesystem::is_regular_file(status);
    if (std::filesystem::exists(status) && !isRegular && !std::filesystem::is_directory(status))
        return writeThrough(path, content);
    const std::filesystem::path target = isRegular ? std::filesystem::canonical(path, code) : path;
    std::filesystem::path aside = target;
    aside += ".part" + std::to_string(::getpid());
    {
        std::ofstream out(aside, std::ios::binary | std::ios::trunc);
        out.write(content.data(), static_cast<std::streamsize>(content.size()));
        out.flush();
        if (!out) {
            const std::string reason = std::strerror(errno);
            out.close();
            std::filesystem::remove(aside, code);
            return fail(ErrorCode::FileNotFound, "'" + path.string() + "' cannot be written: " + reason + ".",
                        "Choose a folder that exists and may be written to.");
        }
    }
    if (isRegular)
        std::filesystem::permissions(aside, status.permissions(), code);
    std::filesystem::rename(aside, target, code);
    if (code) {
        const std::string reason = code.message();
        std::filesystem::remove(aside, code);
        return fail(ErrorCode::FileNotFound, "'" + path.string() + "' cannot be replaced: " + reason + ".");
    }
    return {};
}

Expected<void> checkCanWrite(const std::filesystem::path& path)
{
    std::error_code code;
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    if (std::filesystem::is_directory(path, code))
        return fail(ErrorCode::FileNotFound, "'" + path.string() + "' is a folder, not a file.", "Name a file.");
    if (!std::filesystem::is_directory(folder, code))
        return fail(ErrorCode::FileNotFound, "'" + path.string() + "' cannot be written: there is no folder '" + folder.string() + "'.", "Choose a folder that exists.");
    if (::access(folder.c_str(), W_OK) != 0)
        return fail(ErrorCode::FileNotFound, "'" + path.string() + "' cannot be written: " + std::strerror(errno) + ".", "Choose a folder that may be written to.");
    return {};
}

}  // namespace poet
