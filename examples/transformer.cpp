// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "examples/model_writer.h"
#include "examples/networks.h"

#include <cmath>
#include <string>

namespace poet::examples {

using ::onnx::TensorProto;

namespace {

constexpr std::int64_t kTokens = 128;
constexpr std::int64_t kHidden = 768;
constexpr std::int64_t kHeads = 12;
constexpr std::int64_t kInner = 3072;

std::string gather(ModelWriter& w, const std::string& path, const std::string& x, const std::string& index, std::int64_t axis)
{
    auto& node = w.node(path, "Gather", {x, index});
    addInt(node, "axis", axis);
    return node.output(0);
}

std::string attention(ModelWriter& w, const std::string& path, const std::string& x)
{
    const auto heads = [&](const std::string& part, const Ints& perm) {
        const std::string projected = w.matMulBias(path + "." + part, x, kHidden, kHidden);
        return w.transpose(path, w.reshape(path, projected, {0, kTokens, kHeads, kHidden / kHeads}), perm);
    };
    const std::string q = heads("query", {0, 2, 1, 3});
    const std::string k = heads("key", {0, 2, 3, 1});
    const std::string v = heads("value", {0, 2, 1, 3});
    const std::string scale = w.constant(path + ".scale", {}, std::vector<float>{std::sqrt(static_cast<float>(kHidden / kHeads))});
    auto& softmax = w.node(path, "Softmax", {w.plain(path, "Div", {w.plain(path, "MatMul", {q, k}), scale})});
    addInt(softmax, "axis", -1);
    const std::string kept = w.dropout(path + ".dropout", softmax.output(0), 0.1F);
    const std::string mixed = w.transpose(path, w.plain(path, "MatMul", {kept, v}), {0, 2, 1, 3});
    return w.matMulBias(path + ".output", w.reshape(path, mixed, {0, kTokens, kHidden}), kHidden, kHidden);
}

/// x / sqrt(2) -> erf -> + 1 -> times x -> times 1/2, as exporters write it.
std::string gelu(ModelWriter& w, const std::string& path, const std::string& x)
{
    const std::string erf = w.plain(path, "Erf", {w.plain(path, "Div", {x, "sqrt2"})});
    return w.plain(path, "Mul", {w.plain(path, "Mul", {x, w.plain(path, "Add", {erf, "one"})}), "half"});
}

std::string block(ModelWriter& w, const std::string& path, const std::string& x)
{
    const std::string attended = w.dropout(path + ".dropout1", attention(w, path + ".attention", x), 0.1F);
    const std::string middle = w.layerNorm(path + ".norm1", w.plain(path, "Add", {x, attended}), kHidden);
    const std::string inner = gelu(w, path + ".gelu", w.matMulBias(path + ".up", middle, kHidden, kInner));
    const std::string outer = w.dropout(path + ".dropout2", w.matMulBias(path + ".down", inner, kInner, kHidden), 0.1F);
    return w.layerNorm(path + ".norm2", w.plain(path, "Add", {middle, outer}), kHidden);
}

}  // namespace

::onnx::ModelProto bertBase()
{
    ModelWriter w("bert_base");
    const std::string ids = w.input("input_ids", {-1, kTokens}, TensorProto::INT64);
    w.constant("sqrt2", {}, std::vector<float>{std::sqrt(2.0F)});
    w.constant("one", {}, std::vector<float>{1});
    w.constant("half", {}, std::vector<float>{0.5F});
    Ints positions;
    for (std::int64_t i = 0; i < kTokens; ++i)
        positions.push_back(i);
    w.constant("positions", {1, kTokens}, positions);
    const std::string words = w.embedding("embeddings.word", ids, 30522, kHidden);
    const std::string places = w.embedding("embeddings.position", "positions", 512, kHidden);
    std::string x = w.layerNorm("embeddings.norm", w.plain("embeddings", "Add", {words, places}), kHidden);
    x = w.dropout("embeddings.dropout", x, 0.1F);
    for (int i = 0; i < 12; ++i)
        x = block(w, "encoder." + std::to_string(i), x);
    w.constant("first", {}, Ints{0});
    const std::string pooled = w.plain("pooler", "Tanh", {w.linear("pooler.dense", gather(w, "pooler", x, "first", 1), kHidden, kHidden)});
    w.output(w.linear("classifier", w.dropout("dropout", pooled, 0.1F), kHidden, 2), {-1, 2});
    return w.finish();
}

}  // namespace poet::examples
