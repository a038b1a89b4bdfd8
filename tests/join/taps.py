# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a second tap would have seen: frames of a capture, divided and rewritten. Reads and writes pcap files of Ethernet."""

import gzip
import pathlib
import struct

HEADER = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 1)


class Frame:
    """One frame. Times in microseconds. TCP fields are None for what is no whole TCP over IPv4 or IPv6."""

    def __init__(self, time, octets, length):
        self.time, self.octets, self.length = time, bytearray(octets), length
        self.ip = self.tcp = None
        kind = struct.unpack_from(">H", self.octets, 12)[0] if len(octets) >= 14 else 0
        if kind == 0x0800 and octets[23] == 6:
            self.ip, self.address, self.hosts = 14, 4, (26, 30)
            self.tcp = 14 + (octets[14] & 15) * 4
            self.end = 14 + struct.unpack_from(">H", self.octets, 16)[0]
        elif kind == 0x86DD and octets[20] == 6:
            self.ip, self.address, self.hosts = 14, 16, (22, 38)
            self.tcp = 54
            self.end = 54 + struct.unpack_from(">H", self.octets, 18)[0]

    def copy(self, time=None):
        return Frame(self.time if time is None else time, self.octets, self.length)

    def host(self, which):
        at = self.hosts[which]
        return bytes(self.octets[at:at + self.address])

    @property
    def ports(self):
        return struct.unpack_from(">HH", self.octets, self.tcp)

    @property
    def sender(self):
        return self.host(0), self.ports[0]

    @property
    def receiver(self):
        return self.host(1), self.ports[1]

    @property
    def connection(self):
        return tuple(sorted((self.sender, self.receiver)))

    @property
    def sequence(self):
        return struct.unpack_from(">I", self.octets, self.tcp + 4)[0]

    @property
    def payload(self):
        """Its place in the frame."""
        return self.tcp + (self.octets[self.tcp + 12] >> 4) * 4, min(self.end, len(self.octets))

    @property
    def carries(self):
        return self.payload[1] - self.payload[0]

    @property
    def identification(self):
        """The number that a sender gives each packet of IPv4: a copy has the same, a retransmission another one."""
        return self.octets[self.ip + 4:self.ip + 6] if self.address == 4 else b""

    def rewrite(self, at, octets):
        """Changes octets and keeps the checksums of TCP and IP as right, or as wrong, as they were."""
        for start, checksum in self._sums(at):
            del start
            old, new = self._word_sum(at, self.octets[at:at + len(octets)]), self._word_sum(at, octets)
            self._adjust(checksum, old, new)
        self.octets[at:at + len(octets)] = octets

    def _sums(self, at):
        if at in self.hosts or at >= self.tcp:
            yield at, self.tcp + 16
        if self.address == 4 and at < self.tcp:
            yield at, self.ip + 10

    def _word_sum(self, at, octets):
        odd = (at - self.tcp) % 2 if at >= self.tcp else 0
        padded = bytes(odd) + bytes(octets)
        padded += bytes(len(padded) % 2)
        return sum(struct.unpack(f">{len(padded) // 2}H", padded))

    def _adjust(self, at, old, new):
        """RFC 1624: HC' = ~(~HC + ~m + m')."""
        value = (~struct.unpack_from(">H", self.octets, at)[0] & 0xFFFF) + new + (0xFFFF * 65536 - old)
        while value > 0xFFFF:
            value = (value & 0xFFFF) + (value >> 16)
        struct.pack_into(">H", self.octets, at, ~value & 0xFFFF)


def read(path):
    data = (gzip.open if str(path).endswith(".gz") else open)(path, "rb").read()
    assert data[:4] == HEADER[:4] and struct.unpack_from("<I", data, 20)[0] == 1, path
    frames, at = [], 24
    while at < len(data):
        seconds, micros, captured, length = struct.unpack_from("<IIII", data, at)
        frames.append(Frame(seconds * 1_000_000 + micros, data[at + 16:at + 16 + captured], length))
        at += 16 + captured
    return frames


