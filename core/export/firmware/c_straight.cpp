// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/c_folder.h"
#include "core/export/firmware/c_writer.h"

namespace poet::firmware {
namespace {

/// One line of straight-line C for an instruction; `extension` is its Ext operand.
std::string line(const Program& program, const Instruction& i, const Instruction* extension)
{
    const auto text = [](std::uint64_t value) { return std::to_string(value) + "u"; };
    switch (i.op) {
    case OpCode::Compute:
    case OpCode::Recompute:
        return "POET_RUN(" + text(i.id) + ", " + text(i.arg) + ", " + (extension ? text(extension->arg) : "POET_ABSENT") + ", " +
               (i.op == OpCode::Recompute ? "1" : "0") + ")";
    case OpCode::PageOut: return "POET_OUT(" + text(i.id) + ", " + text(i.arg) + ", " + text(i.flags) + ")";
    case OpCode::PageIn:
    case OpCode::Prefetch: {
        std::size_t page = 0;
        while (page < program.pages.size() && program.pages[page] != i.id)
            ++page;
        return "POET_IN(" + std::string(i.op == OpCode::Prefetch ? "POET_PREFETCH" : "POET_PAGE_IN") + ", " + text(i.id) + ", " + text(i.arg) + ", " +
               text(extension ? extension->arg : page) + ")";
    }
    case OpCode::Wait: return "POET_WAIT_FOR(" + text(i.id) + ")";
    case OpCode::Free: return "POET_DROP(" + text(i.id) + ")";
    case OpCode::Update: return "POET_APPLY(" + text(i.id) + ")";
    case OpCode::End: return "POET_FINISH(" + text(i.arg) + ")";
    default: return "";
    }
}

}  // namespace

std::string straightSource(const FolderInput& input)
{
    std::string out(kSourceHead);
    out += fill("/* The same schedule as straight-line C: literal offsets, no decoder. Used with @NAME@_FORM = 1. */\n"
                "#include \"@name@_internal.h\"\n\n#if @NAME@_FORM == 1\n#include \"poet_straight.inl\"\n\n"
                "int @name@_straight(@name@_state *s)\n{\n    int code;\n", input.identifier);
    const Program& program = *input.program;
    for (std::size_t at = 0; at < program.code.size(); ++at) {
        const Instruction& i = program.code[at];
        const bool isExtended = at + 1 < program.code.size() && program.code[at + 1].op == OpCode::Ext;
        const std::string text = i.op == OpCode::Ext ? "" : line(program, i, isExtended ? &program.code[at + 1] : nullptr);
        if (!text.empty())
            out += "    " + text + "\n";
    }
    return out + fill("    return POET_OK;\n}\n#else\ntypedef int @name@_straight_is_not_chosen;\n#endif\n", input.identifier);
}

}  // namespace poet::firmware
