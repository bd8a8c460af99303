# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What each node needs, from what its pool needs, as a play gets it."""

from __future__ import annotations

import typing as t

import pytest
from ansible.errors import AnsibleFilterError
from ansible.utils.display import Display

from ansible_collections.fieldops.openshift.plugins.filter.images_by_node import images_by_node

NODES = [{"name": "master-0", "pool": "master", "zone": ""}, {"name": "worker-0", "pool": "worker"}]


def test_plain_data() -> None:
    assert images_by_node(NODES, {"worker": ["cli"]}) == {"worker-0": ["cli"]}


def test_a_pool_without_nodes_changes_nothing_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    warned: list[str] = []
    monkeypatch.setattr(Display, "warning", lambda _display, message: warned.append(message))
    assert images_by_node(NODES, {"worker": ["cli"], "wroker": ["etcd"]}) == {"worker-0": ["cli"]}
    (message,) = warned
    assert "pool wroker, which has no nodes" in message


def test_no_choice_is_no_reason_to_warn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Display, "warning", lambda _display, message: pytest.fail(message))
    assert images_by_node(NODES, {}) == {}


@pytest.mark.parametrize(
    ("nodes", "by_pool", "message"),
    [
        pytest.param([{"name": "a"}], {"worker": ["cli"]}, "a.*their pool is unknown", id="no pool"),
        pytest.param([{"pool": "worker"}], {"worker": ["cli"]}, "every node needs name", id="no name"),
        pytest.param(NODES, {"worker": "cli"}, "list of names", id="a word"),
        pytest.param(NODES, {"worker": None}, "every pool a list", id="nothing"),
        pytest.param(NODES, ["cli"], "every pool a list", id="no pools"),
    ],
)
def test_what_cannot_be_told(nodes: t.Any, by_pool: t.Any, message: str) -> None:
    with pytest.raises(AnsibleFilterError, match=message):
        images_by_node(nodes, by_pool)
