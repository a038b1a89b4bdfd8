# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Three nodes of PostgreSQL under Patroni and three of etcd, each in a network namespace, on one bridge. As root."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from cluster import USER, Refused, binaries
from certificates import certificate
from running import wait_until

HERE = "10.77.0.1"
NODES = {"db1": "10.77.0.11", "db2": "10.77.0.12", "db3": "10.77.0.13"}
STORES = {"etcd1": "10.77.0.21", "etcd2": "10.77.0.22", "etcd3": "10.77.0.23"}
AS_USER = ["setpriv", f"--reuid={USER}", "--regid=nogroup", "--clear-groups"]


def enter():
    """Goes on in namespaces of its own: network, mounts, processes. They end with the program, and all that runs in them."""
    if os.geteuid() != 0:
        sys.exit("It makes network namespaces, and runs a database as another user: start it as root.")
    if os.environ.get("IWARPSCOPE_PATRONI_INSIDE") != "1":
        os.environ["IWARPSCOPE_PATRONI_INSIDE"] = "1"
        # The shell is the first process there: it waits for those whose parent was killed.
        os.execvp("unshare", ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--", "sh", "-c", '"$@"; exit $?',
                              "sh", sys.executable, "-B", *sys.argv])
    ip("link", "set", "lo", "up")
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
    ip("link", "add", "site", "type", "bridge")
    ip("address", "add", f"{HERE}/24", "dev", "site")
    ip("link", "set", "site", "up")
    ip("link", "add", "isle", "type", "bridge")  # the other side of a partition
    ip("link", "set", "isle", "up")


def ip(*words):
    subprocess.run(["ip", *words], check=True, stdin=subprocess.DEVNULL)


class Host:
    """A network namespace with a cable to the bridge."""

    def __init__(self, name, address):
        self.name, self.address, self.words, self.log = name, address, None, None
        ip("netns", "add", name)
        ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
        self.join("site")
        ip("link", "set", name, "up")
        for words in (["address", "add", f"{address}/24", "dev", "eth0"], ["link", "set", "eth0", "up"], ["link", "set", "lo", "up"]):
            ip("-n", name, *words)

    def join(self, bridge):
        ip("link", "set", self.name, "master", bridge)

    def command(self, *words):
        return ["ip", "netns", "exec", self.name, *map(str, words)]

    def start(self):
        with open(self.log, "ab") as log:
            subprocess.Popen(self.command(*AS_USER, *self.words), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.log.parent,
                             env={**os.environ, "LC_ALL": "C.UTF-8", "HOME": str(self.log.parent)}, start_new_session=True)

    def processes(self):
        return [int(pid) for pid in subprocess.run(["ip", "netns", "pids", self.name], capture_output=True, text=True, check=True).stdout.split()]

    def signal(self, number):
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def kill(self):
        """All of it, at once: as a machine that loses its power, but for what the kernel has not written yet."""
        while self.processes():
            self.signal(signal.SIGKILL)
            time.sleep(0.02)

    def freeze(self):
        """A stopped process makes no other: after two times, all have stopped."""
        self.signal(signal.SIGSTOP)
        self.signal(signal.SIGSTOP)

    def thaw(self):
        self.signal(signal.SIGCONT)


