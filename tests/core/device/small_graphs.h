// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/device_profile.h"
#include "core/device/profile_store.h"
#include "core/graph/training_graph.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

/// Hand-made training graphs and shipped profiles for the tests of this folder.
namespace poet::test {

inline DeviceProfile shipped(const std::string& id)
{
    const auto read = ProfileStore(std::filesystem::path(POET_SOURCE_DIR) / "resources").find(id);
    EXPECT_TRUE(read) << (read ? "" : read.error().text());
    return read ? read->profile : DeviceProfile{};
}

inline Work work(std::string op, std::string key, OpClass opClass, double flops, std::int64_t bytesRead, std::int64_t bytesWritten)
{
    Work one;
    one.op = std::move(op);
    one.key = std::move(key);
    one.opClass = opClass;
    one.flops = flops;
    one.bytesRead = bytesRead;
    one.bytesWritten = bytesWritten;
    return one;
}

inline TrainingNode node(std::string name, NodeRole role, std::vector<NodeId> inputs, std::int64_t bytes, std::vector<Work> works)
{
    TrainingNode one;
    one.name = std::move(name);
    one.role = role;
    one.inputs = std::move(inputs);
    one.bytes = bytes;
    one.shape = {bytes / 4};
    one.work = std::move(works);
    one.recomputable = role == NodeRole::Forward || role == NodeRole::Side;
    return one;
}

/// Input, `layers` convolutions of growing size, a loss, and their backward nodes with a data and a weight part each.
inline TrainingGraph chain(int layers)
{
    TrainingGraph graph;
    graph.name = "chain";
    graph.nodes.push_back(node("input", NodeRole::Input, {}, 4000, {}));
    for (int i = 1; i <= layers; ++i) {
        const std::string key = "x=" + std::to_string(i);
        graph.nodes.push_back(node("conv" + std::to_string(i), NodeRole::Forward, {i - 1}, 4000 + 400 * i,
                                   {work("Conv", key, OpClass::Conv, 1e6 * i * i, 8000 + 900 * i, 4000 + 400 * i)}));
    }
    graph.nodes.push_back(node("loss", NodeRole::Loss, {layers}, 4, {work("CrossEntropy", "n=10", OpClass::Softmax, 5000, 4000, 4)}));
    for (int i = layers; i >= 1; --i) {
        const std::string key = "x=" + std::to_string(i);
        const NodeId gradient = static_cast<NodeId>(graph.nodes.size()) - 1;
        graph.nodes.push_back(node("conv" + std::to_string(i) + "'", NodeRole::Backward, {gradient, i - 1}, i == 1 ? 0 : 4000 + 400 * (i - 1),
                                   {work("Conv.grad_data", key, OpClass::Conv, 1e6 * i * i + 7, 9000 + 800 * i, 4000),
                                    work("Conv.grad_weight", key, OpClass::Conv, 1e6 * i * i + 3, 9500 + 700 * i, 1000)}));
    }
    TrainingParameter weights;
    weights.name = "weights";
    weights.bytes = 2000;
    weights.shape = {500};
    weights.isTrained = true;
    TrainingParameter statistics;
    statistics.name = "running_mean";
    statistics.bytes = 40;
    statistics.shape = {10};
    statistics.isBuffer = true;
    graph.parameters = {weights, statistics};
    return graph;
}

}  // namespace poet::test
