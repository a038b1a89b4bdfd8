#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Records per second into the centre, beside pgbench: centre.py IWARPSCOPE_CENTRE IWARPSCOPE_CENTRE_DELIVER IWARPSCOPE [RECORDS]

Into one PostgreSQL server, and into one with a synchronous standby on the same machine: both sync to their disks. Four sensors deliver
batches of 500 records with the bodies of real reports through deliver_v1, each with TLS and four batches in its pipeline. pgbench
inserts the same batches into the same table with four connections, and does nothing else: no cursor, no queue pairs, no
notification, no TLS. Each in turn, five times. The medians are printed, and the median of the ratios. The bound is 0.7; the exit
status is 1 below it.
"""

import json
import re
import statistics
import subprocess
import sys
import time
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/centre"))
from cluster import Cluster, quoted  # noqa: E402

CENTRE, DELIVER, IWARPSCOPE = sys.argv[1:4]
RECORDS = int(sys.argv[4]) if len(sys.argv) > 4 else 40_000
BATCH, DEPTH, ROUNDS, BOUND = 500, 4, 5, 0.7
SENSORS = ["rack1", "rack2", "rack3", "rack4"]
SAMPLES = ["many-64qp-write-crc.pcap.gz", "many-100-rping-crc.pcap.gz", "lossy-write-64k-crc-at-server.pcap.gz"]


def write_bodies(path):
    with open(path, "wb") as out:
        for sample in SAMPLES:
            subprocess.run([IWARPSCOPE, "analyze", "--format", "json", ROOT / "samples/siw" / sample], stdout=out, check=True)


def literal(values, of):
    """An array as a client without binary forms sends it."""
    elements = ",".join("NULL" if value is None else '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"' for value in values)
    return quoted("{" + elements + "}") + f"::{of}[]"


def pgbench_script(bodies):
    """An insert of one batch, as deliver_v1 does it. Records have a run for each connection, and ascending numbers."""
    rows = [json.loads(line) for line in bodies.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["record"] in ("finding", "qp")]
    rows = [rows[at % len(rows)] for at in range(BATCH)]
    is_finding = [row["record"] == "finding" for row in rows]
    columns = [literal(range(BATCH), "bigint"), literal([1 if one else 2 for one in is_finding], "smallint"),
               literal([2 if one else 0 for one in is_finding], "smallint"),
               literal([row["id"] if one else (row["verdict"] or {}).get("outcome", "") for row, one in zip(rows, is_finding)], "text"),
               literal([None if one else row["a"]["address"] for row, one in zip(rows, is_finding)], "text"),
               literal([None if one else row["b"]["address"] for row, one in zip(rows, is_finding)], "text"),
               literal([row.get("community_id") for row in rows], "text"), literal([json.dumps(row) for row in rows], "text")]
    return (f"\\set base :base + {BATCH}\n"
            "INSERT INTO iwarpscope.record (id, qp, sequence, stored, at, day, sensor, run, kind, severity, form, key, a, b, community_id, interface, "
            "tap_group, body) SELECT :base + r.id, :base + r.id, :base + r.id, clock_timestamp(), clock_timestamp(), current_date, 1, "
            ":client_id + 100, r.kind, r.severity, 0, r.key, r.a::inet, r.b::inet, r.community_id, 'eth0', 'eth0', r.body::jsonb "
            f"FROM unnest({', '.join(columns)}) AS r(id, kind, severity, key, a, b, community_id, body) ON CONFLICT DO NOTHING;\n")


class Bench:
    def __init__(self, cluster):
        self.cluster = cluster
        cluster.psql("CREATE DATABASE centre", database="postgres")
        for words in (["migrate"], ["upkeep", "--ahead", "1"], *(["add-sensor", name] for name in SENSORS)):
            subprocess.run([CENTRE, "--database", cluster.admin("centre"), *words], stdout=subprocess.DEVNULL, check=True)
        self.bodies = cluster.folder / "bodies.jsonl"
        write_bodies(self.bodies)
        self.script = cluster.folder / "insert.sql"
        self.script.write_text(pgbench_script(self.bodies), encoding="utf-8")

    def empty(self):
        self.cluster.psql("TRUNCATE iwarpscope.record, iwarpscope.state, iwarpscope.qp, iwarpscope.cursor; CHECKPOINT", "centre")

    def deliver(self):
        self.empty()
        begun = time.monotonic()
        sensors = [subprocess.Popen([DELIVER, self.cluster.as_sensor(name, "centre"), str(uuid.uuid4()), self.bodies, str(RECORDS // len(SENSORS)),
                                     str(BATCH), str(DEPTH)], stdout=subprocess.PIPE, text=True) for name in SENSORS]
        stored = sum(int(sensor.communicate()[0].split()[1]) for sensor in sensors)
        assert stored == RECORDS, stored
        return RECORDS / (time.monotonic() - begun)

    def pgbench(self):
        self.empty()
        transactions = RECORDS // BATCH // len(SENSORS)
        done = subprocess.run([self.cluster.bin / "pgbench", "--no-vacuum", "--define=base=0", f"--client={len(SENSORS)}", "--jobs=1",
                               f"--transactions={transactions}", f"--file={self.script}", self.cluster.admin("centre")],
                              capture_output=True, text=True, check=True)
        stored = int(self.cluster.psql("SELECT count(*) FROM iwarpscope.record", "centre")[0][0])
        assert stored == transactions * len(SENSORS) * BATCH, (stored, done.stdout, done.stderr)
        return float(re.search(r"tps = ([0-9.]+)", done.stdout)[1]) * BATCH


def main():
    ratios = []
    for standby in (False, True):
        with Cluster(standby=standby, durable=True, settings=["max_wal_size=4GB", "shared_buffers=512MB"]) as cluster:
            bench = Bench(cluster)
            rates = [(bench.deliver(), bench.pgbench()) for _ in range(ROUNDS)]
        ours, theirs = (statistics.median(column) for column in zip(*rates))
        ratios.append(statistics.median(one / other for one, other in rates))
        print(f"{'synchronous standby' if standby else 'one server':20} deliver_v1 {ours:8.0f} records/s   pgbench {theirs:8.0f} records/s   "
              f"ratio {ratios[-1]:.2f} ({', '.join(f'{one / other:.2f}' for one, other in rates)})", flush=True)
    return 0 if min(ratios) >= BOUND else 1


if __name__ == "__main__":
    sys.exit(main())
