# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The address of this machine that another machine sees."""

from __future__ import annotations

import ipaddress
import socket

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError, InvalidInputError

DISCARD_PORT = 9


class NoRouteError(FieldOpsError):
    """This machine has no route to another machine."""

    kind = "no_route"


def own_address_towards(peer: str) -> str:
    """Return the address from which this machine would connect to the IP address ``peer``; no packet is sent.

    Connecting a datagram socket only lets the kernel choose a route (ip(7)). Raise InvalidInputError for a ``peer``
    that is no address and NoRouteError where there is no route.
    """
    try:
        family = socket.AF_INET if ipaddress.ip_address(peer).version == 4 else socket.AF_INET6
    except ValueError as error:
        raise InvalidInputError(
            "find the address of this machine",
            on=repr(peer[:100]),
            seen=str(error),
            advice="Specify an IP address, not a name.",
        ) from error
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((peer, DISCARD_PORT))
        except OSError as error:
            raise NoRouteError(
                "find the address of this machine for a peer",
                on=peer,
                seen=error.strerror or str(error),
                advice="Connect this machine to the network of the nodes, or specify the address that the nodes can "
                "reach.",
            ) from error
        return str(probe.getsockname()[0])
