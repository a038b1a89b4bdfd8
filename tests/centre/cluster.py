# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A PostgreSQL server in a folder of its own, with TLS and client certificates, and what a forwarder sends to it."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daemon/service"))
from certificates import certificate  # noqa: E402
from running import free_port  # noqa: E402

USER = "nobody"  # PostgreSQL refuses to be run by root

COLUMNS = ("kinds smallint", "ids bigint", "runs uuid", "stored bigint", "times bigint", "keys text", "severities smallint", "qps bigint",
           "a text", "b text", "community_ids text", "sequences bigint", "interfaces text", "tap_groups text", "bodies text")
TODAY = 1_795_824_000_000_000_000  # nanoseconds; a time of capture
SENSOR = "aaaaaaaa-0000-4000-8000-000000000001"
RUN = "bbbbbbbb-0000-4000-8000-000000000001"


def binaries():
    """The folder of the newest PostgreSQL from 15 on."""
    found = [path for path in Path("/usr/lib/postgresql").glob("*/bin") if path.parent.name.isdigit() and int(path.parent.name) >= 15]
    if not found:
        sys.exit("PostgreSQL 15 or later is not installed: cmake/dependencies.sh test")
    return max(found, key=lambda path: int(path.parent.name))


class Refused(Exception):
    """What psql printed about an error; `sqlstate` is its code."""

    def __init__(self, text):
        super().__init__(text)
        found = [line.split("ERROR:  ", 1)[1][:5] for line in text.splitlines() if "ERROR:  " in line]
        self.sqlstate = found[0] if found else ""


