# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which of several builds was asked for last, by what the operator writes in which order."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config import (
    SUPERSEDED_BUILD,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config_builds import (
    CURRENT_BUILD,
    build_verdict,
    current_build_uid,
)

RENDERED = "rendered-worker-1"
IMAGE = "registry.site.example/os/worker@sha256:" + "1f" * 32

Object = dict[str, t.Any]


def config(*, current: str = "", superseded: str = "", image: str = "") -> Object:
    notes = {CURRENT_BUILD: current, SUPERSEDED_BUILD: superseded}
    return {
        "metadata": {"name": "worker", "uid": "config", "annotations": {k: v for k, v in notes.items() if v}},
        "status": {"currentImagePullSpec": image} if image else {},
    }


def build(name: str, state: str = "", *, uid: str = "", image: str = "", **other: str) -> Object:
    created = other.get("created", "2026-11-21T20:00:00Z")
    owner = [{"uid": other.get("owner", "config")}]
    conditions = [{"type": state, "status": "True", "message": f"it is {state}"}] if state else []
    return {
        "metadata": {"name": name, "uid": uid or name, "creationTimestamp": created, "ownerReferences": owner},
        "spec": {
            "machineConfig": {"name": other.get("rendered", RENDERED)},
            "machineOSConfig": {"name": other.get("config", "worker")},
        },
        "status": {
            "conditions": conditions,
            "digestedImagePushSpec": image,
            "buildStart": "2026-11-21T20:00:05Z" if state else "",
        },
    }


CASES: dict[str, tuple[Object, list[Object], str, str]] = {
    "nothing yet": (config(), [], "waiting", "has not started"),
    "begun, not yet named": (config(), [build("a", "Prepared")], "building", "a is being prepared"),
    "without conditions": (config(current="a"), [build("a")], "building", "a is being prepared"),
    "running": (config(current="a"), [build("a", "Building")], "building", "running since 2026-11-21T20:00:05Z"),
    "ended, not taken over": (
        config(current="a"),
        [build("a", "Succeeded", image=IMAGE)],
        "building",
        "its image is being applied",
    ),
    "built": (config(current="a", image=IMAGE), [build("a", "Succeeded", image=IMAGE)], "built", f"{IMAGE} is built"),
    "failed": (config(current="a"), [build("a", "Failed")], "failed", "build a has failed: it is Failed"),
    "interrupted": (
        config(current="a"),
        [build("a", "Interrupted")],
        "interrupted",
        "build a has been interrupted: it is Interrupted",
    ),
    "the one before is named still": (
        config(current="a", superseded="a", image=IMAGE),
        [build("a", "Succeeded", image=IMAGE)],
        "waiting",
        "has not started",
    ),
    "the one before is named, the new one has begun": (
        config(current="a", superseded="a", image=IMAGE),
        [build("a", "Succeeded", image=IMAGE), build("b", "Prepared", created="2026-11-21T20:05:00Z")],
        "building",
        "b is being prepared",
    ),
    "made again under the same name": (
        config(current="a", superseded="first"),
        [build("a", "Building", uid="second")],
        "building",
        "build a has been running",
    ),
    "back to an earlier build, which is named": (
        config(current="a", superseded="b", image=IMAGE),
        [build("a", "Succeeded", image=IMAGE), build("b", "Succeeded", created="2026-11-21T20:05:00Z")],
        "built",
        f"{IMAGE} is built",
    ),
    "for an older configuration of the pool": (
        config(current="a", image=IMAGE),
        [build("a", "Succeeded", image=IMAGE, rendered="rendered-worker-0")],
        "waiting",
        "newer configuration rendered-worker-1 has not started",
    ),
    "of another pool": (config(), [build("a", "Succeeded", image=IMAGE, config="infra")], "waiting", "has not started"),
    "of an object of this name that was deleted": (
        config(),
        [build("a", "Succeeded", image=IMAGE, owner="an earlier one")],
        "waiting",
        "has not started",
    ),
}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_where_the_build_stands(case: str) -> None:
    found, builds, phase, sentence = CASES[case]
    verdict = build_verdict(found, builds, RENDERED)
    assert (verdict.phase, sentence in verdict.sentence) == (phase, True), verdict
    assert verdict.image == (IMAGE if phase == "built" else "")


@pytest.mark.parametrize(
    ("found", "uid"), [(None, ""), (config(), ""), (config(current="a"), "first"), (config(current="gone"), "")]
)
def test_what_a_new_order_supersedes(found: Object | None, uid: str) -> None:
    assert current_build_uid(found, [build("a", "Succeeded", uid="first")]) == uid
