#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 POET Explorer developers
# SPDX-License-Identifier: Apache-2.0
# Licences as the linker sees them: `deps.sh POET POET_EXPLORER`. CBC and Graphviz are under the EPL, which does not
# combine with the GPL of Qt Charts, so no process may hold both. Exit 77: a tool or a program is missing.
set -euo pipefail

# libraries PROGRAM: names of all shared libraries of a program, those of its libraries included.
libraries() {
    ldd "$1" | awk '{print $1}'
}

# refuse PROGRAM PATTERN: fails when a library of the program matches.
refuse() {
    local found
    found=$(libraries "$1" | grep -E "$2" || true)
    if [ -n "$found" ]; then
        echo "$(basename "$1") must not link: $found"
        exit 1
    fi
}

# demand PROGRAM PATTERN: fails when none matches, so that this check cannot pass on a program that it cannot read.
demand() {
    libraries "$1" | grep -qE "$2" || { echo "$(basename "$1") links no $2: is the check reading it?"; exit 1; }
}

command -v ldd >/dev/null || { echo "ldd is missing"; exit 77; }
for program in "$1" "$2"; do
    [ -x "$program" ] || { echo "$program is not built"; exit 77; }
done
refuse "$1" '^libQt[0-9]'
demand "$1" '^libCbc'
refuse "$2" '^lib(Cbc|Clp|Cgl|Osi|CoinUtils|gvc|cgraph|cdt)'
demand "$2" '^libQt6Widgets'
echo "poet has no Qt; poet-explorer has neither CBC nor Graphviz"
