#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 POET Explorer developers
# SPDX-License-Identifier: Apache-2.0
"""Sweeps the example cost graph and compares status and energy of every point with the stored table.

usage: sweep_golden.py POET GRAPH TABLE [--update]
"""
import csv, pathlib, subprocess, sys, tempfile

poet, graph, table = sys.argv[1:4]
with tempfile.TemporaryDirectory() as folder:
    output = pathlib.Path(folder) / "sweep.csv"
    subprocess.run([poet, "sweep", graph, "--points", "6", "--gap", "1e-6", "--jobs", "1",
                    "--strategies", "integrated,paging,recompute,keep-all", "--output", str(output)], check=True)
    rows = [row[:5] for row in csv.reader(output.open())]
if "--update" in sys.argv:
    pathlib.Path(table).write_text("".join(",".join(row) + "\n" for row in rows))
    sys.exit(0)
stored = list(csv.reader(open(table)))
bad = len(rows) != len(stored)
for got, want in zip(rows, stored):
    same = got[:4] == want[:4] and (got[4] == want[4] or (got[4] and want[4] and abs(float(got[4]) - float(want[4])) <= 3e-6 * float(want[4])))
    if not same:
        bad = True
        print("got ", ",".join(got), "\nwant", ",".join(want))
print(f"{len(rows) - 1} points compared")
sys.exit(1 if bad else 0)
