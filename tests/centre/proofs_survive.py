# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Proofs that parts die, stop and are cut off, and nothing is lost or stored twice."""

import contextlib
import signal
import time

from patroni import Host, STORES
from running import wait_until
from sites import Site

PARTS = ("primary", "standby", "etcd", "centre", "sensor")


def part_of(site, what, round_number):
    """The host that is meant; None: it is no host."""
    cluster = site.cluster
    if what == "primary":
        return cluster.hosts[wait_until(cluster.primary, "a primary", 60)]
    if what == "standby":
        return cluster.hosts[wait_until(cluster.standby, "a standby", 60)]
    return cluster.hosts[[*STORES][round_number % 3]] if what == "etcd" else None


def kill(site, what, round_number):
    host = part_of(site, what, round_number)
    if host:
        host.kill()
        site.goes_on()
        host.start()
        site.cluster.wait_until_whole()
    elif what == "centre":
        site.service.kill()
        site.service.start()
        site.wait_for_the_service()
    else:
        name = [*site.sensors][round_number % len(site.sensors)]
        for process in (site.sensors[name].process, site.forwards[name]):
            process.kill()
            process.start()
    site.goes_on()


def freeze(site, what, round_number, seconds):
    host = part_of(site, what, round_number)
    name = [*site.sensors][round_number % len(site.sensors)]
    frozen = [site.service] if what == "centre" else [site.sensors[name].process, site.forwards[name]]
    if host:
        host.freeze()
    else:
        for process in frozen:
            process.signal(signal.SIGSTOP)
    time.sleep(seconds)
    if host:
        host.thaw()
        site.cluster.wait_until_whole()
    else:
        for process in frozen:
            process.signal(signal.SIGCONT)
    site.goes_on()


def rounds(stack, cluster, programs, count, act, records):
    """`act` on one part after another, while two sensors deliver and one client follows."""
    site = Site(stack, cluster, programs)
    site.serve()
    subscriber = site.subscribe()
    for name in ("rack1", "rack2"):
        site.add_sensor(name, 10_000_000, max(250, records / 1000))
    for number in range(count):
        begun = time.monotonic()
        act(site, PARTS[number % len(PARTS)], number)
        print(f"  round {number + 1}, {PARTS[number % len(PARTS)]}: {time.monotonic() - begun:.0f} s, {site.produced()} records", flush=True)
    wait_until(lambda: site.produced() >= records, "enough records", 1200)
    holds, figures = site.compare()
    made = site.produced()
    with contextlib.suppress(AssertionError):  # the figures say so then
        wait_until(lambda: len(subscriber.names()) >= made, "all at the subscriber", 120)
    twice, missing, late = subscriber.faults()
    timelines = cluster.psql("SELECT timeline_id FROM pg_control_checkpoint()", "postgres")[0][0]
    got = len(subscriber.names())
    log = (site.folder / "centre.log").read_text(encoding="utf-8")
    again = log.count("Clients list again")  # a server took over that lost what was committed: sensors delivered it once more
    print("  the service said:", *log.splitlines()[-12:], sep="\n    ", flush=True)
    print("  what was no record, at the subscriber:", *[record for _, record in subscriber.other[:12]],
          *(site.folder / "events.log").read_text(encoding="utf-8").splitlines()[:12], sep="\n    ", flush=True)
    return (holds and (again > 0 or got == made and not (twice or missing or late)),
            f"{count} rounds, {figures}; the subscriber, begun {subscriber.starts} times: {got} records, {twice} twice, {missing} missing, {late} out of order; "
            f"{again} times it had to list again; timeline {timelines}")


def killed(stack, cluster, programs, short):
    return rounds(stack, cluster, programs, 5 if short else 20, kill, 5000 if short else 200_000)


def stopped(stack, cluster, programs, short):
    return rounds(stack, cluster, programs, 1 if short else 20,
                  lambda site, what, number: freeze(site, what, number, 30), 5000 if short else 200_000)


def partition(stack, cluster, programs, short):
    """The primary, one etcd and a sensor on one side, all others on the other one."""
    site = Site(stack, cluster, programs)
    east = cluster.hosts.get("east")
    if east is None:
        east = cluster.hosts["east"] = Host("east", "10.77.0.31")
    site.add_sensor("west", 10_000_000, 500)
    site.add_sensor("east", 10_000_000, 500, before=east.command())
    site.goes_on()
    was = cluster.primary()
    cut_off = [cluster.hosts[was], cluster.hosts["etcd1"], east]
    begun = time.monotonic()
    before = {name: stored_of(site, name) for name in ("west", "east")}
    for host in cut_off:
        host.join("isle")
    stack.callback(lambda: [host.join("site") for host in cut_off])
    wait_until(lambda: cluster.primary() not in (None, was) and cluster.standby(), "another primary", 60)
    took = time.monotonic() - begun
    wait_until(lambda: stored_of(site, "west") > before["west"] + 500, "records of the west", 60)
    time.sleep(max(0.0, 60 - (time.monotonic() - begun)))
    during = {name: stored_of(site, name) - before[name] for name in before}
    for host in cut_off:
        host.join("site")
    cluster.wait_until_whole()
    site.goes_on()
    holds, figures = site.compare()
    return (holds and during["west"] > 0,
            f"60 s apart, another primary after {took:.0f} s; stored meanwhile: west {during['west']}, east {during['east']}; {figures}; "
            f"{cluster.replicas()} standbys follow the one history")


def stored_of(site, name):
    return int(site.psql("SELECT count(*) FROM iwarpscope.record r JOIN iwarpscope.sensor s ON s.number = r.sensor "
                         f"WHERE s.role = '{name}' AND r.kind IN (1, 2)")[0][0])


PROOFS = {"kill": killed, "stop": stopped, "partition": partition}
