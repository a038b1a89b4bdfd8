# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a virtual machine of the tests boots: Debian's kernel, not installed, and an initramfs with a first program."""

import gzip
import os
import re
import shutil
import subprocess
from pathlib import Path


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def said(*command):
    return run(*command, stdout=subprocess.PIPE, text=True).stdout


class Guest:
    """`kernel`: Debian's package that depends on the newest one. What is made is kept in `work`."""

    def __init__(self, work, kernel, modules):
        os.environ["PATH"] += ":/usr/sbin:/sbin"
        self.work, self.modules = work, modules
        work.mkdir(parents=True, exist_ok=True)
        self.image = self.unpack(kernel)
        self.kernel = next((self.image / "boot").glob("vmlinuz-*"))
        self.initramfs = work / "initramfs.gz"

    def unpack(self, name):
        """The folder of the kernel with its modules."""
        package = re.search(r"Depends: (linux-image-\d\S+)", said("apt-cache", "depends", name))[1]
        folder = self.work / package
        if not folder.exists():
            run("apt-get", "-q", "download", package, cwd=self.work)
            run("dpkg", "-x", next(self.work.glob(f"{package}_*.deb")), folder)
            run("depmod", "-b", folder, next((folder / "lib/modules").iterdir()).name)
        return folder

    def pack(self, init, programs=(), files=None):
        """Makes the initramfs. `programs`: paths; `files`: texts by their path in the guest."""
        root = self.work / "root"
        shutil.rmtree(root, ignore_errors=True)
        (root / "bin").mkdir(parents=True)
        shutil.copy("/bin/busybox", root / "bin/busybox")
        for path in programs:
            add_program(root, path)
        self.add_modules(root)
        shutil.copy(init, root / "init")
        (root / "init").chmod(0o755)
        for path, text in (files or {}).items():
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        names = b"\0".join(str(p.relative_to(root)).encode() for p in sorted(root.rglob("*")))
        packed = run("cpio", "--null", "-o", "-H", "newc", "--quiet", cwd=root, input=names, stdout=subprocess.PIPE).stdout
        self.initramfs.write_bytes(gzip.compress(packed, 1))

    def add_modules(self, root):
        """The modules that the guest loads, those that they need, and the index."""
        folder = next((self.image / "lib/modules").iterdir())
        needed = "\n".join(said("modprobe", "-d", self.image, "-S", folder.name, "--show-depends", name) for name in self.modules)
        files = {Path(path) for path in re.findall(r"(?m)^insmod (\S+)", needed)} | set(folder.glob("modules.*"))
        for source in files:
            target = root / source.resolve().relative_to(self.image.resolve())
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)

    def command(self, *more, memory, append=""):
        """Of qemu, without KVM. The console is its output."""
        words = ["qemu-system-x86_64", "-accel", "tcg", "-cpu", "max", "-m", memory, "-smp", 1, "-display", "none", "-no-reboot", "-serial", "stdio",
                 "-kernel", self.kernel, "-initrd", self.initramfs, "-append", f"console=ttyS0 quiet panic=-1 {append}", *more]
        return [str(word) for word in words]


def add_program(root, path):
    """With the libraries that it is linked with."""
    libraries = re.findall(r"(/\S+) \(0x", said("ldd", path))
    for source in [path, *libraries]:
        target = root / ("usr/bin/" + os.path.basename(source) if source == path else source.lstrip("/"))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
