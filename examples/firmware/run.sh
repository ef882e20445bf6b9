#!/bin/bash
# SPDX-FileCopyrightText: 2026 POET Explorer developers
# SPDX-License-Identifier: Apache-2.0
# Trains a small convolutional network on an emulated Cortex-M4 (STM32F405, 128 KiB of RAM) that cannot hold the plan which
# keeps everything: its link fails, which is shown. The planned schedule fits, and its losses equal the host's bit by bit.
# usage: run.sh [POET] [WORK FOLDER]      exit 77: the cross compiler or QEMU is missing
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
poet=$(realpath "${1:-$here/../../build/bin/poet}")
work=${2:-$(mktemp -d)}
steps=12 rate=0.2 ram=128K
for tool in arm-none-eabi-gcc qemu-system-arm cmake cc; do
    if ! command -v $tool >/dev/null; then
        echo "missing: $tool. Install it: apt-get install gcc-arm-none-eabi qemu-system-arm cmake gcc" >&2
        exit 77
    fi
done
mkdir -p "$work" && cd "$work"

plan() { # NAME MEMORY [EXPORT OPTIONS...]
    "$poet" solve "$here/small_conv.onnx" --dim batch=${batch:-4} --device stm32f407 --transfer blocking --memory "$2" --output "$1.json" >/dev/null
    "$poet" export "$1.json" --format c --with-kernels --name small_conv -o "$1" "${@:3}" >/dev/null
    "$poet" verify "$1" | tail -1
}
link() { # NAME: for the microcontroller
    local q=$1/examples/qemu
    sed -e 's/@FLASH@/0x08000000/; s/@FLASH_BYTES@/1024K/; s/@RAM@/0x20000000/; s/@RAM_BYTES@/'$ram'/' "$q/link.ld.in" >"$1/link.ld"
    printf '.section .rodata\n.global poet_inputs\n.balign 8\npoet_inputs:\n.incbin "%s"\n' "$work/host/inputs.bin" >"$1/inputs.s"
    arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -O2 -std=c99 -ffp-contract=off -ffreestanding \
        -fno-tree-loop-distribute-patterns -ffunction-sections -fdata-sections -nostartfiles -nostdlib -Wl,--gc-sections \
        -DSTEPS=$steps -DRATE=${rate}f -DPOET_APPLY_AT_ONCE -I"$1/src" -I"$q" -T "$1/link.ld" "$q/main.c" "$q/startup.c" "$1/inputs.s" \
        "$1"/src/*.c -lgcc -o "$1/firmware.elf"
}

echo "== planning for 128 KiB, and keeping everything"
plan planned 124KiB
plan everything 1MiB --region ram=1MiB # in one memory, not over the chip's two
grep -hE "^#define SMALL_CONV_ARENA_BYTES" everything/src/small_conv.h planned/src/small_conv.h

echo "== $steps steps on the host"
cmake -S planned -B host-build >/dev/null && cmake --build host-build >/dev/null
host-build/step "$here/data" --output host --steps $steps --learning-rate $rate --raw
echo "losses: $(od -An -f -N $((4 * steps)) host/raw.bin | xargs)"

echo "== linking what keeps everything: must fail"
if link everything 2>link.txt; then
    echo "it fits, which is wrong" >&2
    exit 1
fi
grep -m1 -oE "region .RAM. overflowed by [0-9]+ bytes|RAM overflow[^\"]*" link.txt

echo "== the planned schedule on an emulated STM32F405"
link planned
arm-none-eabi-size planned/firmware.elf
timeout 300 qemu-system-arm -M netduinoplus2 -nographic -monitor none -serial none -semihosting-config enable=on,target=native \
    -kernel planned/firmware.elf </dev/null 2>&1 | sed 's/^/    /'
echo "losses: $(od -An -f -N $((4 * steps)) out.bin | xargs)"
cmp -n $((4 * steps)) out.bin host/raw.bin
echo "the same losses, bit by bit"
od -An -v -w4 -f -N $((4 * steps)) out.bin | awk 'NR == 1 { first = $1 } { last = $1 } END { print "loss from", first, "to", last; exit !(last < first) }'
tail -c "$(stat -c %s planned/extras/small_conv.weights.bin)" host/raw.bin >host-weights.bin
tail -c "$(stat -c %s planned/extras/small_conv.weights.bin)" out.bin >target-weights.bin
cmp host-weights.bin target-weights.bin
echo "the same weights after training, bit by bit"
