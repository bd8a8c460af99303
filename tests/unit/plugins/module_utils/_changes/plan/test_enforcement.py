# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is done to resources so that their state binds everybody, and what is published."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.clock_comparison import ClockComparison
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.enforcement import enforced, published
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import read_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import Resource, ResourceName
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import (
    Given,
    Governance,
    Judged,
    judge,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.stanzas import ABSENT
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.store_documents import Entries
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pause_record import PauseRecord

NOW = read_instant("2026-11-21T12:00:00Z", "now")
POOL = ResourceName("MachineConfigPool", "worker")
HOSTED = ResourceName("NodePool", "workers", "clusters")
OPEN, CLOSED, UNTIL = (
    {"strategy": "Permissive"},
    {"strategy": "Restrictive"},
    {"strategy": "RestrictiveUntil", "restrictiveUntil": "2026-11-22T00:00:00Z"},
)
OURS = PauseRecord(True, "2026-11-20T00:00:00Z", "runner", reason="change management")
ROLLOUT = PauseRecord(True, "2026-11-20T00:00:00Z", "runner", "update-4.21.4")


def seen(name: ResourceName, stanza: object, **state: t.Any) -> Judged:
    resources = [Resource(name, stanza, **state)]
    clock = ClockComparison(NOW, NOW, NOW, 30)
    return judge(resources, Governance(Entries("p"), Entries("a"), Given()), clock, 3)[0]


@pytest.mark.parametrize(
    ("stanza", "found", "paused", "mark"),
    [
        pytest.param(CLOSED, {}, True, "paused", id="closed: it is paused"),
        pytest.param(CLOSED, {"enforced": "governed"}, True, "paused", id="its window is over"),
        pytest.param(CLOSED, {"enforced": "paused"}, True, "paused", id="somebody has opened it: it is paused again"),
        pytest.param(CLOSED, {"paused": True, "enforced": "paused", "pause": OURS}, None, None, id="it is so already"),
        pytest.param(CLOSED, {"paused": True}, None, "governed", id="another's pause"),
        pytest.param(CLOSED, {"paused": True, "pause": ROLLOUT}, None, "governed", id="a rollout's pause"),
        pytest.param(OPEN, {"paused": True, "enforced": "paused", "pause": OURS}, False, "governed", id="it opens"),
        pytest.param(OPEN, {"paused": True, "enforced": "governed"}, None, None, id="another's pause goes on"),
        pytest.param(
            OPEN, {"paused": True, "enforced": "paused", "pause": ROLLOUT}, None, None, id="a rollout has it now"
        ),
        pytest.param(OPEN, {}, None, "governed", id="open: it is marked"),
        pytest.param(OPEN, {"enforced": "paused"}, None, "governed", id="it was opened by hand"),
        pytest.param(ABSENT, {}, None, None, id="nothing governs it"),
        pytest.param(ABSENT, {"paused": True}, None, None, id="nothing governs what is paused"),
        pytest.param(ABSENT, {"paused": True, "enforced": "paused", "pause": OURS}, False, "", id="it is given back"),
        pytest.param(ABSENT, {"enforced": "governed"}, None, "", id="its mark goes"),
    ],
)
def test_pools(stanza: object, found: dict[str, t.Any], paused: bool | None, mark: str | None) -> None:
    patch = enforced(seen(POOL, stanza, **found), "runner").patch
    if mark is None:
        assert patch is None
        return
    assert patch is not None
    assert patch["metadata"]["labels"]["fieldops.openshift/enforced"] == (mark or None)
    assert patch.get("spec", {}).get("paused") is paused


def test_a_pause_says_who_why_and_that_it_is_no_rollouts() -> None:
    patch = enforced(seen(POOL, UNTIL), "runner").patch
    assert patch is not None
    record = PauseRecord.of({"metadata": patch["metadata"]})
    assert record is not None
    assert (record.paused, record.by, record.rollout) == (True, "runner", "")
    assert "until 2026-11-22T00:00:00Z" in record.reason


def test_the_control_plane_goes_on_while_an_update_has_begun() -> None:
    paused = {"paused": True, "enforced": "paused", "pause": OURS}
    assert enforced(seen(POOL, CLOSED, **paused), "runner", update_begun=True).paused is False


@pytest.mark.parametrize(
    ("stanza", "found", "by", "wanted"),
    [
        (CLOSED, "", "", "true"),
        (UNTIL, "", "", "2026-11-22T00:00:00Z"),
        (CLOSED, "2026-11-22T00:00:00Z", "change-management", "true"),
        (OPEN, "true", "change-management", None),
        (ABSENT, "true", "change-management", None),
    ],
)
def test_hosted_resources(stanza: object, found: str, by: str, wanted: str | None) -> None:
    patch = enforced(seen(HOSTED, stanza, paused_until=found, paused_by=by), "runner").patch
    assert patch is not None
    assert patch["spec"] == {"pausedUntil": wanted}


@pytest.mark.parametrize(("stanza", "found"), [(OPEN, "true"), (CLOSED, "false"), (ABSENT, ""), (OPEN, "")])
def test_hosted_resources_that_are_left_alone(stanza: object, found: str) -> None:
    assert enforced(seen(HOSTED, stanza, paused_until=found, paused_by="somebody"), "runner").patch is None


def test_what_is_published_expires_and_names_only_what_is_governed() -> None:
    judged = [
        seen(POOL, UNTIL),
        seen(ResourceName("MachineConfigPool", "infra"), OPEN),
        seen(ResourceName("MachineConfigPool", "free"), ABSENT),
        seen(ResourceName("MachineConfigPool", "never"), CLOSED),
    ]
    assert published(judged, NOW, NOW + 86400) == {
        "published": "2026-11-21T12:00:00Z",
        "expires": "2026-11-22T12:00:00Z",
        "MachineConfigPool.worker": "2026-11-22T00:00:00Z/2026-11-22T12:00:00Z",
        "MachineConfigPool.infra": "2026-11-21T12:00:00Z/2026-11-22T12:00:00Z",
        "MachineConfigPool.never": "",
        "config": "",
    }
