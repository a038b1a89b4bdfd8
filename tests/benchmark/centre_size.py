#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Octets that records take at the centre: centre_size.py IWARPSCOPE_CENTRE IWARPSCOPE_CENTRE_DELIVER IWARPSCOPE [RECORDS]

Queue pairs, and then findings, with the bodies of real reports are delivered to an empty database of one PostgreSQL server. The octets are
those of all tables and their indexes, after VACUUM, for each record. States are copies of the queue pairs' records. Then the octets of a
day with a million queue pairs are printed.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/centre"))
from cluster import SENSOR, Cluster  # noqa: E402

CENTRE, DELIVER, IWARPSCOPE = sys.argv[1:4]
RECORDS = int(sys.argv[4]) if len(sys.argv) > 4 else 20_000
SAMPLES = ["many-64qp-write-crc.pcap.gz", "many-100-rping-crc.pcap.gz", "lossy-write-64k-crc-at-server.pcap.gz", "viol-crc-error.pcap",
           "term-write-bad-stag.pcap", "mpa-crc-strict-reject.pcap", "verbs-all-opcodes-crc.pcap"]
SIZE = ("SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = 'iwarpscope' AND c.relkind = 'r'")


def bodies():
    """The lines of the reports, by sort."""
    found = {"qp": [], "finding": []}
    for sample in SAMPLES:
        for line in subprocess.run([IWARPSCOPE, "analyze", "--format", "json", ROOT / "samples/siw" / sample], capture_output=True, text=True,
                                   check=False).stdout.splitlines():
            for sort, lines in found.items():
                if f'"record":"{sort}"' in line[:200]:
                    lines.append(line)
    return found


def size(cluster):
    cluster.psql("VACUUM", "centre")
    return int(cluster.psql(SIZE, "centre")[0][0])


def main():
    with Cluster() as cluster:
        cluster.psql("CREATE DATABASE centre", database="postgres")
        for words in (["migrate"], ["upkeep", "--ahead", "1"], ["add-sensor", "rack1"]):
            subprocess.run([CENTRE, "--database", cluster.admin("centre"), *words], stdout=subprocess.DEVNULL, check=True)
        each = {}
        for number, (sort, lines) in enumerate(bodies().items()):
            file = cluster.folder / f"{sort}.jsonl"
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
            before = size(cluster)
            sensor = SENSOR[:-1] + str(number + 1)
            subprocess.run([DELIVER, cluster.as_sensor("rack1", "centre"), sensor, file, str(RECORDS), "500", "4"], stdout=subprocess.DEVNULL, check=True)
            each[sort] = (size(cluster) - before) / RECORDS
            print(f"{sort}: {len(lines)} bodies of {sum(map(len, lines)) / len(lines):.0f} octets, {each[sort]:.0f} octets at the centre", flush=True)
        before = size(cluster)
        columns = [name for name, in cluster.psql("SELECT column_name FROM information_schema.columns WHERE table_schema = 'iwarpscope' "
                                                  "AND table_name = 'state'", "centre")]
        values = ", ".join("4" if name == "kind" else name for name in columns)
        cluster.psql(f"INSERT INTO iwarpscope.state ({', '.join(columns)}) SELECT {values} FROM iwarpscope.record WHERE kind = 2", "centre")
        each["state"] = (size(cluster) - before) / RECORDS
        print(f"state: {each['state']:.0f} octets at the centre")
        print(f"a day with a million queue pairs: {each['qp'] / 1000:.1f} GB, and {each['finding'] / 1000:.1f} GB for one finding each")


if __name__ == "__main__":
    main()
