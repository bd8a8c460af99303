# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which image a helper pod can be made of without pulling any: one that runs on the node already. Pure."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

DAEMON_NAMESPACE = "openshift-machine-config-operator"
DAEMON_LABELS = "k8s-app=machine-config-daemon"
DAEMON_CONTAINER = "machine-config-daemon"
"""The daemon runs on every node of OpenShift. Source: machine-config-operator, manifests/machineconfigdaemon."""


class NoHelperImageError(FieldOpsError):
    """No image is known that is certainly on the node."""

    kind = "no_helper_image"


def held_image(daemons: Iterable[Mapping[str, t.Any]], node: str) -> str:
    """Return the image by digest of the machine-config daemon that runs on ``node``; raises NoHelperImageError."""
    here = [pod for pod in daemons if pod["spec"].get("nodeName") == node]
    images = [image for pod in here for image in _started_images(pod) if "@sha256:" in image]
    if images:
        return images[0]
    raise NoHelperImageError(
        "choose an image for the helper pod",
        on=f"Node {node}",
        seen="no machine-config daemon runs on it from an image by digest"
        if here
        else "no machine-config daemon runs on it",
        advice="Set the option image to an image that the node holds. 'crictl images --digests' lists them there.",
    )


def _started_images(pod: Mapping[str, t.Any]) -> list[str]:
    """Return the images of the daemon's containers that have started, as the kubelet requested them."""
    statuses = (pod.get("status") or {}).get("containerStatuses") or []
    started = {status["name"] for status in statuses if "running" in (status.get("state") or {})}
    return [
        container["image"]
        for container in pod["spec"]["containers"]
        if container["name"] == DAEMON_CONTAINER and container["name"] in started
    ]
