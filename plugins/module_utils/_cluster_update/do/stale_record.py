# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Recognize a release that an API server refused by an earlier version of the record of readiness.

An API server follows the ConfigMaps that admission policies have as parameters until no binding has one any more, and
does not follow them again before it restarts (kubernetes issue 130887, apiserver/pkg/admission/plugin/policy/generic,
policy_source.go).
"""

from __future__ import annotations

import re

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.errors import StaleRecordError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_admission import NAME
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_readiness import (
    NAME as RECORD,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP

_DECIDED_BY = re.compile(r"resource version (\S+) of ConfigMap")
_NOT_FOUND = "no params found for policy binding"


def stale_record(client: ClusterClient, error: ApiError) -> StaleRecordError | None:
    """Return a transient error if the refusal ``error`` was decided by another version of the record than the present.

    None where the record is up to date, where these credentials may not read it, and for any other refusal.
    """
    message = error.answer.message
    decided = _DECIDED_BY.search(message)
    if NAME not in message or not (decided or _NOT_FOUND in message):
        return None
    used, latest = decided[1] if decided else "none", _latest(client)
    if not latest or used == latest:
        return None
    return StaleRecordError(
        error.attempted,
        on=error.on,
        seen=f"the admission policy {NAME} decided by version {used} of ConfigMap {NAMESPACE}/{RECORD}, whose version "
        f"is {latest}; its answer: {error.seen}",
        advice="If this persists for a minute, the API server no longer follows the record, which happens after a "
        "policy with a ConfigMap as its parameter was removed and installed again: restart the API servers (set "
        "forceRedeploymentReason of KubeAPIServer cluster), then run this again.",
        transient=True,
    )


def _latest(client: ClusterClient) -> str:
    """Return the resource version of the record, empty where there is none to read."""
    try:
        record = client.get(CONFIG_MAP, RECORD, NAMESPACE)
    except ApiError:
        return ""
    return record["metadata"]["resourceVersion"] if record else ""
