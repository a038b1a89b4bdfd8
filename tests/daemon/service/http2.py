# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls of iwarpscope.v1 by hand, over a socket: a client that a library would not let anybody write. It reads when it
is asked to, or never, and what it sends need not be right."""

import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM, ACK, END_HEADERS = 1, 1, 4
INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE = 4, 5
OBSERVER = "/iwarpscope.v1.Observer/"


def frame(kind, flags, stream, payload=b""):
    """Source: RFC 9113 §4.1."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def header(name, value):
    """A literal, not indexed, with a new name. Source: RFC 7541 §6.2.2."""
    name, value = name.encode(), value.encode()
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


def headers(method):
    fields = {":method": "POST", ":scheme": "http", ":path": OBSERVER + method, ":authority": "test", "te": "trailers",
              "content-type": "application/grpc"}
    return b"".join(header(name, value) for name, value in fields.items())


def message(octets):
    """A message of gRPC, not compressed."""
    return b"\0" + struct.pack(">I", len(octets)) + octets


def call(method, octets=b"", stream=1):
    return frame(HEADERS, END_HEADERS, stream, headers(method)) + frame(DATA, END_STREAM, stream, message(octets))


def begin(window=65535):
    """What every connection begins with; `window`: octets of each call that may come unasked."""
    grown = window - 65535
    return (PREFACE + frame(SETTINGS, 0, 0, struct.pack(">HI", INITIAL_WINDOW_SIZE, window)) +
            (frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", grown)) if grown > 0 else b""))


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def field(number, value):
    """Of protobuf: a number, or octets."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def fields(octets):
    """(number, value) of each field of a message that is right: numbers, or octets."""
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            octet = octets[at]
            at += 1
            value |= (octet & 127) << shift
            shift += 7
            if octet < 128:
                return value

    while at < len(octets):
        key = number()
        kind = key & 7
        if kind == 0:
            yield key >> 3, number()
            continue
        size = number() if kind == 2 else {1: 8, 5: 4}[kind]
        yield key >> 3, octets[at:at + size]
        at += size


class Reader:
    """Makes messages of what comes on a connection with one call, and answers what has to be answered."""

    def __init__(self):
        self.octets, self.data, self.is_over = bytearray(), bytearray(), False

    def take(self, octets):
        """(messages that are whole now, octets to send)."""
        self.octets += octets
        answer = bytearray()
        while len(self.octets) >= 9:
            size = int.from_bytes(self.octets[:3], "big")
            if len(self.octets) < 9 + size:
                break
            kind, flags = self.octets[3], self.octets[4]
            stream = int.from_bytes(self.octets[5:9], "big")
            payload = bytes(self.octets[9:9 + size])
            del self.octets[:9 + size]
            if kind == DATA and size:
                self.data += payload
                grown = struct.pack(">I", size)
                answer += frame(WINDOW_UPDATE, 0, 0, grown) + frame(WINDOW_UPDATE, 0, stream, grown)
            elif kind in (SETTINGS, PING) and not flags & ACK:
                answer += frame(kind, ACK, 0, payload if kind == PING else b"")
            self.is_over |= kind in (GOAWAY, RST_STREAM) or (kind in (DATA, HEADERS) and bool(flags & END_STREAM))
        messages = []
        while len(self.data) >= 5:
            size, = struct.unpack_from(">I", self.data, 1)
            if len(self.data) < 5 + size:
                break
            messages.append(bytes(self.data[5:5 + size]))
            del self.data[:5 + size]
        return messages, bytes(answer)


def replies(connection, method, octets=b""):
    """Each message of the answer to one question. The connection has a time limit."""
    reader = Reader()
    connection.sendall(begin() + call(method, octets))
    while not reader.is_over:
        came = connection.recv(1 << 20)
        if not came:
            return
        messages, answer = reader.take(came)
        yield from messages
        connection.sendall(answer)


def ask(connection, method, octets=b""):
    """The answer to one question; None: no answer, for any reason."""
    try:
        return next(replies(connection, method, octets), None)
    except OSError:
        return None
