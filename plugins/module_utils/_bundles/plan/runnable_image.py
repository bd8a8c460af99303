# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a node can run an image, judged before its layers are fetched: by its manifest, then by its config.

No digest shows it: a registry serves images for other machines, charts and other artifacts just as well.
Source: OCI image specification ``config.md``; containers/image ``copy/single.go``
(checkImageDestinationForCurrentRuntime), ``internal/iolimits/iolimits.go``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import GatheredImage
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor, Platform
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.payload_document import PayloadDocument
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import (
    FOREIGN_LAYERS,
    IMAGE_CONFIGS,
    LAYERS,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

LARGEST_CONFIG = 4 * MIB
MOST_TOLD = 20

_VARIANTS = {"amd64": ("", "v1"), "arm64": ("", "v8")}
"""Variants that every machine of an architecture has; others demand a newer processor.

Source: OCI image specification ``image-index.md``, "Platform Variants"; containerd/platforms ``database.go``, where
``v1`` of amd64 and ``v8`` of arm64 are the same as no variant.
"""


@dataclass(frozen=True)
class RefusedImage:
    """An image that no node of the bundle can run, and why."""

    image: GatheredImage
    problem: str

    def as_data(self) -> dict[str, str | None]:
        """Return it as it stands in results."""
        return {
            "image": str(self.image.name),
            "reason": self.image.reason,
            "component": self.image.component,
            "problem": self.problem,
        }


def manifest_problem(image: GatheredImage) -> str:
    """Return what in its manifest keeps ``image`` from being one that nodes can load; empty if nothing does."""
    if image.config.media_type not in IMAGE_CONFIGS:
        return f"it is not an image: its config is of type {image.config.media_type[:100]!r}"
    if image.config.size > LARGEST_CONFIG:
        return f"its config has {image.config.size} bytes, more than {LARGEST_CONFIG}"
    return next((problem for problem in map(_layer_problem, image.layers) if problem), "")


def config_problem(image: GatheredImage, config: bytes, machine: Architecture) -> str:
    """Return what in its ``config`` keeps ``image`` from running on a node of ``machine``; empty if nothing does."""
    try:
        document = PayloadDocument.parse(config, on=f"config of {image.name}")
        made_for = Platform(document["architecture"].text(), document["os"].text(), document.text("", key="variant"))
        kind, layers = document["rootfs"]["type"].text(), len(document["rootfs"]["diff_ids"].digests())
    except PayloadError as error:
        return f"{error.on}: {error.seen}"
    problem = _platform_problem(made_for, machine) or _contradiction(made_for, image.platform)
    if not problem and kind != "layers":
        problem = f"its root file system is of type {kind[:40]!r}, not 'layers'"
    if not problem and layers != len(image.layers):
        problem = f"its manifest has {len(image.layers)} layers, its config {layers}"
    return problem


def refusal(refused: Sequence[RefusedImage], machine: Architecture) -> FieldOpsError:
    """Return the error that names all ``refused`` images, up to MOST_TOLD of them."""
    told = [f"{one.image.name} ({one.image.purpose}): {one.problem}" for one in refused[:MOST_TOLD]]
    if len(refused) > MOST_TOLD:
        told.append(f"and {len(refused) - MOST_TOLD} more")
    number = f"{len(refused)} {'image' if len(refused) == 1 else 'images'}"
    return PayloadError(
        "use the images of the bundle",
        on=f"{machine} nodes",
        seen=f"{number} cannot run on these nodes: {'; '.join(told)}",
        advice=f"Specify images for linux/{machine.oci}. Include other files with 'extra_files'.",
        partial={"refused_images": [one.as_data() for one in refused]},
    )


def _layer_problem(layer: Descriptor) -> str:
    if layer.media_type.startswith(FOREIGN_LAYERS):
        return f"the bytes of its layer {layer.digest} are not in its registry: its type is {layer.media_type[:100]!r}"
    if layer.media_type not in LAYERS:
        return f"a node cannot unpack its layer {layer.digest} of type {layer.media_type[:100]!r}"
    return ""


def _platform_problem(made_for: Platform, machine: Architecture) -> str:
    is_right = (made_for.os, made_for.architecture) == ("linux", machine.oci)
    if is_right and made_for.variant in _VARIANTS.get(machine.oci, ("",)):
        return ""
    return f"it is built for {str(made_for)[:60]!r}, not for 'linux/{machine.oci}'"


def _contradiction(made_for: Platform, listed: Platform | None) -> str:
    if listed is None:
        return ""
    variants = {made_for.variant, listed.variant} - {""}
    if (made_for.os, made_for.architecture) == (listed.os, listed.architecture) and len(variants) < 2:
        return ""
    return f"its list says that it is built for {str(listed)[:60]!r}, its config says {str(made_for)[:60]!r}"
