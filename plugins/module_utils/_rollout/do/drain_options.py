# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The options of node_drain, and what they ask for."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import CLAIM_OPTION, Claim
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.drain import DrainRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.evictions import (
    DELETE,
    FAIL,
    WAIT,
    EvictionOptions,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.cordon import (
    FOREIGN_CORDONS,
    HOLD_BACK,
    KEEP,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pod_filters import DrainRules

DRAIN_OPTIONS: dict[str, dict[str, t.Any]] = {
    "name": {"type": "str", "required": True},
    "state": {"type": "str", "choices": ["started", "cordoned", "drained", "schedulable"], "default": "drained"},
    "outcome": {"type": "str", "choices": ["done", "aborted"], "default": "done"},
    "foreign_cordon": {"type": "str", "choices": FOREIGN_CORDONS, "default": HOLD_BACK},
    "force": {"type": "bool", "default": False},
    "delete_emptydir_data": {"type": "bool", "default": False},
    "grace_period": {"type": "int"},
    "disable_eviction": {"type": "bool", "default": False},
    "pod_selector": {"type": "str", "default": ""},
    "leave_terminating_after": {"type": "int", "default": 0},
    "budget_timeout": {"type": "int", "default": 0},
    "budget_strategy": {"type": "str", "choices": [WAIT, FAIL, DELETE], "default": WAIT},
    "rollout": CLAIM_OPTION,
}


def drain_request(options: Mapping[str, t.Any]) -> DrainRequest:
    """Return what the options of node_drain ask for."""
    rules = DrainRules(
        force=options["force"],
        delete_local_data=options["delete_emptydir_data"],
        leave_terminating_after=options["leave_terminating_after"],
    )
    return DrainRequest(
        node=options["name"],
        state=options["state"],
        claim=Claim.of(options["rollout"]),
        evictions=EvictionOptions(
            rules,
            options["grace_period"],
            options["disable_eviction"],
            selector=options["pod_selector"],
            budget_timeout=options["budget_timeout"],
            budget_strategy=options["budget_strategy"],
        ),
        keep_foreign_cordon=options["foreign_cordon"] == KEEP,
        outcome=options["outcome"],
    )
