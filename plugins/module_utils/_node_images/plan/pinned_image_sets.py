# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""PinnedImageSets: the cluster's own way of keeping images on the nodes of a pool, and what each node says of it.

Source: openshift/api ``machineconfiguration/v1/types_pinnedimageset.go`` and ``types_machineconfignode.go``;
machine-config-operator ``pkg/daemon/pinned_image_set.go`` for the order in which a node reports.
"""

from __future__ import annotations

import re
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import conditions_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import PART_OF, PART_OF_LABEL
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import PINNED_IMAGE_SET

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Object = Mapping[str, t.Any]

LARGEST_SET = 500
LONGEST_NAME = 447
ROLE_LABEL = "machineconfiguration.openshift.io/role"
"""The label by which a pool's selector of MachineConfigs finds its sets."""

GROUP_LABEL = "fieldops-openshift/pinned-image-set"
"""The name under which the sets of all pools were asked for together."""

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


def wanted_sets(
    name: str, pools: Sequence[str], images: Sequence[str], by_pool: Mapping[str, Sequence[str]] | None = None
) -> list[dict[str, t.Any]]:
    """Return the objects for ``images`` in ``pools``: one for each pool and each 500 images.

    A pool that ``by_pool`` names gets those images in place of ``images``.

    Raises InvalidInputError for a name that no object can have and for images that the API does not take.
    """
    if not _NAME.fullmatch(name):
        raise _refusal(f"name: {name[:100]!r}", "it is not a lower-case name of letters, digits and dashes")
    return [
        _object(f"{name}-{pool}" + (f"-{number}" if number > 1 else ""), name, pool, part)
        for pool in sorted(set(pools))
        for number, part in enumerate(_parts((by_pool or {}).get(pool, images)), 1)
    ]


def node_verdicts(sets: Iterable[Object], nodes: Iterable[Object]) -> list[NodeVerdict]:
    """Return where each MachineConfigNode stands whose pool has one of the ``sets``, as they are in the cluster."""
    by_pool: dict[str, list[Object]] = {}
    for one in sets:
        by_pool.setdefault(pool_of(one), []).append(one)
    return [
        _verdict(node, by_pool[_node_pool(node)])
        for node in sorted(nodes, key=lambda node: str(node["metadata"]["name"]))
        if _node_pool(node) in by_pool
    ]


def pool_of(pinned_image_set: Object) -> str:
    """Return the pool that a set is meant for."""
    labels = pinned_image_set["metadata"].get("labels") or {}
    return str(labels.get(ROLE_LABEL, ""))


def set_document(pinned_image_set: Object) -> dict[str, t.Any]:
    """Return a set as results show it."""
    images = [one["name"] for one in (pinned_image_set.get("spec") or {}).get("pinnedImages") or ()]
    return {"name": pinned_image_set["metadata"]["name"], "pool": pool_of(pinned_image_set), "images": images}


def sentence_of(verdicts: Sequence[NodeVerdict], missing: int) -> str:
    """Return where all nodes stand; ``missing`` are machines of the pools that report nothing."""
    done = sum(verdict.state == "pinned" for verdict in verdicts)
    text = f"{done} of {len(verdicts) + missing} nodes have and keep all images"
    failed = [verdict for verdict in verdicts if verdict.state == "failed"]
    if failed:
        text += f"; {failed[0].node}: {failed[0].reason}"
        text += f", and {len(failed) - 1} more nodes failed" if len(failed) > 1 else ""
    return text


def _verdict(node: Object, sets: Sequence[Object]) -> NodeVerdict:
    name, pool = str(node["metadata"]["name"]), _node_pool(node)
    told = {one["name"]: one for one in (node.get("status") or {}).get("pinnedImageSets") or ()}
    for one in sets:
        entry = told.get(one["metadata"]["name"], {})
        generation = one["metadata"]["generation"]
        if entry.get("currentGeneration") == generation:
            continue
        if entry.get("lastFailedGeneration") == generation:
            reason = str(entry.get("lastFailedGenerationError") or "it does not say why")
            return NodeVerdict(name, pool, "failed", reason)
        degraded = conditions_of(node).get("PinnedImageSetsDegraded")
        if degraded and degraded.is_true and entry.get("desiredGeneration") == generation:
            # While the daemon tries again, which it does at once, the set's own entry does not tell of the failure.
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


def _parts(images: Sequence[str]) -> list[list[str]]:
    pinned = sorted({_pinnable(image) for image in images})
    return [pinned[at : at + LARGEST_SET] for at in range(0, len(pinned), LARGEST_SET)]


def _pinnable(text: str) -> str:
    reference = ImageReference.parse(text)
    if reference.digest is None or reference.tag is not None or len(str(reference)) > LONGEST_NAME:
        raise _refusal(f"images: {text[:200]}", f"it is not repository@digest of at most {LONGEST_NAME} characters")
    if reference.repository.count("/") >= _DEEPEST:
        raise _refusal(f"images: {text[:200]}", "the API of PinnedImageSet takes at most one namespace before the name")
    return str(reference)


def _refusal(on: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "describe a PinnedImageSet",
        on=on,
        seen=seen,
        advice="Name images by digest; pin those that the API does not take with crio_pinned_images on each node.",
    )


def _object(name: str, group: str, pool: str, images: Sequence[str]) -> dict[str, t.Any]:
    return {
        "apiVersion": PINNED_IMAGE_SET.api_version,
        "kind": PINNED_IMAGE_SET.kind,
        "metadata": {"name": name, "labels": {ROLE_LABEL: pool, GROUP_LABEL: group, PART_OF_LABEL: PART_OF}},
        "spec": {"pinnedImages": [{"name": image} for image in images]},
    }