def write(path, frames):
    with open(path, "wb") as out:
        out.write(HEADER)
        for frame in frames:
            out.write(struct.pack("<IIII", frame.time // 1_000_000, frame.time % 1_000_000, len(frame.octets), frame.length))
            out.write(frame.octets)


def by_time(frames):
    return sorted(frames, key=lambda frame: frame.time)


# Dividing a capture: each gives the frames of two taps.
def by_connections(frames, chance):
    place = {}
    taps = ([], [])
    for frame in frames:
        where = place.setdefault(frame.tcp and frame.connection, chance.choice(((0,), (1,), (0, 1))))
        for tap in where:
            taps[tap].append(frame)
    return taps


def by_directions(frames, chance):
    place = {}
    taps = ([], [])
    for frame in frames:
        first = place.setdefault(frame.tcp and frame.connection, chance.randrange(2))
        taps[first if frame.tcp is None or frame.sender < frame.receiver else 1 - first].append(frame)
    return taps


def by_frames(frames, chance):
    taps = ([], [])
    for frame in frames:
        taps[chance.randrange(2)].append(frame)
    return taps


def by_frames_some_at_both(frames, chance):
    taps = ([], [])
    for frame in frames:
        for tap in chance.choice(((0,), (1,), (0, 1))):
            taps[tap].append(frame)
    return taps


DIVISIONS = (by_connections, by_directions, by_frames, by_frames_some_at_both)


# What happens between two taps to the octets of one sender.
def sent_twice(frames, sender):
    """Pairs of frames of `sender` with the same octets: the first transmission, and the one that came later."""
    first, pairs = {}, []
    for frame in frames:
        if frame.tcp is None or frame.sender != sender or frame.carries == 0:
            continue
        key = frame.sequence, frame.carries
        if key in first and first[key].identification != frame.identification:
            pairs.append((first[key], frame))
        first[key] = frame
    return pairs


def came_late(frames, sender):
    """Frames of `sender` whose octets are below others that came before and were not seen, each with the frame that it
    should have come before."""
    seen, found, highest = [], [], None
    for frame in frames:
        if frame.tcp is None or frame.sender != sender or frame.carries == 0:
            continue
        end = (frame.sequence + frame.carries) & 0xFFFFFFFF
        is_new = all(frame.sequence != other.sequence for other in seen)
        if highest is not None and is_new and (end - highest) & 0xFFFFFFFF > 1 << 31:
            later = next(o for o in seen if 0 < (o.sequence - frame.sequence) & 0xFFFFFFFF < 1 << 31)
            found.append((frame, later))
        if highest is None or (end - highest) & 0xFFFFFFFF < 1 << 31:
            highest = end
        seen.append(frame)
    return found


def first_transmission(frame, time):
    """As a frame was that was sent again as `frame`."""
    first = frame.copy(time)
    if first.address == 4:
        first.rewrite(first.ip + 4, bytes([first.identification[0] ^ 0x80, first.identification[1]]))
    return first


def without(frames, those):
    gone = {id(frame) for frame in those}
    return [frame for frame in frames if id(frame) not in gone]


def copies(frames):
    return [frame.copy() for frame in frames]


def further(frames, sender, micros):
    """As a tap that is so much further on the way from `sender` sees them."""
    moved = copies(frames)
    for frame in moved:
        if frame.tcp is not None:
            frame.time += micros if frame.sender == sender else -micros
    return by_time(moved)


def at_other_clock(frames, micros):
    moved = copies(frames)
    for frame in moved:
        frame.time += micros
    return moved


def translated(frames, host, other):
    """With another address of a host."""
    changed = copies(frames)
    for frame in changed:
        for which in (0, 1):
            if frame.tcp is not None and frame.host(which) == host:
                frame.rewrite(frame.hosts[which], other)
    return changed


def captures(folder):
    return sorted(path for path in pathlib.Path(folder).iterdir() if ".pcap" in path.name)
