#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 POET Explorer developers
# SPDX-License-Identifier: Apache-2.0
# `package.sh CPACK BUILD_FOLDER`: makes the Debian packages in a temporary folder and looks into them. Exit 77: a tool is
# missing, or the programs are not built.
set -euo pipefail
cpack=$1
build=$2
[ -x "$build/bin/poet" ] && [ -x "$build/bin/poet-explorer" ] || { echo "the programs are not built"; exit 77; }
for tool in "$cpack" dpkg-deb dpkg-shlibdeps; do
    command -v "$tool" >/dev/null || { echo "$tool is missing"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$cpack" -G DEB --config "$build/CPackConfig.cmake" -B "$folder" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }

# holds PACKAGE PATH, depends PACKAGE NAME
holds() { dpkg-deb -c "$1" | grep " \./$2" >/dev/null || { echo "$(basename "$1") has no $2"; exit 1; }; }
depends() { dpkg-deb -f "$1" Depends | grep -- "$2" >/dev/null || { echo "$(basename "$1") does not depend on $2"; exit 1; }; }
command=$(ls "$folder"/poet_*.deb)
window=$(ls "$folder"/poet-explorer_*.deb)
holds "$command" usr/bin/poet
holds "$command" usr/share/poet/devices/rpi4b.json
holds "$command" usr/share/poet/examples/resnet18.onnx
holds "$window" usr/bin/poet-explorer
holds "$window" usr/share/applications/org.poet.Explorer.desktop
depends "$command" coinor-libcbc
depends "$window" 'poet (='
depends "$window" libqt6svg6
depends "$window" libqt6widgets6
if dpkg-deb -c "$window" | grep ' \./usr/bin/poet$' >/dev/null; then
    echo "poet-explorer holds the command, too"
    exit 1
fi
echo "$(basename "$command") and $(basename "$window") are complete"
