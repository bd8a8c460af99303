# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What of a release a cluster can run: its platform, its capabilities, and the images that run there now."""

from __future__ import annotations

import typing as t
from collections.abc import Collection, Iterable, Iterator, Mapping

Object = Mapping[str, t.Any]

_CONTAINERS = ("initContainers", "containers", "ephemeralContainers")
_STATUSES = ("initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses")


def footprint(infrastructure: Object | None, version: Object | None, pods: Collection[Object]) -> dict[str, t.Any]:
    """Return the values documented under RETURN of fieldops.openshift.cluster_health_info.

    Pods that have ended count as well: what started them may start them again. Source: openshift/api,
    config/v1/types_infrastructure.go and types_cluster_version.go.
    """
    status = (infrastructure or {}).get("status") or {}
    platform = (status.get("platformStatus") or {}).get("type") or status.get("platform") or ""
    capabilities = ((version or {}).get("status") or {}).get("capabilities") or {}
    return {
        "platform": platform,
        "enabled_capabilities": sorted(capabilities.get("enabledCapabilities") or ()),
        "known_capabilities": sorted(capabilities.get("knownCapabilities") or ()),
        "used_images": sorted({name for pod in pods for name in _images_of(pod) if name}),
        "images_by_node": {node: sorted(names) for node, names in sorted(_by_node(pods).items())},
    }


def _by_node(pods: Iterable[Object]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for pod in pods:
        node = (pod.get("spec") or {}).get("nodeName")
        if node:
            found.setdefault(str(node), set()).update(name for name in _images_of(pod) if name)
    return found


def _images_of(pod: Object) -> Iterator[str]:
    spec, status = pod.get("spec") or {}, pod.get("status") or {}
    for field in _CONTAINERS:
        yield from (str(one.get("image") or "") for one in spec.get(field) or ())
    for field in _STATUSES:
        for one in status.get(field) or ():
            yield from (str(one.get(key) or "") for key in ("image", "imageID"))
    for volume in spec.get("volumes") or ():
        yield str((volume.get("image") or {}).get("reference") or "")
