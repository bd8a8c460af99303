# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which node downloads a bundle from which, so that N nodes take about as long as one node. Pure.

Nodes form chains: each passes on what it has proved while it still receives, so the source gives the bundle once and
no node gives it more than twice. The head of a further chain follows the head of the chain before. A node that finds
its neighbour dead asks the one before that, and the source in the end. Nodes of one zone are next to each other, so
that as few links as possible are between zones. A node that must get only some images cannot pass on more than those:
it is asked by none that needs others, and comes after those that get more.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)

LONGEST_CHAIN = 25
"""A piece takes a fraction of a second for each link; longer chains only make a slow node slow more others."""

NEIGHBOURS = 3
"""How many of the nodes before it a node may download from."""


@dataclass(frozen=True)
class RelayNode:
    """A node that must get the bundle; ``holds`` says that it has all that it must get already.

    ``images`` are those of the bundle that it must get, by the words that the site uses for them; none means all.
    One that ``comes_later`` receives nothing until others are complete, so that those come before it.
    """

    name: str
    addresses: tuple[str, ...]
    zone: str = ""
    holds: bool = False
    images: frozenset[str] = frozenset()
    comes_later: bool = False

    def has_all_for(self, other: RelayNode) -> bool:
        """Whether it must get all that ``other`` must get."""
        return not self.images or bool(other.images and other.images <= self.images)


@dataclass(frozen=True)
class RelayPlace:
    """One node in the plan.

    ``address`` is where it can be reached by the others, None where they cannot. ``sources`` are the names of those
    that it asks, the nearest first and the source of all last. ``allowed_addresses`` may fetch from it.
    """

    name: str
    address: str | None
    sources: tuple[str, ...]
    allowed_addresses: tuple[str, ...] = ()

    def to_document(self) -> dict[str, t.Any]:
        """Return the place as plain data."""
        return {
            "name": self.name,
            "address": self.address,
            "sources": list(self.sources),
            "allowed_addresses": list(self.allowed_addresses),
        }


@dataclass(frozen=True)
class RelayPlan:
    """Every node once, in the order in which to begin; ``source_allowed`` may fetch from the source of all."""

    places: tuple[RelayPlace, ...]
    source_allowed: tuple[str, ...] = field(default=())


def plan_relays(
    nodes: Iterable[RelayNode],
    source: str,
    *,
    machine_networks: Sequence[str] = (),
    longest_chain: int = LONGEST_CHAIN,
) -> RelayPlan:
    """Return which node downloads from which; ``source`` is the name of what has the bundle and is no node.

    ``machine_networks`` are those in which nodes reach one another, the preferred one first; without any, every
    node's first address is taken. Raises InvalidInputError, MissingRequirementError.
    """
    known = sorted(nodes, key=_place)
    _check(known, source, longest_chain)
    reached = {node.name: _address(node, machine_networks) for node in known}
    linked = {node.name: node for node in known if reached[node.name] is not None}
    parents = _parents(list(linked), longest_chain)
    asked = {node.name: () if node.holds else (*_before(node, linked, parents), source) for node in known}
    places = tuple(
        RelayPlace(
            name=node.name,
            address=reached[node.name],
            sources=asked[node.name],
            allowed_addresses=_addresses_of(node.name, asked, reached),
        )
        for node in known
    )
    fetching = [node for node in known if not node.holds]
    return RelayPlan(places, tuple(reached[node.name] or node.addresses[0] for node in fetching))


def _place(node: RelayNode) -> tuple[t.Any, ...]:
    """Return by what nodes are sorted: who gets all before who gets less, and equal choices side by side."""
    return (
        node.comes_later,
        bool(node.images),
        -len(node.images),
        sorted(node.images),
        not node.holds,
        node.zone,
        node.name,
    )


def _check(nodes: Sequence[RelayNode], source: str, longest_chain: int) -> None:
    names = [node.name for node in nodes]
    seen = ""
    if len(set(names)) != len(names) or source in names:
        seen = "two machines have the same name"
    elif longest_chain < 1:
        seen = f"the longest chain is {longest_chain}"
    elif not all(node.addresses for node in nodes):
        seen = f"{next(node.name for node in nodes if not node.addresses)} has no address"
    if seen:
        raise InvalidInputError(
            "plan the relays", on="nodes", seen=seen, advice="Set one name and at least one address for every node."
        )


def _parents(names: Sequence[str], longest_chain: int) -> dict[str, str | None]:
    """Return before whom each node comes; heads of further chains come after the head of the chain before."""
    heads = names[::longest_chain]
    before: dict[str, str | None] = {}
    for number, name in enumerate(names):
        if number % longest_chain:
            before[name] = names[number - 1]
        else:
            before[name] = heads[number // longest_chain - 1] if number else None
    return before


def _before(node: RelayNode, linked: dict[str, RelayNode], parents: dict[str, str | None]) -> tuple[str, ...]:
    found: list[str] = []
    following = parents.get(node.name)
    while following is not None and len(found) < NEIGHBOURS:
        if linked[following].has_all_for(node):
            found.append(following)
        following = parents[following]
    return tuple(found)


def _addresses_of(name: str, asked: dict[str, tuple[str, ...]], reached: dict[str, str | None]) -> tuple[str, ...]:
    return tuple(address for other, address in reached.items() if address is not None and name in asked[other])


def _address(node: RelayNode, networks: Sequence[str]) -> str | None:
    """Return the address of ``node`` in the first of ``networks`` that has one, None where none has."""
    try:
        import netaddr
    except ImportError as error:
        raise MissingRequirementError(
            "plan the relays",
            on="this machine",
            seen="the Python package netaddr cannot be imported",
            advice="Install the package netaddr for the Python interpreter that runs Ansible.",
        ) from error
    try:
        addresses = [netaddr.IPAddress(text) for text in node.addresses]
        ranges = [netaddr.IPNetwork(text) for text in networks]
    except (ValueError, netaddr.AddrFormatError) as error:
        raise InvalidInputError(
            "plan the relays",
            on=node.name,
            seen=str(error),
            advice="Use numeric addresses, and networks such as 192.0.2.0/24.",
        ) from error
    if not ranges:
        return str(addresses[0])
    return next((str(address) for each in ranges for address in addresses if address in each), None)
