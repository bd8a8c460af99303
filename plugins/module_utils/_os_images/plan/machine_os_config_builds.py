# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which build of a MachineOSConfig is the one that was requested last, and its result.

Neither object says which state of the other it belongs to. The operator names its current build in an annotation, a
moment after it has started it; until then the annotation names the build before. So the order remembers the build that
it supersedes, by UID, because a build that is made again has the same name.

Source: machine-config-operator ``pkg/controller/build/reconciler.go`` (startBuild, updateMachineOSConfigStatus,
reuseExistingMachineOSBuildIfPossible), ``pkg/controller/build/imagebuilder/jobimagebuilder.go``.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config import (
    SUPERSEDED_BUILD,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import conditions_of

Object = Mapping[str, t.Any]

CURRENT_BUILD = "machineconfiguration.openshift.io/current-machine-os-build"
REBUILD = "machineconfiguration.openshift.io/rebuild"

_FINAL_FIRST = ("Succeeded", "Failed", "Interrupted", "Building", "Prepared")


@dataclass(frozen=True)
class Build:
    """A MachineOSBuild; ``state`` is its condition that holds, in lower case, or ``new``; ``image`` is by digest."""

    name: str
    uid: str
    state: str
    reason: str
    image: str
    config: str
    created: str
    started: str
    ended: str

    @classmethod
    def of(cls, build: Object) -> Build:
        """Return what a MachineOSBuild object says."""
        metadata, spec, status = build["metadata"], build.get("spec") or {}, build.get("status") or {}
        conditions = conditions_of(build)
        state = next((kind for kind in _FINAL_FIRST if kind in conditions and conditions[kind].is_true), "")
        return cls(
            name=str(metadata["name"]),
            uid=str(metadata.get("uid") or ""),
            state=state.lower() or "new",
            reason=(conditions[state].message or conditions[state].reason) if state else "",
            image=str(status.get("digestedImagePushSpec") or ""),
            config=str((spec.get("machineConfig") or {}).get("name") or ""),
            created=str(metadata.get("creationTimestamp") or ""),
            started=str(status.get("buildStart") or ""),
            ended=str(status.get("buildEnd") or ""),
        )

    def as_document(self) -> dict[str, str]:
        """Return it as results show it."""
        names = ("name", "state", "reason", "image", "config", "started", "ended")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class BuildVerdict:
    """The state of the requested build: ``phase`` is waiting, building, built, failed or interrupted."""

    phase: str
    sentence: str
    build: Build | None = None

    @property
    def image(self) -> str:
        """The image by digest, once it is built and the operator has taken it over; else empty."""
        return self.build.image if self.build and self.phase == "built" else ""


def build_verdict(machine_os_config: Object, builds: Iterable[Object], rendered: str) -> BuildVerdict:
    """Return the state of the build that was requested last; ``rendered`` names the configuration for the pool.

    ``builds`` are all MachineOSBuilds of the cluster, as objects.
    """
    build = _asked_for(machine_os_config, [Build.of(one) for one in builds if _is_of(machine_os_config, one)])
    if build is None:
        return BuildVerdict("waiting", "the build has not started")
    if build.config != rendered:
        return BuildVerdict(
            "waiting", f"the build for the pool's newer configuration {rendered} has not started", build
        )
    if build.state == "succeeded":
        return _succeeded(machine_os_config, build)
    if build.state in ("failed", "interrupted"):
        why = f": {build.reason}" if build.reason else ""
        return BuildVerdict(build.state, f"build {build.name} has {_ENDED[build.state]}{why}", build)
    if build.state == "building":
        return BuildVerdict(
            "building", f"build {build.name} has been running since {build.started or build.created}", build
        )
    return BuildVerdict("building", f"build {build.name} is being prepared", build)


def current_build_uid(machine_os_config: Object | None, builds: Iterable[Object]) -> str:
    """Return the UID of the build that the operator calls the current one, empty if there is none."""
    if machine_os_config is None:
        return ""
    name = _notes(machine_os_config).get(CURRENT_BUILD)
    return next((str(one["metadata"].get("uid") or "") for one in builds if one["metadata"]["name"] == name), "")


_ENDED = {"failed": "failed", "interrupted": "been interrupted"}


def _succeeded(machine_os_config: Object, build: Build) -> BuildVerdict:
    taken_over = (machine_os_config.get("status") or {}).get("currentImagePullSpec")
    if not build.image or taken_over != build.image:
        return BuildVerdict("building", f"build {build.name} has ended, its image is being applied", build)
    return BuildVerdict("built", f"{build.image} is built", build)


def _asked_for(machine_os_config: Object, builds: list[Build]) -> Build | None:
    notes = _notes(machine_os_config)
    superseded = notes.get(SUPERSEDED_BUILD, "")
    current = next((one for one in builds if one.name == notes.get(CURRENT_BUILD)), None)
    if current and current.uid != superseded:
        return current
    # The operator says which build is the current one only after it has started it; one that cannot start is newer.
    newer = [one for one in builds if one.uid != superseded and (current is None or one.created > current.created)]
    return max(newer, key=lambda one: (one.created, one.name), default=None)


def _is_of(machine_os_config: Object, build: Object) -> bool:
    """Whether it is a build of this object, not of one of the same name that was deleted before."""
    owned = (build.get("spec") or {}).get("machineOSConfig") or {}
    if owned.get("name") != machine_os_config["metadata"]["name"]:
        return False
    owners = build["metadata"].get("ownerReferences") or ()
    return not owners or any(one.get("uid") == machine_os_config["metadata"].get("uid") for one in owners)


def _notes(found: Object) -> Mapping[str, str]:
    return found["metadata"].get("annotations") or {}
