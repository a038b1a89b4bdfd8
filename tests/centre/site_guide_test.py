#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Does what docs/site.md says, on machines in network namespaces: site_guide_test.py BUILD CPACK [--all]

Every block of the guide is run or written where it says (site_guide.py), with the packages that CPack makes of the build, and real etcd,
Patroni and PostgreSQL. Between its sections the guide's claims are tried: what it says of dead parts, of a backup, of a lost key.
"""

import concurrent.futures
import contextlib
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
import unittest
from pathlib import Path

from cluster import binaries  # it adds the folder of the next ones
from cable import moved
from patroni import enter
from running import wait_until
from send_capture import frames
from site_guide import PLACE, ROOT, Machine, Wrong, blocks

SKIPPED = 77
MACHINES = {"db1": "192.0.2.11", "db2": "192.0.2.12", "db3": "192.0.2.13", "centre1": "192.0.2.21", "centre2": "192.0.2.22", "rack7": "192.0.2.31",
            "admin": "192.0.2.41", "alerts": "192.0.2.51"}
CAPTURES = ("viol-crc-error.pcap", "viol-qn-1.pcap", "mpa-crc-strict-reject.pcap")
PATIENCE = 120  # seconds
# Rows of the table "When a part dies" that other tests try.
ELSEWHERE = {"a sensor": "tests/centre/service_test.py", "a sensor that is hostile": "tests/centre/hostile_test.py",
             "the disk of a sensor is full": "tests/daemon/service/disk_test.py"}
CENTRE = {"/etc/iwarpscope-centre/centre.toml", "/etc/iwarpscope-centre/database.env", "/usr/sbin/iwarpscope-centre",
          "/usr/lib/systemd/system/iwarpscope-centre.service", "/usr/lib/systemd/system/iwarpscope-centre-upkeep.service",
          "/usr/lib/systemd/system/iwarpscope-centre-upkeep.timer", "/usr/lib/sysusers.d/iwarpscope-centre.conf",
          "/usr/share/man/man8/iwarpscope-centre.8", "/usr/share/iwarpscope-centre/patroni.yml", "/usr/share/iwarpscope-centre/etcd.env"}


def guide():
    """With the version of PostgreSQL that is here, as the guide says."""
    text = (ROOT / "docs/site.md").read_text(encoding="utf-8")
    for before, after in (("postgresql-15", f"postgresql-{version()}"), ("postgresql-client-15", f"postgresql-client-{version()}"),
                          ("patroni.yml >config.yml", f"patroni.yml | sed 's#/15/#/{version()}/#' >config.yml")):
        if before not in text:
            raise Wrong(f"the guide has no {before}")
        text = text.replace(before, after)
    return text


def version():
    return binaries().parent.name


def send(name):
    """Each time as connections from other ports."""
    by = int(time.time() * 10)
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as cable:
        cable.bind((name, 0))
        for capture in CAPTURES:
            for frame in frames(ROOT / "samples/siw" / capture):
                cable.send(moved(frame, by))


class Site:
    def __init__(self, build, cpack, is_long):
        PLACE.mkdir()
        self.is_long = is_long
        self.packages = PLACE / "packages"
        # tests/packages looks after their dependencies, which take long to find.
        options = ("CPACK_COMPONENTS_ALL=iwarpscope;forward;centre", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip", "CPACK_DEBIAN_PACKAGE_SHLIBDEPS=OFF")
        self.packing = subprocess.Popen([cpack, "-G", "DEB", "-B", self.packages, *(word for option in options for word in ("-D", option))], cwd=build,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.machines = {name: Machine(name, address, MACHINES) for name, address in MACHINES.items()}
        for name, machine in self.machines.items():  # scp
            if name != "admin":
                at = self.machines["admin"].root / "machines" / name
                at.mkdir(parents=True)
                subprocess.run(["mount", "--bind", machine.root, at], check=True)
                for folder in ("root", "run"):
                    subprocess.run(["mount", "--bind", machine.root / folder, at / folder], check=True)
        self.rack7 = self.machines["rack7"]
        big = ("mtu", "65535")
        for words in (["add", "ens1f0", *big, "type", "veth", "peer", "name", "wire0", *big], ["set", "ens1f0", "up"], ["set", "wire0", "up"]):
            subprocess.run(["ip", "-n", "rack7", "link", *words], check=True)

    def close(self):
        for machine in self.machines.values():
            machine.kill()

    def show_logs(self):
        for name, machine in self.machines.items():
            for path in sorted((machine.root / "var/log").glob("*.service.log")):
                lines = path.read_text(encoding="utf-8", errors="replace").splitlines()[-8:]
                print(f"-- {name}: {path.name}", *lines, sep="\n   ", flush=True)

    def unpack(self):
        said, _ = self.packing.communicate(timeout=600)
        if self.packing.returncode != 0:
            raise Wrong(f"cpack: {said}")
        for name in ("admin", "centre1", "centre2", "rack7"):
            for package in self.packages.glob("*.deb"):
                shutil.copy(package, self.machines[name].root / "root")

    def do(self, block):
        unknown = set(block.machines) - set(self.machines)
        if unknown:
            raise Wrong(f"{block.section}: there are no machines {unknown}")
        if block.path:
            for name in block.machines:
                self.machines[name].write(block)
            return
        with concurrent.futures.ThreadPoolExecutor() as pool:
            list(pool.map(lambda name: self.machines[name].run(block.text), block.machines))

    def follow(self, text):
        """The whole guide; after some blocks, what it claims there."""
        claims = {("Packages", "iwarpscope-forward"): self.packages_start_nothing, ("The database", "patronictl"): self.is_whole, ("The database", "CREATE ROLE"): self.others_are_kept_out,
                  ("The service", "iwarpscope site --host"): self.records_arrive,
                  ("When a part dies", "endpoint status"): self.parts_die, ("Backup", "pg_dump "): self.records_follow_the_backup,
                  ("Backup", "systemctl start"): self.backup_is_restored, ("A lost key", "reload iwarpscoped"): self.key_is_refused}
        for number, block in enumerate(blocks(text)):
            if number == 0:
                self.unpack()
            self.timed(f"{block.section}: {', '.join(block.machines)}: {block.path or block.text.splitlines()[0][:80]}", self.do, block)
            for section, word in [*claims]:
                if section == block.section and word in block.text:
                    self.timed(f"{section}: as it says", claims.pop((section, word)))
        if claims:
            raise Wrong(f"the guide has no blocks for {[*claims]}")

    @staticmethod
    def timed(what, act, *words):
        begun = time.monotonic()
        act(*words)
        print(f"  {time.monotonic() - begun:5.1f} s  {what}", flush=True)

    def packages_start_nothing(self):
        """What is in the package of the centre, and that it waits for its administrator."""
        has = set(self.machines["centre1"].run("dpkg -L iwarpscope-centre").split())
        if not CENTRE <= has:
            raise Wrong(f"the package iwarpscope-centre lacks {sorted(CENTRE - has)}")
        for name in ("admin", "centre1", "centre2", "rack7"):
            self.machines[name].run("id iwarpscope && ! ls /run/units/*.service /etc/systemd/system/*.wants/*iwarp*")
            if running := self.machines[name].processes():
                raise Wrong(f"{name} runs {running}")
        self.machines["centre1"].run("id iwarpscope-centre")
        self.rack7.run("id iwarpscope-forward")

    def patronictl(self):
        """{machine: (role, state)} as the guide's command prints them."""
        for name in ("db1", "db2", "db3"):
            done = self.machines[name].ask("patronictl -c /etc/patroni/config.yml list")
            rows = re.findall(r"^\| (db\d) +\| \S+ +\| ([\w ]+?) +\| (\w+)", done.stdout, re.MULTILINE)
            if rows:
                return {row[0]: row[1:] for row in rows}
        return {}

    def is_whole(self):
        def whole():
            found = self.patronictl()
            roles, states = sorted(role for role, _ in found.values()), {state for _, state in found.values()}
            return roles == ["Leader", "Replica", "Sync Standby"] and states <= {"running", "streaming"}
        wait_until(whole, "a leader, a synchronous standby and a replica", PATIENCE)

    def others_are_kept_out(self):
        """Port 8008 wants a certificate of the machines of the database, and what copies a database is no superuser."""
        asked = ("import ssl, sys, urllib.request; context = ssl.create_default_context(cafile='/etc/patroni/etcd-ca.pem'); "
                 "context.load_cert_chain(*sys.argv[1:]) if sys.argv[1:] else None; "
                 "print(urllib.request.urlopen('https://db1.example.net:8008/patroni', context=context, timeout=30).status)")
        for own, is_in in ((("etcd.pem", "etcd.key"), True), (("replicator.pem", "replicator.key"), False), ((), False)):
            words = " ".join(f"/etc/patroni/{file}" for file in own)
            done = self.machines["db2"].ask(f'python3 -c "{asked}" {words}')
            if (done.returncode == 0 and done.stdout == "200\n") != is_in:
                raise Wrong(f"port 8008 with {own}: {done.stdout}{done.stderr}")
        if self.machines["db2"].ask('python3 -c "import urllib.request; urllib.request.urlopen(\'http://db1.example.net:8008/patroni\', timeout=30)"').returncode == 0:
            raise Wrong("port 8008 answers without TLS")
        roles = self.machines["admin"].run("psql -XAtc \"SELECT DISTINCT usename, rolsuper FROM pg_stat_replication JOIN pg_roles ON rolname = usename\" "
                                           "&& psql -XAtc \"SELECT rolsuper OR rolreplication FROM pg_roles WHERE rolname = 'rewinder'\"")
        if roles.split() != ["replicator|f", "f"]:
            raise Wrong(f"the database is copied by {roles}")
        for name in ("db1", "db2", "db3"):
            self.machines[name].run("! ls /etc/patroni/postgres.*")

    # What sensors found, and where it is.

    def send(self):
        """Sample traffic passes the mirror port of rack7."""
        subprocess.run(["ip", "netns", "exec", "rack7", sys.executable, "-B", __file__, "--send", "wire0"], check=True)

    def made(self):
        """What the sensor's history has: (run, kind, id); empty until it has its tables."""
        where = f"file:{self.rack7.root}/var/lib/iwarpscope/history.sqlite?mode=ro"
        with contextlib.suppress(sqlite3.OperationalError), contextlib.closing(sqlite3.connect(where, uri=True)) as database:
            return {(run, kind, at) for kind, table in ((1, "findings"), (2, "qps"))
                    for run, at in database.execute(f"SELECT r.uuid, t.id FROM {table} t JOIN runs r ON r.run = t.run")}
        return set()

    def stored(self):
        """What the centre has of it; empty while it does not answer."""
        done = self.machines["admin"].ask('. /root/ca/admin.env; psql -qAt -F " " -c "SELECT u.uuid, r.kind, r.id FROM iwarpscope.record r '
                                          'JOIN iwarpscope.run u ON u.number = r.run WHERE r.kind IN (1, 2)"')
        return {(run, int(kind), int(at)) for run, kind, at in map(str.split, done.stdout.splitlines())} if done.returncode == 0 else set()

    def goes_on(self):
        """New records arrive, and with them all that were made before."""
        before = self.made()
        self.send()
        wait_until(lambda: len(self.made()) > len(before), "new records at the sensor")
        made = self.made()
        wait_until(lambda: made <= self.stored(), "each record at the centre", PATIENCE)

    def ask(self, words, where="centre1"):
        return self.machines[where].ask(f"IWARPSCOPE_SOCKET=/run/iwarpscope-centre/centre.sock iwarpscope {words}").stdout

    def records_arrive(self):
        self.goes_on()
        for centre in ("centre1", "centre2"):
            wait_until(lambda centre=centre: "mpa.crc-mismatch" in self.ask("findings --at-least error", centre), "a finding at the centre", PATIENCE)

    # When a part dies.

    def parts_die(self):
        """Each row of the table; those in ELSEWHERE are tried by other tests, and those that take long with --all."""
        table = (ROOT / "docs/site.md").read_text(encoding="utf-8").split("| what | what happens |")[1].split("\n\n")[0]
        tried = {"iwarpscope-forward": self.forwarder_dies, "iwarpscope-centre": self.service_dies, "a standby": self.standby_and_etcd_die,
                 "the primary": self.primary_dies}
        slow = {"both standbys": self.both_standbys_die, "two or all etcd": self.two_etcd_die}
        rows = set(re.findall(r"(?m)^\| ([^|-][^|]*?) \|", table))
        known = {*tried, *slow, *ELSEWHERE, "one etcd"}  # with the standby, on its machine
        if rows != known or not all((ROOT / test).is_file() for test in ELSEWHERE.values()):
            raise Wrong(f"the table has {sorted(rows)}, tried are {sorted(known)}")
        for what, act in (tried | slow if self.is_long else tried).items():
            self.timed(f"When a part dies: {what}", act)

    def one(self, role):
        """A machine of the database that has this role."""
        return wait_until(lambda: next((self.machines[name] for name, (its, _) in self.patronictl().items() if its == role), None), role, PATIENCE)

    def forwarder_dies(self):
        self.rack7.kill_service("iwarpscope-forward")
        self.goes_on()

    def service_dies(self):
        """A subscriber goes on from its place at the other one."""
        place = re.search(r"events --after (\S+:\d+)", self.ask("status"))[1]
        self.machines["centre1"].kill_service("iwarpscope-centre")
        self.goes_on()
        wait_until(lambda: "mpa.crc-mismatch" in self.ask(f"events --after {place}", "centre2"), "later records at the other service", PATIENCE)
        wait_until(lambda: "mpa.crc-mismatch" in self.ask("findings"), "the service that was started again", PATIENCE)

    def standby_and_etcd_die(self):
        leader, gone, other = self.one("Leader"), self.one("Sync Standby"), self.one("Replica")
        gone.kill()
        self.goes_on()
        if self.one("Leader") is not leader or self.one("Sync Standby") is not other:
            raise Wrong("the other standby is not the synchronous one")
        gone.power_on()
        self.is_whole()

    def both_standbys_die(self):
        """Nothing is committed that one machine alone has; what is there can be asked for."""
        standbys = [self.one("Sync Standby"), self.one("Replica")]
        for machine in standbys:
            machine.run("systemctl stop patroni")
        before = self.stored()
        self.send()
        wait_until(lambda: not self.made() <= before, "records that wait")
        time.sleep(5)
        if self.stored() != before:
            raise Wrong("records are committed on one machine alone")
        if "mpa.crc-mismatch" not in self.ask("findings --at-least error"):
            raise Wrong("with one machine left the service does not answer")
        for machine in standbys:
            machine.run("systemctl start patroni")
        self.goes_on()
        self.is_whole()

    def primary_dies(self):
        gone = self.one("Leader")
        gone.kill()
        self.goes_on()
        if self.one("Leader") is gone:
            raise Wrong("no other primary")
        gone.power_on()
        self.is_whole()

    def two_etcd_die(self):
        gone = [self.one("Sync Standby"), self.one("Replica")]
        for machine in gone:
            machine.run("systemctl stop etcd")
        wait_until(lambda: self.stored() == set(), "no primary", PATIENCE)
        wait_until(lambda: "does not answer" in self.ask("status"), "the status of the service", PATIENCE)
        for machine in gone:
            machine.run("systemctl start etcd")
        self.goes_on()

    # A backup, and a lost key.

    def records_follow_the_backup(self):
        self.saved = self.stored()
        self.goes_on()
        if not self.saved < self.stored():
            raise Wrong("nothing is newer than the backup")

    def backup_is_restored(self):
        """What was saved, and what the sensor then delivers again."""
        wait_until(lambda: self.saved <= self.stored(), "all saved records in the database that was restored", PATIENCE)
        self.goes_on()
        wait_until(lambda: "mpa.crc-mismatch" in self.ask("findings --at-least error"), "an answer about restored records", PATIENCE)

    def key_is_refused(self):
        """By its certificate, before anything else."""
        where = re.search(r'database = "(.*)"', (self.rack7.root / "etc/iwarpscope/forward.toml").read_text(encoding="utf-8"))[1]

        def refused(host):
            one = re.sub(r"host=\S+ target_session_attrs=\S+", f"host={host}.example.net", where)
            done = self.rack7.ask(f"psql '{one} sslmode=verify-full' -c 'SELECT 1'")
            return done.returncode != 0 and "certificate revoked" in done.stderr
        for host in ("db1", "db2", "db3"):
            wait_until(lambda host=host: refused(host), f"the refusal by {host}", PATIENCE)
        before = self.stored()
        self.send()
        wait_until(lambda: "revoked" in self.rack7.service_log("iwarpscope-forward"), "the refusal in the forwarder's log", PATIENCE)
        if not before or self.stored() != before:
            raise Wrong("a revoked sensor delivers")


