#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 POET Explorer developers
# SPDX-License-Identifier: Apache-2.0
"""Writes the example's model and data: small_conv.onnx, data/ and data-one/ (needs python3-onnx, python3-numpy).

A convolutional network for 16 x 16 pictures of four shapes; a batch of four, with noise, and one of them alone. The files are part of the project;
this program is only needed to change them."""
import json
import pathlib

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
BATCH, SIZE, CLASSES = 4, 16, 4
random = numpy.random.default_rng(7)


def weight(name, *shape):
    fan_in = int(numpy.prod(shape[1:]))
    return numpy_helper.from_array(random.uniform(-1, 1, shape).astype("float32") / numpy.float32(fan_in) ** numpy.float32(0.5), name)


def bias(name, n):
    return numpy_helper.from_array(numpy.zeros(n, "float32"), name)


def conv(x, y, name):
    return helper.make_node("Conv", [x, name + ".weight", name + ".bias"], [y], name=name, kernel_shape=[3, 3], pads=[1, 1, 1, 1])


nodes = [
    conv("picture", "c1", "conv1"), helper.make_node("Relu", ["c1"], ["r1"], name="relu1"),
    conv("r1", "c2", "conv2"), helper.make_node("Relu", ["c2"], ["r2"], name="relu2"),
    helper.make_node("MaxPool", ["r2"], ["p1"], name="pool1", kernel_shape=[2, 2], strides=[2, 2]),
    conv("p1", "c3", "conv3"), helper.make_node("Relu", ["c3"], ["r3"], name="relu3"),
    helper.make_node("MaxPool", ["r3"], ["p2"], name="pool2", kernel_shape=[2, 2], strides=[2, 2]),
    helper.make_node("Flatten", ["p2"], ["f"], name="flatten"),
    helper.make_node("Gemm", ["f", "fc.weight", "fc.bias"], ["scores"], name="fc", transB=1),
]
weights = [weight("conv1.weight", 8, 1, 3, 3), bias("conv1.bias", 8), weight("conv2.weight", 8, 8, 3, 3), bias("conv2.bias", 8),
           weight("conv3.weight", 12, 8, 3, 3), bias("conv3.bias", 12), weight("fc.weight", CLASSES, 12 * 16), bias("fc.bias", CLASSES)]
graph = helper.make_graph(nodes, "small_conv", [helper.make_tensor_value_info("picture", TensorProto.FLOAT, ["batch", 1, SIZE, SIZE])],
                          [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["batch", CLASSES])], weights)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
model.ir_version = 7
onnx.checker.check_model(model)
onnx.save(model, HERE / "small_conv.onnx")

y, x = numpy.mgrid[0:SIZE, 0:SIZE]
shapes = [x > y, (x // 4 + y // 4) % 2 == 0, (x - 8) ** 2 + (y - 8) ** 2 < 25, abs(x - y) < 2]
pictures = numpy.stack([s.astype("float32") + 0.1 * random.standard_normal((SIZE, SIZE)).astype("float32") for s in shapes])[:, None]
target = numpy.arange(CLASSES, dtype="int64")


def write(folder, count):
    folder.mkdir(exist_ok=True)
    blob, tensors = b"", []
    for kind, name, value in [("input", "picture", pictures[:count].astype("float32")), ("target", "target", target[:count])]:
        tensors.append({"kind": kind, "name": name, "dtype": str(value.dtype), "shape": list(value.shape), "offset": len(blob), "nbytes": value.nbytes})
        blob += value.tobytes()
    (folder / "data.bin").write_bytes(blob)
    (folder / "manifest.json").write_text(json.dumps({"byte_order": "little", "layout": "row-major (C)", "tensors": tensors}, indent=1) + "\n")


write(HERE / "data", BATCH)
write(HERE / "data-one", 1)
