# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether each node could go to a release without a registry, as it is recorded in the cluster. Pure.

The record is a ConfigMap: one key for each release, and ``ready`` with the digests of those that every node was ready
for, which the admission policy of ``release_admission`` reads.
"""

from __future__ import annotations

import json
import typing as t
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.os_image_lookup import (
    OsImageLookup,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError, InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    NAMESPACE,
    PART_OF,
    PART_OF_LABEL,
    SCHEMA_VERSION_KEY,
)

NAME: t.Final = "release-readiness"
SCHEMA_VERSION: t.Final = "1"
READY_KEY: t.Final = "ready"
PRESENT, PINNED, SERVABLE, OS_IMAGE = "Present", "Pinned", "Servable", "OSImageFindable"
MOST_NAMED = 8
"""Of how many nodes a sentence says what is wrong; the others are counted."""
MOST_RELEASES = 10
"""How many releases are kept, the last checked ones: a ConfigMap holds 1 MiB."""


class ReleaseReadinessError(FieldOpsError):
    """The record of the readiness of the nodes is damaged or cannot be written."""

    kind = "release_readiness"


@dataclass(frozen=True)
class NodeReadiness:
    """One node: each condition with nothing where it holds, else with what was seen; ``since`` when, where known.

    ``staged_bytes`` are those of the bundle on the node, which has them since ``staged``.
    """

    node: str
    problems: Mapping[str, str]
    since: Mapping[str, str] = field(default_factory=dict)
    staged_bytes: int = 0
    staged: str = ""

    @property
    def is_ready(self) -> bool:
        """Whether every condition holds."""
        return not any(self.problems.values())

    def as_data(self) -> dict[str, t.Any]:
        """Return the node with its conditions in the form of the API."""
        return {
            "name": self.node,
            "ready": self.is_ready,
            "staged_bytes": self.staged_bytes,
            "staged": self.staged,
            "conditions": [
                {
                    "type": kind,
                    "status": "False" if seen else "True",
                    "message": seen,
                    **({"lastTransitionTime": self.since[kind]} if kind in self.since else {}),
                }
                for kind, seen in self.problems.items()
            ],
        }

    def following(self, before: NodeReadiness | None, now: str) -> NodeReadiness:
        """Return the node with the instants of conditions that are as they were, and ``now`` for the others."""
        known = before or NodeReadiness(self.node, {})
        since = dict.fromkeys(self.problems, now)
        for kind, seen in self.problems.items():
            if kind in known.problems and bool(known.problems[kind]) == bool(seen):
                # An earlier release of this collection has recorded none.
                since[kind] = known.since.get(kind, now)
        return replace(self, since=since)


@dataclass(frozen=True)
class ReleaseReadiness:
    """A release by its digest and version, when it was ``checked``, and all nodes of the cluster at that moment."""

    digest: str
    version: str
    checked: str
    nodes: tuple[NodeReadiness, ...] = field(default=())

    def following(self, before: ReleaseReadiness | None) -> ReleaseReadiness:
        """Return the release with the instants since when the conditions of its nodes are as they are."""
        known = {node.node: node for node in before.nodes} if before else {}
        return replace(self, nodes=tuple(node.following(known.get(node.node), self.checked) for node in self.nodes))

    @property
    def is_ready(self) -> bool:
        """Whether there are nodes and each of them is ready."""
        return bool(self.nodes) and all(node.is_ready for node in self.nodes)

    @property
    def sentence(self) -> str:
        """Return which nodes are not ready and why, for a person."""
        others = [node for node in self.nodes if not node.is_ready]
        told = f"{len(self.nodes) - len(others)} of {len(self.nodes)} nodes are ready for {self.version or self.digest}"
        named = [f"{node.node}: {next(filter(None, node.problems.values()))}" for node in others[:MOST_NAMED]]
        more = [f"and {len(others) - MOST_NAMED} more"] if len(others) > MOST_NAMED else []
        return "; ".join([told, *named, *more])

    def as_result(self) -> dict[str, t.Any]:
        """Return the release as results show it."""
        return {**self.as_data(), "sentence": self.sentence}

    def as_data(self) -> dict[str, t.Any]:
        """Return the release as it is recorded."""
        return {
            "digest": self.digest,
            "version": self.version,
            "checked": self.checked,
            "ready": self.is_ready,
            "nodes": [node.as_data() for node in self.nodes],
        }


def judged_nodes(
    answers: Sequence[Mapping[str, t.Any]], version: str, nodes: Collection[str]
) -> tuple[NodeReadiness, ...]:
    """Judge the ``nodes`` of a cluster by what they answered: results of node_info as a loop registers them.

    A node without an answer is not ready. Raises InvalidInputError for an entry that is no such result.
    """
    lookup = OsImageLookup.of(version)
    try:
        judged = {one.node: one for one in (_judged(answer, lookup) for answer in answers)}
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidInputError(
            "evaluate the nodes",
            on="answers",
            seen=f"an entry is not a result of a loop with node_info: {type(error).__name__} {error}",
            advice="Pass the results of a registered loop over all nodes with fieldops.openshift.node_info.",
        ) from error
    return tuple(judged.get(node) or _unknown(node, "the node was not queried") for node in sorted(nodes))


def recorded_releases(config_map: Mapping[str, t.Any] | None) -> tuple[ReleaseReadiness, ...]:
    """Return what a ConfigMap records, the last checked first; raise ReleaseReadinessError for damage."""
    if config_map is None:
        return ()
    data = config_map.get("data") or {}
    if data.get(SCHEMA_VERSION_KEY) != SCHEMA_VERSION:
        raise _unusable(f"its {SCHEMA_VERSION_KEY} is {str(data.get(SCHEMA_VERSION_KEY))[:40]!r}")
    entries = [_release(key, text) for key, text in data.items() if key not in (SCHEMA_VERSION_KEY, READY_KEY)]
    return tuple(sorted(entries, key=lambda one: (one.checked, one.digest), reverse=True))


def readiness_config_map(releases: Sequence[ReleaseReadiness], before: Mapping[str, t.Any] | None) -> dict[str, t.Any]:
    """Return the body that creates or merges the ConfigMap, so that it holds ``releases`` and no others."""
    kept = {_key(one.digest): json.dumps(one.as_data(), sort_keys=True) for one in releases[:MOST_RELEASES]}
    ready = sorted(one.digest for one in releases[:MOST_RELEASES] if one.is_ready)
    gone = {key: None for key in (before or {}).get("data") or {} if key not in kept}
    return {
        "metadata": {"name": NAME, "namespace": NAMESPACE, "labels": {PART_OF_LABEL: PART_OF}},
        "data": {**gone, **kept, SCHEMA_VERSION_KEY: SCHEMA_VERSION, READY_KEY: " ".join(ready)},
    }


def _judged(answer: Mapping[str, t.Any], lookup: OsImageLookup) -> NodeReadiness:
    node = str(answer[answer["ansible_loop_var"]])
    if answer.get("staged") is None:
        return _unknown(node, "the node did not answer")
    if not answer["staged"]:
        return _unknown(node, "the node does not have the bundle")
    lacking, pullable = answer["lacking"], answer.get("pullable")
    serving = answer["serving"] and not pullable
    served = _counted(answer["unserved"], "not served") if serving else "the node has no image source"
    if pullable:
        served = _counted([one["name"] for one in answer["unpullable"]], "not found at the control plane")
    # What a node serves to itself it pulls when it needs it, and keeps what it has pulled.
    present = _counted([name for name in lacking if not serving or name in answer["unserved"]], "lacking")
    unpinned = [name for name in answer["unpinned"] if name not in lacking]
    held = answer.get("staged_bundle") or {}
    local = lookup is OsImageLookup.CONTAINER_STORAGE and not lacking
    return NodeReadiness(
        node,
        {
            PRESENT: present,
            PINNED: _counted(unpinned, "not pinned"),
            SERVABLE: served,
            OS_IMAGE: "" if local else served,
        },
        staged_bytes=int(held.get("size") or 0),
        staged=str(held.get("since") or ""),
    )


def _unknown(node: str, seen: str) -> NodeReadiness:
    return NodeReadiness(node, dict.fromkeys((PRESENT, PINNED, SERVABLE, OS_IMAGE), seen))


def _counted(names: Sequence[str], what: str) -> str:
    return f"{len(names)} images are {what}, {names[0]} among them" if names else ""


def _release(key: str, text: str) -> ReleaseReadiness:
    try:
        entry = json.loads(text)
        nodes = tuple(_node(one) for one in entry["nodes"])
        found = ReleaseReadiness(
            str(Digest.parse(entry["digest"])), str(entry["version"]), str(entry["checked"]), nodes
        )
    except (ValueError, OverflowError, RecursionError, KeyError, TypeError, InvalidInputError) as error:
        raise _unusable(f"{key[:80]} cannot be read: {str(error)[:100]}") from error
    if _key(found.digest) != key:
        raise _unusable(f"{key[:80]} is for {found.digest}")
    return found


def _node(entry: Mapping[str, t.Any]) -> NodeReadiness:
    conditions = {str(one["type"]): one for one in entry["conditions"]}
    return NodeReadiness(
        str(entry["name"]),
        {kind: str(one["message"]) for kind, one in conditions.items()},
        {kind: str(one["lastTransitionTime"]) for kind, one in conditions.items() if "lastTransitionTime" in one},
        # An earlier release of this collection has recorded neither.
        int(entry.get("staged_bytes", 0)),
        str(entry.get("staged", "")),
    )


def _key(digest: str) -> str:
    return digest.replace(":", "-")


def _unusable(seen: str) -> ReleaseReadinessError:
    return ReleaseReadinessError(
        "read the readiness of the nodes",
        on=f"ConfigMap {NAMESPACE}/{NAME}",
        seen=seen,
        advice="Check who changed it, delete it, and record the readiness again.",
    )
