#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 POET Explorer developers
# SPDX-License-Identifier: Apache-2.0
# `install.sh CMAKE BUILD_FOLDER`: installs into a temporary prefix and runs both programs from there, with the installed
# resources and no others. Exit 77: the programs are not built.
set -euo pipefail
cmake=$1
build=$2
[ -x "$build/bin/poet" ] && [ -x "$build/bin/poet-explorer" ] || { echo "the programs are not built"; exit 77; }
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
unset POET_RESOURCES POET_EXAMPLES
"$cmake" --install "$build" --prefix "$prefix" >/dev/null

for file in bin/poet bin/poet-explorer share/poet/devices/rpi4b.json share/poet/stores/sd-a1.json share/poet/runtime/poet_types.h \
    share/poet/examples/resnet18.onnx share/poet/examples/residual.graph.json share/poet/examples/firmware/README.md \
    share/applications/org.poet.Explorer.desktop share/metainfo/org.poet.Explorer.metainfo.xml \
    share/mime/packages/org.poet.Explorer.xml share/icons/hicolor/scalable/apps/poet-explorer.svg; do
    [ -e "$prefix/$file" ] || { echo "$file is not installed"; exit 1; }
done
if command -v pod2man >/dev/null; then
    for page in man1/poet.1 man1/poet-explorer.1 man5/poet-formats.5; do
        ls "$prefix"/share/man/$page* >/dev/null || { echo "$page is not installed"; exit 1; }
    done
fi

# A profile that only the installed folder has shows that the installed folder is read.
sed 's/"id": *"nrf52840"/"id": "only-here"/' "$prefix/share/poet/devices/nrf52840.json" >"$prefix/share/poet/devices/only-here.json"
cd /
"$prefix/bin/poet" devices >"$prefix/devices.txt"
grep -q only-here "$prefix/devices.txt" || { echo "poet does not read the installed profiles"; exit 1; }
"$prefix/bin/poet" solve "$prefix/share/poet/examples/lenet5.onnx" --device only-here --memory 50%span --output "$prefix/plan.json" >/dev/null
"$prefix/bin/poet" verify "$prefix/plan.json" >/dev/null
"$prefix/bin/poet" export "$prefix/plan.json" --format c -o "$prefix/firmware" >/dev/null
[ -e "$prefix/firmware/CMakeLists.txt" ] || { echo "the installed runtime is not exported"; exit 1; }
HOME="$prefix" QT_QPA_PLATFORM=offscreen timeout 100 "$prefix/bin/poet-explorer" "$prefix/plan.json" --screenshot "$prefix/window.png" --timeout 60
[ -s "$prefix/window.png" ] || { echo "poet-explorer saved no picture"; exit 1; }
echo "installed programs run from $prefix"
