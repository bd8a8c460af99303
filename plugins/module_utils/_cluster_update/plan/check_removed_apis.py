# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who uses versions of the API that a later release of Kubernetes no longer serves?

Source: openshift/api, apiserver/v1/types_apirequestcount.go; the cluster counts requests of the last day.
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Iterator, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.kinds import API_REQUEST_COUNT
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import (
    Finding,
    fault,
    notice,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import (
    ReleaseVersion,
)

# They touch every version that is served and stop by themselves, as the alert APIRemovedInNextReleaseInUse knows.
_ROUTINE = re.compile(
    r"system:serviceaccount:(kube-system:(generic-garbage-collector|namespace-controller|horizontal-pod-autoscaler)"
    r"|openshift-kube-storage-version-migrator:kube-storage-version-migrator-sa)|system:kube-controller-manager"
    r"|system:cluster-policy-controller"
)

Count = t.Mapping[str, t.Any]


def api_findings(counts: Sequence[Count], minor_after: int | None) -> Iterator[Finding]:
    """Yield the versions that were used within a day.

    They are faults where ``minor_after``, the minor version of Kubernetes after the update, no longer has them.
    """
    for count in counts:
        status = count.get("status") or {}
        removed = _minor(str(status.get("removedInRelease") or ""))
        users = _users(status) if removed is not None else []
        if removed is None or not users:
            continue
        name = str(count["metadata"]["name"])
        seen = f"is removed in Kubernetes {status['removedInRelease']} and is used by {listed(users)}"
        advice = "Change these clients to the version that replaces it before you update to that release."
        if minor_after is not None and removed <= minor_after:
            yield fault("api_removed", API_REQUEST_COUNT, name, seen, advice)
        else:
            yield notice("api_removed_later", API_REQUEST_COUNT, name, seen, advice)


def minor_after_update(served: str, current: str, target: str) -> int | None:
    """Return the minor version of Kubernetes after an update; None without a new minor version of the release.

    ``served`` is the minor version that the API server reports (``34`` or ``34+``), ``current`` and ``target`` are
    releases. Each minor release of OpenShift brings the next one of Kubernetes.
    """
    now, then = ReleaseVersion.parse(current), ReleaseVersion.parse(target)
    digits = served.rstrip("+")
    if now is None or then is None or not digits.isdigit():
        return None
    steps = then.minor - now.minor if then.major == now.major else then.major - now.major
    return int(digits) + steps if steps > 0 else None


def _minor(release: str) -> int | None:
    major, dot, minor = release.partition(".")
    return int(minor) if dot and major == "1" and minor.isdigit() else None


def _users(status: Mapping[str, t.Any]) -> list[str]:
    found: dict[str, int] = {}
    for hour in status.get("last24h") or []:
        for node in hour.get("byNode") or []:
            for user in node.get("byUser") or []:
                name = str(user.get("username") or user.get("userName") or "")
                if name and not _ROUTINE.fullmatch(name):
                    found[name] = found.get(name, 0) + int(user.get("requestCount") or 0)
    return sorted(found, key=lambda name: (-found[name], name))
