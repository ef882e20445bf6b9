#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 POET Explorer developers
# SPDX-License-Identifier: Apache-2.0
"""Makes the folders beside this file: usage: make.py [FOLDER]. Needs python3-torch (1.13) and python3-onnx."""
import copy
import json
import pathlib
import sys

import torch
import torch.nn.functional as F
from torch import nn, randn

SEED, RATE, STEPS = 1, 0.05, 6


class Net(nn.Module):
    """`function(self, *inputs)` with named layers and weights."""

    def __init__(self, function, **parts):
        super().__init__()
        self.function = function
        for name, part in parts.items():
            setattr(self, name, part if isinstance(part, nn.Module) else nn.Parameter(part))

    def forward(self, *inputs):
        return self.function(self, *inputs)


def causal(s, x):
    mask = torch.full((x.shape[1], x.shape[1]), -1e4).triu(1)
    weights = torch.softmax(s.q(x) @ s.k(x).transpose(1, 2) * 0.3 + mask, -1)
    return s.h(s.n(x + F.gelu(s.v(weights @ x), approximate="tanh"))[:, -1])


def tiled(s, x):
    y = s.l(x)
    return s.h((y.unsqueeze(1).expand(-1, 3, -1) * s.w.repeat(1, 2)[:, :4].unsqueeze(0)).flatten(1) + y.repeat(1, 3))


def reduced(s, x):
    y = s.c(x)
    parts = [y.mean((2, 3)), y.amax((2, 3)), y.pow(2).sum((2, 3)).sqrt(), torch.logsumexp(y, (2, 3)), y.std((2, 3)), y.norm(dim=(2, 3)), y.amin(3).sum(2)]
    return s.h(torch.cat(parts, 1))


def clamped(s, x):
    y = s.l(x)
    return s.h(torch.where(y > 0.1, y.clamp(max=0.9), torch.exp(y.clamp(-2, 2)) - 1.05) + y.clamp(min=-0.3))


def end(*layers):
    return nn.Sequential(*layers, nn.Flatten(), nn.LazyLinear(5))


# Name: network, inputs, classes (0: mean squared error).
NETS = {
    "attention_causal": lambda: (Net(causal, q=nn.Linear(8, 6), k=nn.Linear(8, 6), v=nn.Linear(8, 8), n=nn.LayerNorm(8, eps=1e-3), h=nn.Linear(8, 5)), [randn(3, 6, 8)], 5),
    "batch_norms": lambda: (nn.Sequential(end(nn.Conv2d(3, 4, 3, bias=False), nn.BatchNorm2d(4, eps=1e-2, momentum=0.3), nn.ReLU(), nn.BatchNorm2d(4, affine=False)),
                                          nn.BatchNorm1d(5), nn.SELU(), nn.Linear(5, 5)), [randn(6, 3, 6, 5)], 5),
    "conv3d": lambda: (end(nn.Conv3d(2, 4, (2, 3, 2), stride=(1, 2, 1), padding=(1, 0, 1)), nn.ReLU(), nn.MaxPool3d(2), nn.AvgPool3d((1, 2, 1), stride=1)), [randn(2, 2, 5, 9, 6)], 5),
    "conv_groups": lambda: (end(nn.Conv2d(6, 12, 3, groups=3, padding=1), nn.ReLU(), nn.Conv2d(12, 12, (1, 5), groups=12, stride=(2, 3), padding=(0, 2)), nn.Tanh()), [randn(3, 6, 10, 9)], 5),
    "conv_transposed": lambda: (nn.Sequential(nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2), nn.ReLU6(),
                                              nn.ConvTranspose2d(6, 3, (2, 4), dilation=(2, 1), bias=False), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(3, 5)), [randn(2, 4, 5, 4)], 5),
    "expand_tile": lambda: (Net(tiled, l=nn.Linear(6, 4), w=randn(3, 2), h=nn.Linear(12, 5)), [randn(4, 6)], 5),
    "gru": lambda: (Net(lambda s, x: s.h(s.g(x)[0][:, -1]), g=nn.GRU(5, 6, batch_first=True), h=nn.Linear(6, 5)), [randn(3, 7, 5)], 5),
    "mse_autoencoder": lambda: (nn.Sequential(nn.Conv2d(2, 4, 3, stride=2, padding=1), nn.ReLU(), nn.ConvTranspose2d(4, 2, 4, stride=2, padding=1), nn.Sigmoid()), [randn(2, 2, 8, 6)], 0),
    "pad_modes": lambda: (end(nn.ReflectionPad2d((1, 2, 2, 1)), nn.Conv2d(2, 3, 3), nn.ReplicationPad2d((0, 2, 1, 0)), nn.Conv2d(3, 2, 3), nn.ConstantPad2d((1, -1, 0, 1), 0.5)), [randn(2, 2, 6, 6)], 5),
    "pools": lambda: (end(nn.Conv2d(3, 4, 3, padding=1), nn.MaxPool2d(3, stride=2, padding=1, ceil_mode=True), nn.Softplus(),
                          nn.AvgPool2d(3, stride=2, padding=1, count_include_pad=False)), [randn(2, 3, 11, 10)], 5),
    "reductions": lambda: (Net(reduced, c=nn.Conv2d(2, 3, 3), h=nn.Linear(21, 5)), [randn(3, 2, 6, 5)], 5),
    "resize_nearest": lambda: (end(nn.Conv2d(2, 3, 3), nn.Upsample(scale_factor=2, mode="nearest"), nn.Conv2d(3, 2, 3, stride=2)), [randn(2, 2, 6, 5)], 5),
    "segmentation": lambda: (nn.Sequential(nn.Conv2d(2, 4, 3, padding=2, dilation=2), nn.ReLU(), nn.Conv2d(4, 3, 1)), [randn(2, 2, 6, 5)], 3),
    "several_inputs": lambda: (Net(lambda s, x, y, z: s.h(torch.cat([s.p(x), s.q(y) * torch.sigmoid(z), z], 1)), p=nn.Linear(7, 6), q=nn.Linear(4, 6), h=nn.Linear(18, 5)),
                               [randn(5, 7), randn(5, 4), randn(5, 6)], 5),
    "tied_embedding": lambda: (Net(lambda s, t: s.l(s.e(t)).relu().mean(1) @ s.e.weight.t(), e=nn.Embedding(9, 8), l=nn.Linear(8, 8)), [torch.randint(0, 9, (4, 5))], 9),
    "topk_pool": lambda: (Net(lambda s, x: s.h(torch.topk(s.c(x).flatten(2), 3, -1)[0].flatten(1)), c=nn.Conv2d(2, 4, 3), h=nn.Linear(12, 5)), [randn(3, 2, 6, 5)], 5),
    "where_clamp": lambda: (Net(clamped, l=nn.Linear(6, 8), h=nn.Linear(8, 5)), [randn(4, 6)], 5),
}


