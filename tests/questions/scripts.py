# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Samples for questions that no other sample covers: iwarpscope-synth plays these scripts to make
samples/made/questions/NAME.pcapng."""

import re

SCRIPTS = {
    "peer-to-peer-not-echoed": """
        connect; request rev=2 p2p offer=read ird=16 ord=16; reply rev=2 enhanced=on ird=16 ord=16
        full-operation a; terminate a layer=2 type=0 code=7 alone; reset b""",
    "rtr-of-another-kind": """
        connect; request rev=2 p2p offer=read,write ird=16 ord=16; reply rev=2 p2p offer=read ird=16 ord=16
        full-operation a; full-operation b; rtr write; terminate b layer=2 type=0 code=7 alone; close b""",
    "rtr-with-stag-zero-refused": """
        connect; startup p2p rtr=write ird=16 ord=16; terminate b layer=1 type=1 code=0; reset b""",
    "terminate-over-length-zero": """
        connect; startup; fault a length-zero; send a 100; terminate b layer=2 type=0 code=3 alone; close b
        connection; connect; startup markers; send a 100; send b 100; terminate b layer=2 type=0 code=3 alone; close b""",
    "terminate-over-response-to-nothing": """
        connect; startup; send a 100; send b 10; tagged b stag=0x55 to=0x1000 opcode=2 100; terminate a layer=0 type=2 code=7
        close a
        connection; connect; startup; send a 100; send b 10; write b stag=0x55 to=0x1000 100
        terminate a layer=0 type=2 code=7; close a""",
    "terminate-over-atomic-code": """
        connect; startup; send a 100; send b 10; alter a payload=00000005{z96}
        atomic-request a fetch-add stag=0x10 to=0x1000 data=5; terminate b layer=0 type=2 code=6; close b
        connection; connect; startup; send a 100; send b 10; atomic-request a fetch-add stag=0x10 to=0x1000 data=5
        terminate b layer=0 type=2 code=6; close b""",
    "terminate-over-atomic-response": """
        connect; startup; send a 100; send b 10; atomic-request a fetch-add stag=0x10 to=0x1000 data=5
        untagged b qn=3 msn=1 opcode=11 hex={z64}; terminate a layer=0 type=2 code=6; close a
        connection; connect; startup; send a 100; send b 10; untagged b qn=3 msn=1 opcode=11 hex={z24}
        terminate a layer=0 type=2 code=6; close a""",
    "rtr-kinds-differ": """
        connect; request rev=2 p2p offer=write ird=16 ord=16; reply rev=2 p2p offer=read ird=16 ord=16
        full-operation a; full-operation b; rtr write; terminate b layer=2 type=0 code=7 alone; close b""",
    "third-send-without-receive": """
        connect; startup; send a 100; ack b; send a 100; ack b; send b 10; send a 100
        terminate b layer=1 type=2 code=2 dialect=siw; close b
        connection; connect; startup; send a 100; ack b; send a 100; ack b; send b 10; send a 300
        terminate b layer=1 type=2 code=2 dialect=siw; close b""",
    "ird-too-small": """
        connect; request rev=2 ird=16 ord=16; reply rev=2 ird=1 ord=16
        full-operation a; terminate a layer=2 type=0 code=6 alone; reset a""",
    "legacy-depths-little-endian": """
        end b port=5445
        connect; startup private=1000000008000000 reply-private=0800000010000000; send a 100; send b 100; close""",
    "fallback-to-revision-1": """
        connect; request rev=2 ird=16 ord=16; reset b
        connection; connect; startup rev=1; send a 100; send b 100; close""",
    "markers-refused": "connect; startup markers reply-markers=off reject; close b",
    "too-many-reads": """
        connect; startup rev=2 ird=2 ord=2; send a 10; send b 10; repeat 3 read-request a size=100
        repeat 3 read-response b; send a 10; send b 10; close""",
    "stag-used-after-invalidate": """
        connect; startup; send a 10; read a size=100 source-stag=0x1200 source-to=0x1000
        send-invalidate a stag=0x1200 10; send b 10; write a stag=0x1200 to=0x1000 100; terminate b layer=1 type=1 code=0
        close b""",
    "atomic-result-impossible": """
        connect; startup; send a 10; repeat 2 atomic a fetch-add stag=0x10 to=0x1000 data=5
        atomic-request a fetch-add stag=0x10 to=0x1000 data=5; atomic-response b original=77; send b 10; close""",
    "atomic-malformed-later": """
        connect; startup; send a 10; repeat 2 atomic a fetch-add stag=0x10 to=0x1000 data=5
        atomic-request a fetch-add stag=0x10 to=0x1000 data=5; atomic-response b original=77; send b 10; close
        connection; wait 50ms; connect; startup; alter a ulpdu-octets=68; atomic-request a fetch-add stag=0x20 data=5
        terminate b layer=1 type=2 code=5; close b""",
    "atomic-malformed-before": """
        connect; startup; send a 10; alter a ulpdu-octets=68; atomic-request a fetch-add stag=0x20 data=5; send a 10
        connection; connect; startup; send a 10; repeat 2 atomic a fetch-add stag=0x10 to=0x1000 data=5
        wait 50ms; alter a ulpdu-octets=68; atomic-request a fetch-add stag=0x20 data=5; wait 50ms
        atomic-request a fetch-add stag=0x10 to=0x1000 data=5; atomic-response b original=77; send b 10; close""",
    "atomic-counter-run-again": """
        connect; startup; send a 10; repeat 3 atomic a fetch-add stag=0x10 to=0x1000 data=5; close
        connection; connect; startup; send a 10; atomic-request a fetch-add stag=0x10 to=0x1000 data=5
        atomic-response b original=0; close""",
    "atomic-counter-shared": """
        connect; startup; send a 10; repeat 3 atomic a fetch-add stag=0x10 to=0x1000 data=5
        connection; connect; startup; send a 10; atomic-request a fetch-add stag=0x10 to=0x1000 data=5
        atomic-response b original=0; close""",
    "atomic-counter-after-terminate": """
        connect; startup; send a 10; repeat 3 atomic a fetch-add stag=0x10 to=0x1000 data=5
        terminate b layer=0 type=0 code=0 alone; close b
        connection; connect; startup; send a 10; atomic-request a fetch-add stag=0x10 to=0x1000 data=5
        atomic-response b original=0; close""",
    "crc-read-out-of-zeros": """
        connect; startup; send a 10; send b 10; fill zeros; alter a length-xor=256; send a 300
        terminate b layer=2 type=0 code=2 alone; reset b
        connection; connect; startup; send a 10; send b 10; fill zeros; repeat 3 send a 300; alter a length-xor=256
        send a 300; reset b
        connection; connect; startup; send a 10; send b 10; fill zeros; fault a crc-zero; send a 300
        terminate b layer=2 type=0 code=2 alone; reset b
        connection; connect; startup; send a 10; send b 10; fault a crc-byte-order; send a 300; send a 300; close""",
    "marker-late-in-header": """
        connect; startup markers; send a 472; send b 10; alter a length=118 omit-markers
        untagged a qn=0 msn=2 mo=16 opcode=3 hex=00000000{5a*100}; msn a 0 3; send a 100; send a 100; close""",
    "initiator-sends-no-fpdus": """
        connect; startup nocrc; repeat 3 stream a 700; send b 10; close
        connection; connect; startup nocrc; repeat 3 stream a 700; send b 10; reset a""",
    "responses-unreadable": """
        connect; startup nocrc; send a 10; repeat 9 send b 10; repeat 4 read-request a size=100
        repeat 8 octets b text="These octets are no FPDUs, though a Read Response is due here."; close a""",
    "fpdus-quoted-after-loss": """
        connect; startup nocrc markers; repeat 4 send a 100; send b 10; miss a; miss a skip=1; miss a skip=2
        send a hex={001a4143000000000000000000000384000000005a5a5a5a5a5a5a5a00000000*160}
        ack b; repeat 7 send a 100; repeat 3 send a 700; close""",
    "request-cut-short": """
        connect; request length=40; ack b; wait 3s; reset b
        connection; connect; request length=600; ack b; wait 3s; reset b""",
    "reply-not-captured": "connect; request; miss b; reply; ack a; wait 8s; reset a",
    "read-never-answered": """
        connect; startup p2p rtr=read ird=1 ord=1; send a 100; read-request a size=100; ack b; wait 30s
        keep-alive a octet""",
    "send-never-answered": """
        connect; startup; send a 100; send b 100; send a 300; ack b; wait 30s; keep-alive a octet""",
    "window-stays-closed": """
        connect; startup; send a 100; send b 100; send a 100; window b 0; send b 10; ack a; wait 20s
        connection; connect; close""",
    "peer-gone-silent": """
        connect; startup; send a 100; send b 100; ack a; capture a; retransmit a delay=0; send a 300; wait 30s; reset a""",
    "reply-late": """
        connect; wait 2s; request; wait 7s; reply; full-operation a; full-operation b; send a 100; send b 100; close""",
    "responder-first-then-reset": "connect; startup; send b 100; reset a",
    "responder-first-crossing-a-send": "connect; startup; send b 100; send a 100; reset a",
    "responder-first-then-closed": "connect; startup; send b 100; close a",
    "refused-without-its-request": "capture off; connect; request; capture on; reply reject; wait 1s; close a",
    "session-given-up": "sctp; connect; session a initiate; ack b; wait 2s; session a terminate",
    "read-open-while-others-flow": """
        connect; startup; send a 100; read-request a size=100; wait 30s; send b 10; wait 1s; send a 10""",
    "request-then-gone-at-once": "connect; request; ack b; wait 5ms; reset a",
    "reply-never": "connect; request; ack b; wait 12s; close a",
    "answered-by-another-program": """
        connect; request; stream b text="HTTP/1.1 400 Bad Request"; close b""",
    "another-program-speaks-first": """
        connect; stream b text="SSH-2.0-OpenSSH_9.2p1"; wait 1ms; request; stream b text="Invalid SSH identification string."
        close b""",
    "mail-server-speaks-first": """
        connect; stream b text="220 mail.example.org ESMTP ready"; wait 1ms; request; ack b; wait 30s; close b""",
    "reset-with-a-read-open": """
        connect; startup; send a 100; read-request a size=100; wait 100ms; reset b""",
    "three-ways-to-fail": """
        connect; startup; write a stag=0x10 to=0x1000 100; terminate b layer=1 type=1 code=0; reset b
        connection; connect; startup; send a 10; read-request a size=100; wait 3s; reset a
        connection; connect; startup rev=1 reject; close b""",
    "hole-holds-messages-back": """
        connect; startup; send a 100; send b 100; lose a delay=5; repeat 5 send a 500; wait 80ms; send a 500; send b 50
        close""",
    "nvme-queue-too-small": """
        end b port=4420
        connect; startup private=0000010080007f00{z48} reply-private=00004000{z56}
        send a 100; send b 100; close""",
    "nvme-queue-refused": """
        end b port=4420
        connect; startup reject private=0000010080007f00{z48} reply-private=00000600; close b""",
    "nfs-thresholds-differ": """
        end b port=20049
        connect; startup private=f6ab0e1801000303 reply-private=f6ab0e1801000f0f; send a 100; send b 100; close""",
}


def lines(name):
    """The script of this sample, in the form that the program reads."""
    text = re.sub(r"\{z(\d+)\}", lambda zeros: "0" * int(zeros[1]), SCRIPTS[name])
    text = re.sub(r"\{(\w+)\*(\d+)\}", lambda many: many[1] * int(many[2]), text)
    return "\n".join(line.strip() for line in text.strip().splitlines()) + "\n"
