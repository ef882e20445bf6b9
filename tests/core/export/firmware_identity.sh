#!/bin/bash
# SPDX-FileCopyrightText: 2026 POET Explorer developers
# SPDX-License-Identifier: Apache-2.0
# Planning never changes the mathematics: under random budgets, every strategy and transfer model, all three forms, several
# compilers and optimisation levels, the exported step gives the same bytes. And the arena is as small as the replayed peak.
# usage: firmware_identity.sh POET SOURCE_FOLDER [SEED [BUDGETS]]
set -euo pipefail
poet=$(realpath "$1") source=$(realpath "$2") seed=${3:-1} budgets=${4:-200}
command -v cc >/dev/null || { echo "missing: cc" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
RANDOM=$seed
model=$source/examples/firmware/small_conv.onnx data=$source/examples/firmware/data
echo "seed $seed"

number() { grep -oE "\"$1\":[0-9]+" facts.json | head -1 | grep -oE '[0-9]+$'; }
budget() { echo $((low + (high - low) * (RANDOM % 1001) / 1000)); }
compile() { # COMPILER FLAGS FORM
    $1 $2 -std=c99 -ffp-contract=off -w -DNET_FORM=$3 -DPOET_WEIGHTS="\"$PWD/net/extras/net.weights.bin\"" -D_DEFAULT_SOURCE -Inet/src -Inet/examples/host \
        net/examples/host/main.c net/src/*.c -o step
}
check() { # TEXT
    rm -rf out && ./step "$data" --output out --steps 2 --learning-rate 0.1
    if [ ! -e truth.bin ]; then
        cp out/data.bin truth.bin
    elif ! cmp -s out/data.bin truth.bin; then
        echo "FAIL $1: other bytes" >&2
        exit 1
    fi
}

runs=0
for device in paper-a72 nrf52840 stm32f407; do
    for strategy in keep-all integrated paging recompute page-all sqrt greedy capuchin dtr; do
        "$poet" inspect "$model" --dim batch=4 --device $device --json >facts.json
        low=$(number largest_working_set_bytes) high=$(number keep_all_peak_bytes)
        memory=$([ $strategy = keep-all ] && echo "$high" || budget)
        "$poet" solve "$model" --dim batch=4 --device $device --strategy $strategy --memory "${memory}B" --time-limit 5s --output plan.json >/dev/null 2>&1 || continue
        memories=() # every third arena lies in two memories, the second of which would hold it
        peak=$(grep -oE '"peak_bytes":[0-9]+' plan.json | head -1 | grep -oE '[0-9]+$')
        [ $((runs % 3)) = 1 ] && memories=(--region "fast=$((peak * (30 + RANDOM % 50) / 100 / 64 * 64 + 64))B" --region "slow=${peak}B")
        "$poet" export plan.json --format c --with-kernels --name net -o net "${memories[@]}"
        "$poet" verify net >/dev/null
        compile cc -O1 $((RANDOM % 3))
        check "$device, $strategy at $memory B"
        runs=$((runs + 1))
    done
done
for compiler in "cc -O0" "cc -O3" "cc -Os" "clang -O2"; do
    command -v ${compiler%% *} >/dev/null || continue
    compile ${compiler%% *} ${compiler##* } 0
    check "$compiler"
    runs=$((runs + 1))
done
echo "$runs builds, the same bytes"
[ $runs -ge 12 ]

exact=0 all=0
for graph in "$model --dim batch=4 --device stm32f407" "$source/examples/lenet5.onnx --device nrf52840"; do
    "$poet" inspect $graph --json >facts.json
    low=$(number largest_working_set_bytes) high=$(number keep_all_peak_bytes)
    solved=0 # budgets that are proven too small are drawn again
    for ((i = 0; i < budgets && solved < budgets / 2; ++i)); do
        "$poet" solve $graph --memory "$(budget)B" --time-limit 5s --gap 1% --output plan.json >/dev/null 2>&1 || continue
        "$poet" export plan.json --format binary -o plan.poet
        read -r arena peak < <("$poet" verify plan.poet | sed -nE 's/^arena +([0-9]+) B.*peak ([0-9]+) B/\1 \2/p')
        all=$((all + 1)) solved=$((solved + 1))
        [ "$arena" = "$peak" ] && exact=$((exact + 1))
    done
done
echo "arena at the lower bound in $exact of $all budgets"
[ "$all" -ge "$budgets" ] && [ $((exact * 100)) -ge $((all * 95)) ]
