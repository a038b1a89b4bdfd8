# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The contents of a PNG written by Qt: 8 bits per channel, not interlaced."""

import struct
import zlib


def chunks(octets):
    """(type, content) of each chunk."""
    if not octets.startswith(b"\x89PNG\r\n\x1a\n"):
        raise ValueError("this is no PNG")
    place = 8
    while place < len(octets):
        length, kind = struct.unpack_from(">I4s", octets, place)
        yield kind, octets[place + 8:place + 8 + length]
        place += 12 + length


def paeth(left, above, corner):
    near = left + above - corner
    to_left, to_above, to_corner = abs(near - left), abs(near - above), abs(near - corner)
    if to_left <= to_above and to_left <= to_corner:
        return left
    return above if to_above <= to_corner else corner


def rows(octets):
    """(width, height, octets per pixel, the rows)"""
    parts = list(chunks(octets))
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", parts[0][1])
    if depth != 8 or interlaced:
        raise ValueError("this is no PNG as Qt writes it")
    pixel = {0: 1, 2: 3, 3: 1, 6: 4}[kind]
    raw = zlib.decompress(b"".join(content for name, content in parts if name == b"IDAT"))
    found, above, stride = [], bytearray(width * pixel), width * pixel + 1
    for y in range(height):
        how, row = raw[y * stride], bytearray(raw[y * stride + 1:(y + 1) * stride])
        if how:
            for x, value in enumerate(row):
                left, corner = (row[x - pixel], above[x - pixel]) if x >= pixel else (0, 0)
                row[x] = value + (0, left, above[x], (left + above[x]) // 2, paeth(left, above[x], corner))[how] & 255
        found.append(bytes(row))
        above = row
    return width, height, pixel, found


def colors(octets):
    """Number of pixels of each colour."""
    counts = {}
    _, _, pixel, lines = rows(octets)
    for row in lines:
        for x in range(0, len(row), pixel):
            color = row[x:x + pixel]
            counts[color] = counts.get(color, 0) + 1
    return counts
