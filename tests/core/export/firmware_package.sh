#!/bin/bash
# SPDX-FileCopyrightText: 2026 POET Explorer developers
# SPDX-License-Identifier: Apache-2.0
# The exported folder as its users see it: three package formats in one, clean as C99 and C++ under pedantic warnings, two
# exports in one image, page stores of FatFs and Zephyr, sizes of packed schedules, and damaged files that are refused.
# usage: firmware_package.sh POET SOURCE_FOLDER SHARED_FOLDER
set -euo pipefail
poet=$(realpath "$1") source=$(realpath "$2") shared=$3
for tool in cc c++ cmake python3; do
    command -v $tool >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
strict="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wno-unused-function -Werror -O1"
fakes=$source/tests/core/export/fakes

# Page stores that need another library's header.
cc -std=c99 $strict -I"$fakes" -I"$source/resources/runtime" "$fakes/stores.c" -o stores-c && ./stores-c
c++ -std=c++17 -x c++ $strict -I"$fakes" -I"$source/resources/runtime" "$fakes/stores.c" -o stores-cpp && ./stores-cpp
echo "ok   FatFs and Zephyr stores, C99 and C++"

# Two models, every form and level, as C99 and C++, linked into one image.
"$poet" solve "$source/examples/firmware/small_conv.onnx" --device stm32f407 --transfer dma --memory 40KiB --strategy paging --output one.json >/dev/null
"$poet" export one.json --format c --with-kernels --name one -o one >/dev/null
"$poet" solve "$source/tests/data/micro_conv/model.onnx" --device stm32f407 --transfer blocking --memory 9.5kB --strategy page-all --output two.json >/dev/null
"$poet" export two.json --format c --with-kernels --name two -o two >/dev/null
for form in 0 1 2; do
    for level in 0 1 2; do
        for f in one/src/*.c; do
            cc -std=c99 $strict -DONE_FORM=$form -DONE_CHECK=$level -fsyntax-only "$f"
            c++ -std=c++11 -x c++ $strict -DONE_FORM=$form -DONE_CHECK=$level -fsyntax-only "$f"
        done
    done
done
echo 'int main(void){return 0;}' >main.c
cc -std=c99 -O1 -w main.c one/src/*.c two/src/*.c -o both && ./both
echo "ok   clean as C99 and C++ in every form and level; two exports in one image"

# Arduino, PlatformIO, Zephyr and CMake read the same folder.
python3 - one <<'PY'
import json, pathlib, re, sys
folder = pathlib.Path(sys.argv[1])
properties = dict(line.split("=", 1) for line in (folder / "library.properties").read_text().splitlines() if line)
for key in ("name", "version", "author", "maintainer", "sentence", "paragraph", "category", "url", "architectures"):
    assert properties.get(key), key
assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9 _.-]*", properties["name"]) and re.fullmatch(r"\d+\.\d+\.\d+", properties["version"])
assert (folder / "src" / properties["includes"]).is_file()
library = json.loads((folder / "library.json").read_text())
assert library["name"] and library["version"] and library["build"]["srcDir"] == "src"
assert "cmake: ." in (folder / "zephyr/module.yml").read_text()
assert (folder / "LICENSE").read_text().lstrip().startswith("Apache License") or "Apache License" in (folder / "LICENSE").read_text()[:400]
assert not any(path.is_dir() for path in (folder / "src").iterdir()), "src is flat"
for path in (folder / "src").iterdir():  # quotes, no folders
    for include in re.findall(r'#include "([^"]+)"', path.read_text()):
        assert "/" not in include and (folder / "src" / include).is_file(), (path, include)
for name in ("examples/Train/Train.ino", "examples/host/main.c", "examples/qemu/main.c", "extras/one.poet", "extras/one.schedule.json", "extras/one.buffers.csv", "extras/report.txt"):
    assert (folder / name).is_file(), name
PY
cat >sketch.cpp <<'CPP'
#include <cstdint>
#include <cstring>
struct Port { void begin(long) {} void println(float) {} } Serial;
#include "one/examples/Train/Train.ino"
poet_store page_store;
const void *const inputs[2] = {nullptr, nullptr};
CPP
c++ -std=c++11 -Wall -Wextra -Werror -Ione/src -fsyntax-only sketch.cpp
cmake -S one -B one-build >/dev/null && cmake --build one-build >/dev/null && [ -x one-build/step ]
echo "ok   Arduino, PlatformIO, Zephyr, CMake"

# Damaged binaries: every cut and every flipped bit is refused.
python3 - one/extras/one.poet "$poet" <<'PY'
import pathlib, random, subprocess, sys
data, poet = pathlib.Path(sys.argv[1]).read_bytes(), sys.argv[2]
random.seed(5)
def verify(blob):
    pathlib.Path("damaged.poet").write_bytes(blob)
    return subprocess.run([poet, "verify", "damaged.poet"], capture_output=True).returncode
assert verify(data) == 0
for k in range(60):
    blob = bytearray(data)
    if k % 3 == 0:
        blob = blob[:random.randrange(len(blob))]
    elif k % 3 == 1:
        blob[random.randrange(len(blob))] ^= 1 << random.randrange(8)
    else:
        at = random.randrange(96, len(blob))
        blob[at:at] = bytes([random.randrange(256)])
    code = verify(bytes(blob))
    assert code in (1, 2), (k, code)
PY
echo "ok   damaged binaries are refused"

# Sizes of packed schedules at half of the span.
size() { # LIMIT MODEL...
    local limit=$1 bytes
    shift
    "$poet" solve "$@" --memory 50%span --time-limit 8s --output size.json >/dev/null 2>&1
    "$poet" export size.json --format binary -o size.poet
    "$poet" verify size.poet >/dev/null
    bytes=$(stat -c %s size.poet)
    echo "     $(basename "$1"): $bytes B"
    [ "$bytes" -le "$limit" ]
}
size 512 "$source/examples/lenet5.onnx" --device paper-m4
size 1024 "$source/examples/resnet18.onnx" --device paper-a72
if [ -d "$shared/oracle/paper" ]; then
    for graph in "$shared"/oracle/paper/*.graph.json; do
        case $graph in *resnet18*) limit=1024 ;; *linear* | *transformer*) limit=512 ;; *vgg*) limit=1024 ;; *) limit=2048 ;; esac
        size $limit "$graph"
        case $graph in *resnet18*) size $limit "$graph" --strategy paging ;; esac
    done
fi
echo "ok   sizes of packed schedules"
