# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who made a pod, in the words of a person: the Deployment rather than its ReplicaSet."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import MIRROR_POD

_HASH_LABEL = "pod-template-hash"


def owner_of(pod: Mapping[str, t.Any]) -> tuple[str, str]:
    """Return kind and name of the pod's controller, or of the pod itself where it has none.

    A ReplicaSet that bears the hash of its pods' template is a Deployment's, and is named after it. Source:
    kube-controller-manager, pkg/controller/deployment/sync.go.
    """
    metadata = pod["metadata"]
    owners = metadata.get("ownerReferences") or []
    owner = next((one for one in owners if one.get("controller")), None)
    if owner is None:
        return "Pod", str(metadata["name"])
    kind, name = str(owner.get("kind")), str(owner.get("name"))
    ending = f"-{(metadata.get('labels') or {}).get(_HASH_LABEL, '')}"
    if kind == "ReplicaSet" and len(ending) > 1 and name.endswith(ending):
        return "Deployment", name[: -len(ending)]
    return kind, name


def is_finished(pod: Mapping[str, t.Any]) -> bool:
    """Whether the pod has run to its end."""
    return (pod.get("status") or {}).get("phase") in ("Succeeded", "Failed")


def is_mirror(pod: Mapping[str, t.Any]) -> bool:
    """Whether the pod is a static one, of which the API only has an image."""
    return MIRROR_POD in (pod["metadata"].get("annotations") or {})
