# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lock of a job that was killed on another machine."""

from __future__ import annotations

import json

from ansible_collections.fieldops.openshift.tests.lab.rest import Json

NAMESPACE = "fieldops-openshift"
LEASE = f"/apis/coordination.k8s.io/v1/namespaces/{NAMESPACE}/leases/rollout"
DEAD = "job 41/7-1"


def lock_of_a_dead_job(seconds: int = 900) -> list[Json]:
    """Return the Lease, which lasts so long from when the API server gets it, and its namespace."""
    process = {"boot": "another", "namespace": 1, "pid": 7, "start": 1}
    notes = {"fieldops-openshift/holder-process": json.dumps(process)}
    times = dict.fromkeys(("acquireTime", "renewTime"), "2026-11-21T22:00:00.000000Z")
    lease = {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": "rollout", "namespace": NAMESPACE, "annotations": notes},
        "spec": {"holderIdentity": DEAD, "leaseDurationSeconds": seconds, **times},
    }
    return [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}, lease]
