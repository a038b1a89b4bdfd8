# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The events in the virtual machine, and the findings that are allowed for them.

`script` is one of scripts.cpp; `before` and `middle` are shell lines of guest.sh, run before the programs start and
when the active one pauses. `taps` are interfaces of the router: ra0 is towards the active side, rb0 towards the
passive side.
"""
from dataclasses import dataclass, field


@dataclass
class Scenario:
    name: str
    script: str
    what: str
    before: list[str] = field(default_factory=list)
    middle: list[str] = field(default_factory=list)
    taps: tuple = ("ra0",)
    late: bool = False  # the capture begins when the active side pauses
    settings: str = ""               # OFFLOAD=yes, IPV6=yes, UDP=yes
    addresses: tuple = ("10.1.0.1", "10.2.0.1")
    ends: str = "session_terminate"  # how sessions end, unless their last message determines it
    outcome: str = "completed"  # outcome of each session that was not refused
    outcomes: dict = field(default_factory=dict)  # the same of single ones, by "stream/session"
    doubled: bool = False            # the network itself made copies
    lost_behind_tap: bool = False
    must: dict = field(default_factory=dict)  # codes of findings that must be reported, and their owners
    may: tuple = ()  # codes of findings that may be reported

    def shell(self):
        """Lines for guest.sh."""
        taps = f"taps {' '.join(self.taps)}"
        before = self.before + ([] if self.late else [taps])
        middle = self.middle + ([taps] if self.late else [])
        return "\n".join([
            "OFFLOAD= IPV6= UDP=", self.settings,
            "before_start() {", *(before or [":"]), "}",
            "in_the_middle() {", *(middle or [":"]), "}",
            f"scenario {self.name} {self.script} {self.addresses[0]} {self.addresses[1]}"])


def netem(tap, *words):
    return f"on r tc qdisc add dev {tap} root netem limit 5000 {' '.join(words)}"


SCENARIOS = [
    Scenario("sctp-linux-each-message", "each-message", "one of each message"),
    Scenario("sctp-linux-send", "send", "Sends of 0 to 12000 octets both ways"),
    Scenario("sctp-linux-write-send", "write-send", "RDMA Writes, each announced by a Send and answered by one; b ends it"),
    Scenario("sctp-linux-read", "read", "RDMA Reads, four outstanding at a time, in an enhanced session"),
    Scenario("sctp-linux-streams", "streams", "twelve streams with a session each, alternating messages"),
    Scenario("sctp-linux-sessions-in-turn", "sessions-in-turn", "four sessions one after another on one stream"),
    Scenario("sctp-linux-enhanced", "enhanced", "enhanced sessions with each RTR; four Reads outstanding, the ORD; atomics"),
    Scenario("sctp-linux-reject", "reject", "two Rejects, a refusal by Session Terminate, then a session",
             must={"QP-01": "passive", "QP-04": None}),
    Scenario("sctp-linux-terminate-by-active", "terminate-by-active",
             "a Write with an unknown STag, which the active side answers by a Terminate; another stream goes on",
             must={"QP-02": "active"}, outcomes={"0/0": "failed"}),
    Scenario("sctp-linux-terminate-by-passive", "terminate-by-passive",
             "a Write with an unknown STag, which the passive side answers by a Terminate; another stream goes on",
             must={"QP-02": "passive"}, outcomes={"0/0": "failed"}),
    Scenario("sctp-linux-fragmented", "fragmented", "DDP segments of 6000 octets, in several DATA chunks each"),
    Scenario("sctp-linux-fragmented-needlessly", "fragmented-needlessly",
             "the passive side's SCTP cuts at 500 octets what its packets hold", must={"SC-14": "passive"}),
    Scenario("sctp-multihomed-linux", "bulk-with-pause", "two addresses at each end; the path in use fails in the middle",
             middle=[netem("ra0", "loss 100%"), netem("rb0", "loss 100%")], taps=("ra0", "ra1"),
             addresses=("10.1.0.1,10.3.0.1", "10.2.0.1,10.4.0.1"), must={"SC-21": None}),
    Scenario("sctp-linux-lost-before-tap", "bulk", "a tenth of the packets to the passive side is lost before the tap",
             before=[netem("rb0", "loss 10%")], taps=("rb0",), must={"SC-22": "active"}),
    Scenario("sctp-linux-lost-behind-tap", "bulk", "a tenth of the packets to the passive side is lost behind the tap",
             before=[netem("rb0", "loss 10%")], lost_behind_tap=True, must={"SC-21": "active"}),
    Scenario("sctp-linux-reordered", "bulk", "packets to both sides overtake one another before or behind the tap",
             before=[netem("rb0", "delay 20ms reorder 40%"), netem("ra0", "delay 20ms reorder 40%")],
             must={"SC-22": None}, may=("SC-21",)),
    Scenario("sctp-linux-duplicated", "bulk", "a fifth of the packets to the passive side comes twice",
             before=[netem("rb0", "duplicate 20%")], taps=("rb0",), doubled=True,
             must={"CA-03": None}),
    Scenario("sctp-linux-damaged", "bulk", "a bit of a tenth of the packets to the passive side changes before the tap",
             before=[netem("rb0", "corrupt 10%")], taps=("rb0",), must={"SC-20": None}, may=("CA-17", "SC-21", "SC-22")),
    Scenario("sctp-linux-midstream", "bulk-with-pause", "captured from the middle on", late=True, may=("CA-05",)),
    Scenario("sctp-linux-abort", "abort", "an ABORT of the passive side while two sessions are open", ends="abort",
             must={"SC-25": None}),
    Scenario("sctp-linux-shutdown", "shutdown", "SHUTDOWN while a session is open", ends="shutdown", must={"SC-11": None}),
    Scenario("sctp-linux-ping-pong", "ping-pong", "small alternating Sends, with SACKs in their packets"),
    Scenario("sctp-linux-bundled", "bundled", "Nagle's delay: messages of three streams share packets"),
    Scenario("sctp-linux-offload", "bulk", "captured where the kernel leaves CRC and packets to an adapter", settings="OFFLOAD=yes",
             must={"SC-24": None}),
    Scenario("sctp-linux-udp", "bulk", "in UDP datagrams of port 9899", settings="UDP=yes"),
    Scenario("sctp-linux-ipv6", "bulk", "over IPv6", settings="IPV6=yes", addresses=("fd01::1", "fd02::1")),
]
