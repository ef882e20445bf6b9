#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 POET Explorer developers
# SPDX-License-Identifier: Apache-2.0
"""Writes model.onnx, manifest.json and data.bin: a convolutional network that trains in the 16 KiB of a Cortex-M0.

Needs python3-onnx and python3-numpy. The files are part of the project; this program is only needed to change them."""
import json
import pathlib

import numpy
from onnx import TensorProto, helper, numpy_helper, save

HERE = pathlib.Path(__file__).resolve().parent
random = numpy.random.default_rng(11)


def weight(name, *shape):
    return numpy_helper.from_array((random.uniform(-1, 1, shape) / numpy.prod(shape[1:]) ** 0.5).astype("float32"), name)


def bias(name, n):
    return numpy_helper.from_array(numpy.zeros(n, "float32"), name)


nodes = [helper.make_node("Conv", ["picture", "conv1.weight", "conv1.bias"], ["c1"], name="conv1", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
         helper.make_node("Relu", ["c1"], ["r1"], name="relu1"),
         helper.make_node("MaxPool", ["r1"], ["p1"], name="pool1", kernel_shape=[2, 2], strides=[2, 2]),
         helper.make_node("Conv", ["p1", "conv2.weight", "conv2.bias"], ["c2"], name="conv2", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
         helper.make_node("Relu", ["c2"], ["r2"], name="relu2"),
         helper.make_node("Flatten", ["r2"], ["f"], name="flatten"),
         helper.make_node("Gemm", ["f", "fc.weight", "fc.bias"], ["scores"], name="fc", transB=1)]
weights = [weight("conv1.weight", 4, 1, 3, 3), bias("conv1.bias", 4), weight("conv2.weight", 6, 4, 3, 3), bias("conv2.bias", 6),
           weight("fc.weight", 3, 96), bias("fc.bias", 3)]
graph = helper.make_graph(nodes, "micro_conv", [helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 1, 8, 8])],
                          [helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, 3])], weights)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
model.ir_version = 7
save(model, HERE / "model.onnx")
blob, tensors = b"", []
for kind, name, value in [("input", "picture", random.standard_normal((1, 1, 8, 8)).astype("float32")), ("target", "target", numpy.array([2], "int64"))]:
    tensors.append({"kind": kind, "name": name, "dtype": str(value.dtype), "shape": list(value.shape), "offset": len(blob), "nbytes": value.nbytes})
    blob += value.tobytes()
(HERE / "data.bin").write_bytes(blob)
(HERE / "manifest.json").write_text(json.dumps({"byte_order": "little", "layout": "row-major (C)", "tensors": tensors}, indent=1) + "\n")
