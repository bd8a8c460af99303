# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The record of writes."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.actions import ActionLog
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP, NODE, POD


def test_actions_are_shown_in_order_as_data() -> None:
    log = ActionLog()
    log.record(Call("patch", NODE, "worker-0"), {}, dry_run=False)
    log.record(Call("create", POD, "a", "infra", "eviction"), None, dry_run=True)
    assert log.as_data() == [
        {"verb": "patch", "kind": "Node", "namespace": None, "name": "worker-0", "dry_run": False},
        {"verb": "create", "kind": "Pod/eviction", "namespace": "infra", "name": "a", "dry_run": True},
    ]


def test_a_generated_name_is_taken_from_the_answer() -> None:
    log = ActionLog()
    log.record(Call("create", CONFIG_MAP, namespace="infra"), {"metadata": {"name": "a-x7"}}, dry_run=False)
    assert log.as_data()[0]["name"] == "a-x7"
