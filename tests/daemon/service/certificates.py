# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Certificates of a small world, made by openssl(1)."""

import os
import shutil
import subprocess


def certificate(folder, name, signer=None, address="127.0.0.1"):
    """name.pem and name.key in the folder, good for two days, signed by another of these, or by itself as an authority.
    The user of a daemon that root starts can read the key."""
    key, request, extensions = (folder / f"{name}.{end}" for end in ("key", "csr", "ext"))

    def openssl(*words):
        subprocess.run(["openssl", *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, check=True)

    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out", request,
            "-subj", f"/CN={name}")
    extensions.write_text(f"subjectAltName=IP:{address}\n" if signer else "basicConstraints=critical,CA:TRUE\n")
    by = ["-CA", folder / f"{signer}.pem", "-CAkey", folder / f"{signer}.key", "-CAcreateserial"] if signer else ["-signkey", key]
    openssl("x509", "-req", "-in", request, "-out", folder / f"{name}.pem", "-days", "2", "-extfile", extensions, *by)
    request.unlink()
    extensions.unlink()
    key.chmod(0o600)
    if os.geteuid() == 0:
        shutil.chown(key, "nobody")
