# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A veth cable in a network namespace of its own, and senders that fill it faster than Python's socket calls can."""

import ctypes
import errno
import multiprocessing
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

NEAR, FAR = "wire0", "mirror0"  # frames go in at the one and are watched at the other
SKIPPED = 77


def enter():
    """Starts this script once more in a network namespace of its own, with a cable in it; ends with 77 where none can be
    made. It is one of processes, too: all of them end with this one."""
    missing = [name for name in ("unshare", "ip") if shutil.which(name) is None]
    if missing or os.geteuid() != 0 or subprocess.run(["unshare", "--net", "true"], check=False).returncode != 0:
        print(f"Skipped: it needs root, network namespaces and {missing or 'nothing else'}.")
        sys.exit(SKIPPED)
    if os.environ.get("IWARPSCOPE_CABLE_INSIDE") is None:
        os.environ["IWARPSCOPE_CABLE_INSIDE"] = "1"
        sys.stdout.flush()
        os.execvp("unshare", ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, "-B",
                              *sys.argv])
    # What the kernel itself says on a new link would be counted by the daemon and not by the sender.
    for name in ("all", "default"):
        path = Path(f"/proc/sys/net/ipv6/conf/{name}/disable_ipv6")
        if path.exists():
            path.write_text("1", encoding="ascii")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    add_cable(NEAR, FAR)


def add_cable(near, far):
    """A cable with these ends, in the namespace that enter() made."""
    for words in (["link", "add", near, "mtu", "65535", "type", "veth", "peer", "name", far, "mtu", "65535"],
                  ["link", "set", near, "up"], ["link", "set", far, "up"]):
        subprocess.run(["ip", *words], check=True)