def make(folder, build, opset):
    torch.manual_seed(SEED)
    net, inputs, classes = build()
    net.train()
    with torch.no_grad():
        net(*inputs)  # shapes of lazy layers
        output = copy.deepcopy(net)(*inputs)
    folder.mkdir(parents=True, exist_ok=True)
    names = ["input"] + [f"input{i}" for i in range(2, len(inputs) + 1)]
    torch.onnx.export(copy.deepcopy(net), tuple(inputs), str(folder / "model.onnx"), training=torch.onnx.TrainingMode.TRAINING,
                      do_constant_folding=False, opset_version=opset, input_names=names, output_names=["output"])
    target = torch.randint(0, classes, (output.shape[0], *output.shape[2:])) if classes else torch.randn_like(output) * 0.5
    loss_of = F.cross_entropy if classes else F.mse_loss
    once = copy.deepcopy(net)
    loss = loss_of(once(*inputs), target)
    loss.backward()
    trained, losses = copy.deepcopy(net), []
    descent = torch.optim.SGD(trained.parameters(), lr=RATE)
    for _ in range(STEPS):
        descent.zero_grad()
        now = loss_of(trained(*inputs), target)
        losses.append(now.item())
        now.backward()
        descent.step()
    tensors, blob = [], b""
    rows = [("input", name, value) for name, value in zip(names, inputs)] + [("target", "target", target), ("output", "output", output)]
    for kind, name, value in rows + [("param_grad", name, weight.grad) for name, weight in once.named_parameters()]:
        data = value.detach().contiguous().numpy()
        tensors.append({"kind": kind, "name": name, "dtype": str(data.dtype), "shape": list(data.shape), "offset": len(blob), "nbytes": data.nbytes})
        blob += data.tobytes()
    (folder / "data.bin").write_bytes(blob)
    facts = {"loss_kind": "cross_entropy_mean" if classes else "mse_mean", "loss": loss.item(), "opset": opset,
             "sgd": {"lr": RATE, "losses_before_each_step": losses}, "tensors": tensors}
    (folder / "manifest.json").write_text(json.dumps(facts) + "\n")


target_folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent
for number, (net_name, build_net) in enumerate(NETS.items()):
    make(target_folder / net_name, build_net, 14 + number % 3)
