#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 POET Explorer developers
# SPDX-License-Identifier: Apache-2.0
"""Checks that each source file begins with the SPDX lines of its folder: spdx.py SOURCE_FOLDER.

widgets/, app/explorer/ and their tests are GPL-3.0-or-later, because Qt Charts is; all else is Apache-2.0.
Exit 0: all right; 1: a file is not; 77: nothing to check.
"""
import os
import subprocess
import sys

SOURCES = (".h", ".cpp", ".c", ".inl", ".py", ".sh", ".cmake", ".pod", ".qrc", ".desktop", ".xml", ".in")
GPL = ("widgets/", "app/explorer/", "tests/widgets/", "tests/app/explorer/")
# File formats of others, and data: a comment there is not possible or not ours.
SKIPPED = ("LICENSES/", "examples/firmware/data/")


def files(root):
    """Paths below root, from git where there is git; build folders and hidden folders left out."""
    try:
        out = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=True).stdout
        if out:
            return [path for path in out.decode().split("\0") if path]
    except (OSError, subprocess.CalledProcessError):
        pass
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders
                      if not name.startswith(".") and not os.path.exists(os.path.join(folder, name, "CMakeCache.txt"))]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return found


def is_source(path):
    name = os.path.basename(path)
    return not path.startswith(SKIPPED) and (name == "CMakeLists.txt" or name.endswith(SOURCES))


def defect(root, path):
    """What is wrong with a file, or None."""
    try:
        with open(os.path.join(root, path), encoding="utf-8") as source:
            head = "".join(source.readline() for _ in range(6))
    except FileNotFoundError:  # deleted, but not yet in git
        return None
    licence = "GPL-3.0-or-later" if path.startswith(GPL) else "Apache-2.0"
    if "SPDX-FileCopyrightText: 2026 POET Explorer developers" not in head:
        return "has no SPDX-FileCopyrightText line"
    if "SPDX-License-Identifier: " + licence not in head:
        return "is not under " + licence
    return None


def main():
    root = sys.argv[1]
    sources = [path for path in sorted(files(root)) if is_source(path)]
    if not sources:
        print("no source files")
        return 77
    defects = [(path, defect(root, path)) for path in sources]
    wrong = [(path, what) for path, what in defects if what]
    for path, what in wrong:
        print(f"{path} {what}")
    print(f"{len(sources)} files, {len(wrong)} wrong")
    return 1 if wrong else 0


sys.exit(main())
