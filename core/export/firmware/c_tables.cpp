// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/c_folder.h"
#include "core/export/firmware/c_writer.h"
#include "core/export/firmware/packed.h"

#include <algorithm>
#include <set>

namespace poet::firmware {
namespace {

constexpr int kReferenceNone = 0xFFFF;

std::string unsignedText(std::uint64_t value) { return std::to_string(value) + "u"; }

/// Nodes, then the copies that they need first, then prologue and epilogue, in the numbering of the table.
struct NodeTable {
    struct Row {
        const BoundCall* call = nullptr;
        int flags = 0;
        int before = kReferenceNone;
    };
    std::vector<Row> rows;
    std::size_t prologue = 0, epilogue = 0, longestChain = 1;

    NodeTable(const Program& program, const BoundModel& model)
    {
        for (std::size_t i = 0; i < model.nodes.size(); ++i)
            rows.push_back({&model.nodes[i], (program.nodes[i].isBackward ? 1 : 0) | (program.nodes[i].mayRunAgain ? 2 : 0)});
        for (std::size_t i = 0; i < model.nodes.size(); ++i) {
            int previous = kReferenceNone;  // the first copy runs first: each row names the one before it
            for (const BoundCall& call : model.nodes[i].before) {
                rows.push_back({&call, 0, previous});
                previous = static_cast<int>(rows.size()) - 1;
            }
            rows[i].before = previous;
            longestChain = std::max(longestChain, model.nodes[i].before.size());
        }
        prologue = rows.size();
        for (const BoundCall& call : model.prologue)
            rows.push_back({&call});
        epilogue = rows.size();
        for (const BoundCall& call : model.epilogue)
            rows.push_back({&call});
    }
};

std::string reference(const Operand& operand)
{
    static constexpr int kClass[] = {0, 0, 0x4000, 0x8000, 0xC000};
    const int number = operand.kind == Operand::Kind::Tensor || operand.kind == Operand::Kind::Param ? operand.number : 0;
    const int where = operand.kind == Operand::Kind::None ? kReferenceNone : kClass[static_cast<int>(operand.kind)] | number;
    return "{" + unsignedText(static_cast<std::uint64_t>(where)) + ", " + unsignedText(static_cast<std::uint64_t>(operand.mode)) + ", " +
           unsignedText(static_cast<std::uint64_t>(operand.offset)) + "}";
}

std::string array(std::string_view type, std::string_view identifier, std::string_view name, const ListWriter& list)
{
    return "const " + std::string(type) + " " + std::string(identifier) + "_" + std::string(name) + "[] = {\n" + list.text() + "\n};\n";
}

template <class Values>
ListWriter numbers(const Values& values)
{
    ListWriter list;
    for (const auto value : values)
        list.add(unsignedText(value));
    if (values.empty())
        list.add("0u");  // C has no empty arrays
    return list;
}

}  // namespace

std::vector<std::string> kernelNames(const FolderInput& input)
{
    std::set<std::string> names;
    const auto collect = [&](const std::vector<BoundCall>& calls) {
        for (const BoundCall& call : calls) {
            if (!call.kernel.empty())
                names.insert(call.kernel);
            for (const BoundCall& before : call.before)
                names.insert(before.kernel);
        }
    };
    collect(input.model->nodes);
    collect(input.model->prologue);
    collect(input.model->epilogue);
    return {names.begin(), names.end()};
}

std::string internalHeader(const FolderInput& input)
{
    const BoundModel& model = *input.model;
    const NodeTable table(*input.program, model);
    std::size_t mostIn = 1, mostGradients = 1;
    for (const NodeTable::Row& row : table.rows) {
        mostIn = std::max(mostIn, row.call->in.size());
        mostGradients = std::max(mostGradients, row.call->gradients.size());
    }
    std::string out(kSourceHead);
    out += fill("#ifndef @NAME@_INTERNAL_H\n#define @NAME@_INTERNAL_H\n#include \"@name@.h\"\n\n", input.identifier);
    const auto define = [&](std::string_view name, std::uint64_t value) { out += "#define POET_" + std::string(name) + " " + unsignedText(value) + "\n"; };
    out += fill("#define POET_P(x) @name@_##x\n#define POET_STATE @name@_state\n#define POET_CHECK @NAME@_CHECK\n#define POET_FORM @NAME@_FORM\n", input.identifier);
    for (const char* same : {"ARENA_BYTES", "ARENA_ALIGN", "N_TENSORS", "N_NODES", "N_INSTR", "STORE_BLOCKS", "PAGE_BLOCK", "ALL_GRAD_BYTES", "OWN_GRAD_BYTES"})
        out += "#define POET_" + std::string(same) + " " + upper(input.identifier) + "_" + same + "\n";
    // Kernels may look at slots behind the last one that is given; those are null.
    define("PACKED_BYTES", encode(*input.program, false).size());
    define("HASH_LOW", input.program->modelHash & 0xFFFFFFFFU);
    define("HASH_HIGH", input.program->modelHash >> 32);
    define("N_PAGES", std::max<std::size_t>(input.program->pages.size(), 1));  // without pages: one that no tensor has
    define("MAX_IN", mostIn);
    define("MAX_GRAD", std::max<std::size_t>(mostGradients, 8));
    define("MAX_CHAIN", table.longestChain);
    define("N_PARAMS", model.parameters.size());
    define("N_LOSSES", model.losses.size());
    define("FIRST_PROLOGUE", table.prologue);
    define("N_PROLOGUE", model.prologue.size());
    define("FIRST_EPILOGUE", table.epilogue);
    define("N_EPILOGUE", model.epilogue.size());
    out += fill(R"(
#ifdef __cplusplus
extern "C" {
#endif
extern const uint32_t @name@_sizes[];
extern const uint32_t @name@_works[];
extern const uint16_t @name@_pages[];
extern const uint32_t @name@_blocks[];
extern const uint16_t @name@_inputs[];
extern const uint16_t @name@_losses[];
extern const poet_instr @name@_code[];
extern const uint8_t @name@_packed[];
extern const uint16_t @name@_reads[];
extern const poet_node @name@_nodes[];
extern const poet_ref @name@_refs[];
extern const int32_t @name@_attrs[];
extern const uint64_t @name@_consts[];
extern const poet_param @name@_params[];
extern const poet_kernel @name@_kernels[];
#if @NAME@_FORM == 1
int @name@_do(@name@_state *s, uint8_t op, uint8_t flags, uint16_t id, uint32_t arg, uint32_t operand);
int @name@_straight(@name@_state *s);
#endif
#ifdef __cplusplus
}
#endif
#endif
)", input.identifier);
    return out;
}

std::string scheduleSource(const FolderInput& input)
{
    const Program& p = *input.program;
    std::string out(kSourceHead);
    out += fill("/* The schedule: tensors, pages, instructions. */\n#include \"@name@_internal.h\"\n\n", input.identifier);
    std::vector<std::uint32_t> sizes, works, inputs;
    for (std::size_t i = 0; i < p.nodes.size(); ++i) {
        sizes.push_back(p.nodes[i].bytes);
        works.push_back(p.nodes[i].workBytes);
        const int given = input.model->inputOf[i];
        inputs.push_back(given < 0 ? 0xFFFF : static_cast<std::uint32_t>(given));
    }
    std::vector<std::uint32_t> losses;
    for (const NodeId loss : input.model->losses)
        losses.push_back(static_cast<std::uint32_t>(loss));
    out += array("uint32_t", input.identifier, "sizes", numbers(sizes));
    out += array("uint32_t", input.identifier, "works", numbers(works));
    out += array("uint16_t", input.identifier, "pages", numbers(p.pages.empty() ? std::vector<std::uint16_t>{0xFFFF} : p.pages));
    out += array("uint32_t", input.identifier, "blocks", numbers(p.pageBlocks()));
    out += array("uint16_t", input.identifier, "inputs", numbers(inputs));
    out += array("uint16_t", input.identifier, "losses", numbers(losses));
    std::vector<std::uint32_t> reads;  // the inputs that a packed run can let die
    for (const ProgramNode& node : p.nodes)
        for (std::size_t k = 0; k < 3; ++k)
            reads.push_back(k < node.inputs.size() ? node.inputs[k] : 0xFFFF);
    out += fill("#if @NAME@_FORM == 2\n", input.identifier) + array("uint16_t", input.identifier, "reads", numbers(reads));
    ListWriter packed;
    for (const char byte : encode(p, false))
        packed.add(std::to_string(static_cast<unsigned char>(byte)));
    out += array("uint8_t", input.identifier, "packed", packed) + "#else\n";
    out += "const poet_instr " + input.identifier + "_code[] = {\n";
    for (const Instruction& i : p.code)
        out += "    {" + std::to_string(static_cast<int>(i.op)) + ", " + std::to_string(i.flags) + ", " + unsignedText(i.id) + ", " + unsignedText(i.arg) +
               "}, /* " + std::string(name(i.op)) + " */\n";
    return out + "};\n#endif\n";
}

std::string graphSource(const FolderInput& input)
{
    const BoundModel& model = *input.model;
    const NodeTable table(*input.program, model);
    const auto kernels = kernelNames(input);
    std::string out(kSourceHead);
    out += fill("/* The model: nodes, operands, attributes, parameters. */\n#include \"@name@_internal.h\"\n\n", input.identifier);
    std::string nodes, references;
    ListWriter attributes;
    std::size_t reference0 = 0, attribute0 = 0;
    for (const NodeTable::Row& row : table.rows) {
        const BoundCall& call = *row.call;
        const auto kernel = std::ranges::lower_bound(kernels, call.kernel) - kernels.begin();
        nodes += "    {" + unsignedText(static_cast<std::uint64_t>(call.kernel.empty() ? 0 : kernel)) + ", " + unsignedText(call.in.size()) + ", " +
                 unsignedText(call.gradients.size()) + ", " + unsignedText(static_cast<std::uint64_t>(row.flags)) + ", " +
                 unsignedText(static_cast<std::uint64_t>(row.before)) + ", " + unsignedText(reference0) + ", " + unsignedText(attribute0) + "}, /* " +
                 (call.kernel.empty() ? "input" : call.kernel) + " */\n";
        references += "   ";
        for (const auto* part : {&call.in, &call.gradients}) {
            if (part == &call.gradients)
                for (const Operand& operand : call.out)
                    references += " " + reference(operand) + ",";
            for (const Operand& operand : *part)
                references += " " + reference(operand) + ",";
        }
        references += "\n";
        reference0 += call.in.size() + 3 + call.gradients.size();
        for (const std::int32_t attribute : call.attributes)
            attributes.add(attribute == INT32_MIN ? "(-2147483647 - 1)" : std::to_string(attribute));
        attribute0 += call.attributes.size();
    }
    if (attribute0 == 0)
        attributes.add("0");
    out += "const poet_node " + input.identifier + "_nodes[] = {\n" + nodes + "};\n";
    out += "const poet_ref " + input.identifier + "_refs[] = {\n" + references + "};\n";
    out += array("int32_t", input.identifier, "attrs", attributes);
    ListWriter constants;
    for (std::size_t at = 0; at < model.constants.size(); at += 8) {
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < 8; ++i)
            word |= static_cast<std::uint64_t>(static_cast<unsigned char>(model.constants[at + i])) << (8 * i);
        constants.add(std::to_string(word) + "u");
    }
    if (model.constants.empty())
        constants.add("0u");
    out += array("uint64_t", input.identifier, "consts", constants);
    out += "const poet_param " + input.identifier + "_params[] = {\n";
    for (const BoundParameter& p : model.parameters) {
        const auto buffer = [](std::int64_t offset) { return offset < 0 ? std::string("POET_NO_BUFFER") : unsignedText(static_cast<std::uint64_t>(offset)); };
        out += "    {" + unsignedText(static_cast<std::uint64_t>(p.bytes)) + ", " + unsignedText(static_cast<std::uint64_t>(p.offset)) + ", " + buffer(p.gradient) + ", " +
               buffer(p.ownGradient) + ", " + unsignedText((p.isTrained ? 1u : 0u) | (p.isDerived ? 2u : 0u) | (p.isDeferred ? 4u : 0u)) + "},\n";
    }
    if (model.parameters.empty())
        out += "    {0u, 0u, POET_NO_BUFFER, POET_NO_BUFFER, 0u},\n";
    return out + "};\n";
}

