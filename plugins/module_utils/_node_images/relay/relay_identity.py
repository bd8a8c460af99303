# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A key and a certificate for one relay, which is its own authority. Both are removed with it.

It is made on the controller, since nodes need not have openssl, and its key is never in a file. Trusting the
certificate means trusting this one relay and no other server. Clocks differ, so it was valid some hours ago already.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import (
    ensure_private_directory,
    remove_tree,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

SKEW = timedelta(hours=12)
"""How far apart the clocks of two nodes may be."""

_CONFIGURATION = """\
[req]
distinguished_name = subject
prompt = no
[subject]
CN = fieldops.openshift relay
[ca]
default_ca = own
[own]
database = {folder}/issued
new_certs_dir = {folder}
rand_serial = yes
policy = named
default_md = sha256
x509_extensions = server
[named]
commonName = supplied
[server]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
subjectAltName = IP:{address}
"""
NEW_KEY = ("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")


@dataclass(frozen=True)
class RelayIdentity:
    """PEM texts: the certificate, which is public, and its private key."""

    certificate: str
    key: str = field(repr=False)


def new_identity(host: Host, base: Path, address: str, lifetime: int, deadline: Deadline) -> RelayIdentity:
    """Return a new identity for the IP ``address`` that is valid for ``lifetime`` seconds and a skew of clocks.

    Below the private folder ``base`` openssl keeps for a moment what it needs, nothing of which is secret.
    Raises MissingRequirementError without openssl, CommandError, FileAccessError.
    """
    folder = base / f"openssl-{secrets.token_hex(8)}"
    ensure_private_directory(base)
    ensure_private_directory(folder)
    try:
        write_file(folder / "conf", _CONFIGURATION.format(folder=folder, address=address), mode=0o600, durable=False)
        write_file(folder / "issued", "", mode=0o600, durable=False)
        key = host.run(NEW_KEY, deadline=deadline).stdout
        settings = ("-config", f"{folder}/conf")
        ask = ["openssl", "req", "-new", *settings, "-key", "/dev/stdin"]
        asked = host.run(ask, deadline=deadline, stdin=key.encode(), secrets=[key]).stdout
        write_file(folder / "request", asked, mode=0o600, durable=False)
        now = host.clock.utcnow()
        until = now + timedelta(seconds=lifetime) + SKEW
        sign = ["openssl", "ca", "-batch", "-notext", "-selfsign", *settings, "-in", f"{folder}/request"]
        sign += ["-keyfile", "/dev/stdin", "-startdate", asn1(now - SKEW), "-enddate", asn1(until)]
        certificate = host.run(sign, deadline=deadline, stdin=key.encode(), secrets=[key]).stdout
    finally:
        remove_tree(folder)
    return RelayIdentity(certificate, key)


def asn1(instant: datetime) -> str:
    """Return ``instant`` as a GeneralizedTime; openssl-ca(1) shortens it where a UTCTime is due.

    Source: RFC 5280, 4.1.2.5.2.
    """
    return instant.strftime("%Y%m%d%H%M%SZ")
