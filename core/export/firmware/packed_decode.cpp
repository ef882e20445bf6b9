// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/byte_stream.h"
#include "core/export/firmware/packed.h"
#include "core/export/firmware/packed_graph.h"
#include "core/export/firmware/packed_layout.h"
#include "core/export/firmware/sha256.h"

#include <bit>

namespace poet::firmware {
namespace {

std::unexpected<Error> broken(const std::string& what)
{
    return fail(ErrorCode::InvalidSchedule, "The packed schedule is broken: " + what + ".", "Export it again.");
}

struct Sections {
    std::size_t sizes = 0, pages = 0, words = 0, code = 0, end = 0;
    std::uint32_t flags = 0, instructions = 0, pageCount = 0, nodeCount = 0;
};

Expected<Sections> readHeader(std::string_view bytes, Program& out)
{
    ByteReader in(bytes);
    if (bytes.size() < kPackedHeaderBytes || in.fixed(4) != kMagic)
        return broken("it does not begin with POET");
    if (in.fixed(2) != kAbi)
        return broken("it is of another format number");
    if (in.byte() != 1)
        return broken("it is not little endian");
    const std::uint32_t alignment = in.byte();
    if (alignment > 16)
        return broken("the alignment is out of range");
    out.alignment = 1U << alignment;
    if (in.fixed(4) != bytes.size())
        return broken("its length is not what the header says");
    const auto crc = static_cast<std::uint32_t>(in.fixed(4));
    std::string zeroed(bytes);
    zeroed.replace(12, 4, 4, '\0');
    if (crc32(zeroed) != crc)
        return broken("the CRC does not match");
    Sections at;
    out.modelHash = in.fixed(8);
    at.flags = static_cast<std::uint32_t>(in.fixed(2));
    at.nodeCount = static_cast<std::uint32_t>(in.fixed(2));
    if (in.fixed(2) != at.nodeCount)
        return broken("tensors and nodes differ in number");
    at.pageCount = static_cast<std::uint32_t>(in.fixed(2));
    at.instructions = static_cast<std::uint32_t>(in.fixed(4));
    out.arenaBytes = static_cast<std::uint32_t>(in.fixed(4));
    out.lowerBoundBytes = static_cast<std::uint32_t>(in.fixed(4));
    out.storeBlocks = static_cast<std::uint32_t>(in.fixed(4));
    out.pageBlockBytes = static_cast<std::uint32_t>(in.fixed(4));
    out.eraseBlockBytes = static_cast<std::uint32_t>(in.fixed(4));
    out.joules = std::bit_cast<float>(static_cast<std::uint32_t>(in.fixed(4)));
    out.seconds = std::bit_cast<float>(static_cast<std::uint32_t>(in.fixed(4)));
    out.outBytes = in.fixed(8);
    out.inBytes = in.fixed(8);
    out.erases = static_cast<std::uint32_t>(in.fixed(4));
    out.wearOutSteps = static_cast<std::uint32_t>(in.fixed(4));
    at.sizes = in.fixed(2);
    at.pages = in.fixed(2);
    at.words = in.fixed(2);
    at.code = in.fixed(2);
    at.end = bytes.size();
    if ((at.flags & ~kKnownFlags) != 0 || out.pageBlockBytes == 0 || at.sizes != kPackedHeaderBytes || at.sizes > at.pages || at.pages > at.words ||
        at.words > at.code || at.code > at.end || at.nodeCount > 0x3FFE || at.instructions > 16 * (bytes.size() + 1))
        return broken("the header is out of range");
    return at;
}

bool readRuns(ByteReader& in, std::uint32_t unit, std::vector<ProgramNode>& nodes, std::uint32_t ProgramNode::*field)
{
    for (std::size_t i = 0; i < nodes.size();) {
        const std::uint32_t count = in.varint();
        const std::uint64_t value = std::uint64_t{in.varint()} * unit;
        if (in.isBroken() || count == 0 || count > nodes.size() - i || value > 0x7FFFFFFF)
            return false;
        for (std::uint32_t k = 0; k < count; ++k)
            nodes[i++].*field = static_cast<std::uint32_t>(value);
    }
    return true;
}

/// Reads the code back into wide records.
class CodeReader {
public:
    CodeReader(ByteReader in, Program& out, std::vector<std::uint32_t> dictionary, bool makesPages)
        : m_in(in), m_out(out), m_dictionary(std::move(dictionary)), m_makesPages(makesPages)
    {
    }

