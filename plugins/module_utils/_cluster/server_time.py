# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What time it is for the API server."""

from __future__ import annotations

from datetime import datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.retries import persist
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.reviews import SELF_SUBJECT_REVIEW
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of


def server_time(client: ClusterClient, deadline: Deadline | None = None) -> datetime | None:
    """Return the instant at which the API server answers, in whole seconds; None where it does not say.

    It stamps each requested review (kube-apiserver, pkg/registry/authentication/selfsubjectreview/rest.go).
    Raise ApiError when it does not answer.
    """
    body = {"apiVersion": SELF_SUBJECT_REVIEW.api_version, "kind": SELF_SUBJECT_REVIEW.kind}
    call = Call("create", SELF_SUBJECT_REVIEW, body=body)
    answer = persist(lambda left: client.transport.send(call, at_most=left), deadline or client.patience())
    if not answer.ok or answer.body is None:
        raise ApiError(call, answer, server=client.access.server)
    stamp = (answer.body.get("metadata") or {}).get("creationTimestamp")
    return instant_of(str(stamp))


def cluster_now(client: ClusterClient, deadline: Deadline | None = None) -> datetime:
    """Return the present by which to age what the cluster has stamped; our own clock's where the server has none."""
    return server_time(client, deadline) or client.clock.utcnow()
