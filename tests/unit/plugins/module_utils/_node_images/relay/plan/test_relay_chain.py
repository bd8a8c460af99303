# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who fetches from whom."""

from __future__ import annotations

import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.plan.relay_chain import (
    NEIGHBOURS,
    RelayNode,
    RelayPlan,
    plan_relays,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


def node(number: int, zone: str = "", holds: bool = False) -> RelayNode:
    return RelayNode(f"worker-{number:03}", (f"192.0.2.{number}",), zone, holds)


def sources(plan: RelayPlan) -> dict[str, tuple[str, ...]]:
    return {place.name: place.sources for place in plan.places}


def test_five_nodes_make_a_chain() -> None:
    plan = plan_relays([node(number) for number in range(1, 6)], "laptop")
    assert sources(plan) == {
        "worker-001": ("laptop",),
        "worker-002": ("worker-001", "laptop"),
        "worker-003": ("worker-002", "worker-001", "laptop"),
        "worker-004": ("worker-003", "worker-002", "worker-001", "laptop"),
        "worker-005": ("worker-004", "worker-003", "worker-002", "laptop"),
    }
    assert plan.places[1].allowed_addresses == ("192.0.2.3", "192.0.2.4", "192.0.2.5")
    assert plan.source_allowed == tuple(f"192.0.2.{number}" for number in range(1, 6))


def test_many_nodes_make_chains_whose_heads_follow_one_another() -> None:
    plan = plan_relays([node(number) for number in range(1, 8)], "laptop", longest_chain=3)
    nearest = {name: asked[0] for name, asked in sources(plan).items()}
    assert nearest == {
        "worker-001": "laptop",
        "worker-002": "worker-001",
        "worker-003": "worker-002",
        "worker-004": "worker-001",
        "worker-005": "worker-004",
        "worker-006": "worker-005",
        "worker-007": "worker-004",
    }


def test_zones_are_crossed_once() -> None:
    nodes = [node(number, zone="ab"[number % 2]) for number in range(1, 7)]
    zones = {one.name: one.zone for one in nodes}
    asked = sources(plan_relays(nodes, "laptop"))
    crossings = [name for name, whom in asked.items() if whom[0] in zones and zones[whom[0]] != zones[name]]
    assert len(crossings) == 1


def test_who_holds_it_fetches_nothing_and_serves_first() -> None:
    plan = plan_relays([node(1), node(2, holds=True)], "laptop")
    assert sources(plan) == {"worker-002": (), "worker-001": ("worker-002", "laptop")}
    assert plan.source_allowed == ("192.0.2.1",)


@pytest.mark.parametrize(
    ("networks", "address"),
    [
        pytest.param((), "192.0.2.7", id="none: the first address"),
        pytest.param(("198.51.100.0/24",), "198.51.100.7", id="the one in the network"),
        pytest.param(("203.0.113.0/24", "2001:db8::/64"), "2001:db8::7", id="the first network that has one"),
        pytest.param(("203.0.113.0/24",), None, id="none of its networks"),
    ],
)
def test_the_address_lies_in_the_machine_networks(networks: tuple[str, ...], address: str | None) -> None:
    many = RelayNode("worker-007", ("192.0.2.7", "198.51.100.7", "2001:db8:0::7"))
    (place,) = plan_relays([many], "laptop", machine_networks=networks).places
    assert place.address == address


def test_who_cannot_be_reached_fetches_from_the_source_alone() -> None:
    away = RelayNode("away", ("203.0.113.1",))
    plan = plan_relays([node(1), away, node(2)], "laptop", machine_networks=["192.0.2.0/24"])
    assert sources(plan) == {
        "away": ("laptop",),
        "worker-001": ("laptop",),
        "worker-002": ("worker-001", "laptop"),
    }
    assert "203.0.113.1" in plan.source_allowed


@pytest.mark.parametrize(
    ("nodes", "options"),
    [
        pytest.param([node(1), node(1)], {}, id="a name twice"),
        pytest.param([RelayNode("laptop", ("192.0.2.1",))], {}, id="a node with the name of the source"),
        pytest.param([RelayNode("worker", ())], {}, id="no address"),
        pytest.param([RelayNode("worker", ("worker.example",))], {}, id="a name for an address"),
        pytest.param([node(1)], {"machine_networks": ["192.0.2.0/33"]}, id="no network"),
        pytest.param([node(1)], {"longest_chain": 0}, id="no chain"),
    ],
)
def test_what_cannot_be_planned(nodes: list[RelayNode], options: dict[str, t.Any]) -> None:
    with pytest.raises(InvalidInputError):
        plan_relays(nodes, "laptop", **options)


def test_who_gets_only_some_images_is_asked_by_none_that_needs_others() -> None:
    few = frozenset({"cli"})
    nodes = [
        RelayNode("edge-0", ("192.0.2.1",), images=frozenset({"etcd"})),
        RelayNode("worker-0", ("192.0.2.2",), images=few),
        RelayNode("worker-1", ("192.0.2.3",), images=few, holds=True),
        RelayNode("worker-2", ("192.0.2.4",), images=few | {"rhel-coreos"}),
        RelayNode("zz-master", ("192.0.2.5",)),
    ]
    plan = plan_relays(nodes, "laptop")
    assert sources(plan) == {
        "zz-master": ("laptop",),
        "worker-2": ("zz-master", "laptop"),
        "worker-1": (),
        "worker-0": ("worker-1", "worker-2", "zz-master", "laptop"),
        "edge-0": ("zz-master", "laptop"),
    }
    assert plan.places[0].allowed_addresses == ("192.0.2.4", "192.0.2.2", "192.0.2.1")


def test_who_comes_later_stands_behind_all_others() -> None:
    nodes = [
        RelayNode("master-0", ("192.0.2.1",)),
        RelayNode("master-1", ("192.0.2.2",), comes_later=True),
        RelayNode("worker-0", ("192.0.2.3",), images=frozenset({"cli"})),
    ]
    assert sources(plan_relays(nodes, "laptop")) == {
        "master-0": ("laptop",),
        "worker-0": ("master-0", "laptop"),
        "master-1": ("master-0", "laptop"),
    }


@given(st.lists(st.sampled_from(["", "a", "b", "ab"]), max_size=40), st.integers(1, 30))
def test_everybody_gets_all_it_needs_from_each_that_it_asks(choices: list[str], longest: int) -> None:
    nodes = {
        f"worker-{number}": RelayNode(f"worker-{number}", (f"192.0.2.{number + 1}",), images=frozenset(words))
        for number, words in enumerate(choices)
    }
    plan = plan_relays(nodes.values(), "laptop", longest_chain=longest)
    begun: set[str] = set()
    for place in plan.places:
        assert set(place.sources) <= begun | {"laptop"}
        begun.add(place.name)
        for name in set(place.sources) - {"laptop"}:
            assert not nodes[name].images or nodes[place.name].images
            assert not nodes[name].images or nodes[place.name].images <= nodes[name].images


@st.composite
def clusters(draw: st.DrawFn) -> list[RelayNode]:
    count = draw(st.integers(0, 60))
    zones, holding = draw(st.lists(st.sampled_from("abc"), min_size=count, max_size=count)), draw(st.integers(0, 3))
    return [node(number + 1, zone, number < holding) for number, zone in enumerate(zones)]


@given(clusters(), st.integers(1, 30))
def test_everybody_is_served_and_only_by_those_who_begin_before(nodes: list[RelayNode], longest: int) -> None:
    plan = plan_relays(nodes, "laptop", longest_chain=longest)
    addresses = {place.name: place.address for place in plan.places}
    begun: set[str] = set()
    for place in plan.places:
        assert set(place.sources) <= begun | {"laptop"}
        assert len(place.sources) <= NEIGHBOURS + 1
        begun.add(place.name)
    assert begun == {one.name for one in nodes}
    for place in plan.places:
        asking = {addresses[other.name] for other in plan.places if place.name in other.sources}
        assert set(place.allowed_addresses) == asking
    nearest = [place.sources[0] for place in plan.places if place.sources]
    assert all(nearest.count(name) <= 2 for name in begun), "nobody has more than two who follow"