std::string kernelsSource(const FolderInput& input)
{
    std::string out(kSourceHead);
    out += fill("/* Which kernel each number stands for. To use one of your own, declare it and put it in the place of the reference\n"
                " * kernel; results then compare with the same kernel on the host. */\n#include \"@name@_internal.h\"\n#include \"poet_kernels.inl\"\n\n"
                "const poet_kernel @name@_kernels[] = {\n", input.identifier);
    const auto names = kernelNames(input);
    std::string declared;
    for (const std::string& name : names) {
        const bool isExternal = name.front() == kExternalKernel;
        const std::string symbol = isExternal ? input.identifier + "_" + name.substr(1) : "poet_k_" + name;
        if (isExternal)
            declared += "int " + symbol + "(void *user, const poet_call *c);\n";
        out += "    " + symbol + ",\n";
    }
    if (!declared.empty())
        out.insert(out.find("const poet_kernel "), "#ifdef __cplusplus\nextern \"C\" {\n#endif\n" + declared + "#ifdef __cplusplus\n}\n#endif\n\n");
    if (names.empty())
        out += "    0,\n";
    return out + "};\n";
}

std::string runtimeSource(const FolderInput& input)
{
    std::string call;
    switch (input.optimizer) {
    case Optimizer::Sgd:
    case Optimizer::SgdBuffered: call = "poet_sgd(values, gradient, (int32_t)(p->bytes / 4u), (s)->rate)"; break;
    case Optimizer::Momentum:
        call = "poet_momentum(values, gradient, (float *)(void *)((s)->opt + p->grad), (int32_t)(p->bytes / 4u), (s)->rate, (s)->momentum)";
        break;
    case Optimizer::Adam:
        call = "poet_adam(values, gradient, (float *)(void *)((s)->opt + 2u * p->grad), (int32_t)(p->bytes / 4u), (s)->rate, (s)->momentum, (s)->beta2, "
               "(s)->epsilon, (s)->step)";
        break;
    }
    std::string out(kSourceHead);
    out += fill("/* The interpreter under this model's prefix. */\n#include \"@name@_internal.h\"\n#include \"poet_math.inl\"\n#include \"poet_optimizer.inl\"\n\n", input.identifier);
    out += "#define POET_OPTIMIZE(s, values, gradient, p) " + call + "\n";
    out += "#define POET_MOMENTUM 0.9f\n";
    out += "#include \"poet_runtime.inl\"\n";
    out += fill(R"(
int @name@_open(@name@_state *s, void *arena, uint32_t bytes, const poet_store *store, void *params, void *user)
{
    return poet_open(s, arena, bytes, store, params, user);
}
void @name@_train(@name@_state *s, void *grads, void *own_grads, void *opt, float rate)
{
    s->grads = (uint8_t *)grads;
    s->own_grads = (uint8_t *)own_grads;
    s->opt = (uint8_t *)opt;
    s->rate = rate;
    s->momentum = POET_MOMENTUM;
    s->beta2 = 0.999f;
    s->epsilon = 1.0e-8f;
}
int @name@_step_n(@name@_state *s, const void *const *inputs, float *loss)
{
    int code;
    s->inputs = inputs;
    code = poet_step(s);
    if (loss != 0)
        *loss = s->loss;
    return code;
}
int @name@_step(@name@_state *s, const void *input, const void *label, float *loss)
{
    const void *inputs[2];
    inputs[0] = input;
    inputs[1] = label;
    return @name@_step_n(s, inputs, loss);
}
void @name@_observe(@name@_state *s, poet_observer f, void *user)
{
    s->observe = f;
    s->observe_user = user;
}
const poet_fault *@name@_fault(const @name@_state *s) { return &s->fault; }
)", input.identifier);
    return out;
}

std::string weightsSource(const FolderInput& input)
{
    ListWriter words;
    for (std::size_t at = 0; at + 4 <= input.parameters.size(); at += 4) {
        std::uint32_t word = 0;
        for (std::size_t i = 0; i < 4; ++i)
            word |= static_cast<std::uint32_t>(static_cast<unsigned char>(input.parameters[at + i])) << (8 * i);
        words.add(std::to_string(word) + "u");
    }
    if (input.parameters.empty())
        words.add("0u");
    return std::string(kSourceHead) + "/* Initial parameters, bit by bit. */\n#include \"" + input.identifier + ".h\"\n\n" +
           array("uint32_t", input.identifier, "weights", words);
}

}  // namespace poet::firmware
