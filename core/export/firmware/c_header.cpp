// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/c_folder.h"
#include "core/export/firmware/c_writer.h"
#include "core/export/firmware/packed.h"

#include <algorithm>
#include <cmath>

namespace poet::firmware {
namespace {

std::string hex(std::uint64_t value)
{
    static constexpr char kDigits[] = "0123456789ABCDEF";
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4)
        text += kDigits[value >> shift & 15];
    return "0x" + text + "ull";
}

std::uint64_t rounded(double value)
{
    return value <= 0 ? 0 : static_cast<std::uint64_t>(std::llround(value));
}

std::int64_t optimizerBytes(const FolderInput& input)
{
    const std::int64_t all = input.model ? input.model->gradientBytes : 0;
    return input.optimizer == Optimizer::Momentum ? all : input.optimizer == Optimizer::Adam ? 2 * all : 0;
}

std::string literal(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text)
        if (static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7F && c != '"' && c != '\\')
            result += c;
    return result + '"';
}

/// Most operands that one call reads, and most gradients that one makes.
std::pair<std::size_t, std::size_t> mostOperands(const FolderInput& input)
{
    std::pair<std::size_t, std::size_t> most{1, 1};
    const auto look = [&](const std::vector<BoundCall>& calls) {
        for (const BoundCall& call : calls)
            most = {std::max(most.first, call.in.size()), std::max(most.second, call.gradients.size())};
    };
    if (input.model) {
        look(input.model->nodes);
        look(input.model->prologue);
        look(input.model->epilogue);
        for (const BoundCall& call : input.model->nodes)
            look(call.before);
    }
    return most;
}

/// Stack of the deepest kernel call: seen with GCC 12 at -O2 on Cortex-M4, with a margin.
constexpr int kStackHintBytes = 1024;

}  // namespace

