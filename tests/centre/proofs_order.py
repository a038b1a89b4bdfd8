# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Proofs of order and of time: what a subscriber at the centre gets, across failovers."""

from running import wait_until
from sites import Site


def order(stack, cluster, programs, short):
    """Three sensors, and a client that follows; the primary dies three times."""
    site = Site(stack, cluster, programs)
    site.serve()
    for name in ("rack1", "rack2", "rack3"):
        site.add_sensor(name, 10_000_000, 200)
    subscriber = site.subscribe()
    failovers = 1 if short else 3
    for _ in range(failovers):
        at = len(subscriber.seen)
        wait_until(lambda at=at: len(subscriber.seen) > at + 2000, "records at the subscriber", 120)
        host = cluster.hosts[cluster.primary()]
        host.kill()
        site.goes_on()
        host.start()
        cluster.wait_until_whole()
    holds, figures = site.compare()
    wait_until(lambda: len(subscriber.seen) >= site.produced(), "all at the subscriber", 120)
    twice, missing, late = subscriber.faults()
    mixed = int(site.psql("SELECT count(*) FROM (SELECT sequence < lag(sequence) OVER (PARTITION BY sensor, run, kind, qp ORDER BY id) AS back "
                          "FROM iwarpscope.record WHERE kind IN (1, 2)) o WHERE back")[0][0])
    return (holds and not (twice or missing or late or mixed) and subscriber.starts == 1,
            f"{failovers} failovers, {figures}, out of order in the store {mixed}; the subscriber, begun {subscriber.starts} time: {len(subscriber.seen)} "
            f"records, {twice} twice, {missing} missing, {late} out of order")


PROOFS = {"order": order}
