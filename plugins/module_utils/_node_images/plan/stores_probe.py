# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A container that shows whether images run from a store: which image, and the pod that the kubelet is given.

It is a static pod: what was started behind the back of the kubelet (``crictl runp``) is an orphan to it, which it kills
within two seconds, now and then while CRI-O is still starting it. Source: kubernetes, "Create static Pods".
"""

from __future__ import annotations

import typing as t
from collections.abc import Collection
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledStore,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import PART_OF, PART_OF_LABEL

PREFERRED = ("cli", "tools", "must-gather", "etcd")
"""Components that have a shell and its programs."""

COMMAND = ("/usr/bin/true",)
NAMESPACE = "fieldops-openshift"
CONTAINER = "probe"


@dataclass(frozen=True)
class Probe:
    """One container of ``image`` that does ``command``."""

    image: str
    command: tuple[str, ...] = COMMAND

    def pod(self, name: str) -> dict[str, t.Any]:
        """Return the static pod; it takes no address, pulls nothing, may write nothing, and runs once."""
        context = {"readOnlyRootFilesystem": True, "allowPrivilegeEscalation": False}
        container = {
            "name": CONTAINER,
            "image": self.image,
            "imagePullPolicy": "Never",
            "command": list(self.command),
            "securityContext": context,
        }
        return {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, "namespace": NAMESPACE, "labels": {PART_OF_LABEL: PART_OF}},
            "spec": {
                "hostNetwork": True,
                "restartPolicy": "Never",
                "terminationGracePeriodSeconds": 1,
                "enableServiceLinks": False,
                "containers": [container],
            },
        }


def probe_container(listed: t.Any, name: str) -> tuple[str, str]:
    """Return id and state of the container of the pod ``name`` in what crictl lists; nothing while there is none.

    The kubelet adds the name of its node to that of a static pod.
    """
    for container in (listed or {}).get("containers") or ():
        labels = container.get("labels") or {}
        if str(labels.get("io.kubernetes.pod.name", "")).startswith(name):
            return str(container.get("id", "")), str(container.get("state", ""))
    return "", ""


def choose_probe(index: BundleIndex, store: BundledStore, known: Collection[str], wanted: str = "") -> str:
    """Return the image to try: ``wanted`` (a name or component), else one that a delta's base, ``known``, lacks."""
    inside = [image for image in index.images if str(image.name) in store.images]
    if wanted:
        found = [str(image.name) for image in inside if wanted in (str(image.name), image.component)]
        return found[0] if found else wanted
    new = [image for image in inside if str(image.name) not in known] or inside
    ranked = sorted(new, key=lambda image: PREFERRED.index(image.component) if image.component in PREFERRED else 99)
    return str(ranked[0].name)