class Blocks(unittest.TestCase):
    """A command that the guide gets is run, or the guide is refused."""

    def test_blocks_have_their_machines_and_files(self):
        found = blocks("## A\n\nFirst. On db1 and\ndb2:\n\n    one\n\n    two\n\nIn /etc/x on db3, under `[part]`:\n\n    three\n")
        self.assertEqual([(one.machines, one.text, one.path, one.under) for one in found],
                         [(["db1", "db2"], "one\n\ntwo\n", "", ""), (["db3"], "three\n", "/etc/x", "[part]")])

    def test_a_block_without_its_line_is_refused(self):
        for text in ("## A\n\nDo this:\n\n    reboot\n", "## A\n\nOn db1, do this:\n\n    reboot\n", "## A\n\n```sh\nreboot\n```\n",
                     "## A\n\n<!-- run by tests/none.py -->\n\n    reboot\n"):
            with self.assertRaises(Wrong, msg=text):
                blocks(text)

    def test_the_guide_has_no_command_elsewhere(self):
        text = guide()
        done = "".join(block.text for block in blocks(text))
        for code in re.findall(r"`([^`\n]+)`", text):
            if re.match(r"(?:systemctl|apt-get|psql|pg_\w+|patronictl|openssl|scp|iwarpscope-centre) \S", code) and "..." not in code:
                self.assertTrue(code in done or code == "iwarpscope-centre serve", f"no block has {code}")


