# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where pools of bootc-operator stand; the digests are those of a list and its amd64 manifest in pull request 167."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.bootc_pool import (
    BootcPool,
    PoolNode,
    pool_patch,
    wanted_image,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

NAME = "registry.stage.redhat.io/rhel10/rhel-bootc-eks"
LIST, OWN, OTHER = (f"sha256:{64 * one}" for one in "abc")
UID = "0b8c"
Object = dict[str, t.Any]


def image(name: str, digest: str) -> Object:
    return {"image": f"{NAME}@{name}", "imageDigest": digest}


def node(
    name: str = "worker-0",
    *,
    slot: bool = False,
    desired: str = LIST,
    boots: bool = False,
    seen: int = 1,
    **status: t.Any,
) -> Object:
    conditions = [
        {"type": kind, "status": str(value[0]), "reason": value[1], "message": value[1]}
        for kind, value in (("Idle", status.pop("idle", None)), ("Degraded", status.pop("degraded", None)))
        if value
    ]
    return {
        "metadata": {
            "name": name,
            "generation": 1,
            "ownerReferences": [{"uid": UID}],
            "annotations": {"bootc.dev/in-reboot-slot": ""} if slot else {},
        },
        "spec": {"desiredImage": f"{NAME}@{desired}", "desiredImageState": "Booted" if boots else "Staged"},
        "status": {"observedGeneration": seen, "conditions": conditions, **status},
    }


def pool(*nodes: Object, paused: bool = True, observed: int = 3, **degraded: str) -> BootcPool:
    conditions = [{"type": "Degraded", "status": "True", **degraded}] if degraded else []
    found = {
        "metadata": {"name": "workers", "uid": UID, "generation": 3},
        "spec": {"image": {"ref": f"{NAME}@{LIST}"}, "rollout": {"paused": paused}},
        "status": {"observedGeneration": observed, "conditions": conditions},
    }
    return BootcPool.of(found, nodes)


BOOTED: Object = {"booted": image(LIST, OWN), "idle": (True, "Idle")}
STAGED: Object = {"booted": image(OTHER, OTHER), "staged": image(LIST, OWN), "idle": (False, "Staged")}
STAGING: Object = {"booted": image(OTHER, OTHER), "idle": (False, "Staging")}
AWAY: Object = {**STAGED, "idle": (False, "Rebooting")}
BROKEN: Object = {"booted": image(OTHER, OTHER), "degraded": (True, "Error")}


@pytest.mark.parametrize(
    ("seen", "standing"),
    [
        ({}, "pending"),
        ({"booted": image(LIST, OWN)}, "booted"),
        ({"booted": image(OWN, LIST)}, "booted"),
        ({"booted": image(OTHER, OTHER), "idle": (True, "Idle")}, "pending"),
        ({"booted": image(OTHER, OTHER), "idle": (False, "Staging")}, "staging"),
        (STAGED, "staged"),
        ({**STAGED, "staged": image(OTHER, OTHER)}, "pending"),
        ({**STAGED, "idle": (False, "Rebooting")}, "rebooting"),
        ({**STAGED, "idle": (False, "SomethingNew")}, "pending"),
        (BROKEN, "degraded"),
        ({**BOOTED, "degraded": (True, "Error")}, "degraded"),
        # What was said of an earlier wish is not said of this one.
        ({**STAGED, "desired": OTHER}, "pending"),
        ({**BROKEN, "desired": OTHER}, "pending"),
        ({**STAGED, "seen": 0}, "pending"),
        ({**BOOTED, "desired": OTHER}, "booted"),
    ],
)
def test_a_node_stands_where_its_daemon_says(seen: Object, standing: str) -> None:
    assert PoolNode.of(node(**seen), LIST).standing == standing


