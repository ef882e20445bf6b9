// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <onnx/onnx_pb.h>

/// The example networks, in training mode, with the named dimension "batch". Sources: the published architectures.
namespace poet::examples {

/// LeCun et al. 1998 for 28x28 grey images, with tanh and average pooling.
[[nodiscard]] ::onnx::ModelProto lenet5();
/// He et al. 2015 at 224x224; blocks 2-2-2-2 of two convolutions.
[[nodiscard]] ::onnx::ModelProto resnet18();
/// He et al. 2015 at 224x224; bottlenecks 3-4-6-3.
[[nodiscard]] ::onnx::ModelProto resnet50();
/// Simonyan and Zisserman 2014, configuration D, at 224x224.
[[nodiscard]] ::onnx::ModelProto vgg16();
/// Sandler et al. 2018 at 224x224, width 1.0.
[[nodiscard]] ::onnx::ModelProto mobilenetV2();
/// Zhang et al. 2017, as in MLPerf Tiny: 49x10 features, 12 key words.
[[nodiscard]] ::onnx::ModelProto dsCnn();
/// Devlin et al. 2018, base: 12 blocks, hidden 768, 128 tokens, two classes; GELU and attention spelled out.
[[nodiscard]] ::onnx::ModelProto bertBase();

}  // namespace poet::examples
