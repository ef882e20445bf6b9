#!/bin/bash
# SPDX-FileCopyrightText: 2026 POET Explorer developers
# SPDX-License-Identifier: Apache-2.0
# Runs exported training steps on emulated Cortex-M0 (a micro:bit with its 16 KiB), M3 and M4F, paging through a host file,
# an emulated SD card and an emulated NOR flash, and compares loss, gradients and weights with the host, byte by byte.
# Then the size of the interpreter, and the controls, which must fail.
# usage: firmware_emulation.sh POET SOURCE_FOLDER      exit 77: the cross compiler or QEMU is missing
set -euo pipefail
poet=$(realpath "$1") source=$(realpath "$2")
for tool in arm-none-eabi-gcc qemu-system-arm cmake cc; do
    command -v $tool >/dev/null || { echo "missing: $tool (apt-get install gcc-arm-none-eabi qemu-system-arm)" >&2; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
example=$source/examples/firmware
common="-O2 -std=c99 -ffreestanding -fno-tree-loop-distribute-patterns -ffunction-sections -fdata-sections -nostartfiles -nostdlib -Wl,--gc-sections"
m0="-mcpu=cortex-m0 -mthumb"
m3="-mcpu=cortex-m3 -mthumb"
m4="-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16"

planFolder() { # NAME MEMORY STRATEGY [TRANSFER [EXPORT OPTIONS...]]
    "$poet" solve "${model:-$example/small_conv.onnx}" ${batch:+--dim batch=$batch} --device stm32f407 --transfer "${4:-blocking}" --memory "$2" --strategy "$3" --output "$1.json" >/dev/null
    "$poet" export "$1.json" --format c --with-kernels --name small_conv -o "$1" "${@:5}" >/dev/null
    "$poet" verify "$1" >/dev/null
}
hostRun() { # FOLDER DATA
    cmake -S "$1" -B "$1-build" >/dev/null && cmake --build "$1-build" >/dev/null
    "$1-build/step" "$2" --output host --steps 1 --learning-rate 0.1 --raw
}
pages() { ! grep -q "PRED_OUT_BYTES 0u" "$1/src/small_conv.h"; }
build() { # OUTPUT FOLDER CPU-FLAGS RAM RAM-BYTES EXTRA...
    local output=$1 folder=$2 cpu=$3 ram=$4 size=$5 q=$2/examples/qemu
    shift 5
    sed -e 's/@FLASH@/0x00000000/; s/@FLASH_BYTES@/256K/; s/@RAM@/'"$ram"'/; s/@RAM_BYTES@/'"$size"'/; s/@REGION_1@/0x21000000/' "$q/link.ld.in" >"$output.ld"
    printf '.section .rodata\n.global poet_inputs\n.balign 8\npoet_inputs:\n.incbin "%s"\n' "$work/host/inputs.bin" >inputs.s
    arm-none-eabi-gcc $cpu $common "$@" -I"$folder/src" -I"$q" -T "$output.ld" "$q/main.c" "$q/startup.c" inputs.s "$folder"/src/*.c -lgcc -o "$output"
}
run() { # MACHINE ELF EXTRA...
    local machine=$1 elf=$2
    shift 2
    rm -f out.bin
    timeout 300 qemu-system-arm -M "$machine" -nographic -monitor none -serial none -semihosting-config enable=on,target=native "$@" -kernel "$elf" </dev/null >"$elf.txt" 2>&1
}
same() { cmp out.bin host/raw.bin && echo "ok   $1: loss, gradients and weights equal the host's"; }
fails() { # TEXT COMMAND...
    local text=$1
    shift
    if "$@" 2>/dev/null; then
        echo "FAIL control: $text" >&2
        exit 1
    fi
    echo "ok   control: $text"
}

interpreter() { # FOLDER FORM LEVEL
    arm-none-eabi-gcc $m4 ${common/-O2/-Os} -ffp-contract=off -DSMALL_CONV_FORM=$2 -DSMALL_CONV_CHECK=$3 -I"$1/src" -c "$1/src/small_conv_runtime.c" -o size.o
    arm-none-eabi-size size.o | awk 'NR == 2 { print $1 + $2 + $3 }'
}

batch=4
planFolder everything 1MiB keep-all blocking --region ram=1MiB # one memory
planFolder paged 124KiB paging
planFolder mixed 124KiB integrated
planFolder flying 124KiB paging dma
planFolder busy 124KiB page-all dma
hostRun everything "$example/data"
grep -h "PRED_OUT_BYTES\|PRED_IN_BYTES" paged/src/small_conv.h
pages paged && pages flying

for folder in everything paged mixed flying; do
    build m4f.elf $folder "$m4" 0x20000000 4M -ffp-contract=off -DRATE=0.1f
    run mps2-an386 m4f.elf && same "Cortex-M4F, $folder"
    build m3.elf $folder "$m3" 0x20000000 4M -ffp-contract=off -DRATE=0.1f
    run mps2-an385 m3.elf && same "Cortex-M3, $folder"
    build m0.elf $folder "$m0" 0x20000000 4M -ffp-contract=off -DRATE=0.1f
    run mps2-an385 m0.elf && same "Cortex-M0 code, $folder"
done
for folder in paged flying; do
    for form in 1 2; do
        build form.elf $folder "$m4" 0x20000000 4M -ffp-contract=off -DRATE=0.1f -DSMALL_CONV_FORM=$form -DSMALL_CONV_CHECK=2
        run mps2-an386 form.elf && same "Cortex-M4F, $folder, form $form (1: straight line, 2: packed), check level 2"
    done
done

# Transfers that overlap with kernels: started by the store, done as late as it may.
for folder in flying busy; do
    for form in 0 1 2; do
        build dma.elf $folder "$m4" 0x20000000 4M -ffp-contract=off -DRATE=0.1f -DSMALL_CONV_FORM=$form -DPOET_DMA_MODEL
        run mps2-an386 dma.elf && same "Cortex-M4F, transfers of $folder in flight, form $form"
        grep -A1 "transfers started" dma.elf.txt
    done
done
build lost.elf busy "$m4" 0x20000000 4M -ffp-contract=off -DRATE=0.1f -DPOET_DMA_MODEL -DPOET_DMA_FORGETS
run mps2-an386 lost.elf || true
fails "transfers that never come to pass give other bytes" cmp -s out.bin host/raw.bin

# An arena in two memories: one where the machine has its RAM, one 16 MB behind it.
planFolder spread 124KiB integrated blocking --region near=72KiB --region far=1MiB
planFolder spreading 124KiB page-all dma --region near=72KiB --region far=1MiB
for folder in spread spreading; do
    grep -h "REGION_[01]_BYTES" $folder/src/small_conv.h
    for form in 0 1 2; do
        build two.elf $folder "$m4" 0x20000000 4M -ffp-contract=off -DRATE=0.1f -DSMALL_CONV_FORM=$form -DSMALL_CONV_CHECK=$form
        run mps2-an386 two.elf && same "Cortex-M4F, two memories, $folder, form $form, check level $form"
        [ $form = 2 ] || [ "$(interpreter $folder $form 1)" -lt 1536 ]
        echo "interpreter of two memories, form $form: $(interpreter $folder $form 0) B, level 1: $(interpreter $folder $form 1) B"
    done
done
grep -q far spread/extras/small_conv.buffers.csv
arm-none-eabi-nm two.elf | grep -q "^21000000 . arena_1"

# Code of the interpreter with its decoder, without set-up and kernels: under 1,536 bytes in each form, also with checks of level 1.
for folder in mixed paged flying; do
    for form in 0 1 2; do
        echo "interpreter of $folder, form $form: $(interpreter $folder $form 0) B, level 1: $(interpreter $folder $form 1) B, level 2: $(interpreter $folder $form 2) B"
        [ "$(interpreter $folder $form 0)" -lt 1536 ] && [ "$(interpreter $folder $form 1)" -lt 1536 ]
    done
done

fails "the plan that keeps everything does not link into 128 KiB" build small.elf everything "$m4" 0x20000000 128K -ffp-contract=off -DPOET_APPLY_AT_ONCE
build over.elf mixed "$m4" 0x20000000 4M -ffp-contract=off -DPOET_OVERRUN
fails "one byte past the arena's guard faults" run mps2-an386 over.elf
grep -q fault over.elf.txt
build over.elf spread "$m4" 0x20000000 4M -ffp-contract=off -DPOET_OVERRUN
fails "one byte past the guard of one of two memories faults" run mps2-an386 over.elf
grep -q fault over.elf.txt
for core in "m4 mps2-an386" "m3 mps2-an385"; do
    flags=${core% *}
    build deep.elf mixed "${!flags}" 0x20000000 4M -ffp-contract=off -DPOET_DEEP_STACK
    fails "a stack that overflows faults on ${core% *}" run ${core#* } deep.elf
    grep -q fault deep.elf.txt
done
build deep.elf mixed "$m0" 0x20000000 4M -ffp-contract=off -DPOET_DEEP_STACK
fails "without a protection unit, the canary below the stack tells of an overflow" run mps2-an385 deep.elf
for folder in mixed spread; do
    build canary.elf $folder "$m0" 0x20000000 4M -ffp-contract=off -DPOET_CANARY_HIT
    fails "a canary behind the arena that was overwritten stops the step ($folder)" run mps2-an385 canary.elf
    grep -qi ffffffeb canary.elf.txt # POET_E_CANARY
done
build fpu.elf mixed "$m4" 0x20000000 4M -ffp-contract=off -DPOET_LEAVE_FPU_OFF
fails "without the FPU the first float instruction faults" run mps2-an386 fpu.elf
sed -i 's/^#if defined(__clang__)$/#if 0/; s/^#elif defined(__GNUC__)$/#elif 0/' mixed/src/poet_math.inl
build fused.elf mixed "$m4" 0x20000000 4M -ffp-contract=fast -DRATE=0.1f
run mps2-an386 fused.elf
fails "fused multiply-add gives other bytes" cmp -s out.bin host/raw.bin

# Pages on an emulated SD card and on NOR flash: 64 KiB of RAM, one picture.
batch=1
planFolder card 40KiB paging
hostRun card "$example/data-one"
pages card
truncate -s 64M sd.img
build sd.elf card "$m3" 0x20000000 64K -ffp-contract=off -DRATE=0.1f -DPOET_STORE_BOARD -DPOET_BLOCK_ROUND=512u card/examples/qemu/board_lm3s.c
run lm3s6965evb sd.elf -drive if=sd,format=raw,file=sd.img && same "Cortex-M3, SD card over SPI"
[ "$(tr -d '\0' <sd.img | head -c 1 | wc -c)" = 1 ] && echo "ok   the card holds pages"
rm sd.img && truncate -s 4G sd.img # over 2 GB: addressed by blocks
run lm3s6965evb sd.elf -drive if=sd,format=raw,file=sd.img && same "Cortex-M3, SD card of 4 GB over SPI"
rm sd.img
head -c 16M /dev/zero >nor.img # not erased: a missing erase shows
build nor.elf card "$m3" 0x20000000 64K -ffp-contract=off -DRATE=0.1f -DPOET_STORE_BOARD card/examples/qemu/board_sf2.c
run emcraft-sf2 nor.elf -drive if=mtd,format=raw,file=nor.img && same "Cortex-M3, NOR flash over SPI"
[ "$(head -c 1M nor.img | tr -d '\0\377' | head -c 1 | wc -c)" = 1 ] && echo "ok   the flash holds pages"
head -c 16M /dev/zero >nor.img
build noerase.elf card "$m3" 0x20000000 64K -ffp-contract=off -DRATE=0.1f -DPOET_STORE_BOARD -DPOET_NOR_SKIP_ERASE card/examples/qemu/board_sf2.c
fails "NOR flash that is not erased gives no good pages" run emcraft-sf2 noerase.elf -drive if=mtd,format=raw,file=nor.img

# A real Cortex-M0 with 16 KiB of RAM.
batch='' model=$source/tests/data/micro_conv/model.onnx
planFolder micro 9.5kB page-all
hostRun micro "$source/tests/data/micro_conv"
pages micro
for form in 0 1 2; do
    build micro.elf micro "$m0" 0x20000000 16K -ffp-contract=off -DRATE=0.1f -DSMALL_CONV_FORM=$form
    run microbit micro.elf && same "Cortex-M0 on a micro:bit, 16 KiB, form $form"
done

echo "all passed"
