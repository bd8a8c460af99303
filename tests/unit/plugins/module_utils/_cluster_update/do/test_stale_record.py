# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What of a refusal tells that the API server decided by an earlier record of readiness."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.stale_record import stale_record
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CLUSTER_VERSION, CONFIG_MAP

POLICY = "ValidatingAdmissionPolicy 'fieldops-openshift-release-readiness' denied request: "
DECIDED_BY_7 = f"{POLICY}not every node is ready, see resource version 7 of ConfigMap fieldops-openshift/record"
NO_RECORD = f"{POLICY}failed to configure binding: no params found for policy binding with `Deny` action"
OTHER = "ValidatingAdmissionPolicy 'other' denied request: see resource version 7 of ConfigMap other/record"
SERVER = "https://api.site.example:6443"


class Cluster:
    """A client that reads one record, or is not allowed to."""

    def __init__(self, version: str | None) -> None:
        self._version = version

    def get(self, *_names: object) -> dict[str, t.Any] | None:
        if self._version == "forbidden":
            raise ApiError(Call("get", CONFIG_MAP, "record"), Answer(403, reason="Forbidden"), server=SERVER)
        return {"metadata": {"resourceVersion": self._version}} if self._version else None


@pytest.mark.parametrize(
    ("message", "version", "seen"),
    [
        pytest.param(DECIDED_BY_7, "9", "decided by version 7 of", id="an earlier version"),
        pytest.param(NO_RECORD, "9", "decided by version none of", id="a record that it does not see"),
        pytest.param(DECIDED_BY_7, "7", "", id="the present version"),
        pytest.param(DECIDED_BY_7, "forbidden", "", id="a record that may not be read"),
        pytest.param(NO_RECORD, None, "", id="no record"),
        pytest.param(OTHER, "9", "", id="another policy"),
        pytest.param(f"{POLICY}something else", "9", "", id="another answer"),
    ],
)
def test_a_refusal(message: str, version: str | None, seen: str) -> None:
    call = Call("patch", CLUSTER_VERSION, "version")
    error = ApiError(call, Answer(403, reason="Forbidden", message=message), server=SERVER)
    found = stale_record(t.cast("t.Any", Cluster(version)), error)
    assert (found is not None) is bool(seen)
    assert found is None or (found.transient and seen in found.seen and f"whose version is {version};" in found.seen)
