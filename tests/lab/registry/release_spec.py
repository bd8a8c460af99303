# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The parameters of a generated release, and what follows from them before a byte is written.

How much two images share is decided here and nowhere else: layers with the same key have the same content.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import KIB
from ansible_collections.fieldops.openshift.tests.lab.machine_config.payload import COMPONENTS
from ansible_collections.fieldops.openshift.tests.lab.registry.component_names import (
    ALWAYS,
    OS_IMAGES,
    component_names,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.version_operator_payload import VersionOperatorSpec

FIRST_BUILD = 0


@dataclass(frozen=True)
class Rebuild:
    """What one z-stream rebuilt: exactly ``round(share * components)`` images, ``including`` among them.

    A rebuilt image keeps its first ``keeps`` layers. Base layers that it does not keep are replaced by the same new
    ones in all images rebuilt with it, as a new base image does.
    """

    share: float
    keeps: int
    including: tuple[str, ...] = ()


@dataclass(frozen=True)
class LayerPlan:
    """A layer before it is written: ``key`` decides its content, ``size`` is that of its files in bytes."""

    key: str
    size: int
    folder: str


@dataclass(frozen=True)
class ComponentPlan:
    """A component image before it is written; ``build`` is the number of the rebuild it stems from."""

    name: str
    build: int
    is_oci: bool
    layers: tuple[LayerPlan, ...]

    @property
    def is_os(self) -> bool:
        """Whether this is an OS image or its extensions, which stand on no common base."""
        return self.name in OS_IMAGES


@dataclass(frozen=True)
class ReleaseSpec:
    """One release. The same parameters give the same bytes on every machine.

    Releases of the same ``seed`` share everything but what ``rebuilds`` replaced, whatever their versions say.

    ``architectures`` are release names; more than one makes a multi-architecture release, whose images are lists.
    ``components`` counts the component images, the two OS images and ``platform_components`` included.
    ``base_layers``, ``own_layers`` and ``os_layers`` are the sizes of the files in each layer, in bytes: every image
    but the OS images stands on the base layers. ``compressible`` is the share of each layer that compresses to about a
    hundredth; the rest does not. ``oci_share`` is the share of components in OCI format, the rest is Docker v2s2.
    ``runnable`` puts one more layer under everything, with a shell: containers start from such images. With
    ``operator`` the real cluster-version-operator runs from the release image and carries the release out; with
    ``machine_config`` the real machine-config operator is part of what it carries out. ``stream`` is the JSON document
    that lists its boot images, if it is to have one.
    """

    version: str = "4.21.3"
    previous: tuple[str, ...] = ("4.21.1", "4.20.12")
    architectures: tuple[str, ...] = ("x86_64",)
    seed: int = 0
    components: int = 8
    platform_components: int = 2
    base_layers: tuple[int, ...] = (192 * KIB, 64 * KIB)
    own_layers: tuple[int, ...] = (96 * KIB,)
    os_layers: tuple[int, ...] = (256 * KIB, 256 * KIB)
    compressible: float = 0.25
    oci_share: float = 0.5
    release_image_is_oci: bool = False
    runnable: bool = False
    rebuilds: tuple[Rebuild, ...] = ()
    operator: VersionOperatorSpec | None = None
    machine_config: bool = False
    stream: str = ""

    def __post_init__(self) -> None:
        least = len(ALWAYS) + len(OS_IMAGES) + self.platform_components
        if self.components < least:
            raise _impossible(self, f"{self.components} components", f"Ask for at least {least}.")
        if not self.architectures or not self.own_layers or not self.os_layers:
            raise _impossible(self, "no architecture or no layer", "Name at least one of each.")
        if self.machine_config and not (self.operator and {*COMPONENTS} <= {*self.names}):
            seen = f"no version operator, or not all of {', '.join(COMPONENTS)} in {self.components} components"
            raise _impossible(self, seen, "Give it an operator and more components.")
        unknown = {name for step in self.rebuilds for name in step.including} - set(self.names)
        if unknown:
            raise _impossible(self, f"no component {', '.join(sorted(unknown))}", f"Use some of {self.names}.")

    @property
    def machines(self) -> tuple[Architecture, ...]:
        """The architectures in a stable order."""
        return tuple(sorted(Architecture.parse(name) for name in self.architectures))

    @property
    def is_multi(self) -> bool:
        """Whether the release is made for several architectures."""
        return len(self.architectures) > 1

    @property
    def tag(self) -> str:
        """The release image's tag: ``<version>-<architecture or multi>``."""
        return f"{self.version}-{'multi' if self.is_multi else self.machines[0].release}"

    @property
    def minor(self) -> str:
        """The version's first two numbers: ``4.21``."""
        return ".".join(self.version.split(".")[:2])

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the components."""
        return component_names(self.components, self.platform_components)

    def next_z_stream(self, version: str, *, share: float, keeps: int, including: Iterable[str] = ()) -> ReleaseSpec:
        """Return the release that follows this one, with a share of the components rebuilt (see Rebuild)."""
        step = Rebuild(share, keeps, tuple(including))
        return replace(self, version=version, previous=(self.version, *self.previous), rebuilds=(*self.rebuilds, step))

    def plans(self) -> tuple[ComponentPlan, ...]:
        """Return what each component consists of."""
        rebuilt = [self._rebuilt(number) for number in range(1, len(self.rebuilds) + 1)]
        oci = set(_chosen(f"{self.seed}/oci", self.names, self.oci_share))
        return tuple(self._plan(name, rebuilt, name in oci) for name in self.names)

    def _rebuilt(self, number: int) -> frozenset[str]:
        step = self.rebuilds[number - 1]
        return frozenset(_chosen(f"{self.seed}/rebuild/{number}", self.names, step.share, step.including))

    def _plan(self, name: str, rebuilt: list[frozenset[str]], is_oci: bool) -> ComponentPlan:
        base = () if name in OS_IMAGES else self.base_layers
        own = self.os_layers if name in OS_IMAGES else self.own_layers
        builds = [FIRST_BUILD] * (len(base) + len(own))
        last = FIRST_BUILD
        for number, names in enumerate(rebuilt, 1):
            if name in names:
                keeps = self.rebuilds[number - 1].keeps
                builds[keeps:] = [number] * len(builds[keeps:])
                last = number
        places = [("base", at) for at in range(len(base))] + [(name, at) for at in range(len(own))]
        layers = tuple(
            LayerPlan(f"{self.seed}/{owner}/{at}/{build}", size, f"usr/share/{owner}-{at}")
            for (owner, at), build, size in zip(places, builds, (*base, *own), strict=True)
        )
        return ComponentPlan(name, last, is_oci, layers)


def _chosen(lot: str, names: Collection[str], share: float, including: Iterable[str] = ()) -> list[str]:
    """Return exactly ``round(share * len(names))`` names, those in ``including`` first, the others by lot."""
    first = list(including)
    drawn = sorted(set(names) - set(first), key=lambda name: hashlib.sha256(f"{lot}/{name}".encode()).digest())
    return [*first, *drawn][: round(share * len(names))]


def _impossible(spec: ReleaseSpec, seen: str, advice: str) -> InvalidInputError:
    return InvalidInputError("plan a release", on=spec.version, seen=seen, advice=advice)
