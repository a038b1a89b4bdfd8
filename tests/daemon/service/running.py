# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""An iwarpscoped that runs in a folder of its own, watched by its own notifications: no test sleeps for it."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PATIENCE = 120  # seconds; only what fails waits so long


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_until(true, what, patience=PATIENCE):
    """Calls true() until it is; returns what it gave."""
    end = time.monotonic() + patience
    while True:
        value = true()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {patience} s")
        time.sleep(0.02)


class Folder:
    """A temporary folder that the daemon's user may write."""

    def __enter__(self):
        self.path = Path(tempfile.mkdtemp(prefix="iwarpscoped-"))
        self.path.chmod(0o755)
        if os.geteuid() == 0:
            shutil.chown(self.path, "nobody", "nogroup")
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


class Running:
    """Started with a configuration; ended, however the test ends."""

    def __init__(self, program, folder, sections="", arguments=(), before=()):
        self.folder = Path(folder)
        self.port = free_port()
        self.socket = self.folder / "api.sock"
        self.file = self.folder / "iwarpscoped.toml"
        self.configure(sections)
        self.command = [*before, str(program), "--config", str(self.file), *map(str, arguments)]

    def configure(self, sections):
        """Sections of the test, and paths in the folder."""
        user = 'user = "nobody"\ngroup = "nogroup"' if os.geteuid() == 0 else ""
        own = {"api": f'socket = "{self.socket}"', "metrics": f'address = "127.0.0.1:{self.port}"',
               "event_log": f'path = "{self.folder}/events.jsonl"', "history": f'path = "{self.folder}/history.sqlite"',
               "recorder": f'folder = "{self.folder}/recordings"\nring = "16 MiB"', "journal": "enabled = false",
               "process": user}
        for name, lines in own.items():
            header = f"[{name}]\n"
            if header in sections:
                sections = sections.replace(header, header + lines + "\n")
            else:
                sections += f"\n{header}{lines}\n"
        self.file.write_text(sections)

    def __enter__(self):
        name = self.folder / "notify"
        name.unlink(missing_ok=True)
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(str(name))
        name.chmod(0o777)
        self.notify.settimeout(0.1)
        self.notified = []
        self.errors = open(self.folder / "errors.txt", "ab")
        # Where the UUID of the sensor is, as the unit has it: a line of the configuration would change all line numbers.
        environment = {**os.environ, "NOTIFY_SOCKET": str(name), "WATCHDOG_USEC": "400000",
                       "STATE_DIRECTORY": str(self.folder)}
        environment.pop("JOURNAL_STREAM", None)
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=self.errors, stderr=self.errors,
                                        env=environment)
        try:
            self.wait_for("READY=1")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.notify.close()
        self.errors.close()

    def said(self):
        return (self.folder / "errors.txt").read_text(errors="replace")

    def is_sanitized(self):
        """Its memory is a sanitizer's, too."""
        return "built with a sanitizer" in self.said()

    def listen(self):
        """Takes what the daemon sent to systemd since the last time."""
        try:
            while True:
                self.notified += self.notify.recv(65536).decode().splitlines()
        except TimeoutError:
            pass

    def wait_for(self, line, after=0):
        """Until it sent this, not counting the first lines; returns how many lines there were with it."""
        def there():
            self.listen()
            if line in self.notified[after:]:
                return self.notified.index(line, after) + 1
            if self.process.poll() is not None:
                raise AssertionError(f"it ended with {self.process.returncode}: {self.said()}")
            return 0
        return wait_until(there, line)

    def stop(self, number=signal.SIGTERM):
        """Seconds that it took to end, and its exit status."""
        start = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(PATIENCE)
        return time.monotonic() - start, self.process.returncode
