#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""iwarpscope-synth as a program: a script from a file, standard input or the command line gives the same octets. Errors
are printed in one line on standard error, with exit status 2.

    program_test.py IWARPSCOPE_SYNTH
"""
import os
import subprocess
import sys
import tempfile

LINES = ("connect", "startup rev=2 markers p2p rtr=read ird=8 ord=8", 'send a text="one two"; lose b', "write b 3000", "close")
WRONG = ((["-e", "connect", "-e", "sned a"], "-e:2: no such command: 'sned'"), (["/no/such/file"], "/no/such/file: cannot be"),
         (["/"], "/: cannot be read"), (["/dev/null"], "/dev/null: no packet is captured"),
         (["-e", "connect", "FILE"], "a file or -e, not both"))

WRONG_LOADS = ((["bulk", "--streams", "2"], "--streams needs --transport sctp"),
               (["small", "--transport", "sctp", "--no-crc"], "Markers and the CRC of MPA need --transport tcp"),
               (["mixture", "--sizes", "64:0"], "'64:0' has the weight 0"),
               (["mixture", "--sizes", "64,9-8"], "'9-8' is not a range up to 1048576"),
               (["mixture", "--sizes", "6x:2"], "'6x:2' has no valid number"),
               (["mixture", "--opcodes", "sned:2"], "'sned:2' is not an opcode"))


def main():
    program = sys.argv[1]
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        script, out = os.path.join(folder, "script"), os.path.join(folder, "out.pcapng")
        text = "\n".join(LINES) + "\n"
        with open(script, "w", encoding="utf-8") as f:
            f.write(text)
        seen = set()
        for arguments, given in (([script], None), (["-"], text), ([a for line in LINES for a in ("-e", line)], None)):
            subprocess.run([program, "script", *arguments, "-o", out], input=given, text=True, check=True)
            with open(out, "rb") as f:
                seen.add(f.read())
        if len(seen) != 1 or not next(iter(seen)).startswith(b"\x0a\x0d\x0d\x0a"):
            faults.append("the three ways to give a script do not give one pcapng file")
        for arguments, error in WRONG:
            arguments = [script if a == "FILE" else a for a in arguments]
            r = subprocess.run([program, "script", *arguments, "-o", out], capture_output=True, text=True, check=False)
            if r.returncode != 2 or not r.stderr.startswith("iwarpscope-synth: " + error) or r.stderr.count("\n") != 1:
                faults.append(f"{arguments}: exit {r.returncode}, {r.stderr!r}")
        for arguments, error in WRONG_LOADS:
            r = subprocess.run([program, *arguments, "-o", out], capture_output=True, text=True, check=False)
            if r.returncode != 2 or r.stderr != f"iwarpscope-synth: {error}\n":
                faults.append(f"{arguments}: exit {r.returncode}, {r.stderr!r}")
        named = subprocess.run([program, "faults"], capture_output=True, text=True, check=True).stdout.splitlines()
        for name in (line.split()[0] for line in named):
            subprocess.run([program, "script", "-e", f"startup; fault {name}; send a 3000", "-o", out], check=True)
        if len(named) < 40:
            faults.append(f"{len(named)} faults are listed")
    print("\n".join(faults) or "as expected")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
