# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Refuses images that no node can run as soon as their configs are there, before any of their layers is fetched."""

from __future__ import annotations

from collections.abc import Iterable

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_bundle import (
    BlobFetcher,
    WantedBlob,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.image_gathering import (
    ImageGatherer,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import GatheredImage
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.runnable_image import (
    RefusedImage,
    config_problem,
    manifest_problem,
    refusal,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest


def require_runnable(
    images: Iterable[GatheredImage], machine: Architecture, gatherer: ImageGatherer, fetcher: BlobFetcher
) -> None:
    """Raise PayloadError naming every one of ``images`` that a node of ``machine`` cannot run; files are none.

    Configs that are not here yet are fetched, several at a time.
    """
    judged = [(image, manifest_problem(image)) for image in images if image.is_image]
    configs = _configs([image for image, problem in judged if not problem], gatherer, fetcher)
    refused = []
    for image, problem in judged:
        seen = problem or config_problem(image, configs[image.config.digest], machine)
        if seen:
            refused.append(RefusedImage(image, seen))
    if refused:
        raise refusal(refused, machine)


def _configs(images: list[GatheredImage], gatherer: ImageGatherer, fetcher: BlobFetcher) -> dict[Digest, bytes]:
    wanted = {image.config.digest: WantedBlob(image.config, image.name) for image in images}
    found = {digest: gatherer.kept(digest) for digest in wanted}
    fetcher.fetch(wanted[digest] for digest, content in found.items() if content is None)
    return {digest: content or fetcher.folder.read_blob(digest) or b"" for digest, content in found.items()}
