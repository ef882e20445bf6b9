// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "examples/model_writer.h"
#include "examples/networks.h"

#include <string>

namespace poet::examples {

using ::onnx::TensorProto;

namespace {

constexpr std::int64_t kBatch = -1;

std::string flatten(ModelWriter& w, const std::string& x)
{
    auto& node = w.node("", "Flatten", {x});
    addInt(node, "axis", 1);
    return node.output(0);
}

/// Two 3x3 convolutions and the shortcut.
std::string basicBlock(ModelWriter& w, const std::string& path, const std::string& x, std::int64_t in, std::int64_t out, std::int64_t stride)
{
    std::string y = w.conv(path + ".conv1", x, in, out, 3, stride, 1, 1, false);
    y = w.plain(path + ".relu", "Relu", {w.batchNorm(path + ".bn1", y, out)});
    y = w.batchNorm(path + ".bn2", w.conv(path + ".conv2", y, out, out, 3, 1, 1, 1, false), out);
    std::string shortcut = x;
    if (stride != 1 || in != out)
        shortcut = w.batchNorm(path + ".downsample.1", w.conv(path + ".downsample.0", x, in, out, 1, stride, 0, 1, false), out);
    return w.plain(path + ".relu", "Relu", {w.plain(path, "Add", {y, shortcut})});
}

/// 1x1, 3x3 and 1x1 convolutions and the shortcut; `width` channels inside, four times as many outside.
std::string bottleneck(ModelWriter& w, const std::string& path, const std::string& x, std::int64_t in, std::int64_t width, std::int64_t stride)
{
    const std::int64_t out = 4 * width;
    std::string y = w.batchNorm(path + ".bn1", w.conv(path + ".conv1", x, in, width, 1, 1, 0, 1, false), width);
    y = w.conv(path + ".conv2", w.plain(path + ".relu", "Relu", {y}), width, width, 3, stride, 1, 1, false);
    y = w.plain(path + ".relu", "Relu", {w.batchNorm(path + ".bn2", y, width)});
    y = w.batchNorm(path + ".bn3", w.conv(path + ".conv3", y, width, out, 1, 1, 0, 1, false), out);
    std::string shortcut = x;
    if (stride != 1 || in != out)
        shortcut = w.batchNorm(path + ".downsample.1", w.conv(path + ".downsample.0", x, in, out, 1, stride, 0, 1, false), out);
    return w.plain(path + ".relu", "Relu", {w.plain(path, "Add", {y, shortcut})});
}

::onnx::ModelProto resnet(const std::string& name, const Ints& blocks, bool isDeep)
{
    ModelWriter w(name);
    std::string x = w.input("input", {kBatch, 3, 224, 224}, TensorProto::FLOAT);
    x = w.batchNorm("bn1", w.conv("conv1", x, 3, 64, 7, 2, 3, 1, false), 64);
    x = w.maxPool("maxpool", w.plain("relu", "Relu", {x}), 3, 2, 1);
    std::int64_t in = 64;
    for (std::size_t stage = 0; stage < blocks.size(); ++stage) {
        const std::int64_t width = 64 << stage;
        for (std::int64_t block = 0; block < blocks[stage]; ++block) {
            const std::string path = "layer" + std::to_string(stage + 1) + "." + std::to_string(block);
            const std::int64_t stride = stage > 0 && block == 0 ? 2 : 1;
            x = isDeep ? bottleneck(w, path, x, in, width, stride) : basicBlock(w, path, x, in, width, stride);
            in = isDeep ? 4 * width : width;
        }
    }
    x = flatten(w, w.plain("avgpool", "GlobalAveragePool", {x}));
    w.output(w.linear("fc", x, in, 1000), {kBatch, 1000});
    return w.finish();
}

/// Expansion, depthwise and projection convolutions, with a shortcut where shapes allow.
std::string invertedResidual(ModelWriter& w, const std::string& path, const std::string& x, std::int64_t in, std::int64_t out,
                             std::int64_t stride, std::int64_t expansion)
{
    const auto clip = [&w](const std::string& at, const std::string& value) {
        return w.plain(at, "Clip", {value, "zero", "six"});
    };
    const std::int64_t wide = in * expansion;
    std::string y = x;
    int step = 0;
    const auto sub = [&](int part) { return path + ".conv." + std::to_string(step) + "." + std::to_string(part); };
    if (expansion != 1) {
        y = clip(sub(2), w.batchNorm(sub(1), w.conv(sub(0), y, in, wide, 1, 1, 0, 1, false), wide));
        ++step;
    }
    y = clip(sub(2), w.batchNorm(sub(1), w.conv(sub(0), y, wide, wide, 3, stride, 1, wide, false), wide));
    ++step;
    const std::string last = path + ".conv." + std::to_string(step);
    y = w.batchNorm(path + ".conv." + std::to_string(step + 1), w.conv(last, y, wide, out, 1, 1, 0, 1, false), out);
    return stride == 1 && in == out ? w.plain(path, "Add", {x, y}) : y;
}

}  // namespace

::onnx::ModelProto lenet5()
{
    ModelWriter w("lenet5");
    std::string x = w.input("input", {kBatch, 1, 28, 28}, TensorProto::FLOAT);
    x = w.plain("features.1", "Tanh", {w.conv("features.0", x, 1, 6, 5, 1, 2, 1, true)});
    x = w.averagePool("features.2", x, 2, 2);
    x = w.plain("features.4", "Tanh", {w.conv("features.3", x, 6, 16, 5, 1, 0, 1, true)});
    x = flatten(w, w.averagePool("features.5", x, 2, 2));
    x = w.plain("classifier.1", "Tanh", {w.linear("classifier.0", x, 400, 120)});
    x = w.plain("classifier.3", "Tanh", {w.linear("classifier.2", x, 120, 84)});
    w.output(w.linear("classifier.4", x, 84, 10), {kBatch, 10});
    return w.finish();
}

::onnx::ModelProto resnet18() { return resnet("resnet18", {2, 2, 2, 2}, false); }

::onnx::ModelProto resnet50() { return resnet("resnet50", {3, 4, 6, 3}, true); }

::onnx::ModelProto vgg16()
{
    ModelWriter w("vgg16");
    std::string x = w.input("input", {kBatch, 3, 224, 224}, TensorProto::FLOAT);
    std::int64_t in = 3;
    int layer = 0;
    const auto path = [&layer] { return "features." + std::to_string(layer++); };
    const Ints plan = {64, 64, 0, 128, 128, 0, 256, 256, 256, 0, 512, 512, 512, 0, 512, 512, 512, 0};  // 0: pooling
    for (const std::int64_t out : plan) {
        if (out == 0) {
            x = w.maxPool(path(), x, 2, 2, 0);
            continue;
        }
        x = w.conv(path(), x, in, out, 3, 1, 1, 1, true);
        x = w.plain(path(), "Relu", {x});
        in = out;
    }
    x = w.plain("classifier.1", "Relu", {w.linear("classifier.0", flatten(w, x), 512 * 7 * 7, 4096)});
    x = w.dropout("classifier.2", x, 0.5F);
    x = w.plain("classifier.4", "Relu", {w.linear("classifier.3", x, 4096, 4096)});
    x = w.dropout("classifier.5", x, 0.5F);
    w.output(w.linear("classifier.6", x, 4096, 1000), {kBatch, 1000});
    return w.finish();
}

::onnx::ModelProto mobilenetV2()
{
    ModelWriter w("mobilenet_v2");
    std::string x = w.input("input", {kBatch, 3, 224, 224}, TensorProto::FLOAT);
    w.constant("zero", {}, std::vector<float>{0});
    w.constant("six", {}, std::vector<float>{6});
    x = w.batchNorm("features.0.1", w.conv("features.0.0", x, 3, 32, 3, 2, 1, 1, false), 32);
    x = w.plain("features.0.2", "Clip", {x, "zero", "six"});
    struct Stage {
        std::int64_t expansion, out, count, stride;
    };
    const Stage stages[] = {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    std::int64_t in = 32;
    int layer = 1;
    for (const Stage& stage : stages) {
        for (std::int64_t i = 0; i < stage.count; ++i) {
            x = invertedResidual(w, "features." + std::to_string(layer++), x, in, stage.out, i == 0 ? stage.stride : 1, stage.expansion);
            in = stage.out;
        }
    }
    x = w.batchNorm("features.18.1", w.conv("features.18.0", x, 320, 1280, 1, 1, 0, 1, false), 1280);
    x = w.plain("features.18.2", "Clip", {x, "zero", "six"});
    x = w.dropout("classifier.0", flatten(w, w.plain("pool", "GlobalAveragePool", {x})), 0.2F);
    w.output(w.linear("classifier.1", x, 1280, 1000), {kBatch, 1000});
    return w.finish();
}

::onnx::ModelProto dsCnn()
{
    ModelWriter w("dscnn_kws");
    std::string x = w.input("input", {kBatch, 1, 49, 10}, TensorProto::FLOAT);
    x = w.conv2("conv1", x, {64, 1, 10, 4}, {2, 2}, {4, 1}, 1, false);
    x = w.plain("relu1", "Relu", {w.batchNorm("bn1", x, 64)});
    for (int block = 0; block < 4; ++block) {
        const std::string path = "blocks." + std::to_string(block);
        x = w.batchNorm(path + ".bn1", w.conv(path + ".depthwise", x, 64, 64, 3, 1, 1, 64, false), 64);
        x = w.plain(path + ".relu1", "Relu", {x});
        x = w.batchNorm(path + ".bn2", w.conv(path + ".pointwise", x, 64, 64, 1, 1, 0, 1, false), 64);
        x = w.plain(path + ".relu2", "Relu", {x});
    }
    x = w.dropout("dropout", flatten(w, w.plain("pool", "GlobalAveragePool", {x})), 0.2F);
    w.output(w.linear("fc", x, 64, 12), {kBatch, 12});
    return w.finish();
}

}  // namespace poet::examples
