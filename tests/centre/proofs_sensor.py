# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Proofs about sensors: a forwarder that dies at the worst moment, a configuration that is refused, and versions that differ."""

import json
import signal
import sqlite3
import time
from pathlib import Path

from patroni import ip
from running import Folder, Running, wait_until
from sites import Site

ROOT = Path(__file__).resolve().parents[2]
# The clock of a sensor a day ago. Its forwarder has today's, as certificates have.
YESTERDAY = ["env", "LD_PRELOAD=/usr/$LIB/faketime/libfaketimeMT.so.1", "FAKETIME=-1d", "FAKETIME_DONT_FAKE_MONOTONIC=1"]


FIRST = 3  # the step that has deliver_v1
SECTIONS = ('sensor = "{}"\n[capture]\ninterfaces = ["mirror"]\n[history]\nforward = true\nstates = "1 s"\nheartbeats = "1 s"\n')


def cursor(site, name):
    """Up to which id the centre has findings of this sensor."""
    rows = site.psql("SELECT c.id FROM iwarpscope.cursor c JOIN iwarpscope.sensor s ON s.number = c.sensor "
                     f"WHERE s.role = '{name}' AND c.kind = 1 ORDER BY c.moved DESC LIMIT 1")
    return int(rows[0][0]) if rows else 0


def known_to(sensor):
    """Up to which id the sensor knows that the centre has findings: its history keeps it."""
    with sqlite3.connect(f"file:{sensor.folder}/history.sqlite?mode=ro", uri=True) as database:
        rows = database.execute("SELECT id FROM forwarded WHERE kind = 1").fetchall()
    return rows[0][0] if rows else 0


def cut(stack, cluster, programs, short):
    """The forwarder is stopped, the centre commits what is on its way, and the forwarder is killed before it has an answer. A day passes
    until it starts again; the last times, the cursor at the centre is gone, too."""
    site = Site(stack, cluster, programs)
    site.centre("add-sensor", "rack1")
    from kit import Process, Sensor
    sensor = Sensor(site, "rack1", 10_000_000, 1000)
    sensor.process.kill()
    sensor.process.words = [*YESTERDAY, *sensor.process.words]
    sensor.process.start()
    site.sensors["rack1"] = sensor
    site.start_forwarder("rack1", (), ["--wait-ms", "20", "--batch", "50"])
    forward = site.forwards["rack1"]
    site.goes_on()
    ahead, times, without = 0, 3 if short else 20, 0
    for number in range(times):
        made = site.produced()
        wait_until(lambda made=made: (site.stored() or 0) > made, "more records", 120)
        forward.signal(signal.SIGSTOP)
        before = -1
        while (now := cursor(site, "rack1")) != before:  # what is on its way arrives
            before = now
            time.sleep(0.2)
        ahead += now > known_to(sensor)
        forward.kill()
        if number >= times // 2:
            site.psql("DELETE FROM iwarpscope.cursor")
            without += 1
        if number == times - 1:  # a day later
            sensor.process.kill()
            sensor.process.words = sensor.process.words[len(YESTERDAY):]
            sensor.process.start()
        forward.start()
    site.goes_on()
    holds, figures = site.compare()
    days = site.psql("SELECT count(DISTINCT day) FROM iwarpscope.record WHERE kind IN (1, 2)")[0][0]
    return (holds and ahead > 0 and days == "2",
            f"killed {times} times, {ahead} times the centre had more than the sensor knew, {without} times without a cursor; records of {days} days; {figures}")


def daemon(stack, site, programs, name):
    """A real daemon that captures, and its forwarder."""
    folder = stack.enter_context(Folder())
    path = folder.path
    running = Running(programs / "iwarpscoped", path, SECTIONS.format(name))
    stack.enter_context(running)
    site.centre("add-sensor", name)
    site.sensors[name] = running
    site.start_forwarder(name)
    return running


def refused(stack, cluster, programs, short):
    """A configuration with a mistake goes to 20 daemons, which then read it."""
    site = Site(stack, cluster, programs)
    site.serve()
    count = 3 if short else 20
    ip("link", "add", "mirror", "type", "veth", "peer", "name", "wire")
    for end in ("mirror", "wire"):
        ip("link", "set", end, "up")
    stack.callback(ip, "link", "delete", "mirror")
    # The name is that of the host by default; here each has its own.
    daemons = {f"rack{number}": daemon(stack, site, programs, f"rack{number}") for number in range(count)}
    beats = "SELECT s.role, s.heartbeat -> 'configuration' FROM iwarpscope.sensor s WHERE heartbeat IS NOT NULL ORDER BY 1"

    def configurations():
        return {name: json.loads(text) for name, text in site.psql(beats)}
    wait_until(lambda: len(configurations()) == count, "a heartbeat of each", 120)
    before = configurations()
    for name, running in daemons.items():
        good = running.file.read_text(encoding="utf-8")
        running.file.write_text(good.replace('states = "1 s"', 'states = "never mind"'), encoding="utf-8")
        running.process.send_signal(signal.SIGHUP)
    wait_until(lambda: all(one["reload_failed"] for one in configurations().values()), "the failure in each heartbeat", 120)
    after = configurations()
    same = sum(before[name]["hash"] == after[name]["hash"] for name in after)
    named = sum("history.states" in (one["mistakes"] or "") for one in after.values())
    alive = sum(running.process.poll() is None for running in daemons.values())
    shown = wait_until(lambda: site.ask("site").stdout, "the view of the site", 60)
    in_view = sum(f"{name}" in shown for name in daemons) if "configuration" in shown else 0
    return (same == named == alive == in_view == count,
            f"{count} daemons, {alive} alive, {same} with the old hash, {named} whose heartbeat at the centre names the mistake; named by `iwarpscope site`: "
            f"{in_view}")


def versions(stack, cluster, programs, short):
    """The first schema that a sensor can deliver to, and today's forwarder; then each step while sensors deliver."""
    newest = len(list((ROOT / "daemon/centre/migrations").glob("*.sql")))
    site = Site(stack, cluster, programs, to=FIRST)
    for name in ("rack1", "rack2"):
        site.add_sensor(name, 10_000_000, 500)
    site.goes_on()
    stored = {}
    for step in range(FIRST + 1, newest + 1):
        site.centre("migrate", "--to", step)
        site.goes_on()
        stored[step] = site.stored()
    site.centre("upkeep", "--ahead", "1")
    site.serve()
    site.goes_on()
    holds, figures = site.compare()
    troubles = sum(Path(site.folder / f"forward-{name}.log").read_text(encoding="utf-8").count("The centre:") for name in site.sensors)
    return (holds, f"schema {FIRST} to {newest} while two sensors deliver 1100 records/s: {figures}; stored after each step "
            + ", ".join(f"{step}: {count}" for step, count in stored.items()) + f"; interruptions in the forwarders' logs {troubles}")


PROOFS = {"cut": cut, "refused": refused, "versions": versions}