    /// Empty, or what is wrong.
    std::string run(std::uint32_t count)
    {
        while (m_out.code.size() < count && m_problem.empty()) {
            const std::uint32_t head = m_in.byte();
            read(head & 15, head >> 4);
            if (m_in.isBroken())
                m_problem = "the code ends early or holds an overlong number";
        }
        if (m_problem.empty() && (m_out.code.size() != count || m_out.code.empty() || m_out.code.back().op != OpCode::End))
            m_problem = "the number of instructions is wrong";
        return m_problem;
    }
    [[nodiscard]] std::size_t end() const { return m_in.at(); }

private:
    void emit(OpCode op, std::uint32_t id, std::uint32_t arg, std::uint8_t flags = 0) { m_out.code.push_back({op, flags, static_cast<std::uint16_t>(id), arg}); }

    bool check(std::int64_t id)
    {
        if (id >= 0 && id < static_cast<std::int64_t>(m_out.nodes.size()))
            return true;
        m_problem = "instruction " + std::to_string(m_out.code.size()) + " names tensor " + std::to_string(id);
        return false;
    }

    std::int64_t step(OpCode op)
    {
        std::int32_t& last = m_last[static_cast<std::size_t>(op)];
        const std::int64_t id = std::int64_t{last} + m_in.zigzag();
        if (check(id))
            last = static_cast<std::int32_t>(id);
        return id;
    }

    std::uint32_t placement()
    {
        const std::uint32_t raw = m_in.varint();
        if (raw == 0 || (!m_dictionary.empty() && raw > m_dictionary.size())) {
            m_problem = "a placement is out of range";
            return 0;
        }
        const std::uint64_t offset = std::uint64_t{m_dictionary.empty() ? raw - 1 : m_dictionary[raw - 1]} * m_out.alignment;
        if (offset > m_out.arenaBytes)
            m_problem = "a placement lies behind the arena";
        return static_cast<std::uint32_t>(offset);
    }

    void read(std::uint32_t code, std::uint32_t x)
    {
        const auto op = static_cast<OpCode>(code);
        switch (op) {
        case OpCode::Compute:
        case OpCode::Recompute: readRun(op, x); break;
        case OpCode::PageOut: readPageOut(x); break;
        case OpCode::PageIn:
        case OpCode::Prefetch: readPageIn(op, x); break;
        case OpCode::Wait:
        case OpCode::Free:
        case OpCode::Update:
            if (x > 1 || (x == 1 && op == OpCode::Free))
                m_problem = "an instruction has unknown bits";
            else if (x == 1)
                emit(op, kAll, 0);
            else if (const std::int64_t id = step(op); m_problem.empty())
                emit(op, static_cast<std::uint32_t>(id), 0);
            break;
        case OpCode::Mark: emit(op, 0, x == 15 ? m_in.varint() : x); break;
        case OpCode::End: emit(op, 0, m_in.varint()); break;
        default: m_problem = "there is no instruction code " + std::to_string(code); break;
        }
    }

    void readRun(OpCode op, std::uint32_t x)
    {
        std::int32_t& last = m_last[static_cast<std::size_t>(op)];
        const std::int64_t id = (x & 1) != 0 ? std::int64_t{last} + 1 : std::int64_t{last} + m_in.zigzag();
        if (!check(id))
            return;
        last = static_cast<std::int32_t>(id);
        const ProgramNode& node = m_out.nodes[static_cast<std::size_t>(id)];
        emit(op, static_cast<std::uint32_t>(id), node.bytes > 0 ? placement() : 0);
        if (node.workBytes > 0)
            emit(OpCode::Ext, 1, placement());
        for (std::uint32_t input = 0; input < 3; ++input) {
            if ((x & (2U << input)) == 0)
                continue;
            if (input >= node.inputs.size())
                m_problem = "an input that does not exist dies";
            else
                emit(OpCode::Free, node.inputs[input], 0);
        }
    }

    void readPageOut(std::uint32_t x)
    {
        const std::int64_t id = step(OpCode::PageOut);
        if (!m_problem.empty())
            return;
        std::size_t page = 0;
        if ((x & 1) != 0) {
            while (page < m_out.pages.size() && m_out.pages[page] != id)
                ++page;
            if (page == m_out.pages.size() && m_makesPages)
                m_out.pages.push_back(static_cast<std::uint16_t>(id));
        } else {
            page = m_in.varint();
        }
        if (page >= m_out.pages.size() || x > 7)
            m_problem = "a page-out names no page";
        emit(OpCode::PageOut, static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(page), (x & 2) != 0 ? kFlagAsync : 0);
        if ((x & 4) != 0)
            emit(OpCode::Free, static_cast<std::uint32_t>(id), 0);
    }

