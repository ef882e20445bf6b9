#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 POET Explorer developers
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds, and runs all tests. Arguments go to ctest: `bash tests/run.sh -L unit`.
set -euo pipefail
cd "$(dirname "$0")/.."
. tests/packages.sh
ensure_packages "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
cmake --preset ci >/dev/null
cmake --build --preset ci
ctest --preset ci --no-tests=error -j 2 "$@"
