# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Have the nodes room for another release?

Source: kubelet, /stats/summary (k8s.io/kubelet/pkg/apis/stats/v1alpha1): a kubelet removes images, also those that it
will need in the next minute, as soon as the file system of images is nearly full.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import (
    Finding,
    fault,
    notice,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import NODE


def space_findings(node: str, summary: Mapping[str, t.Any] | None, free_percent: int) -> Iterator[Finding]:
    """Yield the file systems of a node with less than ``free_percent`` free; None where the kubelet did not answer."""
    if summary is None:
        advice = "Check the kubelet of the node and the approval of its serving certificate."
        yield notice("space_unread", NODE, node, "its kubelet did not report its free space", advice)
        return
    for system in file_systems(node, summary):
        if system["percent"] < free_percent:
            seen = (
                f"its file system of {system['filesystem']} has {system['percent']} % free, less than {free_percent} %"
            )
            advice = "Remove old bundles and unused images before another release is staged."
            yield fault("node_space", NODE, node, seen, advice)


def file_systems(node: str, summary: Mapping[str, t.Any]) -> Iterator[dict[str, t.Any]]:
    """Yield the file systems of a node, in bytes; one that holds both the root and the images only once."""
    stats = summary.get("node") or {}
    systems = {"root": stats.get("fs"), "images": (stats.get("runtime") or {}).get("imageFs")}
    told = set()
    for name, system in systems.items():
        free, size = (system or {}).get("availableBytes"), (system or {}).get("capacityBytes")
        if not size or free is None or (free, size) in told:
            continue
        told.add((free, size))
        percent = 100 * int(free) // int(size)
        yield {"node": node, "filesystem": name, "free": int(free), "size": int(size), "percent": percent}
