# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""PinnedImageSets: the method of the cluster to keep images on the nodes of a pool, and the status of each node.

Source: openshift/api ``machineconfiguration/v1/types_pinnedimageset.go`` and ``types_machineconfignode.go``;
machine-config-operator ``pkg/daemon/pinned_image_set.go`` for the order in which a node reports.
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import conditions_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    PART_OF,
    PART_OF_LABEL,
    POOL_ROLE_LABEL,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import PINNED_IMAGE_SET
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.prefetch_limits import (
    PrefetchLimits,
    images_of_set,
    pool_of_set,
)

Object = Mapping[str, t.Any]

LARGEST_SET = 500
LONGEST_NAME = 447
GROUP_LABEL = "fieldops-openshift/pinned-image-set"
"""The name under which the sets of all pools were requested together."""

_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
_DEEPEST = 2


@dataclass(frozen=True)
class NodeVerdict:
    """One node and whether it has all images of its pool's sets: ``state`` is pinned, progressing or failed."""

    node: str
    pool: str
    state: str
    reason: str

    def as_document(self) -> dict[str, str]:
        """Return it as results show it."""
        return dict(vars(self))


def wanted_sets(name: str, images_by_pool: Mapping[str, Sequence[str]]) -> list[dict[str, t.Any]]:
    """Return the objects that are requested under ``name``: one for each pool.

    Raises InvalidInputError for a name that no object can have and for images that the API does not take.
    """
    if not _NAME.fullmatch(name):
        raise _refusal(f"name: {name[:100]!r}", "it is not a lower-case name of letters, digits and dashes")
    return [_object(name, pool, sorted(set(images))) for pool, images in sorted(images_by_pool.items())]


def require_room(wanted: Sequence[Object], existing: Sequence[Object], version: str) -> None:
    """Require that the daemons of ``version`` are sure to complete the ``wanted`` sets in addition to ``existing``
    ones.

    Raises InvalidInputError, also where a set of such a name is of others.
    """
    names = {one["metadata"]["name"]: _group(one) for one in wanted}
    for one in existing:
        name = one["metadata"]["name"]
        if name in names and _group(one) != names[name]:
            raise _refusal(f"PinnedImageSet {name}", "it exists and was not created by this collection under this name")
    others = [one for one in existing if one["metadata"]["name"] not in names]
    # Where the API is served but the release is unknown, the strictest limits count.
    limits = PrefetchLimits.of(version) or PrefetchLimits(version)
    beyond = limits.beyond([*others, *wanted])
    for pool in sorted({pool_of_set(one) for one in wanted} & beyond.keys()):
        raise _refusal(f"pool {pool}", beyond[pool])


def reason_against(image: str) -> str:
    """Return why the API does not take an image; nothing if it does."""
    reference = ImageReference.parse(image)
    if reference.digest is None or reference.tag is not None or len(str(reference)) > LONGEST_NAME:
        return f"it is not repository@digest of at most {LONGEST_NAME} characters"
    if reference.repository.count("/") >= _DEEPEST:
        return "the API of PinnedImageSet takes at most one namespace before the name"
    return ""


def node_verdicts(sets: Iterable[Object], nodes: Iterable[Object]) -> list[NodeVerdict]:
    """Return the state of each MachineConfigNode whose pool has one of the ``sets``, as they are in the cluster."""
    by_pool: dict[str, list[Object]] = {}
    for one in sets:
        by_pool.setdefault(pool_of_set(one), []).append(one)
    return [
        _verdict(node, by_pool[_node_pool(node)])
        for node in sorted(nodes, key=lambda node: str(node["metadata"]["name"]))
        if _node_pool(node) in by_pool
    ]


def set_document(pinned_image_set: Object) -> dict[str, t.Any]:
    """Return a set as results show it."""
    return {
        "name": pinned_image_set["metadata"]["name"],
        "pool": pool_of_set(pinned_image_set),
        "images": images_of_set(pinned_image_set),
    }


