# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""PinnedImageSets in the cluster: apply and remove them, and read their status on the nodes."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.differences import differ
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.pinned_image_sets import (
    GROUP_LABEL,
    NodeVerdict,
    node_verdicts,
    pools_without,
    require_room,
    sentence_of,
    sentence_of_pools,
    set_document,
    wanted_sets,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CLUSTER_OPERATOR,
    MACHINE_CONFIG_NODE,
    MACHINE_CONFIG_POOL,
    PINNED_IMAGE_SET,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.operator_state import OperatorState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.prefetch_limits import pool_of_set

Object = Mapping[str, t.Any]

OPERATOR = "machine-config"

SETS_OPTIONS: Mapping[str, Mapping[str, t.Any]] = {
    "name": {"type": "str", "required": True},
    "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
    "pools": {"type": "list", "elements": "str", "default": []},
    "images": {"type": "list", "elements": "str", "default": []},
    "images_by_pool": {"type": "dict", "default": {}},
    "wait_for": {"type": "str", "choices": ["pools", "nodes"], "default": "nodes"},
}


def sets_step(client: ClusterClient, params: Mapping[str, t.Any]) -> Step:
    """Bring the sets of one name into the asked state and return the state of their pools or of the nodes of these.

    Raises MissingRequirementError on a cluster without the API, InvalidInputError, ApiError.
    """
    if params["state"] == "absent":
        return _absent(client, params["name"], params["pools"])
    wanted = _wanted(params)
    _require_served(client)
    existing = client.list_objects(PINNED_IMAGE_SET)
    require_room(wanted, existing, _release(client))
    before = {one["metadata"]["name"]: one for one in existing}
    now = [client.apply(one) for one in wanted]
    changed = any(differ(before.get(one["metadata"]["name"]), one) for one in now)
    actions = tuple(client.actions.as_data()) if changed else ()
    pools = client.list_objects(MACHINE_CONFIG_POOL)
    verdicts, missing = _nodes(client, now, pools)
    if params["wait_for"] == "pools":
        waiting = pools_without(now, pools)
        sentence, done = sentence_of_pools(now, waiting), not waiting
    else:
        sentence = sentence_of(verdicts, missing)
        done = not missing and all(verdict.state == "pinned" for verdict in verdicts)
    return Step(sentence, done, changed, _report(now, verdicts), actions, _difference(before, now) if changed else None)


def _absent(client: ClusterClient, name: str, pools: Sequence[str]) -> Step:
    """Delete the sets of ``name``, only those of ``pools`` if any are given; a cluster without the API has none."""
    found = _existing(client, name) if client.serves(PINNED_IMAGE_SET) else []
    gone = [one for one in found if not pools or pool_of_set(one) in pools]
    for one in gone:
        client.delete(PINNED_IMAGE_SET, one["metadata"]["name"], uid=one["metadata"]["uid"])
    actions = tuple(client.actions.as_data()) if gone else ()
    diff = {"before": {one["metadata"]["name"]: one["spec"] for one in gone}, "after": {}} if gone else None
    return Step("no images are pinned by these sets", True, bool(gone), _report([], []), actions, diff)


def _difference(before: Mapping[str, Object], now: Sequence[Object]) -> dict[str, t.Any]:
    """Return the specifications of the sets that were written, before and after."""
    written = {one["metadata"]["name"]: one for one in now if differ(before.get(one["metadata"]["name"]), one)}
    return {
        "before": {name: before[name]["spec"] for name in written if name in before},
        "after": {name: one["spec"] for name, one in written.items()},
    }


def read_sets(client: ClusterClient, params: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return the sets of one name or all, of the pools ``names`` or all, and what the nodes say of them."""
    _require_served(client)
    pools = params["names"]
    existing = _existing(client, params["pinned_image_set"])
    sets = [one for one in existing if not pools or pool_of_set(one) in pools]
    return _report(sets, _nodes(client, sets, client.list_objects(MACHINE_CONFIG_POOL))[0])


def _wanted(params: Mapping[str, t.Any]) -> list[dict[str, t.Any]]:
    by_pool = {str(pool): list(map(str, images)) for pool, images in params["images_by_pool"].items()}
    if not params["pools"] or not all(by_pool.get(pool, params["images"]) for pool in params["pools"]):
        raise InvalidInputError(
            "apply PinnedImageSets",
            on="pools, images",
            seen="no pool is specified, or no image for one of the pools",
            advice="Set the pools and the images, or use state: absent.",
        )
    return wanted_sets(params["name"], {pool: by_pool.get(pool, params["images"]) for pool in params["pools"]})


def _require_served(client: ClusterClient) -> None:
    if not client.serves(PINNED_IMAGE_SET):
        raise MissingRequirementError(
            "use PinnedImageSets",
            on=client.access.server,
            seen="the cluster does not have this API, which OpenShift has by default since 4.19.12 and 4.20",
            advice="Pin on each node with crio_pinned_images instead.",
        )


def _existing(client: ClusterClient, name: str | None) -> list[dict[str, t.Any]]:
    return client.list_objects(PINNED_IMAGE_SET, labels=f"{GROUP_LABEL}={name}" if name else "")


def _release(client: ClusterClient) -> str:
    """Return the release of the machine-config daemons: the one that their operator has applied."""
    operator = client.get(CLUSTER_OPERATOR, OPERATOR)
    return OperatorState.of(operator).version if operator else ""


def _nodes(client: ClusterClient, sets: Sequence[Object], pools: Sequence[Object]) -> tuple[list[NodeVerdict], int]:
    verdicts = node_verdicts(sets, client.list_objects(MACHINE_CONFIG_NODE))
    wanted = {pool_of_set(one) for one in sets}
    machines = sum(
        int((pool.get("status") or {}).get("machineCount") or 0) for pool in pools if pool["metadata"]["name"] in wanted
    )
    return verdicts, max(machines - len(verdicts), 0)


def _report(sets: Sequence[Object], verdicts: Sequence[NodeVerdict]) -> dict[str, t.Any]:
    return {
        "pinned_image_sets": [set_document(one) for one in sets],
        "nodes": [verdict.as_document() for verdict in verdicts],
    }
