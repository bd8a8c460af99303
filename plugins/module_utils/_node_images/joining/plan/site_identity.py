# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the control plane of a site proves itself with to machines that join, as it is kept in a Secret. Pure.

An authority of the site's own signs the certificate that all control-plane nodes serve with, so that a new certificate
changes nothing that machines have to trust. Since every machine trusts the authority for everything, its certificate
permits the names and networks of the cluster alone (RFC 5280, 4.2.1.10).
"""

from __future__ import annotations

import base64
import binascii
import ipaddress
import json
import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import JoiningError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.plan.registry_address import (
    is_address,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    NAMESPACE,
    PART_OF,
    PART_OF_LABEL,
    SCHEMA_VERSION_KEY,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

Object = Mapping[str, t.Any]

IDENTITY_NAME: t.Final = "image-source"
AUTHORITY_LIFETIME: t.Final = timedelta(days=20 * 365)
CERTIFICATE_LIFETIME: t.Final = timedelta(days=3 * 365)
_RENEWED_BEFORE = timedelta(days=2 * 365)
"""A site may not see this collection for a year or two: a certificate is replaced by the first run after one year."""
_SCHEMA = "1"
_RECORD = "record.json"
_TEXTS = {"ca": "ca.crt", "ca_key": "ca.key", "certificate": "tls.crt", "key": "tls.key", "password": "password"}
_FORMER = "former-ca.crt"


@dataclass(frozen=True)
class Serving:
    """Where machines ask, who may, and which names the certificate has and the authority permits.

    ``given_address`` and ``given_networks`` are what the site has chosen itself, empty where it has not; ``trust`` is
    how machines come to trust the authority.
    """

    address: str
    port: int
    names: tuple[str, ...]
    networks: tuple[str, ...]
    given_address: str = ""
    given_networks: tuple[str, ...] = ()
    trust: str = "user_ca_bundle"

    @property
    def registry(self) -> str:
        """Return the prefix of a repository in the name of an image there."""
        return f"{self.address}:{self.port}"

    @property
    def permitted(self) -> tuple[str, ...]:
        """Return the networks and names that the authority may sign for, addresses as networks of one."""
        addresses = {str(ipaddress.ip_network(name)) for name in self.names if is_address(name)}
        names = {name for name in self.names if not is_address(name)}
        return tuple(sorted({str(ipaddress.ip_network(one)) for one in self.networks} | addresses | names))


@dataclass(frozen=True)
class SiteIdentity:
    """PEM texts of authority and certificate, and the password that machines give; only certificates are public."""

    serving: Serving
    ca: str
    certificate: str
    ca_expires: str
    expires: str
    permitted: tuple[str, ...]
    ca_key: str = field(repr=False)
    key: str = field(repr=False)
    password: str = field(repr=False)
    former_ca: str = ""

    def as_credentials(self) -> dict[str, t.Any]:
        """Return what a control-plane node serves with."""
        serving = self.serving
        return {
            "port": serving.port,
            "networks": list(serving.networks),
            "address": serving.address,
            "ca": self.ca,
            "certificate": self.certificate,
            "key": self.key,
            "password": self.password,
        }

    def lacks_authority(self, serving: Serving) -> bool:
        """Whether its authority may not sign for all that is served."""
        return not all(_is_permitted(name, self.permitted) for name in serving.names)

    def lacks_certificate(self, serving: Serving, now: datetime) -> bool:
        """Whether its certificate lacks a name or expires soon."""
        return serving.names != self.serving.names or _instant(self.expires) - now < _RENEWED_BEFORE


def identity_in(secret: Object | None) -> SiteIdentity | None:
    """Return the content of a Secret, None if there is none; raises JoiningError, which shows nothing of it."""
    if secret is None:
        return None
    try:
        data = {key: base64.b64decode(value, validate=True).decode() for key, value in secret["data"].items()}
        record = json.loads(data[_RECORD])
        if record[SCHEMA_VERSION_KEY] != _SCHEMA:
            raise ValueError
        _instant(record["expires"])
        return SiteIdentity(
            serving=_serving(record),
            permitted=_texts(record["permitted"]),
            ca_expires=str(record["ca_expires"]),
            expires=str(record["expires"]),
            former_ca=data.get(_FORMER, ""),
            **{name: data[key] for name, key in _TEXTS.items()},
        )
    except (AttributeError, KeyError, TypeError, ValueError, binascii.Error) as error:
        raise JoiningError(
            "read the credentials for machines that join",
            on=f"Secret {NAMESPACE}/{IDENTITY_NAME}",
            seen=f"it does not have the format of this collection: {type(error).__name__}",
            advice="Restore it, or delete it. Every machine must then trust the new one again.",
        ) from None


def identity_body(identity: SiteIdentity) -> dict[str, t.Any]:
    """Return what is written of the Secret."""
    serving = identity.serving
    record = {
        SCHEMA_VERSION_KEY: _SCHEMA,
        "address": serving.address,
        "port": serving.port,
        "names": list(serving.names),
        "networks": list(serving.networks),
        "given_address": serving.given_address,
        "given_networks": list(serving.given_networks),
        "trust": serving.trust,
        "permitted": list(identity.permitted),
        "expires": identity.expires,
        "ca_expires": identity.ca_expires,
    }
    texts = {key: str(getattr(identity, name)) for name, key in _TEXTS.items()}
    texts |= {_RECORD: json.dumps(record, sort_keys=True), _FORMER: identity.former_ca}
    return {
        "metadata": {"name": IDENTITY_NAME, "namespace": NAMESPACE, "labels": {PART_OF_LABEL: PART_OF}},
        "data": {key: base64.b64encode(text.encode()).decode() for key, text in texts.items()},
    }


def checked_networks(networks: Iterable[str]) -> tuple[str, ...]:
    """Return the networks of the machines, in order and each once; raises JoiningError for none and for others."""
    found = set()
    for one in networks:
        try:
            network = ipaddress.ip_network(one.strip())
        except ValueError as error:
            raise _no_networks(f"{one[:60]!r}: {error}") from None
        if network.prefixlen == 0:
            raise _no_networks(f"{one[:60]!r} contains every address")
        found.add(network)
    if not found:
        raise _no_networks("the cluster does not report its machine networks")
    return tuple(str(one) for one in sorted(found, key=lambda one: (one.version, one)))


def expiry(now: datetime, lifetime: timedelta) -> str:
    """Return the end of the validity of what is created ``now``."""
    return timestamp(now + lifetime)


def _serving(record: Mapping[str, t.Any]) -> Serving:
    return Serving(
        address=str(record["address"]),
        port=int(record["port"]),
        names=_texts(record["names"]),
        networks=_texts(record["networks"]),
        given_address=str(record["given_address"]),
        given_networks=_texts(record["given_networks"]),
        trust=str(record["trust"]),
    )


def _texts(values: t.Any) -> tuple[str, ...]:
    return tuple(str(one) for one in values)


def _is_permitted(name: str, permitted: Iterable[str]) -> bool:
    if not is_address(name):
        return name in permitted
    address = ipaddress.ip_address(name)
    return any(address in ipaddress.ip_network(one) for one in permitted if is_address(one.partition("/")[0]))


def _instant(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)


def _no_networks(seen: str) -> JoiningError:
    return JoiningError(
        "determine the networks to serve",
        on="networks",
        seen=seen,
        advice="Set networks to the networks of the machines, such as 192.0.2.0/24.",
    )