def sum16(octets):
    """The ones' complement sum of 16-bit words."""
    total = sum(struct.unpack(f">{len(octets) // 2}H", octets[:len(octets) // 2 * 2]))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def moved(frame, by):
    """The frame of a connection whose Initiator has another port; the TCP checksum is as right as it was."""
    if frame[12:14] != b"\x08\x00" or frame[23] != 6:
        return frame
    at = 14 + (frame[14] & 15) * 4
    if len(frame) < at + 18 or int.from_bytes(frame[20:22], "big") & 0x3FFF:
        return frame  # cut, or a fragment
    source, destination = struct.unpack_from(">HH", frame, at)
    place, old = (at, source) if source > destination else (at + 2, destination)
    new = 1024 + (old + 7 * by) % 60000
    checksum, = struct.unpack_from(">H", frame, at + 16)
    checksum = ~sum16(struct.pack(">HHH", ~checksum & 0xFFFF, ~old & 0xFFFF, new)) & 0xFFFF  # RFC 1624
    out = bytearray(frame)
    struct.pack_into(">H", out, place, new)
    struct.pack_into(">H", out, at + 16, checksum)
    return bytes(out)


def metrics(daemon, label=None):
    """The sum of each metric; of those lines alone that have the label, if one is given."""
    with urllib.request.urlopen(f"http://127.0.0.1:{daemon.port}/metrics", timeout=10) as answer:
        lines = [line for line in answer.read().decode().splitlines() if not line.startswith("#")]
    found = {}
    for line in lines:
        if not label or label in line:
            name, value = line.split("{")[0], float(line.split()[-1])
            found[name] = found.get(name, 0) + value
    return found


class Header(ctypes.Structure):
    """struct msghdr."""
    _fields_ = [("name", ctypes.c_void_p), ("name_octets", ctypes.c_uint32), ("pieces", ctypes.c_void_p),
                ("piece_count", ctypes.c_size_t), ("control", ctypes.c_void_p), ("control_octets", ctypes.c_size_t),
                ("flags", ctypes.c_int)]


class Message(ctypes.Structure):
    """struct mmsghdr of sendmmsg(2)."""
    _fields_ = [("header", Header), ("sent", ctypes.c_uint)]


class Piece(ctypes.Structure):
    """struct iovec."""
    _fields_ = [("octets", ctypes.c_void_p), ("count", ctypes.c_size_t)]


class Load:
    """Frames that go out many a system call, each round as connections of other ports."""

    # What is added to the higher port is taken from the lower one, so that the TCP checksum stays right (RFC 1071): ports
    # around 5000 meet none that a known upper layer listens on.
    PORTS = range(-400, 200)
    BEFORE = 0  # octets before the ports that change, too

    def __init__(self, frames):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.count, self.round = len(frames), 0
        self.octets = ctypes.create_string_buffer(b"".join(frames))
        self.ends = {}  # both ends of a direction of a connection: the octets that all its frames share
        self.pieces, self.messages = (Piece * (3 * self.count))(), (Message * self.count)()
        at = ctypes.addressof(self.octets)
        for n, (message, frame) in enumerate(zip(self.messages, frames)):
            cuts = [0, len(frame), len(frame), len(frame)]
            if frame[12:14] == b"\x08\x00" and frame[23] == 6:
                cuts[2] = 18 + (frame[14] & 15) * 4
                cuts[1] = cuts[2] - 4 - self.BEFORE
            ends = frame[cuts[1]:cuts[2]]
            shared = self.ends.setdefault(ends, ctypes.create_string_buffer(ends, len(ends))) if ends else None
            for i, (begin, end) in enumerate(zip(cuts, cuts[1:])):
                piece = self.pieces[3 * n + i]
                piece.octets = ctypes.addressof(shared) if i == 1 and shared else at + begin
                piece.count = end - begin
            message.header.pieces, message.header.piece_count = ctypes.addressof(self.pieces[3 * n]), 3
            at += len(frame)

    def next_round(self):
        self.round += 1
        by = self.PORTS[self.round % len(self.PORTS)]
        for ports, shared in self.ends.items():
            source, destination = struct.unpack(">HH", ports)
            sign = by if source > destination else -by
            shared[:4] = struct.pack(">HH", source + sign, destination - sign)

    def send(self, cable, first, count):
        """At most so many frames. Returns how many went out; one that the other end had no room for is among them."""
        at = ctypes.addressof(self.messages) + first * ctypes.sizeof(Message)
        done = self.libc.sendmmsg(cable.fileno(), ctypes.c_void_p(at), min(count, self.count - first), 0)
        if done < 0:
            if ctypes.get_errno() != errno.ENOBUFS:  # counted by the other end
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
            return 1
        return done


class UniqueLoad(Load):
    """Its ends never come again: the address of the end with the higher port is another one in each round, too. What is
    added to one half of it is taken from the other one. No frame has options of IPv4."""

    BEFORE = 8
    ROUNDS = 50_000

    def next_round(self):
        self.round += 1
        if self.round == self.ROUNDS:
            raise AssertionError(f"there are no addresses for more than {self.ROUNDS} rounds")
        port = self.PORTS[self.round % len(self.PORTS)]
        for ends, shared in self.ends.items():
            words = list(struct.unpack(">6H", ends))
            first, sign = (0, 1) if words[4] > words[5] else (2, -1)
            words[first] = (words[first] + self.round) % 65535
            words[first + 1] = (words[first + 1] - self.round) % 65535
            shared[:12] = struct.pack(">6H", *words[:4], words[4] + sign * port, words[5] - sign * port)


class Sender(multiprocessing.get_context("fork").Process):
    """A process, on a processor of its own if there is one, that sends a load at a rate, round after round. The
    connections are others in each round unless they `stay`. `near`: the end of the cable."""

    CHUNK = 256     # frames of a system call at most
    PAUSE = 0.0005  # seconds between two looks at what is due

    def __init__(self, frames, cpu, stay=False, near=NEAR):
        super().__init__(daemon=True)
        self.frames, self.cpu, self.stay, self.near, self.sent = frames, cpu, stay, near, 0
        self.ours, self.its = multiprocessing.Pipe()
        self.start()
        self.its.close()

    def run(self):
        self.ours.close()
        os.sched_setaffinity(0, {self.cpu})
        os.nice(-10)
        load, at = Load(self.frames), 0
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as cable:
            cable.bind((self.near, 0))
            while True:
                try:
                    rate, seconds = self.its.recv()
                except EOFError:
                    return
                begun, sent = time.monotonic(), 0
                # What was due when the time was over, but not sent as others had the processor, is sent then.
                while (passed := time.monotonic() - begun) < seconds or rate and sent < round(seconds * rate) and passed < seconds + 5:
                    due = self.CHUNK if rate is None else min(round(min(passed, seconds) * rate) - sent, self.CHUNK)
                    if due <= 0:
                        time.sleep(self.PAUSE)
                        continue
                    done = load.send(cable, at, due)
                    sent += done
                    at += done
                    if at == load.count:
                        if not self.stay:
                            load.next_round()
                        at = 0
                self.its.send((sent, time.monotonic() - begun))

    def begin(self, rate, seconds):
        """So many frames a second, or with None as many as go."""
        self.ours.send((rate, seconds))

    def result(self, patience=60):
        """Frames a second that went out since begin()."""
        if not self.ours.poll(patience):
            raise AssertionError(f"the sender did not answer within {patience} s")
        sent, seconds = self.ours.recv()
        self.sent += sent
        return sent / seconds

    def close(self):
        self.ours.close()
        self.join(5)
        if self.is_alive():
            self.terminate()


class Throttle(multiprocessing.get_context("fork").Process):
    """Lets a process run for a share of the time only, as cpulimit(1) does: it is stopped for the rest of each period."""

    def __init__(self, pid, share):
        super().__init__(daemon=True)
        self.throttled, self.share = pid, share
        self.period = max(0.02, 0.001 / share)  # seconds: it runs for a while before the next signal
        self.start()

    def run(self):
        os.nice(-10)
        while True:
            os.kill(self.throttled, signal.SIGSTOP)
            time.sleep(self.period * (1 - self.share))
            os.kill(self.throttled, signal.SIGCONT)
            time.sleep(self.period * self.share)

    def close(self):
        """Lets it run again; as often as one likes."""
        self.terminate()
        self.join()
        try:
            os.kill(self.throttled, signal.SIGCONT)
        except ProcessLookupError:
            pass
