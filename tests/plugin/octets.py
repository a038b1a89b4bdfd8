# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Octets of iWARP as hexadecimal text, made only by this file, without the plugin's own code."""

import struct


def text(words):
    return words.encode().hex()


def crc32c(octets):
    """Source: RFC 3720 appendix B.4, the CRC that RFC 5044 §4.4 names."""
    crc = 0xFFFFFFFF
    for octet in octets:
        crc ^= octet
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def untagged(opcode, qn, msn, mo, last=True):
    """The DDP header with RDMAP's control octet. Source: RFC 5041 §4.3, RFC 5040 §4.1."""
    return struct.pack(">BBIIII", 0x41 if last else 0x01, 0x40 | opcode, 0, qn, msn, mo).hex()


def fpdu(ulpdu):
    """Without markers. Source: RFC 5044 §4.1."""
    ulpdu = bytes.fromhex(ulpdu)
    body = struct.pack(">H", len(ulpdu)) + ulpdu
    body += bytes(-len(body) % 4)
    return (body + struct.pack("<I", crc32c(body))).hex()
