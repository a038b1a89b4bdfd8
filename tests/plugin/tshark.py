# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""tshark with and without the plugin. It runs as a user without root rights, because Wireshark loads no personal plugins
for root. It has its own home, and the plugin and the capture are copied to a folder that the user can read."""

import atexit
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile

UNPRIVILEGED = "65534"
PROGRAM = os.environ.get("TSHARK", "tshark")
SHARKD = os.environ.get("SHARKD", "sharkd")
TIME_LIMIT = 60  # seconds for one run; ten times that under a sanitizer
# Output that must never occur. Leaks are checked separately.
FAULTS = re.compile(r"AddressSanitizer|ThreadSanitizer|runtime error:|CRITICAL \*\*|GLib-CRITICAL|"
                    r"Dissector bug, protocol iWARP|ERROR:|assertion failed")
LEAK = re.compile(r"^(?:Direct|Indirect) leak of .*(?:\n.+)*", re.MULTILINE)

# The leak checker itself sometimes fails when a thread of tshark ends during the check: with some captures on each try.
# Then leaks are not checked in that run.
LEAK_CHECK_FAILED, LEAK_CHECKS = b"LeakSanitizer has encountered a fatal error", 3


class Fault(Exception):
    """tshark failed: it crashed, hung, or printed an error about the plugin."""


class Result:
    def __init__(self, returncode, stdout, stderr):
        self.returncode, self.stdout, self.stderr = returncode, stdout, stderr

    def lines(self):
        return self.stdout.splitlines()

    def rows(self):
        """For a run with -T fields: for each frame the text of its fields, several values separated by commas."""
        return [[",".join(_bit(v) for v in cell.split(",")) for cell in line.split("\t")] for line in self.lines()]


def _folder():
    path = tempfile.mkdtemp(prefix="iwarpscope-plugin-test-")
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    os.chmod(path, 0o755)
    os.mkdir(os.path.join(path, "home"))
    os.mkdir(os.path.join(path, "extcap"))
    os.mkdir(os.path.join(path, "data"))
    os.chmod(os.path.join(path, "home"), 0o777)
    return path


class Tshark:
    """`plugin`: the module, in a folder as Wireshark needs it, .../4.0/epan/iwarpscope.so; None: tshark alone."""

    def __init__(self, plugin=None):
        self.folder = _folder()
        self.plugins = os.path.join(self.folder, "plugins")
        self.sanitizer = None
        os.mkdir(self.plugins)
        if plugin is None:
            return
        epan = os.path.dirname(os.path.abspath(plugin))
        version = os.path.basename(os.path.dirname(epan))
        to = os.path.join(self.plugins, version, "epan")
        os.makedirs(to)
        shutil.copy(plugin, to)
        os.chmod(os.path.join(to, os.path.basename(plugin)), 0o755)
        self.sanitizer = _sanitizer(plugin)

    def run(self, arguments, capture=None, time_limit=TIME_LIMIT):
        """Reads `capture`, if given. Raises Fault. The caller checks tshark's exit status: it is not 0 for files that
        are cut."""
        copy = None
        if capture is not None:
            copy = os.path.join(self.folder, os.path.basename(capture))
            shutil.copyfile(capture, copy)
            os.chmod(copy, 0o644)
            arguments = ["-r", copy, *arguments]
        limit = time_limit * (10 if self.sanitizer else 1)
        try:
            for leaks in [True] * LEAK_CHECKS + [False]:
                done = subprocess.run(self.command(*arguments, leaks=leaks), stdin=subprocess.DEVNULL,
                                      capture_output=True, timeout=limit, check=False)
                if LEAK_CHECK_FAILED not in done.stderr:
                    break
            if not leaks:
                print(f"{capture}: {arguments}: leaks were not checked, as the leak checker breaks", flush=True)
        except subprocess.TimeoutExpired as error:
            raise Fault(f"{capture}: {arguments}: not done after {limit} s") from error
        finally:
            if copy is not None:
                os.remove(copy)
        result = Result(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
        fault = fault_of(result)
        if fault:
            raise Fault(f"{capture}: {arguments}: {fault}")
        return result

    def command(self, *arguments, rights=(), leaks=True, program=PROGRAM):
        """The command that starts it. Valid as long as this object exists. `rights`: arguments for setpriv, which leave
        some of root's rights."""
        return [*self._as_nobody(rights), "env", *self._environment(leaks), program, *arguments]

    @staticmethod
    def _as_nobody(rights):
        if os.geteuid() != 0:
            return []
        return ["setpriv", "--reuid", UNPRIVILEGED, "--regid", UNPRIVILEGED, "--clear-groups", *rights]

    def _environment(self, leaks):
        home = os.path.join(self.folder, "home")
        environment = [f"HOME={home}", f"XDG_CONFIG_HOME={home}/.config", f"WIRESHARK_PLUGIN_DIR={self.plugins}",
                       # Without its programs that look for capture interfaces: one of them waits for ever.
                       f"WIRESHARK_EXTCAP_DIR={os.path.join(self.folder, 'extcap')}",
                       # Without its lists of names of manufacturers and enterprises: reading them is a third of its start.
                       f"WIRESHARK_DATA_DIR={os.path.join(self.folder, 'data')}", "TZ=UTC", "LC_ALL=C.UTF-8"]
        if self.sanitizer:
            # tshark itself is not instrumented: the sanitizer must be loaded first. The sanitizer only prints leaks;
            # fault_of() decides whether they are the plugin's.
            environment += [f"LD_PRELOAD={self.sanitizer}", "LSAN_OPTIONS=exitcode=0:print_suppressions=0",
                            f"ASAN_OPTIONS=detect_leaks={int(leaks)}:detect_stack_use_after_return=1:strict_string_checks=1:"
                            "abort_on_error=1", "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1",
                            "TSAN_OPTIONS=ignore_noninstrumented_modules=1"]
        return environment


