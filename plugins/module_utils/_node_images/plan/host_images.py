# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which images of a bundle go into the PinnedImageSet of a pool: the few that a host takes outside of Kubernetes.

A set makes the machine-config daemon of some releases look for an OS image on the node, and a daemon looks at one image
a second. So a set holds what rpm-ostree and podman need on a host; everything is pinned in CRI-O on each node anyway.
Source: machine-config-operator ``pkg/daemon/update.go`` (updateLayeredOS, ExtractExtensionsImage), ``templates/common``
(machine-config-daemon-pull, machine-config-daemon-firstboot, nodeip-configuration, resolv-prepender), and crio.conf
(pause_image) for ``pod``.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.pinned_image_sets import (
    reason_against,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.selection import select_names
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import OCI_MANIFEST
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.prefetch_limits import is_custom_pool

Image = Mapping[str, t.Any]

HOST_COMPONENTS: t.Final = frozenset({"machine-config-operator", "baremetal-runtimecfg", "pod"})
"""By their names in image-references; the OS image and its extensions come by the reason os_image."""


@dataclass(frozen=True)
class HostImages:
    """The images of each pool's set, and why others that hosts need are in none."""

    by_pool: Mapping[str, tuple[str, ...]]
    left_out: Mapping[str, str]

    def as_data(self) -> dict[str, t.Any]:
        """Return it as plain data."""
        return {
            "by_pool": {pool: list(names) for pool, names in self.by_pool.items()},
            "left_out": dict(self.left_out),
        }


def host_images(images: Sequence[Image], pools: Sequence[str], by_pool: Mapping[str, Sequence[str]]) -> HostImages:
    """Choose among ``images``, as modules return those of a bundle; ``by_pool`` is what a site chose for pools.

    Nodes of a custom pool keep what the set of pool worker names, too: it names only images that all of them have.
    Raises InvalidInputError for a pool whose set would be empty, and for a name or component that is not in the bundle.
    """
    needed = [one for one in images if one["reason"] == "os_image" or one["component"] in HOST_COMPONENTS]
    reasons = {str(one["name"]): _reason_against(one) for one in needed}
    left_out = {name: reason for name, reason in reasons.items() if reason}
    fitting = [name for name, reason in reasons.items() if not reason]
    had = {pool: set(select_names(images, by_pool.get(pool, ()))) for pool in pools}
    if "worker" in had:
        had["worker"].intersection_update(*(names for pool, names in had.items() if is_custom_pool(pool)))
    chosen = {pool: tuple(name for name in fitting if name in had[pool]) for pool in sorted(had)}
    empty = [f"pool {pool}" for pool, names in chosen.items() if not names]
    if empty or not chosen:
        raise InvalidInputError(
            "select images for PinnedImageSets",
            on=", ".join(empty) or "no pool",
            seen="; ".join(
                [
                    "none of the images that hosts need is selected and supported in a set",
                    *(f"{name}: {reason}" for name, reason in left_out.items()),
                ]
            )[:600],
            advice="Set the pools, or pin images only on each node (method node) and serve the bundle on the nodes.",
        )
    return HostImages(chosen, left_out)


def _reason_against(image: Image) -> str:
    """Return why an image cannot be in a set; nothing if it can.

    A daemon gets the size of a missing image from podman, and ``podman manifest inspect`` up to 5.4 refuses
    a single manifest of OCI's format. Source: podman ``pkg/domain/infra/abi/manifest.go`` (ManifestInspect).
    """
    if image.get("media_type") == OCI_MANIFEST:
        return f"its manifest is a single one of type {OCI_MANIFEST}, which podman manifest inspect refuses"
    return reason_against(str(image["name"]))
