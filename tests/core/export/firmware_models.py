#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 POET Explorer developers
# SPDX-License-Identifier: Apache-2.0
"""Planning never changes the mathematics, over many models: each folder of the given ones holds model.onnx, manifest.json and
data.bin with inputs, target and true gradients. The step that keeps everything agrees with the truth; under random devices,
transfer models, strategies, budgets, forms and memories of the arena it gives the same bytes, gradients and six losses.

usage: firmware_models.py POET SEED PLANS FOLDER...      exit 77: no C compiler, or no folder there
"""
import array
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

DEVICES = ("paper-a72", "nrf52840", "stm32h743", "esp32s3")
STRATEGIES = ("integrated", "integrated", "paging", "recompute", "page-all", "sqrt", "greedy", "capuchin", "dtr")


def run(*command, good=(0,)):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode not in good:
        raise RuntimeError(f"{' '.join(map(str, command[:3]))}: exit {result.returncode}: {(result.stderr or result.stdout).strip()[-200:]}")
    return result


def floats(folder):
    """Float tensors of a folder by kind and name, and its manifest."""
    manifest = json.loads((folder / "manifest.json").read_text())
    blob = (folder / "data.bin").read_bytes()
    found = {}
    for tensor in manifest["tensors"]:
        if tensor["dtype"] == "float32":
            values = array.array("f")
            values.frombytes(blob[tensor["offset"]:tensor["offset"] + tensor["nbytes"]])
            found[tensor["kind"], tensor["name"]] = values
    return manifest, found


def build(poet, work, extra, form):
    """The exported step, every check on."""
    command = [poet, "export", work / "plan.json", "--format", "c", "--with-kernels", "--name", "net", "-o", work / "net"]
    if run(*command, *extra, good=(0, 1) if extra else (0,)).returncode != 0:
        run(*command)  # at the wall, no plan may fit two memories: refused, as it should be
    run(poet, "verify", work / "net")
    net = work / "net"
    run("cc", "-O0", "-std=c99", "-ffp-contract=off", "-w", f"-DNET_FORM={form}", "-DNET_CHECK=2", "-D_DEFAULT_SOURCE",
        f'-DPOET_WEIGHTS="{net}/extras/net.weights.bin"', f"-I{net}/src", f"-I{net}/examples/host", net / "examples/host/main.c",
        *sorted((net / "src").glob("*.c")), "-o", work / "step")


def results(work, data, rate):
    """Bytes of one step, and of six steps."""
    run(work / "step", data, "--output", work / "one")
    run(work / "step", data, "--output", work / "six", "--steps", "6", "--learning-rate", rate)
    return (work / "one/data.bin").read_bytes(), (work / "six/data.bin").read_bytes()


def compare(work, manifest, truth):
    """What is wrong with the step that keeps everything; an empty list is good."""
    _, got = floats(work / "one")
    _, six = floats(work / "six")
    problems = []
    for (kind, name), wanted in truth.items():
        if kind != "param_grad":
            continue
        have = got.get((kind, name), array.array("f", [float("nan")] * len(wanted)))
        scale = max(max(map(abs, wanted), default=0), 1e-2)
        if not all(abs(x - y) <= 1e-4 * scale for x, y in zip(have, wanted)):
            problems.append("gradient of " + name)
    loss = next(values[0] for (kind, _), values in got.items() if kind == "loss")
    if not abs(loss - manifest["loss"]) <= 1e-4 * max(1, abs(manifest["loss"])):
        problems.append(f"loss {loss} instead of {manifest['loss']}")
    losses = next(values for (kind, _), values in six.items() if kind == "losses")
    if not all(abs(x - y) <= 1e-3 * max(1, abs(manifest["loss"])) for x, y in zip(losses, manifest["sgd"]["losses_before_each_step"])):
        problems.append("losses of six steps")
    return problems


def draw(chance, facts, first):
    """Options of a random plan; the first keeps everything."""
    device = "paper-a72" if first else chance.choice(DEVICES)
    low, high = facts[device]["largest_working_set_bytes"], facts[device]["keep_all_peak_bytes"]
    memory = high if first else int(low + chance.random() ** 2 * (high - low)) + 64
    transfer = [] if device == "paper-a72" else ["--transfer", chance.choice(("blocking", "dma"))]
    return ["--device", device, *transfer, "--memory", f"{memory}B", "--strategy", "keep-all" if first else chance.choice(STRATEGIES)]


def memories(chance, work):
    """Two memories for half of the plans, neither of which holds the arena alone."""
    peak = json.loads((work / "plan.json").read_text())["peak_bytes"]
    fast = int(peak * chance.uniform(0.3, 0.8)) // 64 * 64 + 64
    return [] if chance.random() < 0.5 else ["--region", f"fast={fast}B", "--region", f"slow={peak}B"]


def check(poet, folder, seed, plans):
    """A line of text, and whether all is well."""
    chance = random.Random(f"{folder.name} {seed}")
    manifest, truth = floats(folder)
    model = [folder / "model.onnx", "--loss", "mse" if manifest["loss_kind"].startswith("mse") else "cross-entropy"]
    facts = {device: json.loads(run(poet, "inspect", *model, "--device", device, "--json").stdout) for device in DEVICES}
    wanted, built, problems = None, 0, []
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        for number in range(plans + 1):
            plan = draw(chance, facts, number == 0)
            solved = run(poet, "solve", *model, *plan, "--time-limit", "5s", "--output", work / "plan.json", good=(0, 3, 4))
            if solved.returncode != 0:
                continue  # proven too small, or the strategy found nothing
            extra = memories(chance, work) if number > 0 else []
            build(poet, work, extra, chance.randrange(3))
            built += 1
            got = results(work, folder, manifest["sgd"]["lr"])
            if wanted is None:
                wanted = got
                problems += compare(work, manifest, truth)
            elif got != wanted:
                problems.append("other bytes with " + " ".join(plan + extra))
    return f"{folder.name:24s} {built} builds  {'; '.join(problems)}", not problems and built > 1


def main():
    poet, seed, plans = sys.argv[1], sys.argv[2], int(sys.argv[3])
    folders = [child for parent in sys.argv[4:] if pathlib.Path(parent).is_dir()
               for child in sorted(pathlib.Path(parent).iterdir()) if (child / "manifest.json").exists()]
    if not shutil.which("cc") or not folders:
        print("missing: cc, or folders with models", file=sys.stderr)
        return 77
    print("seed", seed)
    bad = 0
    for folder in folders:
        try:
            text, good = check(poet, folder, seed, plans)
        except (RuntimeError, KeyError, StopIteration) as problem:
            text, good = f"{folder.name:24s} {problem}", False
        print("ok  " if good else "FAIL", text, flush=True)
        bad += not good
    return 1 if bad else 0


sys.exit(main())
