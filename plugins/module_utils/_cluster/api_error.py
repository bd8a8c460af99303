# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The error of a request that was not granted, with advice that fits the status."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster import outages
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import KIND_NOT_SERVED, Answer, Cause
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import API, FieldOpsError

FORBIDDEN = re.compile(
    r'User "(?P<user>[^"]+)" cannot (?P<verb>\S+) resource "(?P<resource>[^"]+)"'
    r'(?: in API group "(?P<group>[^"]*)")?(?: in the namespace "(?P<namespace>[^"]+)")?'
)
"""How Kubernetes says what RBAC does not grant (apiserver/pkg/endpoints/handlers/responsewriters/errors.go)."""


class ApiError(FieldOpsError):
    """The API rejected a request, or could not be reached; ``answer`` is all that is known of it.

    Action: Follow the action in the message, which depends on the answer: check the credentials and their
    permissions, the name and namespace of the object, or the address, the certificates and the proxy.
    """

    kind = API

    def __init__(self, call: Call, answer: Answer, *, server: str, attempted: str | None = None) -> None:
        self.call = call
        self.answer = answer
        super().__init__(
            attempted or f"{call.verb} {call.target}",
            on=f"the API server {server_name(server)}",
            seen=_seen(answer),
            advice=advice_for(call, answer),
            transient=answer.transient,
        )

    @property
    def status(self) -> int | None:
        """The HTTP status, None for an outage."""
        return self.answer.status

    @property
    def reason(self) -> str:
        """The API's word for the status, or that of ``outages.py``."""
        return self.answer.reason

    @property
    def causes(self) -> tuple[Cause, ...]:
        """What the server gave as causes, field by field."""
        return self.answer.causes


def server_name(url: str) -> str:
    """Return host and port of a server's URL; user information in it is left out."""
    parts = urlsplit(url)
    return parts.netloc.rpartition("@")[2] or url


def advice_for(call: Call, answer: Answer) -> str:
    """Return what a person should do about ``answer`` to ``call``, as full sentences."""
    if answer.status is None:
        return _OUTAGE_ADVICE.get(
            answer.reason, "Check that the API server runs and that nothing interrupts connections to it."
        )
    if answer.reason == KIND_NOT_SERVED:
        return _kind_advice(call)
    advise = _STATUS_ADVICE.get(answer.status)
    if advise:
        return advise(call, answer)
    if answer.transient:
        return "The server cannot answer at present: check the cluster operators kube-apiserver and etcd, then retry."
    return "Correct the values that the server rejects, then run this again."


def _seen(answer: Answer) -> str:
    named = [cause for cause in answer.causes if cause.field not in ("", "<nil>")]
    fields = [cause for cause in named if cause.message not in answer.message]
    listed = "; ".join(f"{cause.field}: {cause.message}" for cause in fields)
    return f"{answer.words.rstrip('.')} ({listed})" if listed else answer.words


def _on_unauthorized(_call: Call, _answer: Answer) -> str:
    return (
        "The server does not accept the credentials: they are missing, wrong or expired. Log in again and renew "
        "the token or the kubeconfig."
    )


def _on_forbidden(_call: Call, answer: Answer) -> str:
    match = FORBIDDEN.search(answer.message)
    if not match:
        return (
            "Use credentials with this permission, or check whether an admission policy or a quota forbids the request."
        )
    if match["user"] == "system:anonymous":
        return (
            "The request reached the server without credentials: specify a token, a client certificate or a kubeconfig."
        )
    group = f' of API group "{match["group"]}"' if match["group"] else ""
    place = f'in namespace "{match["namespace"]}"' if match["namespace"] else "in the whole cluster"
    return (
        f'Bind a role to user "{match["user"]}" that allows the verb "{match["verb"]}" on '
        f'"{match["resource"]}"{group} {place}, or use other credentials.'
    )


def _kind_advice(call: Call) -> str:
    return f"Check that this cluster has the API {call.kind.api_version}, or that its CustomResourceDefinition exists."


def _on_not_found(call: Call, answer: Answer) -> str:
    missing = ((answer.body or {}).get("details") or {}).get("kind")
    if missing == "namespaces" and call.namespace:
        return f"Create the namespace {call.namespace} first."
    if not answer.absent:
        return _kind_advice(call)
    return "Check its name and namespace, and that these credentials belong to the intended cluster."


def _on_conflict(call: Call, answer: Answer) -> str:
    if answer.reason == "AlreadyExists":
        return "An object of this name already exists: change it, or choose another name."
    if call.verb == "apply":
        return (
            "Another field manager owns these fields: omit them, or force the apply if this collection must own them."
        )
    return "The object was changed or replaced in the meantime: read it again, then retry."


def _on_unprocessable(_call: Call, _answer: Answer) -> str:
    return "Correct the named fields."


def _on_too_many(_call: Call, answer: Answer) -> str:
    budgets = [cause.message for cause in answer.causes if cause.reason == "DisruptionBudget"]
    if budgets:
        return (
            "A PodDisruptionBudget prevents the eviction: wait until enough of its pods are healthy, or relax the "
            "budget."
        )
    return "The server limits the rate of requests: run this again later."


_STATUS_ADVICE: dict[int, Callable[[Call, Answer], str]] = {
    401: _on_unauthorized,
    403: _on_forbidden,
    404: _on_not_found,
    409: _on_conflict,
    422: _on_unprocessable,
    429: _on_too_many,
}

_OUTAGE_ADVICE = {
    outages.CERTIFICATE: "Specify the certificate authority that signed the server's certificate in ca_cert or in the "
    "kubeconfig, check that the host is one of the names in that certificate, and check client_cert and client_key.",
    outages.UNREADABLE_FILE: "Check that the files of ca_cert, client_cert and client_key exist and are readable.",
    outages.NAME_UNKNOWN: "Check the host name and the DNS servers of this machine.",
    outages.PROXY: "Check proxy and its credentials, or add the API server to no_proxy to reach it directly.",
    outages.TIMEOUT: "Check that the address is correct and that no firewall drops the packets.",
    outages.SLOW: "Check the load of the API server and the network path to it, or allow more time with api_patience "
    "or wait_timeout.",
    outages.UNREACHABLE: "Check the address and the routes of this machine's network.",
    outages.REFUSED: "Check host and port, and that the API server runs.",
}
