# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Does a kubelet wait for the approval of its certificate?

Source: cluster-machine-approver: it approves only what belongs to a Machine; all else waits for a person.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import (
    Finding,
    fault,
    unsettled,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import conditions_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CERTIFICATE_SIGNING_REQUEST,
)

_KUBELET_SIGNERS = ("kubernetes.io/kubelet-serving", "kubernetes.io/kube-apiserver-client-kubelet")
_PATIENCE = timedelta(minutes=5)


def signing_request_findings(requests: Sequence[Mapping[str, t.Any]], now: datetime) -> Iterator[Finding]:
    """Yield the kubelets' requests that are pending; for five minutes that is no fault."""
    for one in requests:
        spec = one.get("spec") or {}
        if spec.get("signerName") not in _KUBELET_SIGNERS or conditions_of(one):
            continue
        name = str(one["metadata"]["name"])
        made = instant_of(str(one["metadata"].get("creationTimestamp") or ""))
        seen = f"of {spec.get('username', 'an unknown user')} for {spec['signerName']} is waiting for approval"
        if made is not None and now - made < _PATIENCE:
            yield unsettled("csr_pending", CERTIFICATE_SIGNING_REQUEST, name, seen, "Wait a few minutes for it.")
        else:
            advice = f"Check its requester, then run 'oc adm certificate approve {name}'."
            yield fault("csr_pending", CERTIFICATE_SIGNING_REQUEST, name, seen, advice)
