# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a bundle is older than what a cluster runs or has accepted before.

A signature proves who made a bundle and not when. Against an older bundle that the same key signed, the cluster
remembers the highest serial that it has accepted for each architecture. Source of the idea: The Update Framework 1.0,
5.4 "rollback attack".
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion

MOST_BUNDLES = 20
"""Entries that are kept, besides those with the highest serial of each architecture."""


@dataclass(frozen=True)
class AcceptedBundle:
    """A bundle that a cluster accepted at an instant; ``older`` if it was older than the cluster and allowed to be."""

    index_digest: str
    version: str
    architecture: str
    serial: int | None
    built: str | None
    accepted: str = ""
    by: str = ""
    older: bool = False

    def is_same_as(self, other: AcceptedBundle) -> bool:
        """Whether both are one bundle, regardless of who accepted it."""
        return (self.index_digest, self.architecture) == (other.index_digest, other.architecture)

    def as_data(self) -> dict[str, t.Any]:
        """Return the bundle as it is stored and reported."""
        return dict(vars(self))


@dataclass(frozen=True)
class RunningRelease:
    """What ClusterVersion says: the newest ``completed`` release, and the ``desired`` one; empty where not known."""

    completed: str = ""
    desired: str = ""

    @classmethod
    def of(cls, cluster_version: Mapping[str, t.Any] | None) -> RunningRelease:
        """Return the releases of a ClusterVersion object; its history has the newest first."""
        status = (cluster_version or {}).get("status") or {}
        done = [entry for entry in status.get("history") or () if entry.get("state") == "Completed"]
        completed = str(done[0].get("version") or "") if done else ""
        return cls(completed, str((status.get("desired") or {}).get("version") or ""))


def reasons_against(
    bundle: AcceptedBundle, known: Sequence[AcceptedBundle], running: RunningRelease
) -> tuple[str, ...]:
    """Return why ``bundle`` is older than what the cluster runs or has seen; empty if it is not.

    ``known`` are the accepted bundles, oldest first. An older bundle that was allowed stays allowed while it is the
    last one that was accepted.
    """
    last = last_accepted(known, bundle.architecture)
    if last is not None and last.older and last.is_same_as(bundle):
        return ()
    return (*_version_reasons(bundle, running), *_serial_reasons(bundle, known))


def last_accepted(known: Sequence[AcceptedBundle], architecture: str) -> AcceptedBundle | None:
    """Return the bundle that was accepted last for an architecture."""
    return next((one for one in reversed(known) if one.architecture == architecture), None)


def highest_serial(known: Sequence[AcceptedBundle], architecture: str) -> AcceptedBundle | None:
    """Return the accepted bundle with the highest serial of an architecture."""
    numbered = [one for one in known if one.architecture == architecture and one.serial is not None]
    return max(numbered, key=lambda one: one.serial or 0, default=None)


def with_bundle(known: Sequence[AcceptedBundle], bundle: AcceptedBundle) -> tuple[AcceptedBundle, ...]:
    """Return the record with ``bundle`` as its last entry, shortened, no architecture's highest serial forgotten."""
    every = (*known, bundle)
    kept = {id(highest_serial(every, one.architecture)) for one in every}
    kept |= {id(one) for one in every[-MOST_BUNDLES:]}
    return tuple(one for one in every if id(one) in kept)


def _version_reasons(bundle: AcceptedBundle, running: RunningRelease) -> tuple[str, ...]:
    version = ReleaseVersion.parse(bundle.version)
    found = []
    for verb, text in (("runs", running.completed), ("is being updated to", running.desired)):
        present = ReleaseVersion.parse(text)
        if not text or (text == running.completed and verb != "runs"):
            continue
        if version is None or present is None:
            found.append(f"its version {bundle.version[:100]!r} cannot be compared with {text[:100]!r} of the cluster")
        elif version < present:
            found.append(f"it is of version {bundle.version} and the cluster {verb} {text}")
    return tuple(found)


def _serial_reasons(bundle: AcceptedBundle, known: Sequence[AcceptedBundle]) -> tuple[str, ...]:
    highest = highest_serial(known, bundle.architecture)
    if highest is None:
        return ()
    newest = f"the cluster accepted {highest.index_digest} with the serial {highest.serial} at {highest.accepted}"
    if bundle.serial is None:
        return (f"it has no serial and {newest}",)
    return (f"its serial is {bundle.serial} and {newest}",) if bundle.serial < (highest.serial or 0) else ()
