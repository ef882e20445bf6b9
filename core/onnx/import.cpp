// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/import.h"

#include "core/onnx/branches.h"
#include "core/onnx/convert.h"
#include "core/onnx/infer.h"
#include "core/onnx/inline.h"
#include "core/onnx/kinds.h"
#include "core/onnx/model_file.h"
#include "core/onnx/tensor.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <new>
#include <set>

namespace poet::onnx {

namespace {

std::vector<std::string> pathOf(const std::string& name)
{
    std::vector<std::string> parts;
    for (std::size_t start = 0; start < name.size();) {
        const std::size_t end = std::min(name.find('/', start), name.size());
        if (end > start)
            parts.push_back(name.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

/// "layer1.0" or "encoder_layer_3".
bool isNumbered(const std::string& part)
{
    const std::size_t mark = part.find_last_of("._");
    return mark != part.npos && mark > 0 && mark + 1 < part.size() && part.find_first_not_of("0123456789", mark + 1) == part.npos;
}

/// The block that encloses an operation, from names that hold a module path: "/layer1/layer1.0/conv1/Conv" -> "layer1.0";
/// without a numbered module the first one, with the second when the first holds the whole network.
std::string blockOf(const std::string& name)
{
    if (name.find('/') == name.npos)
        return "";
    std::vector<std::string> parts = pathOf(name);
    if (!parts.empty())
        parts.pop_back();  // the operation itself
    if (parts.empty())
        return "";
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (isNumbered(parts[i]))
            return parts[i];
    constexpr std::string_view kContainers[] = {"features", "encoder", "decoder", "model", "backbone", "module", "net", "layers", "blocks"};
    const bool isContainer = std::ranges::find(kContainers, parts.front()) != std::end(kContainers);
    return isContainer && parts.size() > 2 ? parts[0] + "/" + parts[1] : parts.front();
}

/// Drops operations whose results nobody needs, folded ones, and values that nothing refers to any more.
ForwardGraph compacted(ForwardGraph graph)
{
    std::vector<bool> needed(graph.values.size(), false);
    for (const ValueId id : graph.outputs)
        needed[static_cast<std::size_t>(id)] = true;
    for (const ValueId id : graph.inputs)
        needed[static_cast<std::size_t>(id)] = true;
    std::vector<ForwardOp> kept;
    for (std::size_t i = graph.ops.size(); i-- > 0;) {
        ForwardOp& op = graph.ops[i];
        const bool isUsed = std::ranges::any_of(op.outputs, [&](ValueId id) { return id != kNoValue && needed[static_cast<std::size_t>(id)]; });
        if (!isUsed)
            continue;
        for (const ValueId id : op.inputs)
            if (id != kNoValue)
                needed[static_cast<std::size_t>(id)] = true;
        kept.push_back(std::move(op));
    }
    std::ranges::reverse(kept);
    // Outputs that nobody reads stay named: a rule may need to know that they exist.
    for (const ForwardOp& op : kept)
        for (const ValueId id : op.outputs)
            if (id != kNoValue)
                needed[static_cast<std::size_t>(id)] = true;
    std::vector<ValueId> renumbered(graph.values.size(), kNoValue);
    std::vector<ForwardValue> values;
    for (std::size_t id = 0; id < graph.values.size(); ++id) {
        if (!needed[id])
            continue;
        renumbered[id] = static_cast<ValueId>(values.size());
        values.push_back(std::move(graph.values[id]));
    }
    const auto renumber = [&](std::vector<ValueId>& ids) {
        for (ValueId& id : ids)
            id = id == kNoValue ? kNoValue : renumbered[static_cast<std::size_t>(id)];
    };
    for (std::size_t i = 0; i < kept.size(); ++i) {
        renumber(kept[i].inputs);
        renumber(kept[i].outputs);
        for (const ValueId id : kept[i].outputs)
            if (id != kNoValue)
                values[static_cast<std::size_t>(id)].producer = static_cast<int>(i);
        kept[i].block = blockOf(kept[i].name);
    }
    renumber(graph.inputs);
    renumber(graph.outputs);
    graph.values = std::move(values);
    graph.ops = std::move(kept);
    return graph;
}

Expected<void> checkTypes(const ForwardGraph& graph)
{
    double bytes = 0;
    for (std::size_t id = 0; id < graph.values.size(); ++id)
        bytes += static_cast<double>(graph.bytes(static_cast<ValueId>(id)));
    if (bytes > 1e17)
        return fail(ErrorCode::BadModel, "The tensors of the model together are larger than any computer's memory.",
                    "Check the sizes given with --dim.");
    std::vector<bool> isRead(graph.values.size(), false);
    for (const ForwardOp& op : graph.ops)
        for (const ValueId input : op.inputs)
            if (input != kNoValue)
                isRead[static_cast<std::size_t>(input)] = true;
    for (std::size_t id = 0; id < graph.values.size(); ++id)
        if (const ForwardValue& value = graph.values[id]; elementBytes(value.type) == 0 && (isRead[id] || value.producer >= 0))
            return fail(ErrorCode::UnsupportedOp,
                        "The value \"" + value.name + "\" has an element type that cannot be planned (text, complex, 8-bit float or 4-bit).",
                        "Export the model with float32, float16, bfloat16 or integer tensors.");
    return {};
}

/// Outputs that cannot carry a loss: indices, flags, text.
std::set<std::string> nonFloatingOutputs(const ::onnx::ModelProto& model)
{
    std::set<std::string> names;
    for (const auto& output : model.graph().output()) {
        const int type = output.type().tensor_type().elem_type();
        if (type != ::onnx::TensorProto::UNDEFINED && !isFloating(elementTypeFromOnnx(type)))
            names.insert(output.name());
    }
    return names;
}

Expected<ForwardGraph> inferChecked(const std::filesystem::path& path, const ImportOptions& options)
{
    POET_TRY(model, readModel(path));
    POET_CHECK(inlineFunctions(model));
    takeKnownBranches(model, path, options);
    POET_TRY(graph, convertModel(model, path, options));
    classifyStored(graph, options.dataInputs);
    POET_CHECK(inferShapes(graph, nonFloatingOutputs(model)));
    classifyComputed(graph);
    return std::move(graph);
}

Expected<ForwardGraph> importChecked(const std::filesystem::path& path, const ImportOptions& options)
{
    POET_TRY(whole, inferChecked(path, options));
    const std::size_t before = whole.ops.size();
    ForwardGraph graph = compacted(std::move(whole));
    POET_CHECK(checkTypes(graph));
    if (before > graph.ops.size())
        graph.notes.push_back({NoteKind::Folded, "%1 of the file's operations compute shapes and constants; they were folded.", {std::to_string(before - graph.ops.size())}});
    return graph;
}

}  // namespace

Expected<std::pair<std::string, std::int64_t>> parseDim(std::string_view text)
{
    const std::size_t equals = text.rfind('=');
    std::int64_t size = 0;
    if (equals != text.npos && equals > 0) {
        const std::string_view digits = text.substr(equals + 1);
        const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
        if (code == std::errc() && end == digits.data() + digits.size() && size >= 1)
            return std::pair(std::string(text.substr(0, equals)), size);
    }
    return fail(ErrorCode::BadUsage, "\"" + std::string(text) + "\" is no dimension.", "Write NAME=SIZE, such as batch=8.");
}

template <class Read>
Expected<ForwardGraph> guarded(const std::filesystem::path& path, Read read)
{
    try {
        return read();
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::BadModel, "\"" + path.string() + "\" asks for more memory than there is.", "Export the model again.");
    } catch (const std::exception& e) {
        return fail(ErrorCode::BadModel, "\"" + path.string() + "\" cannot be read: " + e.what() + ".", "Export the model again.");
    }
}

Expected<ForwardGraph> importModel(const std::filesystem::path& path, const ImportOptions& options)
{
    return guarded(path, [&] { return importChecked(path, options); });
}

Expected<ForwardGraph> inferModel(const std::filesystem::path& path, const ImportOptions& options)
{
    return guarded(path, [&] { return inferChecked(path, options); });
}

Expected<ModelQuestions> askModel(const std::filesystem::path& path)
{
    POET_TRY(model, readModel(path));
    ModelQuestions questions;
    questions.dims = symbolicDims(model);
    POET_CHECK(inlineFunctions(model));
    takeKnownBranches(model, path, {});
    POET_TRY(graph, convertModel(model, path, {}));
    classifyStored(graph, {});
    for (const std::string& name : trueInputs(model)) {
        const bool isData = std::ranges::any_of(graph.inputs, [&](ValueId id) { return graph.value(id).name == name; });
        (isData ? questions.dataInputs : questions.otherInputs).push_back(name);
    }
    return questions;
}

}  // namespace poet::onnx
