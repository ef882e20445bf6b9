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

/// Writes the macros of a model.
class MacroWriter {
public:
    explicit MacroWriter(const std::string& identifier) : m_prefix("#define " + upper(identifier) + "_") {}
    void define(std::string_view name, const std::string& value) { m_text += m_prefix + std::string(name) + " " + value + "\n"; }
    void number(std::string_view name, std::uint64_t value) { define(name, std::to_string(value) + (value > 0xFFFFFFFFu ? "ull" : "u")); }
    void title(std::string_view text) { m_text += "\n/* " + std::string(text) + " */\n"; }
    [[nodiscard]] std::string text() const { return m_text; }

private:
    std::string m_prefix, m_text;
};

std::string memoryMacros(const FolderInput& input)
{
    const Program& p = *input.program;
    const BoundModel none{}, &model = input.model ? *input.model : none;
    MacroWriter out(input.identifier);
    out.number("ARENA_BYTES", p.arenaBytes);
    out.number("ARENA_ALIGN", p.alignment);
    if (!p.regions.empty())
        out.number("REGIONS", p.regions.size());
    std::string sizes;
    for (std::size_t r = 0; r < p.regions.size(); ++r) {
        sizes += (r == 0 ? "" : ", ") + upper(input.identifier) + "_REGION_" + std::to_string(r) + "_BYTES";
        out.number("REGION_" + std::to_string(r) + "_BYTES", static_cast<std::uint64_t>(p.regions[r].bytes));
        out.define("REGION_" + std::to_string(r) + "_NAME", literal(p.regions[r].name));
    }
    if (!p.regions.empty())
        out.define("REGION_SIZES", "{" + sizes + "}");
    out.number("PARAM_BYTES", static_cast<std::uint64_t>(model.parameterBytes));
    out.number("CONST_BYTES", model.constants.size());
    out.number("GRAD_BYTES", static_cast<std::uint64_t>(input.optimizer == Optimizer::Sgd ? model.ownGradientBytes : model.gradientBytes));
    out.number("ALL_GRAD_BYTES", static_cast<std::uint64_t>(model.gradientBytes));
    out.number("OWN_GRAD_BYTES", static_cast<std::uint64_t>(model.ownGradientBytes));
    out.number("OPT_BYTES", static_cast<std::uint64_t>(optimizerBytes(input)));
    out.number("STACK_HINT", kStackHintBytes);
    return out.text();
}

std::string tableMacros(const FolderInput& input)
{
    const Program& p = *input.program;
    MacroWriter out(input.identifier);
    out.title("Page store.");
    out.number("STORE_BLOCKS", p.storeBlocks);
    out.number("PAGE_BLOCK", p.pageBlockBytes);
    out.number("ERASE_BLOCK", p.eraseBlockBytes);
    out.title("Sizes of tables.");
    out.number("N_TENSORS", p.nodes.size());
    out.number("N_NODES", p.nodes.size());
    out.number("N_PAGES", p.pages.size());
    out.number("N_INSTR", p.code.size());
    const auto [mostIn, mostGradients] = mostOperands(input);
    out.number("MAX_IN", mostIn + 3);  // kernels may look at slots behind the last one that is given; those are null
    out.number("MAX_GRAD", std::max<std::size_t>(mostGradients, 8));
    out.number("N_INPUTS", input.model ? input.model->inputNames.size() : 0);
    return out.text();
}

std::string predictionMacros(const FolderInput& input)
{
    const Program& p = *input.program;
    MacroWriter out(input.identifier);
    out.title("Predicted for one step.");
    out.number("PRED_NANOJOULES", rounded(static_cast<double>(p.joules) * 1e9));
    out.number("PRED_MICROSECONDS", rounded(static_cast<double>(p.seconds) * 1e6));
    out.number("PRED_OUT_BYTES", p.outBytes);
    out.number("PRED_IN_BYTES", p.inBytes);
    out.number("PRED_ERASES", p.erases);
    out.number("WEAROUT_STEPS", p.wearOutSteps);
    out.define("MODEL_HASH", hex(p.modelHash));
    out.define("DEVICE", literal(input.device));
    out.define("PLAN", literal(input.planText));
    return out.text();
}

/// The state up to where the memories begin, what follows it, and the functions that do not know of memories.
constexpr std::string_view kStateBegin = R"(
#ifdef __cplusplus
extern "C" {
#endif

/* State of one model; the caller owns it. Arena: @NAME@_ARENA_BYTES (8 more with @NAME@_CHECK), aligned to
 * @NAME@_ARENA_ALIGN. */
typedef struct @name@_state {
    poet_instr now; /* being carried out, and its operand */
    uint32_t operand;
    uint8_t *base[7]; /* of what POET_REF_* name */
)";
constexpr std::string_view kStateEnd = R"(    uint32_t grad_bytes, apply; /* gradients that are collected; POET_PUT_* of those that need not be */
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
)";
constexpr std::string_view kFunctions = R"(/* Memory for gradients and the optimizer. `grads` (@NAME@_ALL_GRAD_BYTES) keeps all gradients; with null, stochastic
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
)";

}  // namespace

std::string headerSource(const FolderInput& input)
{
    const std::string big = upper(input.identifier);
    const bool hasRegions = !input.program->regions.empty();
    MacroWriter abi(input.identifier);
    abi.number("ABI", kAbi);
    std::string out(kSourceHead);
    out += fill("#ifndef @NAME@_H\n#define @NAME@_H\n#include \"poet_types.h\"\n#include \"@name@_config.h\"\n\n"
                "/* Memory that the caller owns. */\n", input.identifier);
    out += abi.text() + "#if POET_ABI != " + big + "_ABI\n#error \"poet_types.h is of another version than this model: use the one beside it.\"\n#endif\n";
    out += memoryMacros(input) + tableMacros(input) + predictionMacros(input);
    out += fill(kStateBegin, input.identifier);
    if (hasRegions)
        out += fill("    uint8_t *regions[@NAME@_REGIONS]; /* where each memory of the arena begins */\n", input.identifier);
    out += fill(kStateEnd, input.identifier);
    if (hasRegions)
        out += fill("/* The arena is several memories: one pointer and one size for each, in the order of @NAME@_REGION_0_BYTES and so on. Offsets\n"
                    " * count through them; the address of one is told by @name@_at. */\n"
                    "int @name@_open(@name@_state *s, void *const *arenas, const uint32_t *bytes, const poet_store *store, void *params, void *user);\n"
                    "uint8_t *@name@_at(const @name@_state *s, uint32_t offset);\n", input.identifier);
    else
        out += fill("int @name@_open(@name@_state *s, void *arena, uint32_t bytes, const poet_store *store, void *params, void *user);\n", input.identifier);
    return out + fill(kFunctions, input.identifier);
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
