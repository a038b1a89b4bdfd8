# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A program that is started once and run often; see started_once.cpp. Its runs share neither memory nor files, but have
the working directory and the environment of the first moment, and no input."""

import os
import pathlib
import socket
import subprocess
import threading


class Started:
    """Runs of one program; each thread has a start of its own."""

    def __init__(self, program):
        self.program, self.here, self.all = str(program), threading.local(), []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for process, requests in self.all:
            requests.close()
            process.wait()

    def run(self, *arguments):
        """As subprocess.run() with captured text."""
        words = [os.fspath(one) if isinstance(one, os.PathLike) else str(one) for one in arguments]
        outputs = [os.memfd_create(name) for name in ("output", "error output")]
        try:
            requests = self._requests()
            socket.send_fds(requests, ["".join(f"{word}\0" for word in words).encode("utf-8", "surrogateescape")], outputs)
            status = int.from_bytes(requests.recv(4), "little", signed=True)
            texts = [os.pread(output, os.fstat(output).st_size, 0).decode("utf-8") for output in outputs]
        finally:
            for output in outputs:
                os.close(output)
        return subprocess.CompletedProcess([self.program, *words], os.waitstatus_to_exitcode(status), *texts)

    def _requests(self):
        if not hasattr(self.here, "requests"):
            ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            library = pathlib.Path(self.program).with_name("libstarted_once.so")
            process = subprocess.Popen([self.program], pass_fds=[its.fileno()], stdin=subprocess.DEVNULL, env={
                **os.environ, "LD_PRELOAD": str(library), "LD_BIND_NOW": "1", "IWARPSCOPE_REQUESTS": str(its.fileno())})
            its.close()
            self.here.requests = ours
            self.all.append((process, ours))
        return self.here.requests
