#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 POET Explorer developers
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds, and opens the explorer on the ResNet-18 example. Without a display it solves the
# example, prints the table, and writes the window's picture to build/explorer.png.
set -euo pipefail
cd "$(dirname "$0")/.."
. tests/packages.sh
ensure_packages "${BUILD_PACKAGES[@]}"
cmake --preset release -DBUILD_TESTING=OFF >/dev/null
cmake --build --preset release
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec build/bin/poet-explorer "${1:-examples/resnet18.onnx}"
fi
build/bin/poet solve "${1:-examples/resnet18.onnx}" --device rpi4b --memory 50%span
QT_QPA_PLATFORM=offscreen build/bin/poet-explorer "${1:-examples/resnet18.onnx}" --screenshot build/explorer.png
echo "the window's picture: build/explorer.png"
