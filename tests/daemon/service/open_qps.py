# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Many queue pairs that stay open, and clients that ask about them."""

import json
import struct
import subprocess

from cable import metrics, sum16
from running import wait_until

OF_EACH = 7  # frames of a queue pair of `iwarpscope-synth idle-qps`: opened, and a Send each way


def acknowledgement(send, answered):
    """A TCP segment without octets from the sender of a Send, which acknowledges so many octets sent to it since."""
    ip = bytearray(send[14:34])
    tcp = bytearray(send[34:34 + (send[46] >> 4) * 4])
    octets = len(send) - 34 - len(tcp)
    sequence, acknowledged = struct.unpack_from(">II", tcp, 4)
    struct.pack_into(">II", tcp, 4, sequence + octets & 0xFFFFFFFF, acknowledged + answered & 0xFFFFFFFF)
    tcp[13] = 0x10
    tcp[16:18] = b"\0\0"
    pseudo = bytes(ip[12:20]) + struct.pack(">HH", 6, len(tcp))
    struct.pack_into(">H", tcp, 16, ~sum16(pseudo + bytes(tcp)) & 0xFFFF)
    struct.pack_into(">H", ip, 2, 20 + len(tcp))
    ip[10:12] = b"\0\0"
    struct.pack_into(">H", ip, 10, ~sum16(bytes(ip)) & 0xFFFF)
    return send[:14] + bytes(ip) + bytes(tcp)


def acknowledgements(opening):
    """One of each queue pair, which it may send again and again."""
    sends, answers = opening[OF_EACH - 2::OF_EACH], opening[OF_EACH - 1::OF_EACH]
    return [acknowledgement(send, len(answer) - 34 - (answer[46] >> 4) * 4) for send, answer in zip(sends, answers)]


def settled(daemon, sent, patience=120):
    """The frames lost, once every frame sent is analysed or counted as lost."""
    def there():
        now = metrics(daemon)
        lost = now["iwarp_capture_drops_total"]
        return now["iwarp_capture_packets_total"] + lost >= sent and (lost,)

    return wait_until(there, f"{sent} frames analysed or counted as lost", patience)[0]


def ask(command, daemon, clients, qps, seconds=0, rounds=0):
    """What iwarpscope-askers says of its answers."""
    words = [*command, daemon.socket, clients, qps, seconds, rounds]
    return json.loads(subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout)
