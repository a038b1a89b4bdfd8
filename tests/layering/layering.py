#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks which folders may include which: layering.py [ROOT]

Octets flow down the list of layers, includes never do: a file of shared/ includes its own layer or layers above it.
plugin/, daemon/ and gui/ include shared/ and themselves; of one another only daemon/api and daemon/bundle. Inside each of
them the folders have an order, too. shared/ uses no file, no thread, no clock, no Qt, no libpcap and no Wireshark (<chrono> is allowed for
its calendar). The synthesiser shares no decoder with the core, only base.
Prints one line for each include that violates this and exits 1; exits 0 if no include does.
"""

import re
import sys
from pathlib import Path

# The layers in the order in which octets flow.
LAYERS = ["base", "findings", "net", "tcp", "mpa", "sctp", "ddp", "rdmap", "ulp", "qp", "emulation", "verdict",
          "hosts", "join", "analysis", "fields", "report"]
# The faces, and their folders: each may include those of earlier steps. Folders of one step do not include one another.
FACES = {
    "plugin": [["session"], ["epan"], ["statistics"]],
    "daemon": [["capture", "confine"], ["engine"], ["live"], ["outputs", "metrics", "api"], ["bundle"], ["cli", "service", "centre"], ["forward"]],
    "gui": [["session"], ["models"], ["views"], ["window"]],
}
# The folders that other faces may include.
OPEN = (("daemon", "api"), ("daemon", "bundle"))
SUFFIXES = {".h", ".hpp", ".cpp", ".cc", ".ipp"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)
BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

# Headers that the core must not include, by their spelling in the include, and why.
FOREIGN = [
    (re.compile(r"^(Q[A-Z]\w*|Qt\w*/.*|q[a-z]+\.h)$"), "Qt"),
    (re.compile(r"^pcap(\.h|/.*)$"), "libpcap"),
    (re.compile(r"^(epan|wsutil|wiretap|wireshark|ui)/.*|^ws_\w+\.h$"), "Wireshark"),
    (re.compile(r"^(thread|mutex|shared_mutex|condition_variable|future|stop_token|semaphore|latch|barrier|"
                r"pthread\.h|threads\.h|absl/synchronization/.*)$"), "threads"),
    (re.compile(r"^(ctime|time\.h|sys/time\.h|absl/time/.*)$"), "clocks"),
    (re.compile(r"^(fstream|iostream|filesystem|cstdio|stdio\.h|fcntl\.h|unistd\.h|sys/(stat|mman|socket)\.h|fmt/os\.h|"
                r"sqlite3\.h|grpcpp/.*)$"), "files and sockets"),
    (re.compile(r"^(random|absl/random/.*|sys/random\.h)$"), "randomness"),
]

# Code can read a clock without another header once <chrono> is included.
CLOCK = re.compile(r"\b\w*_clock\s*::\s*now\b|\b(?:clock_gettime|gettimeofday)\s*\(|"
                   r"\btime\s*\(\s*(?:0|NULL|nullptr)\s*\)|\babsl\s*::\s*Now\b")


def includes(path):
    """The includes of a file: (line, spelling, is_quoted). Includes in block comments do not count."""
    text = path.read_text(encoding="utf-8", errors="replace")
    text = BLOCK_COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
    for match in INCLUDE.finditer(text):
        quoted, angled = match.groups()
        yield text.count("\n", 0, match.start()) + 1, quoted or angled, quoted is not None


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix in SUFFIXES) if folder.is_dir() else []


def check_core(root):
    """Checks shared/<layer>/ for the order of layers and for the headers that the core must not include."""
    shared = root / "shared"
    for path in sources(shared):
        own = path.relative_to(shared).parts[0]
        if own not in LAYERS:
            yield f"{path.relative_to(root)}: shared/{own} is not in the list of layers"
            continue
        for line, spelling, quoted in includes(path):
            where = f"{path.relative_to(root)}:{line}: {own} includes {spelling}"
            first = spelling.split("/")[0]
            if quoted and (first not in LAYERS or "/" not in spelling):
                yield f"{where}: the core's own headers are spelt \"layer/file.h\""
            elif first in LAYERS and LAYERS.index(first) > LAYERS.index(own):
                yield f"{where}: {first} is below {own}"
            elif first in FACES or first == "shared":
                yield f"{where}: the core includes no face, and itself without \"shared/\""
            for pattern, what in FOREIGN:
                if pattern.match(spelling):
                    yield f"{where}: the core knows no {what}"
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if CLOCK.search(line.split("//")[0]):
                yield f"{path.relative_to(root)}:{number}: {own} reads a clock: the core knows the packets' time alone"


def face_of(root, path, spelling):
    """The place (program folder, folder, ...) of the header with this spelling, as the file at `path` would find it;
    or None."""
    own = path.relative_to(root).parts[0]
    places = [path.parent, root / own, root / "shared", root] + [root / face for face in FACES if face != own]
    for place in places:
        found = (place / spelling).resolve()
        if found.is_file():
            inside = found.relative_to(root).parts if found.is_relative_to(root) else ()
            return inside if inside and inside[0] in FACES else None
    return None


def out_of_order(order, path, header, where):
    """The file at `path` (its parts) includes `header` of the same face; a file of the face itself may include all."""
    own, other = path[1], header[1]
    if len(path) == 2 or own == other or "." in other:
        return
    if own in order and other in order and order[other] >= order[own]:
        yield f"{where}: {path[0]}/{own} includes {'/'.join(header[1:])}: {other} does not come before {own}"


def check_faces(root):
    """Checks that plugin/, daemon/ and gui/ do not include each other, and that their folders keep their order."""
    for face, steps in FACES.items():
        order = {folder: step for step, folders in enumerate(steps) for folder in folders}
        placed = {path.relative_to(root).parts[1] for path in sources(root / face) if path.parent != root / face}
        for folder in sorted(placed - order.keys()):
            yield f"{face}/{folder} is not in the order of folders"
        for path in sources(root / face):
            for line, spelling, quoted in includes(path):
                parts = face_of(root, path, spelling)
                if parts and parts[0] != face and parts[:2] not in OPEN:
                    yield f"{path.relative_to(root)}:{line}: {face} includes {spelling}: of {parts[0]}/"
                elif parts and parts[0] == face:
                    yield from out_of_order(order, path.relative_to(root).parts, parts, f"{path.relative_to(root)}:{line}")


def check_synthesiser(root):
    """Checks that tests/synth/ does not include the core: the generator of captures must be independent of the
    reader."""
    for path in sources(root / "tests" / "synth"):
        for line, spelling, quoted in includes(path):
            first = spelling.split("/")[0]
            if quoted and first in LAYERS and first != "base" and (root / "shared" / spelling).is_file():
                yield f"{path.relative_to(root)}:{line}: synth includes {spelling}: it shares only base with the core"


def check(root):
    root = root.resolve()
    return [*check_core(root), *check_faces(root), *check_synthesiser(root)]


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[2]
    files = sources(root / "shared")
    if not files:
        print(f"{root}: no sources in shared/", file=sys.stderr)
        return 2
    broken = check(root)
    for line in broken:
        print(line)
    print(f"{len(files)} files of shared/ checked, {len(broken)} includes are out of order")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