def sentence_of(verdicts: Sequence[NodeVerdict], missing: int) -> str:
    """Return the state of all nodes; ``missing`` are machines of the pools that report nothing."""
    done = sum(verdict.state == "pinned" for verdict in verdicts)
    text = f"{done} of {len(verdicts) + missing} nodes have and keep all images"
    failed = [verdict for verdict in verdicts if verdict.state == "failed"]
    if failed:
        text += f"; {failed[0].node}: {failed[0].reason}"
        text += f", and {len(failed) - 1} more nodes failed" if len(failed) > 1 else ""
    return text


def pools_without(sets: Sequence[Object], pools: Iterable[Object]) -> list[str]:
    """Return the pools of ``sets`` that do not have their set yet.

    The controller gives it to them some seconds later. Source: machine-config-operator
    ``pkg/controller/pinnedimageset/pinned_image_set.go`` (syncMachineConfigPool).
    """
    had = {
        pool["metadata"]["name"]: {one["name"] for one in pool["spec"].get("pinnedImageSets") or ()} for pool in pools
    }
    return [pool_of_set(one) for one in sets if one["metadata"]["name"] not in had.get(pool_of_set(one), ())]


def sentence_of_pools(sets: Sequence[Object], waiting: Sequence[str]) -> str:
    """Return how many pools have their set; ``waiting`` are those that do not."""
    text = f"{len(sets) - len(waiting)} of {len(sets)} pools have their PinnedImageSet"
    return f"{text}; pool {waiting[0]} does not have it yet" if waiting else text


def _verdict(node: Object, sets: Sequence[Object]) -> NodeVerdict:
    name, pool = str(node["metadata"]["name"]), _node_pool(node)
    told = {one["name"]: one for one in (node.get("status") or {}).get("pinnedImageSets") or ()}
    for one in sets:
        entry = told.get(one["metadata"]["name"], {})
        generation = one["metadata"]["generation"]
        if entry.get("currentGeneration") == generation:
            continue
        if entry.get("lastFailedGeneration") == generation:
            reason = str(entry.get("lastFailedGenerationError") or "no reason was reported")
            return NodeVerdict(name, pool, "failed", reason)
        degraded = conditions_of(node).get("PinnedImageSetsDegraded")
        if degraded and degraded.is_true and entry.get("desiredGeneration") == generation:
            # While the daemon tries again, which it does at once, the entry of the set does not show the failure.
            return NodeVerdict(name, pool, "failed", degraded.message or degraded.reason)
        return NodeVerdict(name, pool, "progressing", _progress(node, str(one["metadata"]["name"])))
    return NodeVerdict(name, pool, "pinned", "")


def _progress(node: Object, name: str) -> str:
    for kind in ("PinnedImageSetsDegraded", "PinnedImageSetsProgressing"):
        condition = conditions_of(node).get(kind)
        if condition and condition.is_true:
            return condition.message or condition.reason
    return f"it has not reported on {name} yet"


def _node_pool(node: Object) -> str:
    return str(((node.get("spec") or {}).get("pool") or {}).get("name", ""))


def _group(pinned_image_set: Object) -> str:
    return str((pinned_image_set["metadata"].get("labels") or {}).get(GROUP_LABEL, ""))


def _refusal(on: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "describe a PinnedImageSet",
        on=on,
        seen=seen,
        advice="Pin such images on each node with crio_pinned_images.",
    )


def _object(group: str, pool: str, images: Sequence[str]) -> dict[str, t.Any]:
    if not 0 < len(images) <= LARGEST_SET:
        raise _refusal(f"images of pool {pool}", f"they are {len(images)}, and a set takes 1 to {LARGEST_SET}")
    for image in images:
        reason = reason_against(image)
        if reason:
            raise _refusal(f"images: {image[:200]}", reason)
    return {
        "apiVersion": PINNED_IMAGE_SET.api_version,
        "kind": PINNED_IMAGE_SET.kind,
        "metadata": {
            "name": f"{group}-{pool}",
            "labels": {POOL_ROLE_LABEL: pool, GROUP_LABEL: group, PART_OF_LABEL: PART_OF},
        },
        "spec": {"pinnedImages": [{"name": image} for image in images]},
    }
