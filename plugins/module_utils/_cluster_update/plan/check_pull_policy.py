# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which pods cannot start again where no registry answers, however well their images are pinned?

A container with the pull policy Always asks the registry each time it starts. Source: kubelet, pkg/kubelet/images.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import (
    Finding,
    fault,
    notice,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.pod_owner import (
    is_finished,
    owner_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind

_CATALOGS = "openshift-marketplace"


def pull_findings(pods: Sequence[Mapping[str, t.Any]]) -> Iterator[Finding]:
    """Yield the owners of such pods with the containers in question.

    The catalogs of the Operator Lifecycle Manager always have this policy; what they installed runs on without them.
    """
    found: dict[tuple[str, str, str], set[str]] = {}
    for pod in pods:
        names = set() if is_finished(pod) else _containers(pod)
        if names:
            kind, name = owner_of(pod)
            found.setdefault((pod["metadata"]["namespace"], kind, name), set()).update(names)
    for (space, kind, name), names in sorted(found.items()):
        seen = f"has the pull policy Always for {', '.join(sorted(names))}: it cannot start without a registry"
        advice = "Set IfNotPresent, and refer to a pinned image by digest."
        if space == _CATALOGS:
            advice = (
                "This is normal for catalogs: installed operators continue to run, but new operators cannot be "
                "installed."
            )
            yield notice("pull_always", ObjectKind("", kind), name, seen, advice, space)
        else:
            yield fault("pull_always", ObjectKind("", kind), name, seen, advice, space)


def _containers(pod: Mapping[str, t.Any]) -> set[str]:
    spec = pod.get("spec") or {}
    containers = [*(spec.get("initContainers") or []), *(spec.get("containers") or [])]
    return {str(one.get("name")) for one in containers if one.get("imagePullPolicy") == "Always"}
