# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What OS image a pool is asked to have: one by digest, one that the cluster builds, both, or the release's own.

Sources: openshift/api ``machineconfiguration/v1/types_machineosconfig.go`` and ``types.go`` (MachineConfigSpec);
machine-config-operator ``docs/onclusterlayering-quickstart.md``.
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import PART_OF, PART_OF_LABEL
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    MACHINE_CONFIG,
    MACHINE_OS_CONFIG,
    ObjectKind,
)

Object = Mapping[str, t.Any]

MACHINE_OS_BUILD = ObjectKind(MACHINE_CONFIG.api_version, "MachineOSBuild")

OPERATOR_NAMESPACE = "openshift-machine-config-operator"
"""Where the secrets of a build and its pods are."""

SUPERSEDED_BUILD = "fieldops-openshift/superseded-build"
"""Annotation on a MachineOSConfig: the UID of the build that was current when another one was last requested."""

REBUILD_WORD = "fieldops-openshift/rebuild"
"""Annotation on a MachineOSConfig: the word with which the last rebuild was requested, so that it is made once."""

ARCHITECTURES = ("NoArch", "AMD64", "ARM64", "PPC64LE", "S390X")
LONGEST_PART = 4096
_MOST_PARTS = 4
_LONGEST_NAME = 447
_ROLE_LABEL = "machineconfiguration.openshift.io/role"
_SERVICE = re.compile(r"[^./]+\.[^./]+\.svc:\d+/[^/]+/[^/:]+:[\w.-]+", re.ASCII)


@dataclass(frozen=True)
class ContainerfilePart:
    """What is built on top of the base image, for one architecture or for ``NoArch``, whichever the node has."""

    architecture: str
    content: str


@dataclass(frozen=True)
class BuildOrder:
    """What the cluster is to build and where it puts the image; the secrets are names in OPERATOR_NAMESPACE."""

    push_spec: str
    push_secret: str
    pull_secret: str = ""
    parts: tuple[ContainerfilePart, ...] = ()


@dataclass(frozen=True)
class PoolImage:
    """What a pool is asked to have; with neither part it is the release's own image."""

    os_image_url: str = ""
    build: BuildOrder | None = None

    @property
    def is_release(self) -> bool:
        """Whether only the release's own image is requested."""
        return not self.os_image_url and self.build is None

    def as_document(self) -> dict[str, t.Any]:
        """Return it as it is kept; ``pool_image_of`` is the inverse."""
        build = self.build
        if build is None:
            return {"os_image_url": self.os_image_url, "build": None}
        parts = [vars(part) for part in build.parts]
        return {"os_image_url": self.os_image_url, "build": {**vars(build), "parts": parts}}


def pool_image_of(document: Mapping[str, t.Any]) -> PoolImage:
    """Return what ``as_document`` wrote; raise KeyError or TypeError for anything else."""
    build = document["build"]
    order = None
    if build is not None:
        parts = tuple(ContainerfilePart(str(one["architecture"]), str(one["content"])) for one in build["parts"])
        order = BuildOrder(str(build["push_spec"]), str(build["push_secret"]), str(build["pull_secret"]), parts)
    return PoolImage(str(document["os_image_url"]), order)


def asked_image(params: Mapping[str, t.Any]) -> PoolImage:
    """Return what a module's parameters ask for; raise InvalidInputError for what the API would not take."""
    url = params["os_image_url"] or ""
    if url:
        _check_os_image_url(url)
    if not params["push_spec"]:
        if params["containerfiles"]:
            raise _refusal("containerfiles", "there is no push_spec", "Set the location to which the image is pushed.")
        if not url:
            raise _refusal(
                "os_image_url, push_spec",
                "both are empty",
                "Set an image, the build of an image, or state: absent for the image of the release.",
            )
        return PoolImage(url)
    _check_push_spec(params["push_spec"])
    parts = tuple(ContainerfilePart(one["architecture"], one["content"]) for one in params["containerfiles"])
    _check_parts(parts)
    return PoolImage(url, BuildOrder(params["push_spec"], params["push_secret"], params["pull_secret"] or "", parts))


