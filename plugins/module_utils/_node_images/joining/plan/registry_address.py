# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where a machine that joins asks for images: an address that leads to a control-plane node on any port. Pure.

The virtual IP of the API does so where keepalived of the cluster's own holds it. A load balancer of the site forwards
only the configured ports, as a rule 6443 and 22623.
Source: openshift/api ``config/v1/types_infrastructure.go``; machine-config-operator
``templates/common/on-prem/files/keepalived.yaml``.
"""

from __future__ import annotations

import ipaddress
import typing as t
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import JoiningError

Object = Mapping[str, t.Any]

_USER_MANAGED = "UserManaged"


@dataclass(frozen=True)
class RegistryAddress:
    """``host`` is an IPv4 address or a name; ``names`` are all that a certificate of the control plane should have."""

    host: str
    names: tuple[str, ...]


def registry_address(infrastructure: Object, nodes: Iterable[Object], given: str, *, port: int) -> RegistryAddress:
    """Return the address for this cluster, whose control-plane ``nodes`` are given; raises JoiningError for none.

    ``given`` is an address that the site has chosen, empty where it has not.
    """
    status = infrastructure.get("status") or {}
    platform = _platform(status)
    addresses = [address for node in nodes for address in internal_addresses(node)]
    internal = urlsplit(str(status.get("apiServerInternalURI") or "")).hostname or ""
    virtual = _virtual_addresses(platform)
    if given:
        host = given
    elif status.get("controlPlaneTopology") == "SingleReplica" and addresses:
        host = _usable(addresses, internal, port)
    elif virtual and (platform.get("loadBalancer") or {}).get("type") != _USER_MANAGED:
        host = _usable(virtual, internal, port)
    else:
        raise _no_address(status, virtual, port)
    names = dict.fromkeys((host, *virtual, *sorted(addresses), *([internal] if internal else [])))
    return RegistryAddress(host, tuple(names))


def machine_networks(infrastructure: Object) -> tuple[str, ...]:
    """Return the networks of the machines as the cluster knows them, which it does on some platforms from 4.16 on."""
    platform = _platform(infrastructure.get("status") or {})
    return tuple(str(one) for one in platform.get("machineNetworks") or ())


def internal_addresses(node: Object) -> tuple[str, ...]:
    """Return the addresses at which other machines find a node."""
    found = (node.get("status") or {}).get("addresses") or ()
    return tuple(str(one["address"]) for one in found if one.get("type") == "InternalIP")


def is_address(text: str) -> bool:
    """Whether ``text`` is an IP address and not a name."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _platform(status: Mapping[str, t.Any]) -> Mapping[str, t.Any]:
    known = status.get("platformStatus") or {}
    name = str(known.get("type") or status.get("platform") or "")
    return next((part for key, part in known.items() if key.lower() == name.lower() and isinstance(part, dict)), {})


def _virtual_addresses(platform: Mapping[str, t.Any]) -> list[str]:
    several = [str(one) for one in platform.get("apiServerInternalIPs") or ()]
    single = platform.get("apiServerInternalIP")
    return several or ([str(single)] if single else [])


def _usable(addresses: Sequence[str], internal: str, port: int) -> str:
    """Return the first IPv4 address: mirrors cannot be written with one of IPv6, so that only a name is left then."""
    found = next((one for one in addresses if ":" not in one), internal)
    if not found:
        raise JoiningError(
            "determine the address for machines that join",
            on="Infrastructure cluster",
            seen=f"{', '.join(addresses)} cannot be in an ImageDigestMirrorSet, which takes IPv4 addresses and names",
            advice=f"Set address to a name of the API that new machines can resolve. They connect to its port {port}.",
        )
    return found


def _no_address(status: Mapping[str, t.Any], virtual: Sequence[str], port: int) -> JoiningError:
    name = str((status.get("platformStatus") or {}).get("type") or status.get("platform") or "none")
    seen = (
        f"{virtual[0]} belongs to your own load balancer (UserManaged), which forwards only 6443 and 22623"
        if virtual
        else f"on platform {name}, the cluster does not manage a virtual IP of the API"
    )
    return JoiningError(
        "determine the address for machines that join",
        on="Infrastructure cluster",
        seen=seen,
        advice=(
            f"Configure the load balancer of the API to forward TCP port {port} to the control-plane nodes as well, "
            "then set its address. Otherwise no machine can join while the site has no registry."
        ),
    )
