// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/byte_stream.h"
#include "core/export/firmware/packed.h"
#include "core/export/firmware/packed_graph.h"
#include "core/export/firmware/packed_layout.h"
#include "core/export/firmware/sha256.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace poet::firmware {
namespace {

/// Runs of equal values: count, value / unit.
void writeRuns(ByteWriter& out, const std::vector<std::uint32_t>& values, std::uint32_t unit)
{
    for (std::size_t i = 0; i < values.size();) {
        std::size_t end = i;
        while (end < values.size() && values[end] == values[i])
            ++end;
        out.varint(static_cast<std::uint32_t>(end - i));
        out.varint(values[i] / unit);
        i = end;
    }
}

void writeSizes(ByteWriter& out, const Program& program)
{
    std::vector<std::uint32_t> sizes, works;
    std::uint32_t unit = 0;
    for (const ProgramNode& node : program.nodes) {
        sizes.push_back(node.bytes);
        works.push_back(node.workBytes);
        unit = std::gcd(std::gcd(unit, node.bytes), node.workBytes);
    }
    unit = std::max<std::uint32_t>(unit, 1);
    out.varint(unit);
    writeRuns(out, sizes, unit);
    writeRuns(out, works, unit);
}

void writeRegions(ByteWriter& out, const Program& program)
{
    if (program.regions.empty())
        return;
    out.varint(static_cast<std::uint32_t>(program.regions.size()));
    for (const ArenaRegion& region : program.regions)
        out.varint(static_cast<std::uint32_t>(region.bytes / program.alignment) * 2 + (region.hasDma ? 1U : 0U));
}

/// Offsets by how often they are used; empty when writing them out is shorter.
std::vector<std::uint32_t> makeDictionary(const std::vector<std::uint32_t>& uses, int width)
{
    std::map<std::uint32_t, int> counts;
    std::size_t plain = 0, indexed = 0;
    for (const std::uint32_t use : uses)
        ++counts[use];
    std::vector<std::uint32_t> dictionary;
    for (const auto& [offset, count] : counts)
        dictionary.push_back(offset);
    std::ranges::stable_sort(dictionary, [&](std::uint32_t a, std::uint32_t b) { return counts[a] > counts[b]; });
    const auto bytes = [](std::uint32_t value) {
        ByteWriter one;
        one.varint(value);
        return one.size();
    };
    for (std::size_t i = 0; i < dictionary.size(); ++i) {
        const auto times = static_cast<std::size_t>(counts[dictionary[i]]);
        plain += times * bytes(1 + dictionary[i]);
        indexed += times * bytes(1 + static_cast<std::uint32_t>(i)) + static_cast<std::size_t>(width);
    }
    return indexed < plain ? dictionary : std::vector<std::uint32_t>{};
}

/// Writes the code; remembers the last id of each code, as the decoder does.
class CodeWriter {
public:
    CodeWriter(const Program& program, std::vector<std::uint32_t> dictionary) : m_program(program), m_dictionary(std::move(dictionary)) {}

    ByteWriter run()
    {
        for (m_at = 0; m_at < m_program.code.size();)
            write();
        return std::move(m_out);
    }

private:
    const Instruction& here(std::size_t ahead = 0) const { return m_program.code[m_at + ahead]; }
    bool isAt(std::size_t index, OpCode op) const { return index < m_program.code.size() && m_program.code[index].op == op; }

    void head(OpCode op, std::uint32_t x) { m_out.byte(static_cast<std::uint32_t>(op) | x << 4); }

    void step(OpCode op, std::uint16_t id)
    {
        std::int32_t& last = m_last[static_cast<std::size_t>(op)];
        m_out.zigzag(static_cast<std::int32_t>(id) - last);
        last = id;
    }

    void placement(std::uint32_t offset)
    {
        const std::uint32_t unit = offset / m_program.alignment;
        if (m_dictionary.empty())
            m_out.varint(1 + unit);
        else
            m_out.varint(1 + static_cast<std::uint32_t>(std::ranges::find(m_dictionary, unit) - m_dictionary.begin()));
    }

