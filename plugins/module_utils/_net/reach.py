# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From where an address can be reached, and to which addresses a server may redirect. Pure.

Source: IANA's registries of special-purpose addresses, as the ipaddress library has them.
"""

from __future__ import annotations

import enum
import ipaddress
import typing as t

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_Address = t.Union[ipaddress.IPv4Address, ipaddress.IPv6Address]


class Reach(enum.Enum):
    """Who can reach an address: everyone, this network or machine, or this link alone, as metadata services."""

    PUBLIC = "public"
    PRIVATE = "private"
    LINK_LOCAL = "link-local"

    @classmethod
    def of(cls, address: str) -> Reach:
        """Return the reach of a numeric ``address``."""
        found = _unwrapped(ipaddress.ip_address(address.partition("%")[0]))
        if found.is_link_local:
            return cls.LINK_LOCAL
        is_site = isinstance(found, ipaddress.IPv6Address) and found.is_site_local
        return cls.PUBLIC if found.is_global and not found.is_multicast and not is_site else cls.PRIVATE

    @classmethod
    def of_literal(cls, host: str) -> Reach | None:
        """Return the reach of ``host`` if it is an address, None if it is a name."""
        try:
            return cls.of(host)
        except ValueError:
            return None

    def may_lead_to(self, target: Reach) -> bool:
        """Whether a server with this reach may redirect to an address with the reach of ``target``.

        A public server has no business in a private network, and no server in the metadata of a machine.
        """
        if target is Reach.LINK_LOCAL:
            return self is Reach.LINK_LOCAL
        return self is not Reach.PUBLIC or target is Reach.PUBLIC


def _unwrapped(address: _Address) -> _Address:
    """Return the IPv4 address that an IPv6 address stands for, if it does."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address
