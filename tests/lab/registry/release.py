# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Generates releases of OpenShift and images of partners: real images, small or large, always the same bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import KIB
from ansible_collections.fieldops.openshift.tests.lab.machine_config.image import operator_image, proxy_image
from ansible_collections.fieldops.openshift.tests.lab.machine_config.payload import OPERATOR, PAUSE, PROXY
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image
from ansible_collections.fieldops.openshift.tests.lab.registry.component_names import PAYLOAD_BASE
from ansible_collections.fieldops.openshift.tests.lab.registry.content import Blob, BlobPool
from ansible_collections.fieldops.openshift.tests.lab.registry.images import (
    DOCKER,
    OCI,
    Image,
    ImageList,
    Json,
    NamedImage,
    one_or_list,
    write_image,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.imported import import_image
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import (
    Filler,
    Layer,
    Member,
    filling,
    shell,
    skeleton,
    write_layer,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.programs import program
from ansible_collections.fieldops.openshift.tests.lab.registry.release_payload import (
    FOLDER,
    component_labels,
    operator_files,
    payload_files,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import (
    ComponentPlan,
    LayerPlan,
    ReleaseSpec,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.version_operator_payload import (
    VersionOperatorSpec,
    own_manifests,
    program_layer,
)

HOST = "quay.io"
IMPORTED = {OPERATOR: operator_image, PROXY: proxy_image, PAUSE: pause_image}
"""The images that are real where the machine-config operator is, by component."""
RELEASE_REPOSITORY = "openshift-release-dev/ocp-release"


@dataclass(frozen=True)
class Release:
    """A generated release whose content lies in ``pool``.

    ``payload`` are the files that the release image adds to the operator's image, by path.
    """

    spec: ReleaseSpec
    pool: BlobPool = field(repr=False)
    components: Mapping[str, Image | ImageList] = field(repr=False)
    payload: Mapping[str, bytes] = field(repr=False)
    image: Image | ImageList = field(repr=False)

    @property
    def reference(self) -> ImageReference:
        """The release image, by tag and digest."""
        return ImageReference(HOST, RELEASE_REPOSITORY, self.spec.tag, self.image.digest)

    @property
    def images(self) -> tuple[NamedImage, ...]:
        """Everything a registry holds of the release: the release image, then the components by digest."""
        named = [NamedImage(component_reference(self.spec, image), image) for image in self.components.values()]
        return (NamedImage(self.reference, self.image), *named)

    @property
    def blobs(self) -> frozenset[Blob]:
        """Every blob and manifest, each once."""
        return frozenset(blob for one in self.images for blob in (*one.image.blobs, *one.image.manifests))

    @property
    def size(self) -> int:
        """The bytes of all blobs and manifests."""
        return sum(blob.size for blob in self.blobs)

    def reference_of(self, component: str) -> ImageReference:
        """Return the pull specification of a component, as image-references has it unless it was changed."""
        return component_reference(self.spec, self.components[component])


@dataclass(frozen=True)
class _Recipe:
    """What the instances of one image have in common."""

    layers: tuple[LayerPlan, ...]
    is_oci: bool
    compressible: float
    runnable: bool
    labels: Mapping[str, str]
    files: Mapping[str, bytes] = field(default_factory=dict)
    operator: VersionOperatorSpec | None = None


@dataclass(frozen=True)
class PartnerSpec:
    """An image of a partner, outside any release; ``layers`` are sizes of files in bytes."""

    reference: str = "registry.partner.example/edge/gateway:1.4"
    layers: tuple[int, ...] = (128 * KIB, 32 * KIB)
    architectures: tuple[str, ...] = ("x86_64",)
    is_oci: bool = True
    compressible: float = 0.25
    runnable: bool = False
    seed: int = 0


class ReleaseFactory:
    """Generates into one directory; layers that several images or releases share are written once."""

    def __init__(self, directory: Path) -> None:
        self.pool = BlobPool(directory)
        self._layers: dict[str, Layer] = {}

    def release(self, spec: ReleaseSpec | None = None) -> Release:
        """Generate a release; without parameters the small one that most tests use."""
        spec = spec or ReleaseSpec()
        components = {plan.name: self._component(spec, plan) for plan in spec.plans()}
        references = {name: str(component_reference(spec, image)) for name, image in components.items()}
        payload = payload_files(spec, references)
        image = release_image(self.pool, spec, components[PAYLOAD_BASE], payload)
        return Release(spec, self.pool, components, payload, image)

    def partner_image(self, spec: PartnerSpec | None = None) -> NamedImage:
        """Generate an image of a partner."""
        spec = spec or PartnerSpec()
        reference = ImageReference.parse(spec.reference)
        plans = tuple(
            LayerPlan(f"{spec.seed}/{reference}/{number}/{size}", size, f"opt/partner-{number}")
            for number, size in enumerate(spec.layers)
        )
        recipe = _Recipe(plans, spec.is_oci, spec.compressible, spec.runnable, {"vendor": "partner"})
        image = self._image(sorted(Architecture.parse(name) for name in spec.architectures), recipe)
        return NamedImage(replace(reference, digest=image.digest), image)

    def _component(self, spec: ReleaseSpec, plan: ComponentPlan) -> Image | ImageList:
        if spec.machine_config and plan.name in IMPORTED:
            return import_image(self.pool, IMPORTED[plan.name]().layout)
        labels = component_labels(spec, plan)
        is_operator = plan.name == PAYLOAD_BASE
        files = operator_files() if is_operator and not spec.operator else {}
        operator = spec.operator if is_operator else None
        runnable = spec.runnable or operator is not None
        recipe = _Recipe(plan.layers, plan.is_oci, spec.compressible, runnable, labels, files, operator)
        return self._image(spec.machines, recipe)

    def _image(self, machines: Sequence[Architecture], recipe: _Recipe) -> Image | ImageList:
        return one_or_list(self.pool, [self._instance(machine, recipe) for machine in machines])

    def _instance(self, machine: Architecture, recipe: _Recipe) -> Image:
        layers = [self._shell()] if recipe.runnable else []
        for number, plan in enumerate(recipe.layers):
            first = skeleton() if number == 0 else []
            last = _members(recipe.files) if number == len(recipe.layers) - 1 else []
            layers.append(self._layer(f"{machine}/{plan.key}", plan, recipe.compressible, [*first, *last]))
        if recipe.operator:
            layers += [self._version_operator(), write_layer(self.pool, _members(own_manifests(recipe.operator)))]
        labels = {**recipe.labels, "architecture": machine.release}
        settings = {"Env": ["PATH=/usr/bin:/bin"], "Cmd": ["/usr/bin/sh"], "Labels": labels}
        return write_image(self.pool, OCI if recipe.is_oci else DOCKER, machine, layers, settings)

    def _layer(self, key: str, plan: LayerPlan, compressible: float, members: list[Member]) -> Layer:
        known = f"{key}/{plan.size}/{compressible}"
        if known not in self._layers:
            content = filling(plan.folder, Filler(key, plan.size, compressible))
            self._layers[known] = write_layer(self.pool, [*members, *content])
        return self._layers[known]

    def _version_operator(self) -> Layer:
        if "version operator" not in self._layers:
            self._layers["version operator"] = write_layer(self.pool, program_layer())
        return self._layers["version operator"]

    def _shell(self) -> Layer:
        if "shell" not in self._layers:
            self._layers["shell"] = write_layer(self.pool, shell(Path(program("busybox")).read_bytes()))
        return self._layers["shell"]


def component_reference(spec: ReleaseSpec, image: Image | ImageList) -> ImageReference:
    """Return how releases of that version name a component image."""
    repository = f"openshift-release-dev/ocp-v{spec.version.partition('.')[0]}.0-art-dev"
    return ImageReference(HOST, repository, digest=image.digest)


def release_image(
    pool: BlobPool,
    spec: ReleaseSpec,
    base: Image | ImageList,
    payload: Mapping[str, bytes],
    above: Sequence[Sequence[Member]] = (),
) -> Image | ImageList:
    """Write a release image: the operator's image, a layer with the payload, and ``above`` any further layers."""
    added = [write_layer(pool, [Member.directory(FOLDER, 0o777), *_members(payload, mode=0o444)])]
    added += [write_layer(pool, members) for members in above]
    instances = []
    for one in base.instances:
        labels = {"io.openshift.release": spec.version, "io.openshift.release.base-image-digest": str(base.digest)}
        form = OCI if spec.release_image_is_oci else DOCKER
        instances.append(write_image(pool, form, one.architecture, [*one.layers, *added], {"Labels": labels}))
    return one_or_list(pool, instances)


def image_references_of(release: Release) -> Json:
    """Return the document that a consumer of the release reads, freshly parsed."""
    document: Json = json.loads(release.payload[f"{FOLDER}/image-references"])
    return document


def _members(files: Mapping[str, bytes], mode: int = 0o644) -> list[Member]:
    return [Member(name, content, mode) for name, content in files.items()]