std::string headerSource(const FolderInput& input)
{
    const Program& p = *input.program;
    const std::string big = upper(input.identifier);
    std::string out(kSourceHead);
    const auto define = [&](std::string_view name, const std::string& value) { out += "#define " + big + "_" + std::string(name) + " " + value + "\n"; };
    const auto number = [&](std::string_view name, std::uint64_t value) { define(name, std::to_string(value) + (value > 0xFFFFFFFFu ? "ull" : "u")); };
    out += fill("#ifndef @NAME@_H\n#define @NAME@_H\n#include \"poet_types.h\"\n#include \"@name@_config.h\"\n\n"
                "/* Memory that the caller owns. */\n", input.identifier);
    number("ABI", kAbi);
    out += "#if POET_ABI != " + big + "_ABI\n#error \"poet_types.h is of another version than this model: use the one beside it.\"\n#endif\n";
    number("ARENA_BYTES", p.arenaBytes);
    number("ARENA_ALIGN", p.alignment);
    number("PARAM_BYTES", input.model ? static_cast<std::uint64_t>(input.model->parameterBytes) : 0);
    number("CONST_BYTES", input.model ? input.model->constants.size() : 0);
    number("GRAD_BYTES", input.model ? static_cast<std::uint64_t>(input.optimizer == Optimizer::Sgd ? input.model->ownGradientBytes : input.model->gradientBytes) : 0);
    number("ALL_GRAD_BYTES", input.model ? static_cast<std::uint64_t>(input.model->gradientBytes) : 0);
    number("OWN_GRAD_BYTES", input.model ? static_cast<std::uint64_t>(input.model->ownGradientBytes) : 0);
    number("OPT_BYTES", static_cast<std::uint64_t>(optimizerBytes(input)));
    number("STACK_HINT", kStackHintBytes);
    out += "\n/* Page store. */\n";
    number("STORE_BLOCKS", p.storeBlocks);
    number("PAGE_BLOCK", p.pageBlockBytes);
    number("ERASE_BLOCK", p.eraseBlockBytes);
    out += "\n/* Sizes of tables. */\n";
    number("N_TENSORS", p.nodes.size());
    number("N_NODES", p.nodes.size());
    number("N_PAGES", p.pages.size());
    number("N_INSTR", p.code.size());
    const auto [mostIn, mostGradients] = mostOperands(input);
    number("MAX_IN", mostIn + 3);  // kernels may look at slots behind the last one that is given; those are null
    number("MAX_GRAD", std::max<std::size_t>(mostGradients, 8));
    number("N_INPUTS", input.model ? input.model->inputNames.size() : 0);
    out += "\n/* Predicted for one step. */\n";
    number("PRED_NANOJOULES", rounded(static_cast<double>(p.joules) * 1e9));
    number("PRED_MICROSECONDS", rounded(static_cast<double>(p.seconds) * 1e6));
    number("PRED_OUT_BYTES", p.outBytes);
    number("PRED_IN_BYTES", p.inBytes);
    number("PRED_ERASES", p.erases);
    number("WEAROUT_STEPS", p.wearOutSteps);
    define("MODEL_HASH", hex(p.modelHash));
    define("DEVICE", literal(input.device));
    define("PLAN", literal(input.planText));
    out += fill(R"(
#ifdef __cplusplus
extern "C" {
#endif

/* State of one model; the caller owns it. Arena: @NAME@_ARENA_BYTES (8 more with @NAME@_CHECK), aligned to
 * @NAME@_ARENA_ALIGN. */
typedef struct @name@_state {
    poet_instr now; /* being carried out, and its operand */
    uint32_t operand;
    uint8_t *base[7]; /* of what POET_REF_* name */
    uint32_t grad_bytes, apply; /* gradients that are collected; POET_PUT_* of those that need not be */
    float rate;
    const poet_store *store;
    const void *const *inputs;
    void *user, *observe_user;
    poet_observer observe;
    /* cleared before each step */
    poet_fault fault;
    float loss;
#if @NAME@_FORM == 0
    const poet_instr *next;
#elif @NAME@_FORM == 1
    const uint32_t *slots;
#else
    poet_decoder decoder;
#endif
    poet_counters counters;
    struct { /* operands of the call */
        void *at[3 + @NAME@_MAX_IN];
        poet_grad grad[@NAME@_MAX_GRAD];
    } lists;
#if @NAME@_FORM != 1
    uint32_t place[@NAME@_N_TENSORS];
#endif
#if @NAME@_CHECK >= 2
    uint32_t digest, hashes[@NAME@_N_TENSORS];
#endif
    /* kept */
    poet_call call; /* what kernels see */
    uint8_t *opt;
    uint32_t keeps; /* the gradients of all parameters have their memory */
    float momentum, beta2, epsilon;
} @name@_state;
#define @NAME@_STATE_BYTES sizeof(@name@_state)

/* Results: 0 or POET_E_*; @name@_fault says what happened. */
int @name@_open(@name@_state *s, void *arena, uint32_t bytes, const poet_store *store, void *params, void *user);
/* Memory for gradients and the optimizer. `grads` (@NAME@_ALL_GRAD_BYTES) keeps all gradients; with null, stochastic
 * gradient descent updates parameters at once and needs only `own_grads` (@NAME@_OWN_GRAD_BYTES, may be null if 0).
 * `opt`: @NAME@_OPT_BYTES, cleared by the caller before the first step. */
void @name@_train(@name@_state *s, void *grads, void *own_grads, void *opt, float rate);
/* One training step. `inputs`: one pointer for each data input, targets last. */
int @name@_step_n(@name@_state *s, const void *const *inputs, float *loss);
int @name@_step(@name@_state *s, const void *input, const void *label, float *loss);
void @name@_observe(@name@_state *s, poet_observer f, void *user);
const poet_fault *@name@_fault(const @name@_state *s);
/* Initial parameters, when they are part of this folder. */
extern const uint32_t @name@_weights[];

#ifdef __cplusplus
}
#endif
#endif
)", input.identifier);
    return out;
}

std::string configSource(const FolderInput& input)
{
    return std::string(kSourceHead) + fill(R"(#ifndef @NAME@_CONFIG_H
#define @NAME@_CONFIG_H
/* Form of the schedule: 0 = table of records, 1 = straight-line C, 2 = packed bytes. The same bytes come out. */
#ifndef @NAME@_FORM
#define @NAME@_FORM 0
#endif
/* Checks: 0 = cheap ones; 1 = overlap of live tensors and canary words behind the arena too; 2 = also a hash of every
 * tensor: a recompute and a page-in must bring the same content, and state.digest compares two runs. */
#ifndef @NAME@_CHECK
#define @NAME@_CHECK 1
#endif
#endif
)", input.identifier);
}

}  // namespace poet::firmware
