# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Proof that machines lose their power, and what was committed is there."""

import subprocess
import threading
import time

from running import wait_until
from sites import Site


class Ledger:
    """Stores numbers, one in each transaction, and remembers those whose COMMIT returned. A sensor would send a record again
    that was lost with its cursor, and the loss would not be seen; a ledger does not."""

    def __init__(self, site):
        self.site, self.over, self.committed, self.next = site, threading.Event(), [], 1
        site.psql("CREATE TABLE ledger (number bigint PRIMARY KEY)")
        self.thread = threading.Thread(target=self.write, daemon=True)
        self.thread.start()

    def write(self):
        while not self.over.is_set():
            with subprocess.Popen([self.site.cluster.bin / "psql", "--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--set=ON_ERROR_STOP=1",
                                   f"{self.site.cluster.admin(self.site.database)} keepalives_idle=5 keepalives_interval=5 tcp_user_timeout=15000"],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as psql:
                try:
                    while not self.over.is_set():
                        number, self.next = self.next, self.next + 1  # one whose answer did not come is never tried again
                        psql.stdin.write(f"INSERT INTO ledger VALUES ({number}) RETURNING number;\n")
                        psql.stdin.flush()
                        if psql.stdout.readline().strip() != str(number):
                            break
                        self.committed.append(number)
                except BrokenPipeError:
                    pass
                psql.kill()
            time.sleep(0.5)

    def end(self):
        """What was committed and is not there: numbers."""
        self.over.set()
        self.thread.join(60)
        there = {int(row[0]) for row in self.site.psql("SELECT number FROM ledger")}
        return sorted(set(self.committed) - there)


def power(stack, cluster, programs, short):
    """The primary loses its power, then a standby, then all at once."""
    site = Site(stack, cluster, programs)
    for name in ("rack1", "rack2"):
        site.add_sensor(name, 10_000_000, 20)
    ledger = Ledger(site)
    rounds = ("primary", "all") if short else ("primary", "standby", "all", "primary", "all")
    for number, what in enumerate(rounds):
        site.goes_on(cluster.patience)
        wanted = len(ledger.committed) + 100
        wait_until(lambda wanted=wanted: len(ledger.committed) >= wanted, "a hundred commits", cluster.patience)
        begun = time.monotonic()
        if what == "all":
            cluster.lose_power()
        else:
            host = cluster.hosts[wait_until(getattr(cluster, what), f"a {what}", cluster.patience)]
            host.kill()
            host.start()
        before = len(ledger.committed)
        wait_until(lambda before=before: len(ledger.committed) > before, "commits again", cluster.patience)
        again = time.monotonic() - begun
        cluster.wait_until_whole()
        print(f"  round {number + 1}, {what}: commits again after {again:.0f} s, whole after {time.monotonic() - begun:.0f} s, "
              f"{len(ledger.committed)} committed, {site.produced()} records", flush=True)
    holds, figures = site.compare()
    missing = ledger.end()
    return (holds and not missing,
            f"power lost: {', '.join(rounds)}; {len(ledger.committed)} commits of one row, {len(missing)} of them missing; {figures}")


PROOFS = {"power": power}