@pytest.mark.parametrize(
    ("nodes", "is_staged", "is_booted"),
    [
        ([], False, False),
        ([node(**BOOTED), node("worker-1", **BOOTED)], True, True),
        ([node(**BOOTED), node("worker-1", slot=True, **BOOTED)], True, False),
        ([node(**BOOTED), node("worker-1", **STAGED)], True, False),
        ([node(**STAGED), node("worker-1", **BROKEN)], False, False),
    ],
    ids=["no nodes", "booted", "not ready yet", "staged", "one cannot"],
)
def test_a_pool_is_there_when_each_node_is(nodes: list[Object], is_staged: bool, is_booted: bool) -> None:
    found = pool(*nodes)
    assert (found.is_staged, found.is_booted) == (is_staged, is_booted)


def test_what_the_operator_has_not_looked_at_proves_nothing() -> None:
    found = pool(node(**BOOTED), observed=2, reason="NodeConflict", message="overlaps with gpu")
    assert (found.is_staged, found.is_booted, found.fault) == (False, False, "")


def test_nodes_of_other_pools_do_not_count() -> None:
    foreign = node(**STAGED)
    foreign["metadata"]["ownerReferences"] = [{"uid": "another"}]
    assert pool(foreign).nodes == []


INVALID = f'invalid image ref "{NAME}@{LIST}": short'


@pytest.mark.parametrize(
    ("found", "fault"),
    [
        (pool(node(**BROKEN)), ""),
        (pool(node(slot=True, **BROKEN)), "worker-0: Error"),
        (pool(node(**BROKEN), reason="NodeDegraded", message="Degraded nodes: worker-0"), ""),
        (pool(node(**STAGED), reason="NodeConflict", message="overlaps with gpu"), "NodeConflict: overlaps with gpu"),
        (pool(node(**STAGED), reason="SecretError", message="secret a/b not found"), ""),
        (pool(node(**STAGED), observed=2, reason="InvalidSpec", message=INVALID), f"InvalidSpec: {INVALID}"),
        (pool(node(**STAGED), observed=2, reason="InvalidSpec", message='invalid image ref "x"'), ""),
        (
            pool(node(**STAGED), observed=2, reason="InvalidSpec", message="maxUnavailable"),
            "InvalidSpec: maxUnavailable",
        ),
        (pool(), "its nodeSelector matches no node"),
        (pool(observed=2), ""),
        (pool(node(slot=True, boots=True, **AWAY)), ""),
        (
            pool(node(slot=True, boots=True, **AWAY), reason="NodeDegraded", message="Degraded nodes: worker-0"),
            "worker-0: it is not back after the rebootTimeoutSeconds of the pool",
        ),
        (
            pool(node(slot=True, boots=True, **STAGING)),
            "worker-0: it rebooted without the image, and stages it again",
        ),
        (pool(node(slot=True, **STAGING)), ""),
        (pool(node(slot=True, boots=True, desired=OTHER, **STAGING)), ""),
    ],
    ids=[
        "staging is tried again",
        "a node that was begun",
        "said by the node",
        "of the pool",
        "the rollout goes on without the secret",
        "an image that the operator stopped at",
        "an image of before",
        "another part of the spec",
        "no node",
        "no node yet",
        "a node on its way",
        "a node that is late",
        "a node that fell back",
        "the image changed while it was drained",
        "an earlier wish",
    ],
)
def test_only_what_does_not_end_by_itself_is_a_fault(found: BootcPool, fault: str) -> None:
    assert found.fault == fault


def test_what_the_pool_says_is_in_its_sentence() -> None:
    found = pool(node(**STAGED), reason="SecretError", message="secret a/b not found")
    assert found.sentence == "pool workers: of 1 nodes 1 staged; it is paused; SecretError: secret a/b not found"


def test_image_and_pause_are_one_request() -> None:
    found, other = pool(paused=False), f"{NAME}@{OTHER}"
    wanted = {"spec": {"image": {"ref": other}, "rollout": {"paused": True}}}
    assert pool_patch(found, other, paused=True) == wanted
    assert pool_patch(found, found.image, paused=False) is None


def test_a_tag_beside_the_digest_is_left_out_and_one_alone_refused() -> None:
    assert wanted_image(f"{NAME}:10@{LIST}") == (f"{NAME}@{LIST}", LIST)
    with pytest.raises(InvalidInputError, match="by a tag"):
        wanted_image(f"{NAME}:10")
