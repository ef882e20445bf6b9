// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/export/firmware_machine.h"

#include "core/export/firmware/sha256.h"
#include "resources/runtime/poet_types.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>

namespace {

// The tables that an exported folder holds, here filled at run time. One program at a time.
constexpr std::size_t kMost = 64;

struct machine_state {
    poet_instr now;
    uint32_t operand;
    uint8_t* base[7];
    uint8_t* regions[2];
    uint32_t grad_bytes, apply;
    float rate;
    const poet_store* store;
    const void* const* inputs;
    void *user, *observe_user;
    poet_observer observe;
    poet_fault fault;
    float loss;
    const poet_instr* next;
    poet_counters counters;
    struct {
        void* at[14];
        poet_grad grad[1];
    } lists;
    uint32_t place[kMost];
    poet_call call;
    uint8_t* opt;
    uint32_t keeps;
    float momentum, beta2, epsilon;
};

uint32_t machine_n_tensors, machine_n_runs, machine_n_instr, machine_arena_bytes, machine_align, machine_blocks_total, machine_block, machine_regions[3];
uint8_t* machine_at(const machine_state* s, uint32_t offset);
std::vector<uint32_t> machine_sizes, machine_works;
std::vector<poet_tensor> machine_tensors;
std::vector<poet_instr> machine_code_list;
const poet_instr* machine_code;
std::vector<poet_node> machine_nodes;
std::vector<poet_ref> machine_refs;
const int32_t machine_attrs[1] = {0};
const uint64_t machine_consts[1] = {0};
extern const poet_kernel machine_kernels[1];
void machine_optimize(machine_state*) {}

#define POET_P(x) machine_##x
#define POET_STATE machine_state
#define POET_ARENA_BYTES machine_arena_bytes
#define POET_ARENA_ALIGN machine_align
#define POET_N_TENSORS machine_n_tensors
#define POET_N_RUNS machine_n_runs
#define POET_N_INSTR machine_n_instr
#define POET_STORE_BLOCKS machine_blocks_total
#define POET_PAGE_BLOCK machine_block
#define POET_REGIONS 2  // of a program with one memory, the second is empty
#define POET_HELPERS 0
#define POET_LOSS_WEIGHTS 0
#define POET_ASYNC_USED 1
#define POET_FIRST_PROLOGUE 0u
#define POET_N_PROLOGUE 0u
#define POET_FIRST_EPILOGUE 0u
#define POET_N_EPILOGUE 0u
#define POET_ALL_GRAD_BYTES 0u
#define POET_OWN_GRAD_BYTES 0u
#undef POET_CHECK  // core/base/error.h has another one
#define POET_CHECK 1
#define POET_FORM 0
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "resources/runtime/poet_runtime.inl"
#include "resources/runtime/poet_setup.inl"
#pragma GCC diagnostic pop

static_assert(sizeof(poet_decoder) < 64, "a packed schedule is decoded in less than 64 bytes beside the table of tensors");

std::vector<std::vector<uint8_t>>* recorded;

/// Output = mixture of node number and all input bytes; also scribbles over the workspace.
int mix(void*, const poet_call* call)
{
    const auto node = static_cast<std::size_t>(call->node - machine_nodes.data());
    uint32_t hash = 2166136261U ^ static_cast<uint32_t>(node);
    for (std::size_t i = 0; i < call->node->n_in; ++i) {
        const std::size_t tensor = machine_refs[call->node->ref + 3 + i].number;
        for (std::size_t b = 0; b < machine_sizes[tensor]; ++b)
            hash = (hash ^ static_cast<const uint8_t*>(call->in[i])[b]) * 16777619U;
    }
    if (machine_works[node] > 0)
        std::memset(call->work, 0xAB, machine_works[node]);
    auto* out = static_cast<uint8_t*>(call->out[0]);
    for (std::size_t b = 0; b < machine_sizes[node]; ++b)
        out[b] = static_cast<uint8_t>((hash = hash * 1664525U + 1013904223U) >> 24);
    if (recorded)
        (*recorded)[node].assign(out, out + machine_sizes[node]);
    return 0;
}
const poet_kernel machine_kernels[1] = {mix};

std::vector<std::vector<uint8_t>> pageMemory;
int readPage(void*, uint32_t block, void* dst, uint32_t bytes)
{
    if (block >= pageMemory.size() || pageMemory[block].size() < bytes)
        return 1;
    std::memcpy(dst, pageMemory[block].data(), bytes);
    return 0;
}
int writePage(void*, uint32_t block, const void* src, uint32_t bytes)
{
    if (block >= pageMemory.size())
        return 1;
    pageMemory[block].assign(static_cast<const uint8_t*>(src), static_cast<const uint8_t*>(src) + bytes);
    return 0;
}

void fillTables(const poet::firmware::Program& program)
{
    machine_n_tensors = static_cast<uint32_t>(program.nodes.size());
    machine_n_runs = static_cast<uint32_t>(std::ranges::count(program.nodes, false, &poet::firmware::ProgramNode::isInput));
    machine_n_instr = static_cast<uint32_t>(program.code.size());
    machine_arena_bytes = program.arenaBytes;
    machine_align = program.alignment;
    machine_regions[1] = program.regions.empty() ? program.arenaBytes : static_cast<uint32_t>(program.regions[0].bytes);
    machine_regions[2] = program.arenaBytes;
    machine_blocks_total = program.storeBlocks;
    machine_block = program.pageBlockBytes;
    machine_sizes.clear(), machine_works.clear(), machine_tensors.clear(), machine_nodes.clear(), machine_refs.clear(), machine_code_list.clear();
    const auto blocks = program.pageBlocks();
    for (const auto& node : program.nodes) {
        machine_sizes.push_back(node.bytes);
        machine_works.push_back(node.workBytes);
        const auto id = static_cast<uint16_t>(machine_nodes.size());
        const auto page = static_cast<std::size_t>(std::ranges::find(program.pages, id) - program.pages.begin());
        const bool hasPage = page < program.pages.size();
        machine_tensors.push_back({node.bytes, node.workBytes, hasPage ? blocks[page] : 0, static_cast<uint16_t>(hasPage ? page : 0xFFFF),
                                   static_cast<uint16_t>(node.isInput ? 0 : 0xFFFF)});
        machine_nodes.push_back({0, static_cast<uint8_t>(node.inputs.size()), 0,
                                 static_cast<uint8_t>((node.isInput ? 0 : POET_NODE_FIRST) | (node.mayRunAgain ? POET_NODE_AGAIN : 0)), 0, 0,
                                 static_cast<uint32_t>(machine_refs.size()), 0});
        machine_refs.push_back({id, POET_REF_TENSOR, 0, 0});
        machine_refs.insert(machine_refs.end(), 2, poet_ref{0, POET_REF_NONE, 0, 0});
        for (const auto input : node.inputs)
            machine_refs.push_back({input, POET_REF_TENSOR, 0, 0});
    }
    for (const auto& i : program.code)
        machine_code_list.push_back({static_cast<uint8_t>(i.op), i.flags, i.id, i.arg});
    machine_code = machine_code_list.data();
}

}  // namespace