class Guide(unittest.TestCase):
    """In the order of the guide: one walk."""

    build, cpack, is_long = None, None, False

    def test_the_guide_leads_from_empty_machines_to_a_site(self):
        site = Site(self.build, self.cpack, self.is_long)
        try:
            for wrong in ("frobnicate", "systemctl frobnicate x", "systemctl start nothing", "apt-get install nothing", "apt-get upgrade",
                          "scp /etc/hosts root@nowhere.example.net:/etc/", "false; true"):
                with self.assertRaises(Wrong, msg=wrong):
                    site.machines["admin"].run(wrong)
            site.follow(guide())
        except BaseException:
            site.show_logs()
            raise
        finally:
            site.close()


def missing():
    """Why it cannot be run here; empty: it can."""
    if os.geteuid() != 0 or subprocess.run(["unshare", "--net", "--mount", "--uts", "true"], check=False, capture_output=True).returncode != 0:
        return "it needs root and namespaces"
    programs = ("ip", "etcd", "etcdctl", "patroni", "patronictl", "openssl", "setpriv", "amtool", "dpkg-deb")
    gone = [name for name in programs if not shutil.which(name)]
    return f"there is no {', '.join(gone)}: cmake/dependencies.sh test patroni" if gone else ""


if __name__ == "__main__":
    if sys.argv[1:2] == ["--send"]:
        send(sys.argv[2])
        sys.exit()
    if why := missing():
        print(f"Skipped: {why}")
        sys.exit(SKIPPED)
    enter()
    Guide.build, Guide.cpack, *more = sys.argv[1:]
    Guide.is_long = more == ["--all"]
    del sys.argv[1:]
    unittest.main(verbosity=2)
