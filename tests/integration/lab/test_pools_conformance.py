# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The same nodes and pools to the actors' function and to upstream's: which pools a node has, in which order."""

from __future__ import annotations

import json
import subprocess
import typing as t
from dataclasses import dataclass, field

import pytest

from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import pools_of
from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.lab.rest import Json

ROLE = "node-role.kubernetes.io/"


@dataclass(frozen=True)
class Row:
    """A node with these roles, the pools that it has, and why upstream refuses to name one; ``odd`` is one more pool.

    There are the pools of the control plane and of workers, and two custom ones for the roles infra and edge.
    """

    roles: tuple[str, ...]
    pools: list[str] = field(default_factory=list)
    error: str = ""
    odd: Json | None = None
    labels: dict[str, str] = field(default_factory=dict)


def expression(operator: str, *values: str) -> Json:
    """A selector of the pool ``odd``."""
    return {"matchExpressions": [{"key": "zone", "operator": operator, **({"values": [*values]} if values else {})}]}


INVALID = "invalid label selector"
ROWS = {
    "a worker": Row(("worker",), ["worker"]),
    "the control plane": Row(("master",), ["master"]),
    "a control plane that takes work": Row(("master", "worker"), ["master"]),
    "a custom pool follows the workers'": Row(("worker", "infra"), ["infra", "worker"]),
    "a custom pool alone": Row(("infra",), ["infra"]),
    "a custom pool on the control plane is put aside": Row(("master", "infra"), ["master"]),
    "all three": Row(("master", "worker", "infra"), ["master", "worker"]),
    "two custom pools": Row(("worker", "infra", "edge"), error="belongs to 2 custom roles, cannot proceed"),
    "two custom pools on the control plane": Row(("master", "infra", "edge"), error="belongs to 2 custom roles"),
    "no role": Row(()),
    "Windows": Row(("worker",), labels={"kubernetes.io/os": "windows"}),
    "an empty selector selects nothing": Row(("worker",), ["worker"], odd={}),
    "no selector selects nothing": Row(("worker",), ["worker"], odd=None),
    "one of several values": Row(("worker",), ["odd", "worker"], odd=expression("In", "a", "b"), labels={"zone": "b"}),
    "In needs the label": Row(("worker",), ["worker"], odd=expression("In", "a")),
    "NotIn holds without the label": Row(("worker",), ["odd", "worker"], odd=expression("NotIn", "a")),
    "NotIn": Row(("worker",), ["worker"], odd=expression("NotIn", "a"), labels={"zone": "a"}),
    "Exists": Row(("worker",), ["odd", "worker"], odd=expression("Exists"), labels={"zone": ""}),
    "DoesNotExist": Row(("worker",), ["odd", "worker"], odd=expression("DoesNotExist")),
    "labels and expressions": Row(
        ("worker",), ["worker"], odd={"matchLabels": {"site": "x"}, **expression("DoesNotExist")}
    ),
    "In without values spoils all pools": Row(("worker",), error=INVALID, odd=expression("In")),
    "Exists with a value spoils all pools": Row(("master",), error=INVALID, odd=expression("Exists", "a")),
}


def node_of(row: Row) -> Json:
    return {"metadata": {"name": "node", "labels": {**{f"{ROLE}{role}": "" for role in row.roles}, **row.labels}}}


def cluster_of(row: Row) -> list[Json]:
    selectors = {name: {"matchLabels": {f"{ROLE}{name}": ""}} for name in ("edge", "infra", "master", "worker")}
    found = [{"metadata": {"name": name}, "spec": {"nodeSelector": one}} for name, one in selectors.items()]
    return [*found, {"metadata": {"name": "odd"}, "spec": {} if row.odd is None else {"nodeSelector": row.odd}}]


@pytest.fixture(scope="module")
def upstream() -> dict[str, t.Any]:
    """What upstream's function says of each row."""
    cases = [{"node": node_of(row), "pools": cluster_of(row)} for row in ROWS.values()]
    command = [str(program("daemon-parts")), "pools-of-node"]
    done = subprocess.run(command, input=json.dumps(cases), stdout=subprocess.PIPE, text=True, check=True)
    return dict(zip(ROWS, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("name", ROWS)
def test_a_node_has_the_pools_of_its_row(upstream: dict[str, t.Any], name: str) -> None:
    row = ROWS[name]
    assert [one["metadata"]["name"] for one in pools_of(node_of(row), cluster_of(row))] == row.pools
    if row.error:
        assert row.error in upstream[name]
    else:
        assert upstream[name] == row.pools
