// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// Time and memory of the import: a deep file without weights, one with branches that need many inferences, and one with
// 300 MB of weights. Prints one row a file; with --check, exit 1 when a budget is broken.
#include "core/onnx/import.h"
#include "core/training/build.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>

namespace {

using onnx::ModelProto;
using onnx::NodeProto;

void addDims(onnx::ValueInfoProto& info, std::initializer_list<std::int64_t> shape)
{
    info.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
    for (const std::int64_t dimension : shape)
        info.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(dimension);
}

ModelProto emptyModel(std::initializer_list<std::int64_t> input)
{
    ModelProto model;
    model.set_ir_version(8);
    model.add_opset_import()->set_version(17);
    auto& info = *model.mutable_graph()->add_input();
    info.set_name("x");
    addDims(info, input);
    return model;
}

NodeProto& addNode(ModelProto& model, const std::string& type, std::initializer_list<std::string> inputs, const std::string& output)
{
    NodeProto& node = *model.mutable_graph()->add_node();
    node.set_op_type(type);
    node.set_name(type + "_" + output);
    for (const std::string& input : inputs)
        node.add_input(input);
    node.add_output(output);
    return node;
}

void addOutput(ModelProto& model, const std::string& name)
{
    auto& info = *model.mutable_graph()->add_output();
    info.set_name(name);
    info.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
}

/// Blocks of convolution, activation and residual sum, with the shape arithmetic of a Reshape in between: 10 operations a
/// block; weights are graph inputs, as in files without weights.
ModelProto deepModel(int blocks)
{
    ModelProto model = emptyModel({1, 16, 32, 32});
    std::string last = "x";
    for (int block = 0; block < blocks; ++block) {
        const std::string name = "layer" + std::to_string(block);
        auto& weight = *model.mutable_graph()->add_input();
        weight.set_name(name + ".conv.weight");
        addDims(weight, {16, 16, 3, 3});
        NodeProto& conv = addNode(model, "Conv", {last, weight.name()}, name + "_c");
        auto& pads = *conv.add_attribute();
        pads.set_name("pads");
        pads.set_type(onnx::AttributeProto::INTS);
        for (int i = 0; i < 4; ++i)
            pads.add_ints(1);
        addNode(model, "Sigmoid", {name + "_c"}, name + "_s");
        addNode(model, "Mul", {name + "_c", name + "_s"}, name + "_m");
        addNode(model, "Shape", {name + "_m"}, name + "_shape");
        addNode(model, "Identity", {name + "_shape"}, name + "_copy");
        auto& type = *addNode(model, "Cast", {name + "_copy"}, name + "_cast").add_attribute();
        type.set_name("to");
        type.set_type(onnx::AttributeProto::INT);
        type.set_i(onnx::TensorProto::INT64);
        addNode(model, "Reshape", {name + "_m", name + "_cast"}, name + "_r");
        addNode(model, "Relu", {name + "_r"}, name + "_a");
        addNode(model, "Add", {name + "_a", last}, name + "_o");
        addNode(model, "Tanh", {name + "_o"}, name + "_t");
        last = name + "_t";
    }
    addOutput(model, last);
    return model;
}

/// A chain of Ifs on shapes, each after the one before.
ModelProto branchingModel(int branches)
{
    ModelProto model = emptyModel({1, 16});
    auto& weight = *model.mutable_graph()->add_input();
    weight.set_name("fc.weight");
    addDims(weight, {16, 16});
    addNode(model, "MatMul", {"x", "fc.weight"}, "y0");
    for (int i = 0; i < branches; ++i) {
        const std::string n = std::to_string(i), last = "y" + n;
        addNode(model, "Shape", {last}, "shape" + n);
        addNode(model, "ReduceProd", {"shape" + n}, "count" + n);
        addNode(model, "Squeeze", {"count" + n}, "scalar" + n);
        addNode(model, "Equal", {"scalar" + n, "scalar" + n}, "flag" + n);
        NodeProto& choice = addNode(model, "If", {"flag" + n}, "y" + std::to_string(i + 1));
        for (const char* branch : {"then_branch", "else_branch"}) {
            auto& attribute = *choice.add_attribute();
            attribute.set_name(branch);
            attribute.set_type(onnx::AttributeProto::GRAPH);
            NodeProto& inner = *attribute.mutable_g()->add_node();
            inner.set_op_type("Relu");
            inner.add_input(last);
            inner.add_output("inner" + n);
            attribute.mutable_g()->add_output()->set_name("inner" + n);
        }
    }
    addOutput(model, "y" + std::to_string(branches));
    return model;
}

/// `layers` square products by stored weights of 4 MB each.
ModelProto heavyModel(int layers)
{
    constexpr std::int64_t kWidth = 1024;
    ModelProto model = emptyModel({1, kWidth});
    std::string last = "x";
    for (int layer = 0; layer < layers; ++layer) {
        const std::string name = "fc" + std::to_string(layer);
        auto& weight = *model.mutable_graph()->add_initializer();
        weight.set_name(name + ".weight");
        weight.set_data_type(onnx::TensorProto::FLOAT);
        weight.add_dims(kWidth);
        weight.add_dims(kWidth);
        weight.mutable_raw_data()->assign(kWidth * kWidth * sizeof(float), '\1');
        addNode(model, "MatMul", {last, name + ".weight"}, name + "_y");
        last = name + "_y";
    }
    addOutput(model, last);
    return model;
}

/// Largest resident memory since the last reset, in bytes; Linux.
std::int64_t peakResidentBytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:"))
            return std::stoll(line.substr(6)) * 1024;
    return 0;
}

