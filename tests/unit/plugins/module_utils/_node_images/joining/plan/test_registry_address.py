# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where machines that join ask for images, by platform."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import JoiningError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.plan.registry_address import (
    RegistryAddress,
    machine_networks,
    registry_address,
)

API = "https://api-int.site.example:6443"
NODES = ("192.0.2.10", "192.0.2.11")


def infrastructure(platform: str, part: dict[str, t.Any] | None = None, **status: t.Any) -> dict[str, t.Any]:
    platform_status: dict[str, t.Any] = {"type": platform}
    if part is not None:
        platform_status[{"BareMetal": "baremetal", "VSphere": "vsphere"}.get(platform, platform.lower())] = part
    return {"status": {"platformStatus": platform_status, "apiServerInternalURI": API, **status}}


def node(*addresses: str) -> dict[str, t.Any]:
    found = [{"type": "InternalIP", "address": one} for one in addresses]
    return {"status": {"addresses": [*found, {"type": "Hostname", "address": "master-0"}]}}


def address(found: dict[str, t.Any], *nodes: str, given: str = "") -> RegistryAddress:
    return registry_address(found, [node(one) for one in nodes or NODES], given, port=9701)


VIRTUAL = {"apiServerInternalIPs": ["192.0.2.5"], "ingressIPs": ["192.0.2.6"]}
SINGLE = {"controlPlaneTopology": "SingleReplica"}


@pytest.mark.parametrize(
    ("found", "nodes", "given", "host"),
    [
        pytest.param(infrastructure("BareMetal", VIRTUAL), NODES, "", "192.0.2.5", id="bare metal"),
        pytest.param(infrastructure("VSphere", VIRTUAL), NODES, "", "192.0.2.5", id="vSphere"),
        pytest.param(infrastructure("OpenStack", VIRTUAL), NODES, "", "192.0.2.5", id="OpenStack"),
        pytest.param(infrastructure("Nutanix", VIRTUAL), NODES, "", "192.0.2.5", id="Nutanix"),
        pytest.param(
            infrastructure("Ovirt", {"apiServerInternalIP": "192.0.2.5"}),
            NODES,
            "",
            "192.0.2.5",
            id="old",
        ),
        pytest.param(
            infrastructure("BareMetal", {"apiServerInternalIPs": ["fd00::5", "192.0.2.5"]}),
            NODES,
            "",
            "192.0.2.5",
            id="both families",
        ),
        pytest.param(
            infrastructure("BareMetal", {"apiServerInternalIPs": ["fd00::5"]}),
            ("fd00::10",),
            "",
            "api-int.site.example",
            id="IPv6 alone",
        ),
        pytest.param(infrastructure("None", None, **SINGLE), NODES[:1], "", "192.0.2.10", id="single node"),
        pytest.param(
            infrastructure("BareMetal", VIRTUAL, **SINGLE), NODES[:1], "", "192.0.2.10", id="single, bare metal"
        ),
        pytest.param(infrastructure("None"), NODES, "lb.site.example", "lb.site.example", id="load balancer"),
        pytest.param(infrastructure("BareMetal", VIRTUAL), NODES, "192.0.2.9", "192.0.2.9", id="chosen"),
    ],
)
def test_the_address_of_a_platform(found: dict[str, t.Any], nodes: tuple[str, ...], given: str, host: str) -> None:
    seen = address(found, *nodes, given=given)
    assert seen.host == host
    assert host in seen.names


def test_the_certificate_names_all_places_at_which_the_control_plane_is_found() -> None:
    seen = address(infrastructure("BareMetal", VIRTUAL), *reversed(NODES))
    assert seen.names == ("192.0.2.5", "192.0.2.10", "192.0.2.11", "api-int.site.example")


@pytest.mark.parametrize(
    ("found", "said"),
    [
        pytest.param(infrastructure("None"), "on platform None, the cluster does not manage", id="none"),
        pytest.param(
            infrastructure("External", {}),
            "on platform External, the cluster does not manage",
            id="external",
        ),
        pytest.param(
            infrastructure("AWS", {"region": "x"}),
            "on platform AWS, the cluster does not manage",
            id="cloud",
        ),
        pytest.param(
            infrastructure("VSphere", {}),
            "on platform VSphere, the cluster does not manage",
            id="user-provisioned",
        ),
        pytest.param(
            infrastructure("BareMetal", {**VIRTUAL, "loadBalancer": {"type": "UserManaged"}}),
            "192.0.2.5 belongs to your own load balancer (UserManaged)",
            id="user-managed load balancer",
        ),
    ],
)
def test_what_cannot_work_is_said_with_what_is_missing(found: dict[str, t.Any], said: str) -> None:
    with pytest.raises(JoiningError) as refused:
        address(found)
    assert said in str(refused.value)
    assert "forward TCP port 9701 to the control-plane nodes" in str(refused.value)


def test_the_networks_that_the_cluster_names() -> None:
    part = {**VIRTUAL, "machineNetworks": ["192.0.2.0/24"]}
    assert machine_networks(infrastructure("BareMetal", part)) == ("192.0.2.0/24",)
    assert machine_networks(infrastructure("BareMetal", VIRTUAL)) == ()
    assert machine_networks({}) == ()
