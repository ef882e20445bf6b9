// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/wire.h"

#include <array>
#include <cstdint>
#include <vector>

namespace poet::onnx {

namespace {

/// What the copier does with a message.
enum class Level { Model, Graph, Node, Attribute, Tensor, Plain };

struct Field {
    int number = 0;
    int wireType = 0;
    std::string_view whole;    ///< tag and payload
    std::string_view payload;  ///< of a length-delimited field
};

/// Field numbers of TensorProto that hold content.
constexpr std::array<int, 7> kContentFields = {4, 5, 6, 7, 9, 10, 11};
constexpr int kStringData = 6;
constexpr int kDocString = 12;

/// Graphs within graphs that are looked into; deeper ones are left to the parser, which refuses them.
constexpr int kDeepestGraph = 16;

bool isContent(int number)
{
    for (const int field : kContentFields)
        if (field == number)
            return true;
    return false;
}

/// The level of a child message, by the field numbers of onnx.proto.
Level childLevel(Level level, int number)
{
    switch (level) {
    case Level::Model: return number == 7 ? Level::Graph : Level::Plain;
    case Level::Graph: return number == 1 ? Level::Node : number == 5 ? Level::Tensor : Level::Plain;
    case Level::Node: return number == 5 ? Level::Attribute : Level::Plain;
    case Level::Attribute:
        return number == 5 || number == 10 ? Level::Tensor : number == 6 || number == 11 ? Level::Graph : Level::Plain;
    case Level::Tensor:
    case Level::Plain: break;
    }
    return Level::Plain;
}

class Copier {
public:
    explicit Copier(std::string_view file) : m_file(file) {}

    Expected<std::string> copy(std::string_view message, Level level)
    {
        if (level == Level::Tensor)
            return copyTensor(message);
        m_depth += level == Level::Graph;
        auto copied = copyMessage(message, level);
        m_depth -= level == Level::Graph;
        return copied;
    }

private:
    std::size_t position(const char* at) const { return static_cast<std::size_t>(at - m_file.data()); }

    std::unexpected<Error> broken(std::string_view at) const
    {
        return fail(ErrorCode::BadModel,
                    "The file is no ONNX model or is damaged: it stops making sense at byte " +
                        std::to_string(position(at.data())) + ".",
                    "Copy or export the model again.");
    }

    static bool readVarint(std::string_view& rest, std::uint64_t& value)
    {
        value = 0;
        for (int shift = 0; shift < 64 && !rest.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(rest.front());
            rest.remove_prefix(1);
            value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
            if (!(byte & 0x80U))
                return true;
        }
        return false;
    }

    static void appendVarint(std::string& out, std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7)
            out.push_back(static_cast<char>((value & 0x7f) | 0x80));
        out.push_back(static_cast<char>(value));
    }

    static void appendMessage(std::string& out, int number, std::string_view content)
    {
        appendVarint(out, static_cast<std::uint64_t>(number) << 3 | 2);
        appendVarint(out, content.size());
        out.append(content);
    }

    /// Takes one field off the front of `rest`.
    Expected<Field> nextField(std::string_view& rest) const
    {
        const std::string_view start = rest;
        std::uint64_t tag = 0;
        if (!readVarint(rest, tag) || (tag >> 3) == 0 || (tag >> 3) > 0x1fffffff)
            return broken(start);
        Field field{static_cast<int>(tag >> 3), static_cast<int>(tag & 7), {}, {}};
        std::uint64_t size = 0;
        switch (field.wireType) {
        case 0:
            if (!readVarint(rest, size))
                return broken(start);
            size = 0;
            break;
        case 1: size = 8; break;
        case 5: size = 4; break;
        case 2:
            if (!readVarint(rest, size))
                return broken(start);
            break;
        default: return broken(start);
        }
        if (size > rest.size())
            return fail(ErrorCode::BadModel,
                        "The file is cut off or is no ONNX model: what starts at byte " + std::to_string(position(start.data())) +
                            " should be " + std::to_string(size) + " bytes long, but only " + std::to_string(rest.size()) + " follow.",
                        "Copy or export the model again.");
        field.payload = rest.substr(0, size);
        rest.remove_prefix(size);
        field.whole = start.substr(0, start.size() - rest.size());
        return field;
    }

    Expected<std::string> copyMessage(std::string_view message, Level level)
    {
        std::string out;
        for (std::string_view rest = message; !rest.empty();) {
            POET_TRY(field, nextField(rest));
            const Level child = field.wireType == 2 ? childLevel(level, field.number) : Level::Plain;
            if (child == Level::Plain || (child == Level::Graph && m_depth >= kDeepestGraph)) {
                out.append(field.whole);
                continue;
            }
            POET_TRY(content, copy(field.payload, child));
            appendMessage(out, field.number, content);
        }
        return out;
    }

    Expected<std::string> copyTensor(std::string_view message)
    {
        std::string out;
        std::vector<Field> contents;
        for (std::string_view rest = message; !rest.empty();) {
            POET_TRY(field, nextField(rest));
            if (isContent(field.number))
                contents.push_back(field);
            else if (field.number != kDocString)
                out.append(field.whole);
        }
        const bool located = contents.size() == 1 && contents[0].wireType == 2 && contents[0].number != kStringData;
        if (located) {
            const bool isVarint = contents[0].number == 5 || contents[0].number == 7 || contents[0].number == 11;
            appendMessage(out, kDocString,
                          std::string("poet:") + (isVarint ? "varint:" : "raw:") +
                              std::to_string(position(contents[0].payload.data())) + ":" +
                              std::to_string(contents[0].payload.size()));
        }
        if (!located || contents[0].payload.size() <= kKeptContentBytes)
            for (const Field& field : contents)
                out.append(field.whole);
        return out;
    }

    std::string_view m_file;
    int m_depth = 0;
};

}  // namespace

Expected<std::string> withoutLargeContents(std::string_view file)
{
    return Copier(file).copy(file, Level::Model);
}

}  // namespace poet::onnx
