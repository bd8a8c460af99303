# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import json
import typing as t
from datetime import datetime, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.kured import (
    LOCK_ANNOTATION,
    kured_obstacle,
)

NOW = datetime(2026, 11, 21, 22, 0, tzinfo=timezone.utc)
EARLY = "2026-11-21T21:00:00.123456789Z"
HOUR = 3600 * 10**9


def obstacle(text: str | None) -> str:
    notes = {} if text is None else {LOCK_ANNOTATION: text}
    return kured_obstacle([{"metadata": {"name": "kured", "namespace": "kube-system", "annotations": notes}}], NOW)


def lock(**changes: t.Any) -> dict[str, t.Any]:
    return {"nodeID": "worker-7", "metadata": {"unschedulable": False}, "created": EARLY, "TTL": 0, **changes}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(None, id="never locked"),
        pytest.param(json.dumps({"maxOwners": 2, "locks": []}), id="all given back"),
        pytest.param(json.dumps(lock(TTL=HOUR // 2)), id="run out"),
    ],
)
def test_a_free_lock_forbids_nothing(text: str | None) -> None:
    assert obstacle(text) == ""


@pytest.mark.parametrize(
    ("text", "named"),
    [
        pytest.param(json.dumps(lock()), "worker-7", id="held for ever"),
        pytest.param(json.dumps(lock(TTL=2 * HOUR)), "worker-7", id="not run out yet"),
        pytest.param(json.dumps(lock(created="?", TTL=1)), "worker-7", id="of unknown age"),
        pytest.param(json.dumps({"locks": [lock(), lock(nodeID="worker-8")]}), "worker-7, worker-8", id="several"),
        pytest.param("{", "cannot be read", id="damaged"),
        pytest.param("[]", "cannot be read", id="no object"),
        pytest.param('{"locks": 5}', "cannot be read", id="no list"),
        pytest.param("[" * 9999, "cannot be read", id="hostile"),
    ],
)
def test_a_held_lock_is_told(text: str, named: str) -> None:
    assert named in obstacle(text)


def test_a_daemon_set_without_the_annotation_is_somebody_elses() -> None:
    assert kured_obstacle([{"metadata": {"name": "dns"}}], NOW) == ""
