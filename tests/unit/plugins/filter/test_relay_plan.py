# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The plan of relays as a play gets it."""

from __future__ import annotations

import typing as t

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.fieldops.openshift.plugins.filter.relay_plan import relay_plan

NODES = [
    {"name": "worker-1", "addresses": ["192.0.2.12"], "zone": "b"},
    {"name": "worker-0", "addresses": ["192.0.2.11"]},
]


def test_plain_data() -> None:
    assert relay_plan(NODES, source="laptop", machine_networks=["192.0.2.0/24"]) == {
        "nodes": [
            {
                "name": "worker-0",
                "address": "192.0.2.11",
                "sources": ["laptop"],
                "allowed_addresses": ["192.0.2.12"],
            },
            {"name": "worker-1", "address": "192.0.2.12", "sources": ["worker-0", "laptop"], "allowed_addresses": []},
        ],
        "source_allowed_addresses": ["192.0.2.11", "192.0.2.12"],
    }


@pytest.mark.parametrize(
    "nodes",
    [
        [{"name": "worker-0"}],
        ["worker-0"],
        [{"name": "worker-0", "addresses": []}],
        [{"name": "a", "addresses": ["b"]}],
    ],
    ids=["no addresses", "only a name", "an empty list", "no address"],
)
def test_what_cannot_be_planned(nodes: list[t.Any]) -> None:
    with pytest.raises(AnsibleFilterError, match="relay_plan"):
        relay_plan(nodes)


def test_zones_and_who_holds_the_bundle_may_be_told_beside_the_nodes() -> None:
    nodes = [{"name": f"worker-{number}", "addresses": f"192.0.2.1{number}"} for number in range(4)]
    plan = relay_plan(nodes, zones={"worker-0": "b", "worker-2": "b"}, holding=["worker-3"])
    assert [one["name"] for one in plan["nodes"]] == ["worker-3", "worker-1", "worker-0", "worker-2"]
    assert plan["nodes"][0]["sources"] == []


def test_of_the_addresses_of_a_node_object_the_internal_ones_count() -> None:
    addresses = [{"type": "Hostname", "address": "worker-0"}, {"type": "InternalIP", "address": "192.0.2.11"}]
    (place,) = relay_plan([{"name": "worker-0", "addresses": addresses}])["nodes"]
    assert place["address"] == "192.0.2.11"


def test_nodes_that_get_only_some_images_come_last() -> None:
    nodes = [{"name": f"worker-{number}", "addresses": f"192.0.2.1{number}"} for number in range(3)]
    plan = relay_plan(nodes, images={"worker-0": ["cli"], "worker-1": []})
    assert {one["name"]: one["sources"] for one in plan["nodes"]} == {
        "worker-1": ["source"],
        "worker-2": ["worker-1", "source"],
        "worker-0": ["worker-2", "worker-1", "source"],
    }
