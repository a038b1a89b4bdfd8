#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A thousand clients at a daemon that captures: thousand_clients_test.py IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY

All subscribe to all that happens. A hundred read; of the others half give the daemon leave to send as much as it likes,
and none of them ever reads an octet. Not a frame may be lost for it, questions are answered promptly, what the slow ones
lose is counted while they are slow, and when all are gone nothing is left of them. What they cost in memory stays within
the budget and gRPC's share, and nine tenths of it are given back within a minute.
"""

import os
import resource
import selectors
import socket
import sys
import time

import http2
from answers import Asking, Frames, descriptors, resident
from cable import FAR, enter, metrics
from running import Folder, Running, wait_until
from soak import Sender

CLIENTS, READERS = 1000, 100
QUEUE = 65536          # events that may wait for one of them: the budget is less
BUDGET = 32 << 10      # KiB for what waits for them
OF_GRPC = 100          # KiB that gRPC takes for each, and what the C library has not yet given back
EARLIER = 1500         # rounds of connections before they come: what the analysis remembers is then all there
BACK = 60              # seconds
SECONDS = 4            # that they are watched for
SLOW = 50_000          # events that a client that does not read loses; more than a client that reads has got
PROMPT = 20            # seconds for an answer, on a busy machine; three times that with sanitizers
FULL = 2               # QpDetail
SECTIONS = f"""[capture]
interfaces = ["{FAR}"]
[api]
subscriber_memory = "{BUDGET} KiB"
[limits]
after_end = "1 s"
messages = 2000
transport_events = 2000
findings = 1000
ended_queue_pairs = 200
[recorder]
enabled = false
"""


class Client:
    def __init__(self, daemon, reads, window):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(str(daemon.socket))
        wanted = b"".join(http2.field(n, 1) for n in (1, 2, 3)) + http2.field(6, QUEUE) + http2.field(7, FULL)
        self.socket.sendall(http2.begin(window) + http2.call("Subscribe", wanted))
        self.socket.setblocking(False)
        self.reads, self.reader, self.events, self.lost = reads, http2.Reader(), 0, 0

    def read(self):
        """Takes what has come."""
        messages, answer = self.reader.take(self.socket.recv(1 << 20))
        for message in messages:
            for number, value in http2.fields(message):
                self.events += number == 1
                if number == 2:
                    self.lost = value
        if answer:
            self.socket.sendall(answer)


def own_memory(daemon):
    """KiB, without the capture ring."""
    return resident(daemon.process.pid, "RssAnon")


def read_for(seconds, selector):
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        for key, _ in selector.select(left):
            key.data.read()


def main(program, client, root):
    enter()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65536), most))  # that of the unit
    troubles = []

    def check(true, sentence):
        if not true:
            troubles.append(sentence)

    with Folder() as own, Running(program, own.path, SECTIONS) as daemon:
        ask = Asking(client, daemon)
        alone = descriptors(daemon.process.pid)
        earlier = Sender(root, 200)
        earlier.start()
        wait_until(lambda: earlier.times >= EARLIER, f"{EARLIER} rounds", 120)
        earlier.stop()
        wait_until(lambda: Frames(ask.status()).all >= earlier.sent, "their frames", 120)
        before = own_memory(daemon)
        sender = Sender(root, 20)
        sender.start()
        selector = selectors.DefaultSelector()
        clients = []
        for n in range(CLIENTS):
            reads = n % (CLIENTS // READERS) == 0
            clients.append(Client(daemon, reads, 65535 if n % 2 == 0 else 2**31 - 1))
            if reads:
                selector.register(clients[-1].socket, selectors.EVENT_READ, clients[-1])
                read_for(0, selector)
        wait_until(lambda: ask.status()["api"]["subscribers"] == CLIENTS, f"{CLIENTS} subscribers")
        lost, memory, waiting = [], 0, 0
        end = time.monotonic() + SECONDS
        while time.monotonic() < end or len(lost) < 3:
            read_for(0.3, selector)
            lost.append(int(ask.status()["api"]["lost"]))
            ask("qps", "--limit", "50")
            memory = max(memory, own_memory(daemon))
            waiting = max(waiting, metrics(daemon)["iwarp_api_subscriber_bytes"] / 1024)

        def is_counted():
            read_for(0.2, selector)
            return int(ask.status()["api"]["lost"]) > sum(one.lost for one in clients) + SLOW

        wait_until(is_counted, "what is lost to those that do not read, while they do not", 120)
        memory = max(memory, own_memory(daemon))
        threads = len(os.listdir(f"/proc/{daemon.process.pid}/task"))
        readers = [one for one in clients if one.reads]

        def have_events():
            read_for(0.2, selector)
            return all(one.events for one in readers)

        wait_until(have_events, "an event for each client that reads")
        check(ask.longest < PROMPT * (3 if daemon.is_sanitized() else 1), f"an answer took {ask.longest:.1f} s")
        check(threads < 300, f"{threads} threads serve {CLIENTS} clients")
        check(memory - before < BUDGET + OF_GRPC * CLIENTS or daemon.is_sanitized(),
              f"{memory} KiB of memory were taken, {before} before the clients came")
        check(waiting <= BUDGET, f"{waiting:.0f} KiB waited for the clients")
        print(f"{lost} events lost to slow subscribers, as time went on; the readers had "
              f"{min(one.events for one in readers)} to {max(one.events for one in readers)} each and lost "
              f"{sum(one.lost for one in readers)}; {before} KiB before and {memory} with them, of which {waiting:.0f} "
              f"waited; {threads} threads; answers within {ask.longest:.2f} s.")
        for one in clients:
            one.socket.close()
        wait_until(lambda: ask.status()["api"]["subscribers"] == 0, "no subscriber")
        wait_until(lambda: descriptors(daemon.process.pid) <= alone + 8, "connections closed")
        sender.stop()
        begun, goal = time.monotonic(), memory - (memory - before) * 9 // 10
        if not daemon.is_sanitized():
            wait_until(lambda: own_memory(daemon) <= goal, f"at most {goal} KiB", BACK)
        print(f"{own_memory(daemon)} KiB {time.monotonic() - begun:.0f} s after they had gone.")
        sent = earlier.sent + sender.sent
        frames = wait_until(lambda: (now := Frames(ask.status())).all >= sent and now, f"{sent} frames")
        check(frames.all == sent, f"{sent} frames were sent, {frames.all} came")
        check(frames.lost == 0, f"{frames.lost} of {sent} frames were lost")
        took, code = daemon.stop()
        check(code == 0 and took < 10, f"it ended with {code} after {took:.1f} s: {daemon.said()}")
        print(f"{sent} frames sent, {frames.analysed} analysed; stopped in {took:.1f} s.")
    for trouble in troubles:
        print("FAILED:", trouble)
    sys.exit(1 if troubles else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
