# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.api_address import nodes_at
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.journal_entries import Journal
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.standing import (
    RolloutNode,
    StandingRules,
    standing_of,
)


def node(name: str, *addresses: str) -> RolloutNode:
    listed = [{"type": "InternalIP", "address": one} for one in addresses]
    return standing_of({"metadata": {"name": name}, "status": {"addresses": listed}}, "", Journal("r"), StandingRules())


NODES = [node("m0", "10.0.0.1", "fd00::1"), node("m1", "10.0.0.2"), node("m2")]


@pytest.mark.parametrize(
    ("server", "names"),
    [
        ("https://10.0.0.2:6443", ["m1"]),
        ("https://[fd00:0::1]:6443", ["m0"]),
        ("https://10.0.0.20:6443", []),
        ("https://api.site.example:6443", []),
        ("", []),
    ],
)
def test_who_answers_there(server: str, names: list[str]) -> None:
    assert nodes_at(server, NODES) == names
