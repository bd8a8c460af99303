# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Certificates made on the spot with the openssl command, which every machine of the tests has."""

from __future__ import annotations

import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path

_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


@dataclass(frozen=True)
class Identity:
    """A certificate and its key as PEM files."""

    certificate: Path
    key: Path


class CertificateAuthority:
    """A CA in its own directory."""

    def __init__(self, directory: Path, name: str) -> None:
        self._directory = directory
        self._name = name
        self._serial = 1
        self.identity = self._files("authority")
        _openssl(
            "req", "-x509", *_KEY, "-subj", f"/CN={name}", "-days", "2",
            "-keyout", self.identity.key, "-out", self.identity.certificate,
        )  # fmt: skip

    @property
    def certificate(self) -> str:
        return str(self.identity.certificate)

    def issue(self, name: str, *, names: str = "IP:127.0.0.1,DNS:localhost", days: int = 2) -> Identity:
        """Issue a certificate for ``names``; a negative number of days makes one that has expired."""
        identity = self._files(name)
        request, extensions = self._directory / f"{name}.csr", self._directory / f"{name}.ext"
        extensions.write_text(f"subjectAltName={names}\n", encoding="ascii")
        _openssl("req", *_KEY, "-subj", f"/CN={name}", "-keyout", identity.key, "-out", request)
        self._serial += 1
        _openssl(
            "x509", "-req", "-in", request, "-CA", self.identity.certificate, "-CAkey", self.identity.key,
            "-set_serial", str(self._serial), "-days", str(days), "-extfile", extensions, "-out", identity.certificate,
        )  # fmt: skip
        return identity

    def _files(self, name: str) -> Identity:
        stem = f"{self._name}-{name}"
        return Identity(self._directory / f"{stem}.pem", self._directory / f"{stem}.key")


def server_context(identity: Identity, *, client_authority: str | None = None) -> ssl.SSLContext:
    """Return the context of a server with ``identity``; with ``client_authority`` it demands a client certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(identity.certificate, identity.key)
    if client_authority is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(client_authority)
    return context


def encrypt_key(key: Path, target: Path) -> None:
    """Write ``key`` to ``target``, protected by a passphrase."""
    _openssl("ec", "-in", key, "-aes256", "-passout", "pass:closed", "-out", target)


def _openssl(*arguments: object) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, timeout=30)