void resetPeak()
{
    std::ofstream("/proc/self/clear_refs") << "5";
}

struct Budget {
    double seconds = 0;
    double memoryPerFile = 0;  ///< 0: none
};

/// Best time of three imports, with training graph; memory of the first.
bool measure(const char* label, const ModelProto& model, const Budget& budget)
{
    const auto path = std::filesystem::temp_directory_path() / ("poet-bench-" + std::to_string(::getpid()) + ".onnx");
    {
        std::ofstream file(path, std::ios::binary);
        model.SerializeToOstream(&file);
    }
    const auto fileBytes = static_cast<double>(std::filesystem::file_size(path));
    double importSeconds = 1e9, buildSeconds = 1e9, grownBytes = 0;
    for (int run = 0; run < 3; ++run) {
        resetPeak();
        const auto before = peakResidentBytes();
        const auto start = std::chrono::steady_clock::now();
        auto forward = poet::onnx::importModel(path, {});
        const auto read = std::chrono::steady_clock::now();
        if (run == 0)
            grownBytes = static_cast<double>(peakResidentBytes() - before);
        if (!forward) {
            std::printf("%-28s %s\n", label, forward.error().text().c_str());
            std::filesystem::remove(path);
            return false;
        }
        const auto graph = poet::buildTrainingGraph(std::make_shared<const poet::ForwardGraph>(std::move(*forward)), {.loss = "mse"});
        const auto built = std::chrono::steady_clock::now();
        importSeconds = std::min(importSeconds, std::chrono::duration<double>(read - start).count());
        buildSeconds = std::min(buildSeconds, std::chrono::duration<double>(built - read).count());
    }
    std::filesystem::remove(path);
    const bool isGood = importSeconds <= budget.seconds && (budget.memoryPerFile == 0 || grownBytes <= budget.memoryPerFile * fileBytes);
    std::printf("%-28s %6d operations %8.1f MB  import %7.3f s (budget %.0f s)  training graph %7.3f s  memory %7.1f MB (%.3f of the file)%s\n", label,
                model.graph().node_size(), fileBytes / 1e6, importSeconds, budget.seconds, buildSeconds, grownBytes / 1e6, grownBytes / fileBytes,
                isGood ? "" : "  OVER BUDGET");
    return isGood;
}

}  // namespace

int main(int argc, char** argv)
{
    const bool isCheck = argc > 1 && std::strcmp(argv[1], "--check") == 0;
    bool isGood = measure("1,500 operations, no weights", deepModel(150), {1, 0});
    isGood = measure("40 branches on shapes", branchingModel(40), {1, 0}) && isGood;
    isGood = measure("300 MB of weights", heavyModel(72), {3, 1.2}) && isGood;
    return isCheck && !isGood ? 1 : 0;
}
