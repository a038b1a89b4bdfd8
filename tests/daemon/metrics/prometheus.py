# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prometheus' own tools and server, for tests."""

import contextlib
import json
import re
import shutil
import subprocess
import sys
import unittest
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/daemon/service"))
from running import free_port  # noqa: E402

SHARE = ROOT / "daemon/share"


def tool(name):
    path = shutil.which(name)
    if path is None:
        raise unittest.SkipTest(f"{name} is not installed (Debian package prometheus)")
    return path


def get(url):
    """Text of an answer; empty: no answer yet."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode()
    except OSError:
        return ""


@contextlib.contextmanager
def server(folder, name, configuration, *options):
    """A Prometheus with this configuration; gives its port."""
    port = free_port()
    file = folder / f"{name}.yml"
    file.write_text(configuration)
    with open(folder / f"{name}.txt", "wb") as log:
        process = subprocess.Popen([tool("prometheus"), f"--config.file={file}", f"--web.listen-address=127.0.0.1:{port}", *options],
                                   cwd=folder, stdout=log, stderr=log)
    try:
        yield port
        if process.poll() is not None:
            raise AssertionError(f"{name} ended: " + (folder / f"{name}.txt").read_text())
    finally:
        process.terminate()
        process.wait(30)


def query(port, expression):
    """The answer; {}: none yet."""
    text = get(f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": expression}))
    try:
        return json.loads(text)
    except ValueError:
        return {}


def series(port, expression):
    """Of an answer: a list of {"metric": labels, "value": [time, text]}."""
    return query(port, expression).get("data", {}).get("result", [])


def names():
    """Of every metric that there can be: those of the code."""
    found = set()
    for file, prefix in (("daemon/metrics/families.cpp", "iwarp_"), ("daemon/centre/site_metrics.cpp", "iwarp_centre_")):
        found |= {prefix + name for name in re.findall(r'(?:counter|gauge|histogram)\(\s*"(\w+)"', (ROOT / file).read_text())}
    counters = (ROOT / "shared/qp/direction_counters.h").read_text()
    return found | {"iwarp_" + name for name in re.findall(r'\.metric = "(\w+)"', counters)}


def used(text):
    """Names of metrics in rules or expressions."""
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in re.findall(r"\biwarp_\w+", text)}


def offered(metrics):
    """Names of metrics in Prometheus' text format."""
    return {line.split()[2] for line in metrics.splitlines() if line.startswith("# TYPE")}


def check(metrics):
    """What the linter says, and its exit status."""
    run = subprocess.run([tool("promtool"), "check", "metrics"], input=metrics, capture_output=True, text=True, check=False)
    return run.returncode, run.stdout + run.stderr