class Patroni:
    """`settings`: of PostgreSQL, as a dictionary. Has what cluster.Cluster has, as far as tests of a site need it."""

    stores = STORES
    timing = {"ttl": 20, "loop_wait": 2, "retry_timeout": 5}  # Patroni takes no shorter ttl
    store_timing = []
    patience = 300  # seconds, for a failover and a standby that is made again on a busy machine

    def __init__(self, settings=None):
        self.bin, self.settings = binaries(), settings or {}
        self.folder = Path(tempfile.mkdtemp(prefix="iwarpscope-patroni-"))
        self.hosts, self.sessions = {}, {}

    def __enter__(self):
        try:
            self.folder.chmod(0o755)
            shutil.chown(self.folder, USER)
            certificate(self.folder, "ca")
            self.make_hosts()
            self.start_hosts()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for host in self.hosts.values():
            host.kill()
        if os.environ.get("IWARPSCOPE_KEEP") != "1":
            shutil.rmtree(self.folder, ignore_errors=True)

    def own(self, name):
        """The folder of a host."""
        folder = self.folder / name
        if not folder.exists():
            folder.mkdir()
            shutil.chown(folder, USER)
        return folder

    def data(self, name):
        """Where its programs keep what must not be lost."""
        return self.own(name)

    def make_hosts(self):
        for name, address in {**NODES, **STORES}.items():
            host = self.hosts[name] = Host(name, address)
            host.log = self.own(name) / "log"
            host.words = self.store_words(name) if name in STORES else self.node_words(name)

    def start_hosts(self):
        for name in STORES:
            self.hosts[name].start()
        wait_until(self.is_store_up, "etcd", self.patience)
        for name in NODES:
            self.hosts[name].start()
        self.wait_until_whole()

    def store_words(self, name):
        peers = ",".join(f"{other}=http://{address}:2380" for other, address in self.stores.items())
        own = f"http://{self.stores[name]}"
        return ["etcd", "--name", name, "--data-dir", self.data(name) / "etcd", "--listen-peer-urls", f"{own}:2380",
                "--initial-advertise-peer-urls", f"{own}:2380", "--listen-client-urls", f"{own}:2379", "--advertise-client-urls", f"{own}:2379",
                "--initial-cluster", peers, "--log-level", "warn", "--logger", "zap", *self.store_timing]

    def node_words(self, name):
        certificate(self.folder, name, "ca", NODES[name])
        own, data, address = self.own(name), self.data(name), NODES[name]
        parameters = {"ssl": "on", "ssl_cert_file": f"{self.folder}/{name}.pem", "ssl_key_file": f"{self.folder}/{name}.key",
                      "ssl_ca_file": f"{self.folder}/ca.pem", "unix_socket_directories": str(own)}
        common = {"shared_buffers": "1GB", "max_connections": 150, "max_wal_size": "8GB", "checkpoint_timeout": "15min", "wal_compression": "lz4",
                  "wal_keep_size": "1GB", **self.settings}
        form = {
            "scope": "site", "name": name,
            "restapi": {"listen": f"{address}:8008", "connect_address": f"{address}:8008"},
            "etcd3": {"hosts": [f"{store}:2379" for store in self.stores.values()]},
            "bootstrap": {
                "dcs": {**self.timing, "synchronous_mode": True, "synchronous_mode_strict": True,
                        "postgresql": {"use_pg_rewind": True, "parameters": common}},
                "initdb": ["data-checksums", {"encoding": "UTF8"}, {"locale": "C"}, {"auth": "trust"}, {"username": "postgres"}]},
            "postgresql": {
                "listen": f"{address}:5432", "connect_address": f"{address}:5432", "data_dir": str(data / "data"), "bin_dir": str(self.bin),
                "pgpass": str(own / "pgpass"), "parameters": parameters, "remove_data_directory_on_rewind_failure": True,
                "basebackup": ["checkpoint: fast"],
                "authentication": {role: {"username": "postgres", "password": "none"} for role in ("superuser", "replication", "rewind")},
                # As docs/site.md says: the role is the name in the certificate. This machine is the administrator's.
                "pg_hba": ["local all all trust", f"host all postgres {HERE}/32 trust",
                           *(f"host {database} postgres {node}/32 trust" for database in ("all", "replication") for node in NODES.values()),
                           "hostssl all +iwarpscope_sensor 10.77.0.0/24 cert", "hostssl all +iwarpscope_reader 10.77.0.0/24 cert"]}}
        file = own / "patroni.yml"
        file.write_text(json.dumps(form, indent=1).replace('"checkpoint: fast"', '{"checkpoint": "fast"}'), encoding="ascii")  # JSON is YAML
        return ["patroni", file]

    @staticmethod
    def asked(address, path):
        """The JSON that a node's Patroni, or an etcd, answers; None: it does not, or not with 200."""
        try:
            with urllib.request.urlopen(f"http://{address}/{path}", timeout=5) as answer:
                return json.load(answer)
        except (OSError, urllib.error.URLError, ValueError):
            return None

    def is_store_up(self):
        return all((self.asked(f"{address}:2379", "health") or {}).get("health") == "true" for address in self.stores.values())

    def primary(self):
        """Its name; None: no node answers as such."""
        return next((name for name, address in NODES.items() if self.asked(f"{address}:8008", "primary")), None)

    def standby(self):
        """The name of the synchronous one; None: no node is it."""
        return next((name for name, address in NODES.items() if self.asked(f"{address}:8008", "synchronous")), None)

    def is_whole(self):
        if not (self.is_store_up() and self.primary() and self.standby()):
            return False
        return all(self.asked(f"{address}:8008", "health") for address in NODES.values()) and self.replicas() == 2

    def replicas(self):
        try:
            return int(self.psql("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'", "postgres")[0][0])
        except Refused:
            return 0

    def wait_until_whole(self):
        try:
            wait_until(self.is_whole, "all nodes, a primary and a synchronous standby", self.patience)
        except AssertionError as error:
            state = {name: self.asked(f"{address}:8008", "patroni") for name, address in NODES.items()}
            raise AssertionError(f"{error}; {json.dumps(state)}") from None

    def admin(self, database):
        return (f"host={','.join(NODES.values())} port=5432 user=postgres dbname={database} connect_timeout=3 target_session_attrs=read-write")

    def as_sensor(self, name, database):
        if not (self.folder / f"{name}.pem").exists():
            certificate(self.folder, name, "ca")
        # A server that vanished is noticed: of several hosts, another one is tried then.
        return (f"host={','.join(NODES.values())} port=5432 user={name} dbname={database} sslmode=verify-full sslrootcert={self.folder}/ca.pem "
                f"sslcert={self.folder}/{name}.pem sslkey={self.folder}/{name}.key target_session_attrs=read-write connect_timeout=3")

    def psql(self, sql, database=None, where=None):
        """The rows as lists of texts."""
        try:
            done = subprocess.run([self.bin / "psql", "--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--field-separator=\x1f",
                                   "--set=VERBOSITY=verbose", "--set=ON_ERROR_STOP=1", "--command", sql, where or self.admin(database)],
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=self.patience)
        except subprocess.TimeoutExpired:
            raise Refused("psql got no answer") from None
        if done.returncode != 0:
            raise Refused(done.stderr)
        return [line.split("\x1f") for line in done.stdout.splitlines()]
