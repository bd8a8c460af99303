# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The ImageDigestMirrorSet by which machines find images at the control plane. Pure.

What the machine-config daemon drains every node for is never planned without the word for it. It does not for a new
source whose mirrors serve digests alone, blocked or not; it does for a source, a mirror that goes, and for another
policy of a source. Source: machine-config-operator ``pkg/daemon/drain.go`` (isSafeContainerRegistryConfChanges);
openshift/runtime-utils ``pkg/registries`` for how sets are joined; containers/image: the longest prefix counts alone.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import JoiningError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import PART_OF, PART_OF_LABEL

Object = Mapping[str, t.Any]

NAME: t.Final = "fieldops-image-source"
NEVER, ALLOW = "NeverContactSource", "AllowContactingSource"
_KEYS = {
    "ImageDigestMirrorSet": "imageDigestMirrors",
    "ImageTagMirrorSet": "imageTagMirrors",
    "ImageContentSourcePolicy": "repositoryDigestMirrors",
}


@dataclass(frozen=True)
class MirrorEntry:
    """A source with its mirrors in order; ``set_name`` is the object that has it, for what is said about it."""

    source: str
    mirrors: tuple[str, ...]
    policy: str = ALLOW
    set_name: str = ""
    by_digest: bool = True

    def as_data(self) -> dict[str, t.Any]:
        """Return the entry as the API has it."""
        return {"source": self.source, "mirrors": list(self.mirrors), "mirrorSourcePolicy": self.policy}

    def covers(self, repository: str) -> bool:
        """Whether it is about a shorter part of ``repository``, so that an entry for that hides it."""
        return repository.startswith(f"{self.source}/")


@dataclass(frozen=True)
class MirrorRequest:
    """``registry`` is the control plane's HOST:PORT; without a ``policy`` that of the set is kept, else NEVER."""

    registry: str
    repositories: tuple[str, ...]
    policy: str | None = None
    allow_drain: bool = False


def entries_of(found: Object, kind: str = "ImageDigestMirrorSet") -> tuple[MirrorEntry, ...]:
    """Return the entries of a set of any of the three kinds; one without mirrors is none, as the renderer has it."""
    title = f"{kind} {found['metadata']['name']}"
    return tuple(
        MirrorEntry(
            str(one.get("source") or ""),
            tuple(str(mirror) for mirror in one["mirrors"]),
            one.get("mirrorSourcePolicy") or ALLOW,
            title,
            kind != "ImageTagMirrorSet",
        )
        for one in (found.get("spec") or {}).get(_KEYS[kind]) or ()
        if one.get("mirrors")
    )


def repositories_of(names: Iterable[str]) -> tuple[str, ...]:
    """Return the repositories of images or repositories ``names``, each once; raises InvalidInputError."""
    return tuple(sorted({ImageReference.parse(name.strip()).name for name in names if name.strip()}))


def planned_entries(
    own: Sequence[MirrorEntry], others: Sequence[MirrorEntry], request: MirrorRequest
) -> tuple[MirrorEntry, ...]:
    """Return the entries that our set must have; what it has stays, whether a bundle has it still or not.

    Raises JoiningError where another set contradicts, and for what would drain every node without the word for it.
    """
    policy = request.policy or (own[0].policy if own else NEVER)
    kept = [_renewed(entry, policy, request) for entry in own]
    known = {entry.source for entry in own}
    added = [_added(name, others, policy, request) for name in sorted(set(request.repositories) - known)]
    entries = (*kept, *added)
    _refuse_conflicts(entries, others)
    drains = [_change(before, after) for before, after in zip(own, kept) if before != after]
    if drains and not request.allow_drain:
        raise JoiningError(
            "change the ImageDigestMirrorSet",
            on=NAME,
            seen=f"the machine-config operator would drain every node for it: {drains[0]}",
            advice="Leave it as it is, or change it in a maintenance window with allow_drain: true.",
        )
    return entries


def set_body(entries: Iterable[MirrorEntry]) -> dict[str, t.Any]:
    """Return the object of the set."""
    return {
        "metadata": {"name": NAME, "labels": {PART_OF_LABEL: PART_OF}},
        "spec": {"imageDigestMirrors": [entry.as_data() for entry in entries]},
    }


def _renewed(entry: MirrorEntry, policy: str, request: MirrorRequest) -> MirrorEntry:
    mine = _mirror(entry.source, request)
    path = mine.partition("/")[2]
    # The control plane's mirror is the one with our path, at whatever address it was.
    rest = tuple(mirror for mirror in entry.mirrors if mirror.partition("/")[2] != path or mirror == mine)
    mirrors = rest if mine in rest else (mine, *rest)
    return replace(entry, mirrors=mirrors, policy=policy)


def _added(name: str, others: Sequence[MirrorEntry], policy: str, request: MirrorRequest) -> MirrorEntry:
    return MirrorEntry(name, tuple(dict.fromkeys((_mirror(name, request), *_inherited(name, others)))), policy)


def _mirror(name: str, request: MirrorRequest) -> str:
    return f"{request.registry}/{name.partition('/')[2]}"


def _inherited(name: str, others: Sequence[MirrorEntry]) -> tuple[str, ...]:
    """Return the site's mirrors of a namespace that an entry for this repository would hide."""
    covering = [one for one in others if one.by_digest and one.covers(name)]
    longest = max((len(one.source) for one in covering), default=0)
    nearest = [one for one in covering if len(one.source) == longest]
    return tuple(f"{mirror}{name[longest:]}" for one in nearest for mirror in one.mirrors)


def _refuse_conflicts(entries: Iterable[MirrorEntry], others: Sequence[MirrorEntry]) -> None:
    policies = {entry.source: entry.policy for entry in entries}
    wrong = [other for other in others if policies.get(other.source, other.policy) != other.policy]
    if wrong:
        other = wrong[0]
        raise JoiningError(
            "set the mirrors for machines that join",
            on=f"ImageDigestMirrorSet {NAME}",
            seen=f"{other.set_name} has {other.policy} for {other.source} instead of {policies[other.source]}",
            advice=(
                "A source can have only one policy. Another one drains every node, or no configuration is rendered. "
                f"Set mirror_source_policy to {other.policy}, or remove the source from the other set."
            ),
        )


def _change(before: MirrorEntry, after: MirrorEntry) -> str:
    if before.policy != after.policy:
        return f"{before.source} has {before.policy} and would have {after.policy}"
    return f"{before.source} has {', '.join(before.mirrors)} and would have {', '.join(after.mirrors)}"
