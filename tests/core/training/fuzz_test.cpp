// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// Models that are well-formed files and nonsense inside: wrong operators, missing inputs, absurd attributes and shapes.
#include "core/export/inspect_report.h"
#include "core/onnx/import.h"
#include "core/training/build.h"
#include "core/training/rules/rule.h"
#include "core/training/summary.h"
#include "tests/core/onnx/model_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

namespace poet {
namespace {

class Mutator {
public:
    explicit Mutator(unsigned seed) : m_random(seed)
    {
        for (const auto& [name, rule] : training::ruleTable())
            m_operators.push_back(name);
    }

    void mutate(::onnx::GraphProto& graph)
    {
        auto& node = *graph.mutable_node(pick(graph.node_size()));
        switch (m_random() % 12) {
        case 0: node.set_op_type(m_operators[m_random() % m_operators.size()]); break;
        case 1:
            if (node.input_size() > 0)
                node.set_input(pick(node.input_size()), "");
            break;
        case 2:
            if (node.input_size() > 0)
                node.mutable_input()->RemoveLast();
            break;
        case 3:
            if (node.attribute_size() > 0)
                node.mutable_attribute()->RemoveLast();
            break;
        case 4: changeAttribute(node); break;
        case 5:
            if (graph.input_size() > 0)
                changeShape(*graph.mutable_input(pick(graph.input_size())));
            break;
        case 6:
            if (node.input_size() > 1)
                node.mutable_input()->SwapElements(0, pick(node.input_size()));
            break;
        case 7: node.add_output("extra" + std::to_string(m_random())); break;
        case 8: addAttribute(node); break;
        case 9: changeWeight(graph); break;
        case 10: readAnother(graph, node); break;
        default: node.set_domain(m_random() % 2 ? "com.microsoft" : "acme"); break;
        }
    }

private:
    int pick(int size) { return static_cast<int>(m_random() % static_cast<unsigned>(size)); }

    std::int64_t number()
    {
        const std::int64_t odd[] = {0, 1, -1, 2, 3, 7, -5, 1000, 1LL << 40, -(1LL << 40), INT64_MAX, INT64_MIN};
        return odd[m_random() % std::size(odd)];
    }

    void changeAttribute(::onnx::NodeProto& node)
    {
        if (node.attribute_size() == 0)
            return;
        auto& attribute = *node.mutable_attribute(pick(node.attribute_size()));
        if (attribute.ints_size() > 0 && m_random() % 2)
            attribute.set_ints(pick(attribute.ints_size()), number());
        else if (attribute.ints_size() > 0)
            attribute.add_ints(number());
        else if (attribute.has_t() && attribute.t().int64_data_size() > 0)
            attribute.mutable_t()->set_int64_data(0, number());
        else
            attribute.set_i(number());
    }

    /// Attributes that rules read, with numbers that no exporter writes.
    void addAttribute(::onnx::NodeProto& node)
    {
        const char* names[] = {"axis", "axes", "group", "pads", "strides", "kernel_shape", "dilations", "perm", "num_heads", "hidden_size", "k",
                               "split", "num_outputs", "output_shape", "blocksize", "num_groups", "batch_dims", "q_num_heads", "kv_num_heads"};
        auto& attribute = *node.add_attribute();
        attribute.set_name(names[m_random() % std::size(names)]);
        const bool isList = m_random() % 2;
        attribute.set_type(isList ? ::onnx::AttributeProto::INTS : ::onnx::AttributeProto::INT);
        for (unsigned i = 0; isList && i < m_random() % 5; ++i)
            attribute.add_ints(number());
        attribute.set_i(number());
    }

    void changeWeight(::onnx::GraphProto& graph)
    {
        if (graph.initializer_size() == 0)
            return;
        auto& tensor = *graph.mutable_initializer(pick(graph.initializer_size()));
        if (tensor.dims_size() > 0 && m_random() % 2)
            tensor.set_dims(pick(tensor.dims_size()), number());
        else if (m_random() % 2)
            tensor.add_dims(number());
        else
            tensor.set_data_type(pick(24));
    }

