# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Put the admission policy for releases into force, or take it away."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.differences import difference
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.own_namespace import create_in_own_namespace
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_admission import (
    NAME,
    admission_binding,
    admission_policy,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_readiness import (
    NAME as RECORD,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_readiness import (
    readiness_config_map,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CONFIG_MAP,
    VALIDATING_ADMISSION_POLICY,
    VALIDATING_ADMISSION_POLICY_BINDING,
    ObjectKind,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

Object = Mapping[str, t.Any]


def ensure_admission(client: ClusterClient, state: str) -> Result:
    """Bring policy and binding into ``state``, present or absent. The record itself is kept.

    Raises MissingRequirementError where the cluster does not serve the API, ApiError.
    """
    kinds = (VALIDATING_ADMISSION_POLICY, VALIDATING_ADMISSION_POLICY_BINDING)
    if not client.serves(VALIDATING_ADMISSION_POLICY):
        if state == "absent":
            return _result({}, {})
        raise MissingRequirementError(
            "let the API server admit only releases that every node is ready for",
            on="the cluster",
            seen=f"it does not serve {VALIDATING_ADMISSION_POLICY}",
            advice="OpenShift serves it since 4.17. Omit the policy: the plays have their own gate.",
        )
    before = {kind.kind: client.get(kind, NAME) or {} for kind in kinds}
    if state == "present":
        _ensure_record(client)
        wanted = zip(kinds, (admission_policy(), admission_binding()))
        return _result(before, {kind.kind: _write(client, kind, body, before[kind.kind]) for kind, body in wanted})
    # The binding first: a policy without one is not in force.
    for kind in reversed(kinds):
        if before[kind.kind]:
            client.delete(kind, NAME, uid=before[kind.kind]["metadata"]["uid"])
    return _result(before, {kind.kind: {} for kind in kinds})


def _result(before: Mapping[str, Object], after: Mapping[str, Object]) -> Result:
    """Return the result for the policy and its binding by kind, as they were and as they are now."""
    each = {kind: difference(before[kind], after[kind]) for kind in before}
    diff = {side: {kind: one[side] for kind, one in each.items()} for side in ("before", "after")}
    changed = diff["before"] != diff["after"]
    name = NAME if after.get(VALIDATING_ADMISSION_POLICY.kind) else ""
    return Result(changed, {"policy": name}, None if changed else (), diff)


def _write(client: ClusterClient, kind: ObjectKind, body: Object, found: Object) -> Object:
    """Create an object, or replace what it has of each field, lists included."""
    return client.patch(kind, NAME, body) if found else client.create(kind, body)


def _ensure_record(client: ClusterClient) -> None:
    """Without its parameter the policy would refuse every change of the ClusterVersion."""
    if client.get(CONFIG_MAP, RECORD, NAMESPACE) is None:
        create_in_own_namespace(client, CONFIG_MAP, readiness_config_map((), None))
