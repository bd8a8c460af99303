# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Certificates of the lab, made on the spot with the openssl command line: one authority, many leaves.

They are valid for decades before and after now, so that the lab's clock can be moved past none of them. ``openssl ca``
is the one command of OpenSSL 3.0 that can date a certificate back; its books are made for each certificate and dropped.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc")
NOT_BEFORE = "19800101000000Z"
NOT_AFTER = "20800101000000Z"
EXPIRED = "20200101000000Z"
CONFIGURATION = """\
[req]
distinguished_name = subject
[subject]
[ca]
default_ca = lab
[lab]
database = {books}/index.txt
new_certs_dir = {books}
rand_serial = yes
default_md = sha256
policy = any
preserve = yes
x509_extensions = extensions
[any]
commonName = supplied
organizationName = optional
[extensions]
subjectKeyIdentifier = hash
{extensions}
"""
AUTHORITY = "basicConstraints = critical,CA:TRUE\nkeyUsage = critical,keyCertSign,cRLSign"
LEAF = """\
authorityKeyIdentifier = keyid
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature,keyEncipherment
extendedKeyUsage = serverAuth,clientAuth
"""


@dataclass(frozen=True)
class KeyPair:
    """A certificate and its private key, both PEM files."""

    certificate: Path
    key: Path


@dataclass(frozen=True)
class Authority:
    """A certificate authority whose files lie in one directory."""

    pair: KeyPair

    @classmethod
    def create(cls, directory: Path, name: str) -> Authority:
        """Make a new authority called ``name``."""
        pair = KeyPair(directory / f"{name}.crt", directory / f"{name}.key")
        _make(pair, f"/CN={name}", AUTHORITY, ["-selfsign", "-keyfile", str(pair.key)])
        return cls(pair)

    def issue(
        self,
        file_name: str,
        user: str,
        *,
        groups: Sequence[str] = (),
        hosts: Sequence[str] = (),
        expired: bool = False,
    ) -> KeyPair:
        """Issue a leaf for ``user`` in ``groups`` (as Kubernetes reads subjects: CN and O) that serves ``hosts``."""
        directory = self.pair.certificate.parent
        pair = KeyPair(directory / f"{file_name}.crt", directory / f"{file_name}.key")
        subject = "".join(f"/O={_escaped(group)}" for group in groups) + f"/CN={_escaped(user)}"
        names = ",".join(f"{'IP' if _is_address(host) else 'DNS'}:{host}" for host in hosts)
        extensions = f"{LEAF}subjectAltName = {names}" if names else LEAF
        signer = ["-cert", str(self.pair.certificate), "-keyfile", str(self.pair.key)]
        _make(pair, subject, extensions, signer, EXPIRED if expired else NOT_AFTER)
        return pair


def signing_key(path: Path) -> Path:
    """Make the key that signs service account tokens; return the file of its public half, beside it."""
    public = path.with_suffix(".pub")
    _openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", str(path))
    _openssl("ec", "-in", str(path), "-pubout", "-out", str(public))
    return public


def _make(pair: KeyPair, subject: str, extensions: str, signer: Sequence[str], not_after: str = NOT_AFTER) -> None:
    with tempfile.TemporaryDirectory() as books:
        configuration, request = Path(books, "openssl.cnf"), Path(books, "request.pem")
        configuration.write_text(CONFIGURATION.format(books=books, extensions=extensions))
        Path(books, "index.txt").touch()
        wanted = ["-config", str(configuration), "-subj", subject, "-keyout", str(pair.key), "-out", str(request)]
        _openssl("req", "-new", *CURVE, *wanted)
        dates = ["-startdate", NOT_BEFORE, "-enddate", not_after]
        files = ["-in", str(request), "-out", str(pair.certificate)]
        _openssl("ca", "-batch", "-notext", "-config", str(configuration), *dates, *signer, *files)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("/", "\\/")


def _is_address(host: str) -> bool:
    return host.replace(".", "").isdigit()


def _openssl(*arguments: str) -> None:
    try:
        done = subprocess.run(["openssl", *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise _failure(arguments[0], str(error)) from error
    if done.returncode:
        raise _failure(arguments[0], done.stderr)


def _failure(verb: str, seen: str) -> LabError:
    return LabError(f"run openssl {verb}", on="this machine", seen=seen, advice="Install OpenSSL 3.")
