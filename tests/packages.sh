#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 POET Explorer developers
# SPDX-License-Identifier: Apache-2.0
# Sourced by tests/run.sh and app/run.sh: installs what is missing from Debian 12, as root or with sudo.

# ensure_packages NAME...: installs those that are not there yet.
ensure_packages() {
    local missing=() name
    for name in "$@"; do
        dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' || missing+=("$name")
    done
    [ "${#missing[@]}" -eq 0 ] && return 0
    echo "installing from Debian: ${missing[*]}"
    local run=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "Run this as root, or install sudo." >&2; return 1; }
        run=(sudo)
    fi
    "${run[@]}" apt-get update -qq
    "${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

BUILD_PACKAGES=(g++ cmake ninja-build pkgconf qt6-base-dev qt6-svg-dev qt6-charts-dev libqt6opengl6-dev libgl-dev libvulkan-dev
    coinor-libcbc-dev libgraphviz-dev libonnx-dev libprotobuf-dev protobuf-compiler nlohmann-json3-dev libcli11-dev
    qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools libqt6svg6 fonts-dejavu-core perl)
TEST_PACKAGES=(libgtest-dev libgmock-dev libbenchmark-dev xvfb xauth python3 git desktop-file-utils appstream binutils
    gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm dpkg-dev)
