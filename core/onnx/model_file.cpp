// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/model_file.h"

#include "core/onnx/wire.h"

#include <google/protobuf/stubs/logging.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace poet::onnx {

namespace {

/// A read-only memory map of a file; empty files have no map.
class FileMap {
public:
    FileMap() = default;
    FileMap(const FileMap&) = delete;
    FileMap& operator=(const FileMap&) = delete;
    ~FileMap()
    {
        if (m_data != MAP_FAILED)
            munmap(m_data, m_size);
        if (m_descriptor >= 0)
            close(m_descriptor);
    }

    Expected<void> open(const std::filesystem::path& path)
    {
        m_descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        struct stat info = {};
        if (m_descriptor < 0 || fstat(m_descriptor, &info) != 0)
            return unreadable(path, std::strerror(errno));
        if (!S_ISREG(info.st_mode))
            return unreadable(path, "it is no regular file");
        m_size = static_cast<std::size_t>(info.st_size);
        if (m_size == 0)
            return {};
        m_data = mmap(nullptr, m_size, PROT_READ, MAP_PRIVATE, m_descriptor, 0);
        return m_data == MAP_FAILED ? unreadable(path, std::strerror(errno)) : Expected<void>{};
    }

    [[nodiscard]] std::string_view content() const
    {
        return m_data == MAP_FAILED ? std::string_view() : std::string_view(static_cast<const char*>(m_data), m_size);
    }

private:
    static Expected<void> unreadable(const std::filesystem::path& path, const std::string& why)
    {
        return fail(ErrorCode::FileNotFound, "The model file \"" + path.string() + "\" cannot be read: " + why + ".",
                    "Check the path.");
    }

    int m_descriptor = -1;
    void* m_data = MAP_FAILED;
    std::size_t m_size = 0;
};

}  // namespace

Expected<::onnx::ModelProto> readModel(const std::filesystem::path& path)
{
    // Its complaints would go to stderr beside our own sentence.
    google::protobuf::SetLogHandler(nullptr);
    FileMap map;
    POET_CHECK(map.open(path));
    if (map.content().empty())
        return fail(ErrorCode::BadModel, "The model file \"" + path.string() + "\" is empty.", "Export the model again.");
    auto structure = withoutLargeContents(map.content());
    if (!structure) {
        Error error = std::move(structure).error();
        error.message = "\"" + path.filename().string() + "\": " + error.message;
        return std::unexpected(std::move(error));
    }
    ::onnx::ModelProto model;
    if (structure->size() > std::numeric_limits<int>::max() ||
        !model.ParseFromArray(structure->data(), static_cast<int>(structure->size())) || !model.has_graph())
        return fail(ErrorCode::BadModel, "\"" + path.filename().string() + "\" is no ONNX model.",
                    "Give an .onnx file or a cost graph (.json).");
    return model;
}

}  // namespace poet::onnx