    void write()
    {
        const Instruction i = here();
        switch (i.op) {
        case OpCode::Compute:
        case OpCode::Recompute: run(i); return;
        case OpCode::PageOut: pageOut(i); return;
        case OpCode::PageIn:
        case OpCode::Prefetch: pageIn(i); return;
        case OpCode::Wait:
        case OpCode::Free:
        case OpCode::Update:
            head(i.op, i.id == kAll && i.op != OpCode::Free ? 1 : 0);
            if (i.id != kAll || i.op == OpCode::Free)
                step(i.op, i.id);
            break;
        case OpCode::Mark:
            head(i.op, std::min<std::uint32_t>(i.arg, 15));
            if (i.arg >= 15)
                m_out.varint(i.arg);
            break;
        case OpCode::End:
        case OpCode::Ext:
            head(i.op, 0);
            m_out.varint(i.arg);
            break;
        }
        ++m_at;
    }

    void run(const Instruction& i)
    {
        const ProgramNode& node = m_program.nodes[i.id];
        std::int32_t& last = m_last[static_cast<std::size_t>(i.op)];
        const bool isNext = i.id == last + 1;
        std::size_t after = m_at + 1;
        const bool hasWork = isAt(after, OpCode::Ext);
        if (hasWork)
            ++after;
        std::uint32_t x = isNext ? 1 : 0;
        for (std::uint32_t input = 0; input < 3 && input < node.inputs.size(); ++input)
            if (isAt(after, OpCode::Free) && m_program.code[after].id == node.inputs[input]) {
                x |= 2U << input;
                ++after;
            }
        head(i.op, x);
        if (!isNext)
            m_out.zigzag(static_cast<std::int32_t>(i.id) - last);
        last = i.id;
        if (node.bytes > 0)
            placement(i.arg);
        if (hasWork)
            placement(here(1).arg);
        m_at = after;
    }

    void pageOut(const Instruction& i)
    {
        const bool isDefault = m_program.pages[i.arg] == i.id;
        const bool dies = (i.flags & kFlagAsync) == 0 && isAt(m_at + 1, OpCode::Free) && here(1).id == i.id;
        head(i.op, (isDefault ? 1U : 0U) | ((i.flags & kFlagAsync) != 0 ? 2U : 0U) | (dies ? 4U : 0U));
        step(i.op, i.id);
        if (!isDefault)
            m_out.varint(i.arg);
        m_at += dies ? 2 : 1;
    }

    void pageIn(const Instruction& i)
    {
        const bool hasPage = isAt(m_at + 1, OpCode::Ext);
        const bool isInput = hasPage && here(1).arg == kInputPage;
        head(i.op, (hasPage ? 0U : 1U) | (isInput ? 2U : 0U));
        step(i.op, i.id);
        if (hasPage && !isInput)
            m_out.varint(here(1).arg);
        if (m_program.nodes[i.id].bytes > 0)
            placement(i.arg);
        m_at += hasPage ? 2 : 1;
    }

    const Program& m_program;
    std::vector<std::uint32_t> m_dictionary;
    std::size_t m_at = 0;
    std::array<std::int32_t, 16> m_last = firstIds();
    ByteWriter m_out;
};

/// The code tells the pages: each begins with the first PAGE_OUT of its tensor.
bool arePagesInCode(const Program& program)
{
    std::vector<std::uint16_t> pages;
    for (const Instruction& i : program.code)
        if (i.op == OpCode::PageOut && std::ranges::find(pages, i.id) == pages.end())
            pages.push_back(i.id);
    return pages == program.pages;
}

std::vector<std::uint32_t> placements(const Program& program)
{
    std::vector<std::uint32_t> uses;
    for (const Instruction& i : program.code) {
        const bool isRun = i.op == OpCode::Compute || i.op == OpCode::Recompute;
        if ((isRun || i.op == OpCode::PageIn || i.op == OpCode::Prefetch) && program.nodes[i.id].bytes > 0)
            uses.push_back(i.arg / program.alignment);
    }
    for (std::size_t k = 0; k + 1 < program.code.size(); ++k)
        if ((program.code[k].op == OpCode::Compute || program.code[k].op == OpCode::Recompute) && program.code[k + 1].op == OpCode::Ext)
            uses.push_back(program.code[k + 1].arg / program.alignment);
    return uses;
}

/// How offsets are written.
struct OffsetTable {
    std::uint32_t unit = 1;                 ///< they are often multiples of much more than the alignment
    int width = 1;                          ///< bytes of one in the dictionary
    std::vector<std::uint32_t> dictionary;  ///< empty: each is written out
};

OffsetTable offsetTable(const Program& program)
{
    const auto uses = placements(program);
    std::uint32_t unit = 0;
    for (const std::uint32_t use : uses)
        unit = std::gcd(unit, use);
    unit = std::max<std::uint32_t>(unit, 1);
    const std::uint32_t most = program.arenaBytes / program.alignment / unit;
    const int width = most <= 0xFF ? 1 : most <= 0xFFFF ? 2 : most <= 0xFFFFFF ? 3 : 4;
    return {unit, width, makeDictionary(uses, width)};
}

}  // namespace

