// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/c_folder.h"
#include "core/export/firmware/c_writer.h"
#include "core/export/firmware/kernel_spec.h"
#include "core/export/firmware/packed.h"

#include <algorithm>
#include <set>

namespace poet::firmware {
namespace {

std::string unsignedText(std::uint64_t value) { return std::to_string(value) + "u"; }

constexpr int kLossNode = 4;  // POET_NODE_LOSS

/// Nodes, then the copies that they need first, then prologue and epilogue, in the numbering of the table.
struct NodeTable {
    struct Row {
        const BoundCall* call = nullptr;
        int node = -1;    ///< whose tensors it names
        int flags = 0;
        std::size_t before = 0, beforeCount = 0;
    };
    std::vector<Row> rows;
    std::size_t prologue = 0, epilogue = 0;

    NodeTable(const Program& program, const BoundModel& model)
    {
        for (std::size_t i = 0; i < model.nodes.size(); ++i) {
            const bool isLoss = std::ranges::find(model.losses, static_cast<NodeId>(i)) != model.losses.end();
            rows.push_back({&model.nodes[i], static_cast<int>(i),
                            (program.nodes[i].isInput ? 0 : 1) | (program.nodes[i].mayRunAgain ? 2 : 0) | (isLoss ? kLossNode : 0) | (program.nodes[i].isBackward ? 8 : 0)});
        }
        for (std::size_t i = 0; i < model.nodes.size(); ++i) {
            rows[i].before = rows.size();
            rows[i].beforeCount = model.nodes[i].before.size();
            for (const BoundCall& call : model.nodes[i].before)
                rows.push_back({&call, static_cast<int>(i)});
        }
        prologue = rows.size();
        for (const BoundCall& call : model.prologue)
            rows.push_back({&call});
        epilogue = rows.size();
        for (const BoundCall& call : model.epilogue)
            rows.push_back({&call});
    }
};

/// `inputs`: of the node, for the straight-line form, which gives the offsets of its own tensor and of those.
std::string reference(const Operand& operand, const BoundModel& model, const std::vector<std::uint16_t>& inputs, int node)
{
    static constexpr int kKind[] = {5, 0, 1, 2, 3};
    int kind = kKind[static_cast<int>(operand.kind)];
    std::int64_t offset = operand.offset;
    std::string number = "0u";
    if (operand.kind == Operand::Kind::Tensor) {
        const auto slot = operand.number == node ? 0 : std::ranges::find(inputs, operand.number) - inputs.begin() + 1;
        number = "POET_SLOT(" + unsignedText(static_cast<std::uint64_t>(operand.number)) + ", " + unsignedText(static_cast<std::uint64_t>(slot)) + ")";
    } else if (operand.kind == Operand::Kind::Param) {
        offset += model.parameters[static_cast<std::size_t>(operand.number)].offset;
        if (operand.mode != 0)
            kind = operand.mode == 3 ? 6 : 4;  // of the gradient
    }
    return "{" + number + ", " + std::to_string(kind) + ", " + std::to_string(operand.mode) + ", " + unsignedText(static_cast<std::uint64_t>(offset)) + "}";
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
    std::string out(kSourceHead);
    out += fill("#ifndef @NAME@_INTERNAL_H\n#define @NAME@_INTERNAL_H\n#include \"@name@.h\"\n\n", input.identifier);
    const auto define = [&](std::string_view name, std::uint64_t value) { out += "#define POET_" + std::string(name) + " " + unsignedText(value) + "\n"; };
    out += fill("#define POET_P(x) @name@_##x\n#define POET_STATE @name@_state\n#define POET_CHECK @NAME@_CHECK\n#define POET_FORM @NAME@_FORM\n", input.identifier);
    for (const char* same : {"ARENA_BYTES", "ARENA_ALIGN", "N_TENSORS", "N_INSTR", "STORE_BLOCKS", "PAGE_BLOCK", "ALL_GRAD_BYTES", "OWN_GRAD_BYTES"})
        out += "#define POET_" + std::string(same) + " " + upper(input.identifier) + "_" + same + "\n";
    define("REGIONS", std::max<std::size_t>(input.program->regions.size(), 1));
    const PackedPlaces packed = packedPlaces(*input.program);
    define("PACKED_BYTES", packed.totalBytes);
    define("PACKED_CRC", packed.crc);
    define("PACKED_CODE", packed.code);
    define("PACKED_WORDS", packed.words);
    define("PACKED_WIDTH", static_cast<std::uint64_t>(packed.width));
    define("PACKED_UNIT", packed.unitBytes);
    define("N_RUNS", static_cast<std::uint64_t>(std::ranges::count(input.program->nodes, false, &ProgramNode::isInput)));
    define("HELPERS", std::ranges::any_of(model.nodes, [](const BoundCall& call) { return !call.before.empty(); }) ? 1 : 0);
    define("ASYNC_USED", std::ranges::any_of(input.program->code, [](const Instruction& i) { return i.op == OpCode::Wait; }) ? 1 : 0);
    define("LOSS_WEIGHTS", model.lossWeights.empty() ? 0 : 1);
    define("N_PARAMS", model.parameters.size());
    define("FIRST_PROLOGUE", table.prologue);
    define("N_PROLOGUE", model.prologue.size());
    define("FIRST_EPILOGUE", table.epilogue);
    define("N_EPILOGUE", model.epilogue.size());
    out += fill(R"(
#ifdef __cplusplus
extern "C" {
#endif
extern const poet_tensor @name@_tensors[];
#if POET_REGIONS > 1
extern const uint32_t @name@_regions[]; /* offset where each memory of the arena begins, and where the last one ends */
#endif
extern const poet_instr @name@_code[];
extern const uint8_t @name@_packed[];
extern const uint8_t @name@_hash[];
extern const uint16_t @name@_reads[];
extern const poet_node @name@_nodes[];
extern const poet_ref @name@_refs[];
extern const int32_t @name@_attrs[];
extern const uint64_t @name@_consts[];
extern const poet_param @name@_params[];
extern const poet_kernel @name@_kernels[];
/* The optimizer over all parameters whose gradients have a buffer. */
void @name@_optimize(@name@_state *s);
#if @NAME@_FORM == 1
int @name@_run(@name@_state *s, uint32_t op, uint32_t id, uint32_t work, const uint32_t *slots);
int @name@_transfer(@name@_state *s, uint32_t op, uint32_t is_async, uint32_t id, uint32_t offset, uint32_t operand);
int @name@_control(@name@_state *s, uint32_t op, uint32_t id, uint32_t count);
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
    const auto blocks = p.pageBlocks();
    out += "const poet_tensor " + input.identifier + "_tensors[] = {\n";
    for (std::size_t i = 0; i < p.nodes.size(); ++i) {
        const auto page = static_cast<std::size_t>(std::ranges::find(p.pages, i) - p.pages.begin());
        const bool hasPage = page < p.pages.size();
        const int given = input.model->inputOf[i];
        out += "    {" + unsignedText(p.nodes[i].bytes) + ", " + unsignedText(p.nodes[i].workBytes) + ", " + unsignedText(hasPage ? blocks[page] : 0) + ", " +
               unsignedText(hasPage ? page : 0xFFFF) + ", " + unsignedText(given < 0 ? 0xFFFFU : static_cast<unsigned>(given)) + "},\n";
    }
    out += "};\n";
    if (!p.regions.empty()) {
        std::vector<std::uint64_t> begins{0};
        for (const ArenaRegion& region : p.regions)
            begins.push_back(begins.back() + static_cast<std::uint64_t>(region.bytes));
        out += array("uint32_t", input.identifier, "regions", numbers(begins));
    }
    std::vector<std::uint32_t> reads;  // the inputs that a packed run can let die
    for (const ProgramNode& node : p.nodes)
        for (std::size_t k = 0; k < 3; ++k)
            reads.push_back(k < node.inputs.size() ? node.inputs[k] : 0xFFFF);
    out += fill("#if @NAME@_FORM == 2\n", input.identifier) + array("uint16_t", input.identifier, "reads", numbers(reads));
    ListWriter packed, hash;
    for (const char byte : encode(p, false))
        packed.add(std::to_string(static_cast<unsigned char>(byte)));
    for (int i = 0; i < 4; ++i)
        packed.add("0");  // where the decoder of a cut-off schedule stops
    for (int i = 0; i < 8; ++i)
        hash.add(std::to_string(p.modelHash >> (8 * i) & 0xFF));
    out += array("uint8_t", input.identifier, "packed", packed) + array("uint8_t", input.identifier, "hash", hash) + fill("#elif @NAME@_FORM == 0\n", input.identifier);
    out += "const poet_instr " + input.identifier + "_code[] = {\n";
    for (const Instruction& i : p.code)
        out += "    {" + std::to_string(static_cast<int>(i.op)) + ", " + std::to_string(i.flags) + ", " + unsignedText(i.id) + ", " + unsignedText(i.arg) +
               "}, /* " + std::string(name(i.op)) + " */\n";
    return out + "};\n#endif\n";
}

namespace {

/// Constants, and where each parameter lies.
std::string valuesText(const FolderInput& input)
{
    const BoundModel& model = *input.model;
    ListWriter constants;
    for (std::size_t at = 0; at < model.constants.size(); at += 8) {
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < 8; ++i)
            word |= static_cast<std::uint64_t>(static_cast<unsigned char>(model.constants[at + i])) << (8 * i);
        constants.add(std::to_string(word) + "u");
    }
    if (model.constants.empty())
        constants.add("0u");
    std::string out = array("uint64_t", input.identifier, "consts", constants) + "const poet_param " + input.identifier + "_params[] = {\n";
    for (const BoundParameter& p : model.parameters) {
        const unsigned flags = p.isDerived || !p.isTrained ? 0U : p.isDeferred ? 3U : 1U;
        out += "    {" + unsignedText(static_cast<std::uint64_t>(p.bytes)) + ", " + unsignedText(static_cast<std::uint64_t>(p.offset)) + ", " + unsignedText(flags) + "},\n";
    }
    if (model.parameters.empty())
        out += "    {0u, 0u, 0u},\n";
    return out + "};\n";
}

}  // namespace

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
        if (!model.lossWeights.empty() && (row.flags & kLossNode) != 0) {
            const auto weight = model.lossWeights.find(row.node);
            attributes.add(std::to_string(floatBits(weight == model.lossWeights.end() ? 1 : weight->second)));  // before the kernel's own
            ++attribute0;
        }
        nodes += "    {" + unsignedText(static_cast<std::uint64_t>(call.kernel.empty() ? 0 : kernel)) + ", " + unsignedText(call.in.size()) + ", " +
                 unsignedText(call.gradients.size()) + ", " + unsignedText(static_cast<std::uint64_t>(row.flags)) + ", " + unsignedText(row.beforeCount) + ", " +
                 unsignedText(row.beforeCount > 0 ? row.before : 0) + ", " + unsignedText(reference0) + ", " + unsignedText(attribute0) + "}, /* " +
                 (call.kernel.empty() ? "input" : call.kernel) + " */\n";
        references += "   ";
        const std::vector<std::uint16_t> inputs = row.node < 0 ? std::vector<std::uint16_t>{} : input.program->nodes[static_cast<std::size_t>(row.node)].inputs;
        const auto refer = [&](const auto& operands) {
            for (const Operand& operand : operands)
                references += " " + reference(operand, model, inputs, row.node) + ",";
        };
        refer(call.out);
        refer(call.in);
        refer(call.gradients);
        references += "\n";
        reference0 += call.in.size() + 3 + call.gradients.size();
        for (const std::int32_t attribute : call.attributes)
            attributes.add(attribute == INT32_MIN ? "(-2147483647 - 1)" : std::to_string(attribute));
        attribute0 += call.attributes.size();
    }
    if (attribute0 == 0)
        attributes.add("0");
    out += fill("/* Tensors by their number, or by their place in the list that the straight-line form gives. */\n"
                "#if @NAME@_FORM == 1\n#define POET_SLOT(tensor, slot) slot\n#else\n#define POET_SLOT(tensor, slot) tensor\n#endif\n", input.identifier);
    out += "const poet_node " + input.identifier + "_nodes[] = {\n" + nodes + "};\n";
    out += "const poet_ref " + input.identifier + "_refs[] = {\n" + references + "};\n";
    out += array("int32_t", input.identifier, "attrs", attributes);
    return out + valuesText(input);
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
    out += "};\n";
    std::string call;
    switch (input.optimizer) {
    case Optimizer::Sgd:
    case Optimizer::SgdBuffered: call = "poet_sgd(values, gradient, (int32_t)(p->bytes / 4u), s->rate)"; break;
    case Optimizer::Momentum:
        call = "poet_momentum(values, gradient, (float *)(void *)(s->opt + p->offset), (int32_t)(p->bytes / 4u), s->rate, s->momentum)";
        break;
    case Optimizer::Adam:
        call = "poet_adam(values, gradient, (float *)(void *)(s->opt + 2u * p->offset), (int32_t)(p->bytes / 4u), s->rate, s->momentum, s->beta2, "
               "s->epsilon, s->call.step)";
        break;
    }
    out += fill(R"(
void @name@_optimize(@name@_state *s)
{
    const poet_param *p = @name@_params;
    const uint32_t wanted = s->keeps ? (uint32_t)POET_PARAM_TRAINED : (uint32_t)POET_PARAM_DEFERRED;
    uint32_t i;
    for (i = POET_N_PARAMS; i > 0; --i, ++p)
        if ((p->flags & wanted) != 0) {
            float *values = (float *)(void *)(s->base[POET_REF_PARAM] + p->offset);
            const float *gradient = (const float *)(const void *)(s->base[POET_REF_GRAD] + p->offset);
            )", input.identifier);
    return out + call + ";\n        }\n}\n";
}

std::string runtimeSource(const FolderInput& input)
{
    return std::string(kSourceHead) + fill(R"(/* The interpreter under this model's prefix. */
#include "@name@_internal.h"

#include "poet_runtime.inl"

int @name@_step_n(@name@_state *s, const void *const *inputs, float *loss)
{
    int code;
    s->inputs = inputs;
    code = poet_step(s);
    if (loss != 0)
        *loss = s->loss;
    return code;
}
)", input.identifier);
}

std::string setupSource(const FolderInput& input)
{
    return std::string(kSourceHead) + fill(R"(/* What is done once, before the first step. */
#include "@name@_internal.h"

#include "poet_setup.inl"

int @name@_step(@name@_state *s, const void *input, const void *label, float *loss)
{
    const void *inputs[2];
    inputs[0] = input;
    inputs[1] = label;
    return @name@_step_n(s, inputs, loss);
}
)", input.identifier);
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
