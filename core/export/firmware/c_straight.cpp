// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/c_folder.h"
#include "core/export/firmware/c_writer.h"

namespace poet::firmware {
namespace {

/// Follows where each tensor lies, and writes one call for each instruction.
class StraightWriter {
public:
    explicit StraightWriter(const Program& program) : m_program(program), m_offsets(program.nodes.size(), 0) {}

    std::string run()
    {
        const auto& code = m_program.code;
        for (std::size_t at = 0; at < code.size(); ++at)
            if (code[at].op != OpCode::Ext)
                write(code[at], at + 1 < code.size() && code[at + 1].op == OpCode::Ext ? &code[at + 1] : nullptr);
        return std::move(m_text);
    }

private:
    static std::string text(std::uint64_t value) { return std::to_string(value) + "u"; }
    void line(const std::string& call) { m_text += "    " + call + "\n"; }

    void write(const Instruction& i, const Instruction* extension)
    {
        switch (i.op) {
        case OpCode::Compute:
        case OpCode::Recompute: {
            m_offsets[i.id] = i.arg;
            std::string slots = text(i.arg);
            for (const std::uint16_t input : m_program.nodes[i.id].inputs)
                slots += ", " + text(m_offsets[input]);
            line("POET_RUN(" + std::string(i.op == OpCode::Recompute ? "POET_RECOMPUTE" : "POET_COMPUTE") + ", " + text(i.id) + ", " +
                 text(extension ? extension->arg : 0) + ", " + slots + ")");
            break;
        }
        case OpCode::PageOut: move("POET_PAGE_OUT", (i.flags & kFlagAsync) != 0, i.id, m_offsets[i.id], kDefaultPage); break;
        case OpCode::PageIn:
        case OpCode::Prefetch:
            m_offsets[i.id] = i.arg;
            move(i.op == OpCode::Prefetch ? "POET_PREFETCH" : "POET_PAGE_IN", i.op == OpCode::Prefetch, i.id, i.arg, extension ? extension->arg : kDefaultPage);
            break;
        case OpCode::Wait: control("POET_WAIT", i.id, 0); break;
        case OpCode::Free: control("POET_FREE", i.id, 0); break;
        case OpCode::Update: control("POET_UPDATE", i.id, 0); break;
        case OpCode::End: control("POET_END", 0, i.arg); break;
        case OpCode::Mark: control("POET_MARK", i.id, i.arg); break;
        case OpCode::Ext: break;
        }
    }

    void move(const char* op, bool isAsync, std::uint16_t id, std::uint32_t offset, std::uint32_t page)
    {
        line("POET_MOVE(" + std::string(op) + ", " + (isAsync ? "1u, " : "0u, ") + text(id) + ", " + text(offset) + ", " +
             (page == kInputPage ? "POET_INPUT_PAGE" : "POET_ABSENT") + ")");
    }
    void control(const char* op, std::uint16_t id, std::uint32_t count) { line("POET_CONTROL(" + std::string(op) + ", " + text(id) + ", " + text(count) + ")"); }

    const Program& m_program;
    std::vector<std::uint32_t> m_offsets;
    std::string m_text;
};

}  // namespace

std::string straightSource(const FolderInput& input)
{
    return std::string(kSourceHead) +
           fill(R"(/* The same schedule as straight-line C: literal offsets, no decoder, no table of tensors. Used with @NAME@_FORM = 1.
 * POET_RUN: node, workspace, offset of its tensor and of its inputs. POET_MOVE: tensor, offset, page. */
#include "@name@_internal.h"

#if @NAME@_FORM == 1
#define POET_RUN(op, id, work, ...)                                          \
    {                                                                        \
        static const uint32_t slots[] = {__VA_ARGS__};                       \
        if ((code = @name@_run(s, op, id, work, slots)) != POET_OK)          \
            return code;                                                     \
    }
#define POET_MOVE(op, is_async, id, offset, page)                            \
    if ((code = @name@_transfer(s, op, is_async, id, offset, page)) != POET_OK) \
        return code;
#define POET_CONTROL(op, id, count)                                          \
    if ((code = @name@_control(s, op, id, count)) != POET_OK)                \
        return code;

int @name@_straight(@name@_state *s)
{
    int code;
)", input.identifier) +
           StraightWriter(*input.program).run() + fill("    return POET_OK;\n}\n#else\ntypedef int @name@_straight_is_not_chosen;\n#endif\n", input.identifier);
}

}  // namespace poet::firmware
