# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Record in the cluster whether its nodes are ready for a release, and read that again."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.own_config_map import change_config_map
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_readiness import (
    NAME,
    ReleaseReadiness,
    ReleaseReadinessError,
    judged_nodes,
    readiness_config_map,
    recorded_releases,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP, NODE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp


def read_readiness(client: ClusterClient) -> tuple[ReleaseReadiness, ...]:
    """Return what is recorded, the last checked first. Raises ReleaseReadinessError, ApiError."""
    return recorded_releases(client.get(CONFIG_MAP, NAME, NAMESPACE))


def record_readiness(client: ClusterClient, options: Mapping[str, t.Any]) -> Result:
    """Record the release in ``options`` with its nodes, or with state absent forget it.

    The instant of the check is written only with something else that changed. Raises InvalidInputError,
    ReleaseReadinessError, ApiError.
    """
    digest = str(Digest.parse(options["digest"]))
    checked = _checked(client, digest, options) if options["state"] == "present" else None

    def decide(found: Mapping[str, t.Any] | None) -> tuple[Mapping[str, t.Any] | None, Result]:
        known = recorded_releases(found)
        before = next((one for one in known if one.digest == digest), None)
        wanted = checked.following(before) if checked is not None else None
        if _same(before, wanted):
            return None, _result(before, before)
        others = [one for one in known if one.digest != digest]
        releases = [wanted, *others] if wanted is not None else others
        return readiness_config_map(releases, found), _result(before, wanted, changed=True)

    return change_config_map(
        client, NAME, decide, attempted="record whether the nodes are ready", error=ReleaseReadinessError
    )


def _result(before: ReleaseReadiness | None, after: ReleaseReadiness | None, *, changed: bool = False) -> Result:
    was, now = (one.as_result() if one is not None else {} for one in (before, after))
    return Result(changed, {"release": now}, diff={"before": was, "after": now})


def _checked(client: ClusterClient, digest: str, options: Mapping[str, t.Any]) -> ReleaseReadiness:
    names = [str(node["metadata"]["name"]) for node in client.list_objects(NODE)]
    nodes = judged_nodes(options["answers"] or (), options["version"] or "", names)
    return ReleaseReadiness(digest, options["version"] or "", timestamp(client.clock.utcnow()), nodes)


def _same(before: ReleaseReadiness | None, wanted: ReleaseReadiness | None) -> bool:
    if before is None or wanted is None:
        return before is wanted
    return replace(before, checked=wanted.checked) == wanted