    /// May close a circle.
    void readAnother(const ::onnx::GraphProto& graph, ::onnx::NodeProto& node)
    {
        const auto& other = graph.node(pick(graph.node_size()));
        if (node.input_size() > 0 && other.output_size() > 0)
            node.set_input(pick(node.input_size()), other.output(pick(other.output_size())));
    }

    void changeShape(::onnx::ValueInfoProto& info)
    {
        auto& shape = *info.mutable_type()->mutable_tensor_type()->mutable_shape();
        if (shape.dim_size() > 0 && m_random() % 3)
            shape.mutable_dim(pick(shape.dim_size()))->set_dim_value(number());
        else if (shape.dim_size() > 0 && m_random() % 2)
            shape.mutable_dim()->RemoveLast();
        else
            shape.add_dim()->set_dim_value(3);
    }

    std::mt19937 m_random;
    std::vector<std::string> m_operators;
};

void expectAnswer(const ::onnx::ModelProto& model, int& built)
{
    const auto path = std::filesystem::temp_directory_path() / ("poet-mutant-" + std::to_string(::getpid()) + ".onnx");
    {
        std::ofstream file(path, std::ios::binary);
        model.SerializeToOstream(&file);
    }
    auto forward = onnx::importModel(path, {});
    std::filesystem::remove(path);
    if (!forward) {
        EXPECT_FALSE(forward.error().message.empty());
        return;
    }
    auto made = buildTrainingGraph(std::make_shared<const ForwardGraph>(std::move(*forward)), {});
    if (!made) {
        EXPECT_FALSE(made.error().message.empty());
        return;
    }
    ++built;
    const auto graph = std::make_shared<const TrainingGraph>(std::move(*made));
    for (std::size_t id = 0; id < graph->nodes.size(); ++id)
        for (const NodeId input : graph->nodes[id].inputs)
            EXPECT_TRUE(input >= 0 && input < static_cast<NodeId>(id));
    EXPECT_GE(summarize(*graph).activationBytes, 0);
    const auto report = inspectModel({.training = graph, .costs = std::make_shared<const CostGraph>(neutralCosts(*graph))});
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_FALSE(reportText(*report).empty());
    EXPECT_TRUE(reportJson(*report).ends_with("}\n"));
}

/// The examples, and the files of the folder POET_FUZZ_FOLDER.
std::vector<std::filesystem::path> originals()
{
    const std::filesystem::path examples = std::filesystem::path(POET_SOURCE_DIR) / "examples";
    std::vector<std::filesystem::path> paths{examples / "lenet5.onnx", examples / "dscnn_kws.onnx", examples / "bert_base.onnx"};
    if (const char* folder = std::getenv("POET_FUZZ_FOLDER"))
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().extension() == ".onnx")
                paths.push_back(entry.path());
    std::ranges::sort(paths);
    return paths;
}

void mutateAll(unsigned first, int& built, int& tried)
{
    for (const std::filesystem::path& path : originals()) {
        ::onnx::ModelProto original;
        std::ifstream file(path, std::ios::binary);
        ASSERT_TRUE(original.ParseFromIstream(&file)) << path;
        const int rounds = original.graph().node_size() > 200 ? 60 : 400;
        for (int round = 0; round < rounds && original.graph().node_size() > 0; ++round, ++tried) {
            const unsigned seed = first + static_cast<unsigned>(round);
            SCOPED_TRACE(path.filename().string() + ", seed " + std::to_string(seed));
            ::onnx::ModelProto model = original;
            Mutator mutator(seed);
            for (int change = 0; change <= round % 4; ++change)
                mutator.mutate(*model.mutable_graph());
            expectAnswer(model, built);
        }
    }
}

/// POET_FUZZ_SECONDS makes it longer.
TEST(Fuzz, mutatedModelsAreAnAnswer)
{
    const char* wanted = std::getenv("POET_FUZZ_SECONDS");
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wanted ? std::atoi(wanted) : 0);
    unsigned first = std::random_device{}() % 1000000;
    int built = 0, tried = 0;
    do {
        mutateAll(first, built, tried);
        first += 1000;
    } while (std::chrono::steady_clock::now() < end && !HasFailure());
    EXPECT_GT(built, tried / 20);
    EXPECT_LT(built, tried);
}

}  // namespace
}  // namespace poet
