# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keys and certificates of a site, made by openssl on the controller; no key is in a file.

Clocks differ, so they were valid some hours ago already.
"""

from __future__ import annotations

import contextlib
import ipaddress
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.scratch import scratch_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.plan.registry_address import (
    is_address,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_identity import (
    NEW_KEY,
    SKEW,
    asn1,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

_CONFIGURATION = """\
[req]
distinguished_name = subject
prompt = no
[subject]
CN = {name}
[ca]
default_ca = own
[own]
database = {folder}/issued
new_certs_dir = {folder}
rand_serial = yes
policy = named
default_md = sha256
x509_extensions = {kind}
[named]
commonName = supplied
[authority]
basicConstraints = critical,CA:TRUE,pathlen:0
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
nameConstraints = critical,{constraints}
[server]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = {names}
"""
_NO_NAME = "invalid"
"""A domain that does not exist (RFC 2606): used if no name is permitted."""


@dataclass(frozen=True)
class KeyPair:
    """PEM texts: the certificate, which is public, and its private key."""

    certificate: str
    key: str = field(repr=False)


def new_authority(host: Host, permitted: Sequence[str], lifetime: timedelta, deadline: Deadline) -> KeyPair:
    """Return a new authority that may sign for the networks and names ``permitted`` alone.

    Raises MissingRequirementError without openssl, CommandError, FileAccessError.
    """
    name = f"fieldops.openshift image source {secrets.token_hex(4)}"
    with _folder("authority", name, constraints=_constraints(permitted)) as folder:
        key = _new_key(host, deadline)
        _request(host, folder, key, deadline)
        signed = _sign(host, folder, ["-selfsign"], key, lifetime, deadline)
    return KeyPair(signed, key)


def new_certificate(
    host: Host, authority: KeyPair, names: Iterable[str], lifetime: timedelta, deadline: Deadline
) -> KeyPair:
    """Return a new key pair for the addresses and ``names``, signed by ``authority``; raises as ``new_authority``."""
    subjects = ",".join(f"{'IP' if is_address(name) else 'DNS'}:{name}" for name in names)
    with _folder("server", "fieldops.openshift image source", names=subjects) as folder:
        key = _new_key(host, deadline)
        _request(host, folder, key, deadline)
        write_file(folder / "ca", authority.certificate, mode=0o600, durable=False)
        signed = _sign(host, folder, ["-cert", f"{folder}/ca"], authority.key, lifetime, deadline)
    return KeyPair(signed, key)


@contextlib.contextmanager
def _folder(
    kind: str, name: str, *, constraints: str = f"permitted;DNS:{_NO_NAME}", names: str = f"DNS:{_NO_NAME}"
) -> Iterator[Path]:
    """Create a private folder for the input files of openssl, none of which is secret."""
    with scratch_directory() as folder:
        text = _CONFIGURATION.format(kind=kind, name=name, folder=folder, constraints=constraints, names=names)
        write_file(folder / "conf", text, mode=0o600, durable=False)
        write_file(folder / "issued", "", mode=0o600, durable=False)
        yield folder


def _constraints(permitted: Iterable[str]) -> str:
    rules = []
    names = []
    for one in permitted:
        if is_address(one.partition("/")[0]):
            network = ipaddress.ip_network(one)
            rules.append(f"permitted;IP:{network.network_address}/{network.netmask}")
        else:
            names.append(f"permitted;DNS:{one}")
    return ",".join((*rules, *(names or [f"permitted;DNS:{_NO_NAME}"])))


def _new_key(host: Host, deadline: Deadline) -> str:
    return host.run(NEW_KEY, deadline=deadline).stdout


def _request(host: Host, folder: Path, key: str, deadline: Deadline) -> None:
    ask = ["openssl", "req", "-new", "-config", f"{folder}/conf", "-key", "/dev/stdin"]
    asked = host.run(ask, deadline=deadline, stdin=key.encode(), secrets=[key]).stdout
    write_file(folder / "request", asked, mode=0o600, durable=False)


def _sign(host: Host, folder: Path, by: Sequence[str], key: str, lifetime: timedelta, deadline: Deadline) -> str:
    now = host.clock.utcnow()
    sign = ["openssl", "ca", "-batch", "-notext", *by, "-config", f"{folder}/conf", "-in", f"{folder}/request"]
    sign += ["-keyfile", "/dev/stdin", "-startdate", asn1(now - SKEW), "-enddate", asn1(now + lifetime)]
    return host.run(sign, deadline=deadline, stdin=key.encode(), secrets=[key]).stdout