class Cluster:
    """`durable`: it syncs to its disk. `standby`: a second server has all that was committed."""

    def __init__(self, standby=False, durable=False, settings=()):
        self.bin = binaries()
        self.folder = Path(tempfile.mkdtemp(prefix="iwarpscope-centre-"))
        self.folder.chmod(0o755)
        self.standby = standby
        quick = [] if durable else ["fsync=off", "full_page_writes=off", "autovacuum=off"]
        if not durable and not standby:
            quick += ["wal_level=minimal", "max_wal_senders=0"]
        self.settings = [*settings, *quick]
        self.ports, self.running, self.sessions = {}, [], {}

    def __enter__(self):
        try:
            if os.geteuid() == 0:
                shutil.chown(self.folder, USER)
            certificate(self.folder, "ca")
            certificate(self.folder, "server", "ca")
            self.ports["primary"] = free_port()
            self.as_user("initdb", "--pgdata", self.folder / "primary", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C",
                         "--no-sync", "--no-instructions")
            self.configure()
            self.start("primary")
            if self.standby:
                self.make_standby()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.close_sessions()
        for name in [*self.running]:
            self.stop(name)
        shutil.rmtree(self.folder, ignore_errors=True)

    def as_user(self, program, *words):
        """A program of PostgreSQL, as a user who is not root."""
        drop = ["setpriv", f"--reuid={USER}", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []
        done = subprocess.run([*drop, self.bin / program, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False, cwd=self.folder, env={**os.environ, "LC_ALL": "C.UTF-8"})
        if done.returncode != 0:
            raise AssertionError(f"{program} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def configure(self):
        data = self.folder / "primary"
        # As docs say: the role is the name in the certificate; nothing else may come over the network.
        over_tls = "".join(f"hostssl all +iwarpscope_{group} 127.0.0.1/32 cert\n" for group in ("sensor", "reader", "site"))
        (data / "pg_hba.conf").write_text(f"local all postgres trust\nlocal replication postgres trust\n{over_tls}", encoding="ascii")
        lines = ["listen_addresses='127.0.0.1'", f"unix_socket_directories='{self.folder}'", "ssl=on",
                 f"ssl_cert_file='{self.folder}/server.pem'", f"ssl_key_file='{self.folder}/server.key'", f"ssl_ca_file='{self.folder}/ca.pem'",
                 "shared_buffers=64MB", "max_connections=40", "timezone='Asia/Kolkata'", *self.settings]
        with open(data / "postgresql.conf", "a", encoding="ascii") as out:
            out.write("\n".join(lines) + "\n")

    def start(self, name):
        self.as_user("pg_ctl", "start", "--wait", "--pgdata", self.folder / name, "--log", self.folder / f"{name}.log", "--options",
                     f"-p {self.ports[name]}")
        self.running.append(name)

    def stop(self, name):
        """As a loss of power does."""
        self.as_user("pg_ctl", "stop", "--mode=immediate", "--pgdata", self.folder / name)
        self.running.remove(name)

    @contextlib.contextmanager
    def hanging(self, name="primary"):
        """The server is there, and answers nothing."""
        pid = int((self.folder / name / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGSTOP)  # first: it makes no other process then
        group = [pid, *map(int, subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False).stdout.split())]
        for one in group:
            os.kill(one, signal.SIGSTOP)
        try:
            yield
        finally:
            for one in group:
                os.kill(one, signal.SIGCONT)

    def make_standby(self):
        self.ports["standby"] = free_port()
        self.as_user("pg_basebackup", "--host", self.folder, "--port", self.ports["primary"], "--username=postgres", "--pgdata",
                     self.folder / "standby", "--write-recovery-conf", "--checkpoint=fast", "--no-sync")
        self.start("standby")
        self.psql("ALTER SYSTEM SET synchronous_standby_names = '*'", database="postgres")
        self.psql("SELECT pg_reload_conf()", database="postgres")

    def promote(self):
        self.as_user("pg_ctl", "promote", "--wait", "--pgdata", self.folder / "standby")

    def admin(self, database):
        """How a superuser of this machine connects."""
        return f"host={self.folder} port={self.ports['primary']} user=postgres dbname={database}"

    def as_sensor(self, name, database, role=None):
        """How a sensor connects, with its certificate; it may ask for another role."""
        if not (self.folder / f"{name}.pem").exists():
            certificate(self.folder, name, "ca")
        ports = ",".join(str(port) for port in self.ports.values())
        hosts = ",".join("127.0.0.1" for _ in self.ports)
        return (f"host={hosts} port={ports} user={role or name} dbname={database} sslmode=verify-full sslrootcert={self.folder}/ca.pem "
                f"sslcert={self.folder}/{name}.pem sslkey={self.folder}/{name}.key target_session_attrs=read-write")

    def psql(self, sql, database=None, where=None):
        """The rows as lists of texts. Each statement is a transaction of its own. One connection for each `where`: making
        one takes longer than most statements."""
        where = where or self.admin(database)
        if where not in self.sessions:
            self.sessions[where] = Session(self.bin / "psql", where)
        try:
            return self.sessions[where].run(sql)
        except Gone as gone:
            del self.sessions[where]
            raise Refused(str(gone)) from None

    def close_sessions(self):
        """psql() opens them again. A server that ends takes them with it, and a role may have only a few."""
        for session in self.sessions.values():
            session.close()
        self.sessions.clear()


class Gone(Exception):
    """psql ended, and what it printed."""


class Session:
    """A psql that waits for statements."""

    END = "that is all"

    def __init__(self, program, where):
        self.process = subprocess.Popen([program, "--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--field-separator=\x1f",
                                         "--set=VERBOSITY=verbose", where], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, bufsize=1)

    def run(self, sql):
        try:
            self.process.stdin.write(f"{sql}\n;\n\\echo {self.END}\n")
        except BrokenPipeError:
            pass
        lines = []
        while not lines or lines[-1] != self.END:
            line = self.process.stdout.readline()
            if not line:
                self.close()
                raise Gone("\n".join(lines))
            lines.append(line.rstrip("\n"))
        text = "\n".join(lines[:-1])
        if any(line.startswith("ERROR:  ") for line in lines):
            raise Refused(text)
        return [line.split("\x1f") for line in lines[:-1] if not line.startswith(("NOTICE:", "LOCATION:"))]

    def close(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.wait()
        self.process.stdout.close()


def quoted(value):
    return "NULL" if value is None else "'" + str(value).replace("'", "''") + "'"


def array(values, of):
    return f"ARRAY[{','.join(quoted(value) for value in values)}]::{of}[]"


def record(kind, number, **more):
    """One record as a sensor has it; `more` replaces its parts."""
    words = {1: "finding", 2: "qp", 3: "message", 4: "qp", 5: "heartbeat"}
    return {"kinds": kind, "ids": number, "runs": RUN, "stored": TODAY + number * 1_000_000, "times": TODAY + number * 1_000_000,
            "keys": {1: "mpa.crc-mismatch", 2: "completed", 4: "rts"}.get(kind, ""), "severities": 2 if kind == 1 else 0,
            "qps": None if kind == 5 else number, "a": "192.0.2.1", "b": "192.0.2.2", "community_ids": "1:LQU9qZlK+B5F3KDmev6m5PMibrg=",
            "sequences": number, "interfaces": "eth0", "tap_groups": "", "bodies": f'{{"record":"{words.get(kind, "other")}","qp":{number}}}', **more}


def delivery(records, after=(), expired=(), sensor=SENSOR):
    """The statement. `after`: (kind, run, id) of the cursor; `expired`: (kind, count)."""
    expected = ", ".join(array([place[at] for place in after], of) for at, of in ((0, "smallint"), (1, "uuid"), (2, "bigint")))
    columns = ", ".join(array([one[name.split()[0]] for one in records], name.split()[1]) for name in COLUMNS)
    lost = ", ".join(array([one[at] for one in expired], of) for at, of in ((0, "smallint"), (1, "bigint")))
    return f"SELECT added, known, changed FROM iwarpscope.deliver_v1('{sensor}', {expected}, {columns}, {lost});"