def image_in_cluster(machine_os_config: Object | None, machine_config: Object | None) -> PoolImage:
    """Return what the objects in the cluster ask for; each may be absent."""
    url = str(((machine_config or {}).get("spec") or {}).get("osImageURL") or "")
    spec = (machine_os_config or {}).get("spec")
    if not spec:
        return PoolImage(url)
    parts = tuple(
        ContainerfilePart(one.get("containerfileArch") or "NoArch", one["content"])
        for one in spec.get("containerFile") or ()
    )
    pull = (spec.get("baseImagePullSecret") or {}).get("name", "")
    return PoolImage(
        url, BuildOrder(spec["renderedImagePushSpec"], spec["renderedImagePushSecret"]["name"], pull, parts)
    )


def config_name(pool: str) -> str:
    """Return the name of the MachineConfig that gives ``pool`` an image; 99 sorts behind the release's own."""
    return f"99-{pool}-fieldops-os-image"


def machine_config_document(pool: str, os_image_url: str) -> dict[str, t.Any]:
    """Return the MachineConfig that gives ``pool`` the image ``os_image_url``."""
    return {
        "apiVersion": MACHINE_CONFIG.api_version,
        "kind": MACHINE_CONFIG.kind,
        "metadata": {"name": config_name(pool), "labels": {_ROLE_LABEL: pool, PART_OF_LABEL: PART_OF}},
        "spec": {"osImageURL": os_image_url},
    }


def machine_os_config_document(
    pool: str, order: BuildOrder, superseded: str, rebuild_word: str = ""
) -> dict[str, t.Any]:
    """Return the MachineOSConfig of ``pool``, which bears its name; ``superseded`` is the build that it replaces."""
    spec: dict[str, t.Any] = {
        "machineConfigPool": {"name": pool},
        "imageBuilder": {"imageBuilderType": "Job"},
        "renderedImagePushSpec": order.push_spec,
        "renderedImagePushSecret": {"name": order.push_secret},
    }
    if order.pull_secret:
        spec["baseImagePullSecret"] = {"name": order.pull_secret}
    if order.parts:
        parts = order.parts
        spec["containerFile"] = [{"containerfileArch": one.architecture, "content": one.content} for one in parts]
    metadata: dict[str, t.Any] = {"name": pool, "labels": {PART_OF_LABEL: PART_OF}}
    metadata["annotations"] = {SUPERSEDED_BUILD: superseded, REBUILD_WORD: rebuild_word}
    return {
        "apiVersion": MACHINE_OS_CONFIG.api_version,
        "kind": MACHINE_OS_CONFIG.kind,
        "metadata": metadata,
        "spec": spec,
    }


def _check_os_image_url(url: str) -> None:
    if ImageReference.parse(url).digest is None:
        advice = "Specify it by digest. Each node resolves a tag itself, so one pool could run two images."
        raise _refusal(f"os_image_url: {url[:200]}", "it has no digest", advice)


def _check_push_spec(push_spec: str) -> None:
    if _SERVICE.fullmatch(push_spec) and len(push_spec) <= _LONGEST_NAME:
        return
    reference = ImageReference.parse(push_spec)
    if reference.digest is not None or reference.tag is None or len(push_spec) > _LONGEST_NAME:
        advice = f"Use registry/repository:tag with at most {_LONGEST_NAME} characters. The build sets the digest."
        raise _refusal(f"push_spec: {push_spec[:200]}", "it is not a name with a tag and without a digest", advice)


def _check_parts(parts: Sequence[ContainerfilePart]) -> None:
    known = [part.architecture for part in parts]
    if len(known) > _MOST_PARTS or len(set(known)) != len(known):
        seen = f"{len(known)} parts for {', '.join(sorted(set(known)))}"
        raise _refusal("containerfiles", seen, f"Set one part for each architecture, at most {_MOST_PARTS}.")
    for part in parts:
        if len(part.content) > LONGEST_PART:
            seen = f"it has {len(part.content)} characters, {len(part.content) - LONGEST_PART} too many"
            advice = f"The API accepts {LONGEST_PART}. Build large parts in a separate image, and copy from that image."
            raise _refusal(f"containerfiles: {part.architecture}", seen, advice)
        if not part.content.strip():
            raise _refusal(f"containerfiles: {part.architecture}", "it is empty", "Omit empty parts.")


def _refusal(on: str, seen: str, advice: str) -> InvalidInputError:
    return InvalidInputError("request an OS image for a pool", on=on, seen=seen, advice=advice)
