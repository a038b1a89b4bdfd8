#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a site survives, with PostgreSQL under Patroni and etcd: proofs.py [--build DIRECTORY] [--short] [--one-server] [PROOF...]

Each proof starts a database of its own for sensors whose records are made up; the history, the API, the forwarder, the centre
and the servers are real. It prints a line of figures. The exit status is 0 if all of them hold. `--short`: fewer rounds
and records. Needs root, but for cut and versions with `--one-server`, which is without Patroni. `power` takes virtual machines.
"""

import argparse
import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/centre")]
import patroni  # noqa: E402
import proofs_load  # noqa: E402
import proofs_order  # noqa: E402
import proofs_power  # noqa: E402
import proofs_sensor  # noqa: E402
import proofs_survive  # noqa: E402
from cluster import Cluster  # noqa: E402
from machines import Machines, make_guest  # noqa: E402
from patroni import Patroni  # noqa: E402

PROOFS = {**proofs_survive.PROOFS, **proofs_order.PROOFS, **proofs_load.PROOFS, **proofs_sensor.PROOFS}
WITH_MACHINES = proofs_power.PROOFS


def cpu_model():
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    return next((line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name")), "unknown processor")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("proof", nargs="*", help=", ".join([*PROOFS, *WITH_MACHINES]))
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--short", action="store_true", help="fewer rounds and records")
    parser.add_argument("--one-server", action="store_true", help="PostgreSQL without Patroni: for cut and versions")
    parser.add_argument("--machines", action="store_true", help="three virtual machines, for " + ", ".join(WITH_MACHINES))
    options = parser.parse_args()
    proofs, cluster_of = (WITH_MACHINES, Machines) if options.machines else (PROOFS, Cluster if options.one_server else Patroni)
    words = [make_guest(Path(options.build).absolute() / "guest")] if options.machines else []  # while there is a network
    if unknown := set(options.proof) - set(proofs):
        parser.error(f"no proof {', '.join(sorted(unknown))}; the proofs are {', '.join(proofs)}")
    if not options.one_server:
        patroni.enter()
    print(f"machine: {os.cpu_count()} processors, {cpu_model()}; load {os.getloadavg()[0]:.1f}", flush=True)
    chosen, failed = options.proof or [*proofs], []
    begun = time.monotonic()
    with cluster_of(*words) as cluster:
        print(f"{cluster_of.__name__}: {time.monotonic() - begun:.0f} s", flush=True)
        for name in chosen:
            begun = time.monotonic()
            try:
                with contextlib.ExitStack() as stack:
                    holds, figures = proofs[name](stack, cluster, Path(options.build, "bin"), options.short)
            except Exception as error:  # whatever it is, the other proofs are run
                holds, figures = False, f"{type(error).__name__}: {error}"
            failed += [] if holds else [name]
            print(f"{name}: {figures}; {time.monotonic() - begun:.0f} s, load {os.getloadavg()[0]:.1f}: {'holds' if holds else 'NOT MET'}", flush=True)
    print(f"{len(chosen) - len(failed)} of {len(chosen)} proofs hold" + (f"; not: {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
