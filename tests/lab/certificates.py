# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Certificates of the lab, made on the spot with the openssl command line: one authority, many short-lived leaves."""

from __future__ import annotations

import subprocess
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

if t.TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc")
DAYS = "30"


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
        usage = ["-addext", "keyUsage=critical,keyCertSign,cRLSign"]  # Python 3.13 and later demand it
        _openssl("req", "-x509", *CURVE, *_out(pair), "-days", DAYS, "-subj", f"/CN={name}", *usage)
        return cls(pair)

    def issue(self, file_name: str, user: str, *, groups: Sequence[str] = (), hosts: Sequence[str] = ()) -> KeyPair:
        """Issue a leaf for ``user`` in ``groups`` (as Kubernetes reads subjects: CN and O) that serves ``hosts``."""
        directory = self.pair.certificate.parent
        pair = KeyPair(directory / f"{file_name}.crt", directory / f"{file_name}.key")
        subject = "".join(f"/O={_escaped(group)}" for group in groups) + f"/CN={_escaped(user)}"
        names = ",".join(f"{'IP' if _is_address(host) else 'DNS'}:{host}" for host in hosts)
        extensions = ["-addext", f"subjectAltName={names}"] if names else []
        extensions += ["-addext", "extendedKeyUsage=serverAuth,clientAuth", "-addext", "basicConstraints=CA:FALSE"]
        signer = ["-CA", str(self.pair.certificate), "-CAkey", str(self.pair.key)]
        _openssl("req", "-x509", *CURVE, *_out(pair), "-days", DAYS, "-subj", subject, *extensions, *signer)
        return pair


def signing_key(path: Path) -> Path:
    """Make the key that signs service account tokens; return the file of its public half, beside it."""
    public = path.with_suffix(".pub")
    _openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", str(path))
    _openssl("ec", "-in", str(path), "-pubout", "-out", str(public))
    return public


def _out(pair: KeyPair) -> tuple[str, ...]:
    return "-out", str(pair.certificate), "-keyout", str(pair.key)


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
