#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares what sensors made with what a centre has, by sort and comm: oracle.py CONNINFO FOLDER...

Each FOLDER is that of an iwarpscope-made-sensor: "begun" and "produced" have a line for each finding and queue pair, its
run and sequence. The centre's are read by psql(1). Prints "produced N, stored N, lost N, twice N, foreign N"; lost: produced, and
not stored; foreign: stored, and never begun. The exit status is 1 if one of the three is not 0.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

STORED = ("COPY (SELECT u.uuid || ' ' || r.sequence FROM iwarpscope.record r JOIN iwarpscope.run u ON u.number = r.run WHERE r.kind IN (1, 2)) "
          "TO STDOUT")


def lines(command):
    done = subprocess.run(["bash", "-o", "pipefail", "-c", f"{command} | wc -l"], capture_output=True, text=True, check=True,
                          env={**os.environ, "LC_ALL": "C"})
    return int(done.stdout)


def compare(where, folders):
    """The five counts."""
    with tempfile.TemporaryDirectory(prefix="iwarpscope-oracle-") as name:
        own = Path(name)
        for file in ("begun", "produced"):
            texts = [path for folder in folders for path in [f"{folder}/{file}"] if Path(path).exists()]
            subprocess.run(["sort", "-o", own / file, *texts, "/dev/null"], check=True, env={**os.environ, "LC_ALL": "C"})
        with open(own / "unsorted", "wb") as out:
            subprocess.run(["psql", "--no-psqlrc", "--quiet", "--command", STORED, where], stdout=out, check=True, stdin=subprocess.DEVNULL)
        subprocess.run(["sort", "-o", own / "stored", own / "unsorted"], check=True, env={**os.environ, "LC_ALL": "C"})
        return {"produced": lines(f"cat {own}/produced"), "stored": lines(f"cat {own}/stored"),
                "lost": lines(f"comm -23 {own}/produced {own}/stored"), "twice": lines(f"uniq -d {own}/stored"),
                "foreign": lines(f"comm -13 {own}/begun {own}/stored")}


def main():
    counts = compare(sys.argv[1], sys.argv[2:])
    print(", ".join(f"{name} {count}" for name, count in counts.items()))
    return 1 if counts["lost"] or counts["twice"] or counts["foreign"] else 0


if __name__ == "__main__":
    sys.exit(main())
