#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""How long the centre takes to answer about a large site, against the bounds: site.py [--build DIRECTORY] [--sensors N] [--qps N]

A real PostgreSQL gets N sensors with N open queue pairs each, with the bodies of a real report, and a week of hours of ten
million queue pairs that ended, of which half are second views of a connection. Then `iwarpscope` asks a real service: the
first page of queue pairs and each filter, five times each. Prints the median as a part of its bound, and fails if it is above.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/centre"))
from cluster import Cluster  # noqa: E402
from running import wait_until  # noqa: E402

TIMES = 5
PAGE, FILTER, SITE = 1.0, 3.0, 1.0  # seconds
QUESTIONS = {
    "first page": (PAGE, "qps", "--limit", "500"),
    "of one sensor": (FILTER, "qps", "--limit", "500", "--sensor", "rack1"),
    "of one host": (FILTER, "qps", "--limit", "500", "--peer", "10.0.7.7"),
    "of an outcome": (FILTER, "qps", "--limit", "500", "--outcome", "stalled"),
    "of an outcome, all of them": (FILTER, "qps", "--outcome", "stalled"),
    "with errors": (FILTER, "qps", "--limit", "500", "--at-least", "error"),
    "of an outcome that none has": (FILTER, "qps", "--outcome", "refused"),
    "the site": (SITE, "site"),
    "the site of one sensor": (SITE, "site", "--sensor", "rack1"),
}
RUNS = "iwarpscope.run r JOIN iwarpscope.sensor s ON s.number = r.sensor AND s.role LIKE 'rack%'"
ENDS = "('10.0.' || (g % 250) || '.' || (g % 100))::inet, ('10.1.' || (g % 200) || '.1')::inet"
DAY = "(now() AT TIME ZONE 'UTC')::date"


def fill(cluster, body, sensors, qps):
    def run(sql):
        cluster.psql(sql, database="site")
    for number in range(sensors):
        run(f"SELECT iwarpscope.add_sensor('rack{number}', '', '')")
    run("INSERT INTO iwarpscope.run (number, sensor, uuid) SELECT number, number, gen_random_uuid() FROM iwarpscope.sensor WHERE role LIKE 'rack%'")
    # Those that a page shows need their state; a filter looks at all rows of qp.
    run(f"INSERT INTO iwarpscope.state (id, qp, stored, at, day, sensor, run, kind, severity, form, key, body) SELECT g, g, now(), now(), {DAY}, "
        f"r.sensor, r.number, 4, 0, 0, 'rts', $body${body}$body$::jsonb FROM {RUNS}, generate_series(1, {min(qps, 5000)}) g")
    run("INSERT INTO iwarpscope.qp (qp, id, stored, at, day, sensor, run, a_port, b_port, kind, severity, a, b, state, outcome, ulp, transport, "
        f"community_id) SELECT g, g, now(), now(), {DAY}, r.sensor, r.number, 1000 + g % 60000, 4420, 4, (g % 1000 = 0)::int * 3, {ENDS}, 'rts', "
        f"CASE WHEN g % 500 = 0 THEN 'stalled' ELSE 'running' END, 'nvme', 'tcp', '1:' || md5(g::text) FROM {RUNS}, generate_series(1, {qps}) g")
    run("INSERT INTO iwarpscope.pair_hour (hour, sensor, a, b, qps, failed, payload_octets) SELECT date_trunc('hour', now(), 'UTC') - h * interval '1 hour', "
        "r.sensor, ('10.0.0.' || p % 250)::inet, ('10.1.' || p || '.1')::inet, 12, ((p + h) % 97 = 0)::int, 0 "
        f"FROM {RUNS}, generate_series(0, 167) h, generate_series(1, 250) p")
    # Half of the sensors see what the other half sees, and each has two taps for a part of it.
    run("INSERT INTO iwarpscope.pair_again (sensor, hour, a, b, qps, failed) SELECT 0, hour, a, b, sum(qps) / 2, sum(failed) / 2 FROM iwarpscope.pair_hour "
        "GROUP BY hour, a, b UNION ALL SELECT sensor, hour, a, b, qps / 4, 0 FROM iwarpscope.pair_hour")
    for table in ("qp", "state", "pair_hour", "pair_again"):
        run(f"ANALYZE iwarpscope.{table}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--sensors", type=int, default=20)
    parser.add_argument("--qps", type=int, default=50_000)
    given = parser.parse_args()
    programs = given.build / "bin"
    report = subprocess.run([programs / "iwarpscope", "analyze", "--format", "json", ROOT / "samples/siw/viol-qn-1.pcap"], capture_output=True,
                            text=True, check=False).stdout
    body = next(line for line in report.splitlines() if json.loads(line)["record"] == "qp")
    slow = 0
    with Cluster() as cluster:
        cluster.psql("CREATE DATABASE site", database="postgres")
        for words in (("migrate",), ("upkeep",)):
            subprocess.run([programs / "iwarpscope-centre", "--database", cluster.admin("site"), *words], check=True, stdout=subprocess.DEVNULL)
        fill(cluster, body, given.sensors, given.qps)
        ended = cluster.psql("SELECT sum(qps) FROM iwarpscope.pair_hour", database="site")[0][0]
        print(f"{given.sensors} sensors, {given.sensors * given.qps} open queue pairs, {ended} in the hours of a week")
        cluster.psql("CREATE ROLE reader LOGIN IN ROLE iwarpscope_reader, iwarpscope_keeper", database="site")
        socket = cluster.folder / "centre.sock"
        service = subprocess.Popen([programs / "iwarpscope-centre", "--database", cluster.as_sensor("reader", "site"), "serve", "--socket", socket],
                                   stderr=subprocess.DEVNULL)
        try:
            wait_until(socket.exists, "the service")
            for name, (bound, *words) in QUESTIONS.items():
                took = []
                for _ in range(TIMES):
                    began = time.monotonic()
                    subprocess.run([programs / "iwarpscope", *words, "--socket", socket], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    took.append(time.monotonic() - began)
                median = statistics.median(took)
                slow += median > bound
                print(f"{name:28} {median:6.2f} s   {median / bound:5.2f} of its bound")
        finally:
            service.terminate()
            service.wait()
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
