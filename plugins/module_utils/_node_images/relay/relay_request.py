# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The request for a relay: the bundle, its address, its clients, and its lifetime. Pure."""

from __future__ import annotations

import ipaddress
import re
import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.allowed_peers import AllowedPeers
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

LONGEST_LIFETIME: t.Final = 24 * 3600

_LISTS: t.Final = ("ports", "allowed_addresses", "parts")
_PORTS = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?")


@dataclass(frozen=True)
class RelayRequest:
    """``ports`` are the first and the last to try; ``lifetime`` is in seconds.

    ``filling`` says that the bundle at ``path`` is still being received: what of it is proved is served already.
    ``parts`` are folders that have other blobs of the same bundle.
    """

    path: str
    index_digest: str
    address: str
    ports: tuple[int, int]
    allowed_addresses: tuple[str, ...]
    lifetime: int
    filling: bool = False
    parts: tuple[str, ...] = ()

    @classmethod
    def checked(
        cls,
        *,
        path: str,
        index_digest: str,
        address: str,
        ports: str,
        allowed_addresses: Sequence[str],
        lifetime: int,
        filling: bool = False,
        parts: Sequence[str] = (),
    ) -> RelayRequest:
        """Return the request in its one normal form; raises InvalidInputError that names the field."""
        if not 1 <= lifetime <= LONGEST_LIFETIME:
            raise _refusal("lifetime", f"{lifetime} is not between 1 and {LONGEST_LIFETIME} seconds")
        for one in (path, *parts):
            if not one.startswith("/") or not one.isprintable():
                raise _refusal("path", f"{one[:100]!r} is not an absolute path of printable characters")
        return cls(
            path=path,
            index_digest=str(Digest.parse(index_digest)),
            address=_address(address),
            ports=parse_ports(ports),
            allowed_addresses=AllowedPeers.parse(allowed_addresses).as_text(),
            lifetime=lifetime,
            filling=filling,
            parts=tuple(parts),
        )

    @property
    def digest(self) -> Digest:
        """Return the digest of the bundle's index."""
        return Digest.parse(self.index_digest)

    @property
    def port_range(self) -> range:
        """Return the ports to try, in order."""
        return range(self.ports[0], self.ports[1] + 1)

    def url(self, port: int) -> str:
        """Return the URL at which clients find the relay."""
        host = f"[{self.address}]" if ":" in self.address else self.address
        return f"https://{host}:{port}"

    def to_document(self) -> dict[str, t.Any]:
        """Return the JSON document of this request."""
        return {**asdict(self), **{name: list(getattr(self, name)) for name in _LISTS}}

    @classmethod
    def from_document(cls, document: Mapping[str, t.Any]) -> RelayRequest:
        """Return the request in ``document``; raises InvalidInputError for anything else."""
        try:
            lists = {name: tuple(document[name]) for name in _LISTS}
            return cls(**{**document, **lists})
        except (KeyError, TypeError) as error:
            raise _refusal("the record of a relay", f"{type(error).__name__}: {error}") from error


def relay_id(digest: Digest) -> str:
    """Return the name of the one relay that a machine has for the bundle with this index."""
    return f"relay-{digest.short}"


def parse_ports(text: str) -> tuple[int, int]:
    """Return the first and the last port of ``text``, a number or two joined by a hyphen."""
    match = _PORTS.fullmatch(text.strip())
    if match is None:
        raise _refusal("ports", f"{text[:40]!r} is neither a port nor a range of ports")
    first, last = int(match.group(1)), int(match.group(2) or match.group(1))
    if not 1024 <= first <= last <= 65535:
        raise _refusal("ports", f"{first}-{last} is not a range between 1024 and 65535")
    return first, last


def _address(text: str) -> str:
    try:
        address = ipaddress.ip_address(text.strip())
    except ValueError as error:
        raise _refusal("address", f"{text[:60]!r} is not an IP address") from error
    if address.is_unspecified or address.is_multicast:
        raise _refusal("address", f"{address} is not an address that clients can reach")
    return str(address)


def _refusal(on: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "set up a relay", on=on, seen=seen, advice="See the documentation of fieldops.openshift.bundle_relay."
    )