namespace poet::firmware::test {

MachineResult runMachine(const Program& program)
{
    fillTables(program);
    pageMemory.assign(program.storeBlocks + 1, {});
    poet_store store{readPage, writePage, nullptr, nullptr, nullptr, nullptr, program.pageBlockBytes, program.storeBlocks};
    std::vector<std::uint64_t> arena(machine_regions[1] / 8 + 4, 0x5555555555555555U), second((machine_regions[2] - machine_regions[1]) / 8 + 4, 0x5555555555555555U);
    void* const arenas[2] = {arena.data(), second.data()};
    const std::uint32_t bytes[2] = {machine_regions[1] + 8, machine_regions[2] - machine_regions[1] + 8};
    std::vector<std::uint8_t> given(1024);
    for (std::size_t i = 0; i < given.size(); ++i)
        given[i] = static_cast<std::uint8_t>(i * 37 + 11);
    const void* inputs[1] = {given.data()};
    MachineResult result;
    std::vector<std::vector<std::uint8_t>> made(program.nodes.size());
    recorded = &made;
    machine_state state{};
    std::uint64_t parameters = 0;
    result.code = machine_open(&state, arenas, bytes, &store, &parameters, nullptr);
    if (result.code == 0) {
        state.inputs = inputs;
        result.code = poet_step(&state);
    }
    recorded = nullptr;
    result.instruction = state.fault.instr;
    result.id = state.fault.id;
    result.outBytes = state.counters.bytes[POET_PAGE_OUT];
    result.inBytes = state.counters.bytes[POET_PAGE_IN] + state.counters.bytes[POET_PREFETCH];
    for (std::size_t i = 0; i < program.nodes.size(); ++i)
        if (program.nodes[i].isBackward)
            result.backward.push_back(made[i]);
    return result;
}

std::string runSymbolically(const Program& program, const Program& meant)
{
    std::vector<int> owner(program.arenaBytes + 1, -1);
    std::map<std::size_t, std::uint32_t> at;  // tensor -> offset
    std::vector<int> runs(meant.nodes.size(), 0);
    std::vector<bool> stored(meant.nodes.size(), false);
    const auto isWhole = [&](std::size_t t) {
        if (!at.contains(t))
            return false;
        const auto first = owner.begin() + at[t];
        return std::all_of(first, first + meant.nodes[t].bytes, [&](int o) { return o == static_cast<int>(t); });
    };
    const auto fill = [&](std::uint32_t offset, std::uint32_t bytes, int value) { std::fill_n(owner.begin() + offset, bytes, value); };
    for (std::size_t k = 0; k < program.code.size(); ++k) {
        const Instruction& i = program.code[k];
        const bool hasOperand = k + 1 < program.code.size() && program.code[k + 1].op == OpCode::Ext;
        switch (i.op) {
        case OpCode::Compute:
        case OpCode::Recompute:
            for (const auto input : meant.nodes[i.id].inputs)
                if (!isWhole(input))
                    return "node " + std::to_string(i.id) + " reads a broken tensor " + std::to_string(input);
            if (hasOperand)
                fill(program.code[k + 1].arg, meant.nodes[i.id].workBytes, -1);
            fill(i.arg, meant.nodes[i.id].bytes, i.id);
            at[i.id] = i.arg;
            ++runs[i.id];
            break;
        case OpCode::PageOut:
            if (!isWhole(i.id))
                return "a broken tensor is paged out";
            stored[i.id] = true;
            break;
        case OpCode::PageIn:
        case OpCode::Prefetch:
            if (!stored[i.id] && !(hasOperand && program.code[k + 1].arg == kInputPage && meant.nodes[i.id].isInput))
                return "a page is read that was not written";
            fill(i.arg, meant.nodes[i.id].bytes, i.id);
            at[i.id] = i.arg;
            break;
        case OpCode::Free: at.erase(i.id); break;
        default: break;
        }
    }
    for (std::size_t t = 0; t < runs.size(); ++t)
        if ((meant.nodes[t].isBackward && runs[t] != 1) || (!meant.nodes[t].isInput && runs[t] < 1))
            return "node " + std::to_string(t) + " runs " + std::to_string(runs[t]) + " times";
    return "";
}

void repairCrc(std::string& packed)
{
    packed.replace(12, 4, 4, '\0');
    const std::uint32_t crc = crc32(packed);
    for (int i = 0; i < 4; ++i)
        packed[12 + static_cast<std::size_t>(i)] = static_cast<char>(crc >> (8 * i));
}

}  // namespace poet::firmware::test
