# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Requests of a node for certificates that wait for an answer, and which of them may be granted without a person.

An ordinary reboot keeps a kubelet's certificates, so that there is none. A node that was away for long asks for a new
client certificate, and for one to serve with; the former is not approved for a node that exists already.
"""

from __future__ import annotations

import base64
import binascii
import typing as t
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.certificate_request import (
    CertificateRequest,
    DamagedRequestError,
    read_certificate_request,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import conditions_of

SERVING = "kubernetes.io/kubelet-serving"
CLIENT = "kubernetes.io/kube-apiserver-client-kubelet"
IGNORE, REPORT, WAIT, APPROVE = "ignore", "report", "wait", "approve"

_SERVING_USAGES = {"digital signature", "key encipherment", "server auth"}
_CLIENT_USAGES = {"digital signature", "key encipherment", "client auth"}


@dataclass(frozen=True)
class PendingRequest:
    """A request without an answer; ``obstacle`` says why it is not granted without a person, empty if it may be."""

    name: str
    signer: str
    username: str
    created: str
    obstacle: str

    def as_data(self) -> dict[str, t.Any]:
        """Return the request as module results show it."""
        return {
            "name": self.name,
            "signer": self.signer,
            "username": self.username,
            "created": self.created,
            "obstacle": self.obstacle,
        }


def pending_requests(
    node: str, addresses: Sequence[str], requests: Iterable[Mapping[str, t.Any]]
) -> list[PendingRequest]:
    """Return the requests that are about ``node`` and wait; ``addresses`` are all that its Node object has."""
    found = []
    for one in requests:
        spec = one.get("spec") or {}
        conditions = conditions_of(one)
        if spec.get("signerName") not in (SERVING, CLIENT) or {"Approved", "Denied", "Failed"} & set(conditions):
            continue
        request, problem = _decoded(spec)
        if spec.get("username") != _user(node) and (request is None or request.common_name != _user(node)):
            continue
        obstacle = problem or _obstacle(node, addresses, spec, t.cast(CertificateRequest, request))
        metadata = one["metadata"]
        created = metadata.get("creationTimestamp") or ""
        found.append(
            PendingRequest(metadata["name"], spec["signerName"], str(spec.get("username", "")), created, obstacle)
        )
    return sorted(found, key=lambda request: (request.created, request.name))


def _obstacle(node: str, addresses: Sequence[str], spec: Mapping[str, t.Any], request: CertificateRequest) -> str:
    """Return why a request may not be granted without a person, nothing if it proves itself.

    Sources: k8s.io/kubernetes, pkg/apis/certificates/helpers.go (ValidateKubeletServingCSR,
    ValidateKubeletClientCSR); the user name is the server's own knowledge of who asked.
    """
    signer, usages = spec.get("signerName"), set(spec.get("usages") or [])
    if spec.get("username") != _user(node) or "system:nodes" not in (spec.get("groups") or []):
        return f"it was not requested by the node itself but by {spec.get('username')}"
    if (request.common_name, request.organizations) != (_user(node), ("system:nodes",)):
        return f"its subject is {request.common_name or 'empty'} of {', '.join(request.organizations) or 'nothing'}"
    allowed = _SERVING_USAGES if signer == SERVING else _CLIENT_USAGES
    if usages - allowed:
        return f"its usages include {', '.join(sorted(usages - allowed))}"
    if request.other_names or (signer == CLIENT and request.names):
        return "it contains names that a node must not request"
    strange = sorted(set(request.names) - set(addresses))
    if signer == SERVING and (strange or not request.names):
        return f"it is for {', '.join(strange) or 'no address'}, which the Node object does not have"
    return ""


def _decoded(spec: Mapping[str, t.Any]) -> tuple[CertificateRequest | None, str]:
    try:
        return read_certificate_request(base64.b64decode(spec.get("request") or "", validate=True)), ""
    except (DamagedRequestError, binascii.Error) as error:
        return None, f"it cannot be read: {error}"


def _user(node: str) -> str:
    return f"system:node:{node}"