std::string encode(const Program& program, bool withGraph)
{
    const OffsetTable offsets = offsetTable(program);
    const auto& [unit, width, dictionary] = offsets;
    ByteWriter sizes, pages, words;
    writeRegions(sizes, program);
    if (withGraph)
        writeNodes(sizes, program.nodes);
    else
        writeSizes(sizes, program);
    const bool pagesInCode = arePagesInCode(program);
    for (std::size_t i = 0; i < program.pages.size() && !pagesInCode; ++i)
        pages.varint(program.pages[i]);
    if (!dictionary.empty())
        words.varint(unit);
    for (const std::uint32_t offset : dictionary)
        words.fixed(offset / unit, width);
    const ByteWriter code = CodeWriter(program, dictionary).run();
    const std::size_t total = kPackedHeaderBytes + sizes.size() + pages.size() + words.size() + code.size();
    const auto header = [&](std::uint32_t crc) {
        ByteWriter out;
        const std::size_t sizesAt = kPackedHeaderBytes, pagesAt = sizesAt + sizes.size(), wordsAt = pagesAt + pages.size();
        out.fixed(kMagic, 4);
        out.fixed(kAbi, 2);
        out.byte(1);
        out.byte(static_cast<std::uint32_t>(std::countr_zero(program.alignment)));
        out.fixed(total, 4);
        out.fixed(crc, 4);
        out.fixed(program.modelHash, 8);
        out.fixed((withGraph ? kFlagGraph : 0U) | (dictionary.empty() ? kFlagPlain : 0U) | (pagesInCode ? kFlagPagesInCode : 0U) |
                      (program.regions.empty() ? 0U : kFlagRegions) | static_cast<std::uint32_t>(width) << kWidthShift, 2);
        out.fixed(program.nodes.size(), 2);
        out.fixed(program.nodes.size(), 2);
        out.fixed(program.pages.size(), 2);
        out.fixed(program.code.size(), 4);
        out.fixed(program.arenaBytes, 4);
        out.fixed(program.lowerBoundBytes, 4);
        out.fixed(program.storeBlocks, 4);
        out.fixed(program.pageBlockBytes, 4);
        out.fixed(program.eraseBlockBytes, 4);
        out.fixed(std::bit_cast<std::uint32_t>(program.joules), 4);
        out.fixed(std::bit_cast<std::uint32_t>(program.seconds), 4);
        out.fixed(program.outBytes, 8);
        out.fixed(program.inBytes, 8);
        out.fixed(program.erases, 4);
        out.fixed(program.wearOutSteps, 4);
        out.fixed(sizesAt, 2);
        out.fixed(pagesAt, 2);
        out.fixed(wordsAt, 2);
        out.fixed(wordsAt + words.size(), 2);
        return out;
    };
    const auto file = [&](std::uint32_t crc) {
        ByteWriter out = header(crc);
        for (const ByteWriter* part : std::initializer_list<const ByteWriter*>{&sizes, &pages, &words, &code})
            out.append(*part);
        return out.bytes();
    };
    return file(crc32(file(0)));
}

PackedPlaces packedPlaces(const Program& program)
{
    const std::string bytes = encode(program, false);
    const auto fixed = [&](std::size_t at, int count) { return ByteReader(bytes, at).fixed(count); };
    const auto flags = static_cast<std::uint32_t>(fixed(24, 2));
    PackedPlaces places{.totalBytes = bytes.size(), .crc = static_cast<std::uint32_t>(fixed(12, 4)), .words = fixed(92, 2), .code = fixed(94, 2)};
    places.unitBytes = program.alignment;
    if ((flags & kFlagPlain) == 0) {
        ByteReader words(bytes, places.words);
        places.unitBytes *= words.varint();
        places.words = words.at();
        places.width = static_cast<int>(flags >> kWidthShift & 7);
    }
    return places;
}

}  // namespace poet::firmware