class Sharkd:
    """Wireshark's dissection in one process for many captures and questions; its start is most of the time of a short
    run of tshark. It works in two passes like Wireshark's window: it dissects a capture when it loads it, and a frame
    again when it is asked for its tree, or for a filter."""

    def __init__(self, shark):
        self.shark, self.process, self.asked, self.loads, self.read, self.capture = shark, None, 0, 0, 0, None
        self.before = {}  # what preferences were before load() set them
        self.errors = tempfile.TemporaryFile()

    def load(self, capture, **preferences):
        """Reads `capture` with these preferences; a dot in a name is written as two underscores. Of a damaged file it
        has the frames before the damage."""
        self.capture = capture
        for name, value in {**self.before, **preferences}.items():
            self.before.setdefault(name, self.preference(name))
            self.ask("setconf", name=name.replace("__", "."), value=value)
        self.before = {name: value for name, value in self.before.items() if name in preferences}
        copy = os.path.join(self.shark.folder, os.path.basename(capture))
        shutil.copyfile(capture, copy)
        os.chmod(copy, 0o644)
        self.loads += 1
        try:
            self._send("load", file=copy)  # not answered if the file is damaged
            self.count = self.ask("status")["frames"]
        finally:
            os.remove(copy)

    def preference(self, name):
        name = name.replace("__", ".")
        return "TRUE" if self.ask("dumpconf", pref=name)["prefs"][name]["b"] else "FALSE"

    def shown(self, only):
        """The numbers of the frames that the filter shows. Raises Fault if it is no filter."""
        # It remembers a filter's frames by the filter's text, also when it has loaded another capture.
        return [frame["num"] for frame in self.ask("frames", filter=only + " " * self.loads)]

    def rows(self, only, *fields):
        """As the rows of `tshark -2 -Y only -T fields -e frame.number -e FIELD...`; fields without a value have their label.
        Of columns, it has _ws.col.Protocol and _ws.col.Info. Hidden fields, such as those under the built-in dissectors'
        names, are only in filters: sharkd 4.0 never shows them."""
        found = []
        for frame in self.ask("frames", filter=only + " " * self.loads):
            cells = {field: [] for field in fields}
            cells |= {column: [frame["c"][at]] for column, at in COLUMNS.items() if column in cells}
            for item in _flat(self.tree(frame["num"], hidden=True)):
                name, _, value = item.get("f", "").partition(" == ")
                if name in cells:
                    cells[name].append(_without_colons(_value(value)) if value else item["l"])
            found.append([str(frame["num"]), *(",".join(cells[field]) for field in fields)])
        return found

    def tree(self, frame, **options):
        """Its protocols, each with its label `l`, its filter `f` and its items `n`."""
        return self.ask("frame", frame=frame, proto=True, **options)["tree"]

    def frames(self, only="iwarp", **options):
        """As frames() below; items without a value have their label instead of their field. Hidden items only with
        hidden=True."""
        return {number: {"iwarp": [_items(layer["n"]) for layer in self.tree(number, **options) if layer.get("f") == "iwarp"]}
                for number in self.shown(only)}

    def ask(self, method, **params):
        """The result. Raises Fault."""
        self._send(method, **params)
        answer = {"id": None}
        limit = TIME_LIMIT * (10 if self.shark.sanitizer else 1)
        before = signal.signal(signal.SIGALRM, lambda *_: self.process.kill())
        signal.alarm(limit)
        while answer["id"] != self.asked:
            line = self.process.stdout.readline()
            if not line:
                break
            answer = json.loads(line) if line.startswith(b"{") else answer
        late = signal.alarm(0) == 0
        signal.signal(signal.SIGALRM, before)
        if answer["id"] != self.asked:
            self._end(f"not done after {limit} s" if late else "", f"{method} {params}")
        self._check(0, f"{method} {params}")
        if "error" in answer:
            raise Fault(f"{self.capture}: {method} {params}: {answer['error']['message']}")
        return answer["result"]

    def close(self):
        """Ends it, and checks what it printed."""
        if self.process is not None:
            self.process.stdin.close()
            self._end("", "the end")

    def _send(self, method, **params):
        if self.process is None:
            self.process = subprocess.Popen(self.shark.command("-", program=SHARKD), stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=self.errors)
        self.asked += 1
        asked = {"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}
        try:
            self.process.stdin.write(json.dumps(asked).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            self._end("", f"{method} {params}")

    def _end(self, fault, asked):
        """After its output has ended."""
        ended, self.process = self.process, None
        ended.stdout.close()
        ended.wait()
        if fault:
            raise Fault(f"{self.capture}: {asked}: {fault}")
        self._check(ended.returncode, asked)
        if asked != "the end":
            raise Fault(f"{self.capture}: {asked}: ended with {ended.returncode}")

    def _check(self, returncode, asked):
        printed = os.pread(self.errors.fileno(), 1 << 20, self.read)
        self.read += len(printed)
        fault = fault_of(Result(returncode, "", printed.decode(errors="replace"))) if printed or returncode else ""
        if LEAK_CHECK_FAILED in printed:
            print(f"{self.capture}: {asked}: leaks were not checked, as the leak checker breaks", flush=True)
        elif fault:
            raise Fault(f"{self.capture}: {asked}: {fault}")


COLUMNS = {"_ws.col.Protocol": 4, "_ws.col.Info": 6}  # where `frames` has them
_ESCAPED = re.compile(r"\\(x[0-9a-fA-F]{2}|.)")
_OCTETS = re.compile("[0-9a-f]{2}(?::[0-9a-f]{2})+")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def _unescaped(found):
    text = found[1]
    return chr(int(text[1:], 16)) if len(text) == 3 else _ESCAPES.get(text, text)


def _value(text):
    """Of the right side of an item's filter: the value as tshark writes it."""
    if text.startswith('"'):
        return _ESCAPED.sub(_unescaped, text[1:-1])
    if text.startswith("0x") and len(text) % 2:  # of a field of some bits; tshark writes whole octets
        return "0x0" + text[2:]
    return text


def _without_colons(value):
    """tshark writes octets so with -T fields."""
    return value.replace(":", "") if _OCTETS.fullmatch(value) else value


def _flat(items):
    """Every item, from the top down."""
    for item in items:
        yield item
        yield from _flat(item.get("n", ()))


def _items(shown):
    """Items of sharkd as a tree of frames()."""
    tree = {}
    for item in shown:
        name, _, value = item.get("f", "").partition(" == ")
        has_value = bool(name) and name != "text" and not name.startswith("frame[")
        if has_value:
            tree.setdefault(name, []).append(_bit(_value(value)))
        if "n" in item:
            tree.setdefault(name + "_tree" if has_value else item["l"], []).append(_items(item["n"]))
    return tree


def _sanitizer(plugin):
    """The library that must be loaded before a sanitised module; None: the module is not sanitised."""
    needed = subprocess.run(["readelf", "-d", plugin], capture_output=True, text=True, check=True).stdout
    found = re.search(r"\[(lib(?:[at]san|clang_rt\.[at]san-\w+)\.so)[.\d]*\]", needed)
    if found is None:
        return None
    compiler = "clang" if "clang_rt" in found[1] else "gcc"
    named = subprocess.run([compiler, f"-print-file-name={found[1]}"], capture_output=True, text=True, check=True)
    return os.path.realpath(named.stdout.strip())


def fault_of(result):
    """The fault of a run, as text; empty: none."""
    # At the end, Wireshark may have unloaded the module already.
    leaks = [leak[0] for leak in LEAK.finditer(result.stderr) if re.search("iwarpscope|unknown module", leak[0])]
    if leaks:
        return "leaks of the plugin:\n" + "\n".join(leaks)
    if "AddressSanitizer" not in re.sub(r"SUMMARY: AddressSanitizer: \d+ byte\(s\) leaked.*", "", result.stderr):
        found = FAULTS.search(re.sub(r"==\d+==ERROR: LeakSanitizer.*|SUMMARY: AddressSanitizer: \d+ byte.*", "",
                                    result.stderr))
    else:
        found = FAULTS.search(result.stderr)
    if found:
        return result.stderr[max(0, found.start() - 200):found.start() + 4000]
    if result.returncode < 0 or result.returncode >= 128:
        return f"ended by a signal: {result.returncode}\n{result.stderr[-2000:]}"
    return ""


def _bit(value):
    """Newer versions write flags as words."""
    if isinstance(value, (str, bool)):
        return {"True": "1", "False": "0"}.get(str(value), value)
    return value


def _pairs(pairs):
    node = {}
    for key, value in pairs:
        node.setdefault(key, []).append(_bit(value))
    return node


def frames(result):
    """By frame number, the iWARP tree from a run with -T json: each field is a list of its values in order, each subtree
    is a separate one."""
    found = {}
    for packet in json.loads(result.stdout or "[]", object_pairs_hook=_pairs):
        layers = packet["_source"][0]["layers"][0]
        number = int(layers["frame"][0]["frame.number"][0])
        found[number] = {"iwarp": [n for n in layers.get("iwarp", []) if isinstance(n, dict)]}
    return found


def nodes(tree, field):
    """Every tree below `tree` that has `field` directly in it, from the top down."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if field in node:
            yield node
        waiting += [value for values in reversed(node.values()) for value in reversed(values) if isinstance(value, dict)]


def values(tree, field):
    """Every value of `field` in `tree`."""
    return [v for node in nodes(tree, field) for v in node[field] if not isinstance(v, dict)]


def number(text):
    return int(text, 0)
