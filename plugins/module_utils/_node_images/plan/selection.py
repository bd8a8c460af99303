# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which images of a bundle are meant: all of them, or those that were named, for all nodes or for those of a pool."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledImage,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

ADVICE = "Use names of the form repository@digest, or components such as etcd, as the index lists them."


def select_images(index: BundleIndex, wanted: Sequence[str] = ()) -> tuple[BundledImage, ...]:
    """Return the images that ``wanted`` names by ``repo@digest`` or by component, each once; all when it is empty.

    They are in the order of the index. Files are none: a node neither loads nor pins them. Raises InvalidInputError for
    a name that the bundle does not have.
    """
    return tuple(image for image in select_staged(index, wanted) if image.is_image)


def select_staged(index: BundleIndex, wanted: Sequence[str] = ()) -> tuple[BundledImage, ...]:
    """Return the same with the files among them: what is on a node."""
    words = [(str(image.name), image.component or "") for image in index.images]
    chosen = _chosen(words, wanted, f"bundle {index.folder_name}")
    return tuple(image for image, is_chosen in zip(index.images, chosen) if is_chosen)


def select_names(images: Sequence[Mapping[str, t.Any] | str], wanted: Sequence[str] = ()) -> tuple[str, ...]:
    """Do the same with ``images`` as results show them (``name``, ``component``), or with their mere names."""
    words = [
        (str(image), "") if isinstance(image, str) else (str(image["name"]), str(image.get("component") or ""))
        for image in images
    ]
    files = {str(image["name"]) for image in images if not isinstance(image, str) and image.get("reason") == "file"}
    chosen = zip(words, _chosen(words, wanted, "the bundle"))
    return tuple(name for (name, _component), is_chosen in chosen if is_chosen and name not in files)


def choice_by_node(pools: Mapping[str, str], by_pool: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return what ``by_pool`` chooses for each node of ``pools`` (the pool of each node by the node's name).

    Nodes of pools that are not named are left out: they get all images. Raises InvalidInputError for what is no list
    of names, and for a node whose pool is unknown, since it could be one that is named.
    """
    for pool, words in by_pool.items():
        if isinstance(words, str) or not all(isinstance(word, str) for word in words):
            raise _refusal(f"pool {pool}", "it is not a list of names", "Set a list of names for each pool.")
    homeless = sorted(node for node, pool in pools.items() if not pool) if by_pool else []
    if homeless:
        advice = "Set the pool by name, or use the inventory plugin cluster_nodes, which queries the cluster."
        raise _refusal(", ".join(homeless)[:300], "their pool is unknown", advice)
    return {node: [str(word) for word in by_pool[pool]] for node, pool in pools.items() if pool in by_pool}


def _chosen(images: Sequence[tuple[str, str]], wanted: Sequence[str], bundle: str) -> list[bool]:
    """Return for each of ``images``, given by name and component, whether it is wanted."""
    unknown = sorted(set(wanted) - {word for image in images for word in image if word})
    if unknown:
        raise InvalidInputError(
            "select images of the bundle",
            on=f"images: {', '.join(unknown)[:300]}",
            seen=f"{bundle} has no image of that name or component",
            advice=ADVICE,
        )
    return [not wanted or not set(wanted).isdisjoint(image) for image in images]


def _refusal(on: str, seen: str, advice: str) -> InvalidInputError:
    return InvalidInputError("select images by the pools of nodes", on=on, seen=seen, advice=advice)
