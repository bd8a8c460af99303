# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which addresses a relay serves. The controller chooses them; the node enforces them, here and in its firewall."""

from __future__ import annotations

import ipaddress
import typing as t
from collections.abc import Iterable
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

Network = t.Union[ipaddress.IPv4Network, ipaddress.IPv6Network]

_MOST = 2000


@dataclass(frozen=True)
class AllowedPeers:
    """Addresses and networks, in the order of their numbers and each once."""

    networks: tuple[Network, ...]

    @classmethod
    def parse(cls, entries: Iterable[str]) -> AllowedPeers:
        """Return the peers written as addresses or networks; raises InvalidInputError for others, and for none.

        A network with host bits and one that contains every address are refused: both are more likely mistakes.
        """
        networks: set[Network] = set()
        for entry in entries:
            try:
                network = ipaddress.ip_network(entry.strip())
            except ValueError as error:
                raise _refusal(f"{entry[:60]!r}", str(error)) from error
            if network.prefixlen == 0:
                raise _refusal(f"{entry[:60]!r}", "it allows every address")
            networks.add(network)
        if not networks or len(networks) > _MOST:
            raise _refusal("allowed_addresses", f"it has {len(networks)} entries, not between 1 and {_MOST}")
        return cls(tuple(sorted(networks, key=lambda network: (network.version, network))))

    def allow(self, address: str) -> bool:
        """Whether the peer ``address``, as a socket names it, is one of them."""
        try:
            peer = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return False
        mapped = peer.ipv4_mapped if isinstance(peer, ipaddress.IPv6Address) else None
        return any((mapped or peer) in network for network in self.networks)

    def as_text(self) -> tuple[str, ...]:
        """Return them as text, single addresses without a prefix length, as systemd.resource-control(5) takes them."""
        return tuple(
            str(network.network_address) if network.num_addresses == 1 else str(network) for network in self.networks
        )


def _refusal(on: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "read the allowed addresses",
        on=on,
        seen=seen,
        advice="List the addresses of the nodes that are allowed to fetch, such as 192.0.2.11, or networks such as "
        "192.0.2.0/24.",
    )
