# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Three virtual machines with a disk each, every one with a node of PostgreSQL under Patroni and one of etcd. As root."""

import pwd
import shlex
import subprocess
import sys
from pathlib import Path

from cluster import USER
from patroni import AS_USER, NODES, Patroni, ip

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "guest"))
from guest import Guest  # noqa: E402

KERNEL = "linux-image-amd64"  # that for clouds has no 9p
MODULES = ("virtio_pci", "virtio_blk", "virtio_net", "9p", "9pnet_virtio", "overlay", "crc32c_generic", "ext4")  # as in machine.sh
DISK = 4 << 30  # octets, of which a file has only those that were written
MEMORY = 1536  # MiB


def make_guest(work):
    """What they boot. Debian's kernel is fetched once."""
    guest = Guest(work, KERNEL, MODULES)
    guest.pack(Path(__file__).with_name("machine.sh"))
    return guest


class Machine:
    """Has what patroni.Host has, as far as proofs of a loss of power need it."""

    def __init__(self, guest, folder, name, address, programs):
        self.name, self.address, self.folder, self.process = name, address, folder, None
        self.log, self.disk = folder / "console", folder / "disk.img"
        ip("tuntap", "add", name, "mode", "tap")
        ip("link", "set", name, "master", "site")
        ip("link", "set", name, "up")
        with open(self.disk, "wb") as file:
            file.truncate(DISK)
        subprocess.run(["mkfs.ext4", "-q", "-E", f"root_owner={pwd.getpwnam(USER).pw_uid}:0", self.disk], check=True)
        lines = [f"while :; do {shlex.join(map(str, [*AS_USER, *words]))}; sleep 1; done &" for words in programs]
        program = folder / "program"
        program.write_text("\n".join(["#!/bin/sh", "export LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin", f"export HOME={folder}/disk", *lines, "wait", ""]),
                           encoding="utf-8")
        number = address.rsplit(".", 1)[1]
        self.words = guest.command("-drive", f"file={self.disk},format=raw,if=virtio,cache=none", "-netdev", f"tap,id=net,ifname={name},script=no,downscript=no",
                                   "-device", f"virtio-net-pci,netdev=net,mac=52:54:00:00:00:{number}",
                                   "-virtfs", "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap", memory=MEMORY,
                                   append=f"address={address} disk={folder}/disk program={program}")

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def kill(self):
        """As when its power is lost: what its kernel has in memory is gone."""
        if self.process:
            self.process.kill()
            self.process.wait()


class Machines(Patroni):
    """An etcd beside each node, so that all can lose their power at once. Times are those of slow machines."""

    patience = 900
    answers_within = 60
    stores = NODES
    timing = {"ttl": 60, "loop_wait": 5, "retry_timeout": 20}
    store_timing = ["--heartbeat-interval", 1000, "--election-timeout", 10_000]

    def __init__(self, guest):
        super().__init__({"shared_buffers": "128MB", "max_wal_size": "1GB"})  # they have little memory, and small disks
        self.guest = guest

    def make_hosts(self):
        for name, address in NODES.items():
            self.hosts[name] = Machine(self.guest, self.own(name), name, address, [self.store_words(name), self.node_words(name)])

    def start_hosts(self):
        for host in self.hosts.values():
            host.start()
        self.wait_until_whole()

    def data(self, name):
        return self.own(name) / "disk"

    def lose_power(self):
        """All of them at once, and start them again."""
        for host in self.hosts.values():
            host.process.kill()
        for host in self.hosts.values():
            host.kill()
            host.start()