    void readPageIn(OpCode op, std::uint32_t x)
    {
        const std::int64_t id = step(op);
        if (!m_problem.empty())
            return;
        if (x > 2)
            m_problem = "an instruction has unknown bits";
        const std::uint32_t page = x == 0 ? m_in.varint() : x == 2 ? kInputPage : kDefaultPage;
        emit(op, static_cast<std::uint32_t>(id), m_out.nodes[static_cast<std::size_t>(id)].bytes > 0 ? placement() : 0);
        if (page != kDefaultPage)
            emit(OpCode::Ext, 1, page);
    }

    ByteReader m_in;
    Program& m_out;
    std::vector<std::uint32_t> m_dictionary;
    bool m_makesPages;  ///< each begins with the first PAGE_OUT of its tensor
    std::array<std::int32_t, 16> m_last = firstIds();
    std::string m_problem;
};

bool readRegions(ByteReader& in, Program& out)
{
    const std::uint32_t count = in.varint();
    std::uint64_t sum = 0;
    if (count < 2 || count > kMostPackedRegions)
        return false;
    for (std::uint32_t r = 0; r < count; ++r) {
        const std::uint32_t word = in.varint();
        out.regions.push_back({"region " + std::to_string(r), static_cast<std::int64_t>(std::uint64_t{word / 2} * out.alignment), (word & 1) != 0});
        sum += static_cast<std::uint64_t>(out.regions.back().bytes);
        if (word / 2 == 0)
            return false;
    }
    return !in.isBroken() && sum == out.arenaBytes;
}

Expected<void> readTensors(std::string_view bytes, const Sections& at, const Program* graph, Program& out)
{
    ByteReader section(bytes.substr(0, at.pages), at.sizes);
    if ((at.flags & kFlagRegions) != 0 && !readRegions(section, out))
        return broken("the regions are not the arena");
    if ((at.flags & kFlagGraph) != 0) {
        if (!readNodes(section, at.nodeCount, out.nodes))
            return broken("the nodes are out of range");
        return {};
    }
    out.nodes.resize(at.nodeCount);
    ByteReader sizes = section;
    const std::uint32_t unit = sizes.varint();
    if (unit == 0 || !readRuns(sizes, unit, out.nodes, &ProgramNode::bytes) || !readRuns(sizes, unit, out.nodes, &ProgramNode::workBytes))
        return broken("the tensor sizes are out of range");
    if (graph == nullptr || graph->nodes.size() != out.nodes.size())
        return broken("it does not hold its graph, and none of that size was given");
    for (std::size_t i = 0; i < out.nodes.size(); ++i) {
        const ProgramNode& known = graph->nodes[i];
        out.nodes[i] = {out.nodes[i].bytes, out.nodes[i].workBytes, known.inputs, known.isInput, known.isBackward, known.mayRunAgain};
    }
    return {};
}

}  // namespace

bool hasGraph(std::string_view bytes)
{
    return bytes.size() >= kPackedHeaderBytes && (ByteReader(bytes, 24).fixed(2) & kFlagGraph) != 0;
}

Expected<Program> decode(std::string_view bytes, const Program* graph)
{
    Program out;
    POET_TRY(at, readHeader(bytes, out));
    POET_CHECK(readTensors(bytes, at, graph, out));
    ByteReader pages(bytes.substr(0, at.words), at.pages);
    const bool pagesInCode = (at.flags & kFlagPagesInCode) != 0;
    for (std::uint32_t i = 0; i < at.pageCount && !pagesInCode; ++i) {
        const std::uint32_t tensor = pages.varint();
        if (pages.isBroken() || tensor >= out.nodes.size())
            return broken("a page names no tensor");
        out.pages.push_back(static_cast<std::uint16_t>(tensor));
    }
    std::vector<std::uint32_t> dictionary;
    const auto width = static_cast<int>(at.flags >> kWidthShift & 7);
    if ((at.flags & kFlagPlain) == 0) {
        if (width < 1 || width > 4)
            return broken("the dictionary has an unknown width");
        ByteReader words(bytes.substr(0, at.code), at.words);
        const std::uint64_t unit = words.varint();
        while (words.at() + static_cast<std::size_t>(width) <= at.code)
            dictionary.push_back(static_cast<std::uint32_t>(words.fixed(width) * unit));
    }
    CodeReader code(ByteReader(bytes, at.code), out, dictionary, pagesInCode);
    if (const std::string problem = code.run(at.instructions); !problem.empty())
        return broken(problem);
    if (code.end() != at.end)
        return broken("there are bytes behind the code");
    if (out.pages.size() != at.pageCount)
        return broken("the code makes another number of pages");
    return out;
}

}  // namespace poet::firmware
