# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Errors say what was asked of whom, what came back, and what to do."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import KIND_NOT_SERVED, Answer, Cause
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError, server_name
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CONFIG_MAP,
    MACHINE_CONFIG_POOL,
    NODE,
    POD,
)

SERVER = "https://me:pa55@api.site.example:6443"
READ = Call("get", NODE, "worker-0")
WRITE = Call("patch", CONFIG_MAP, "journal", "fieldops-openshift")
APPLY = Call("apply", CONFIG_MAP, "journal", "fieldops-openshift")


def error(call: Call, status: int | None, reason: str = "", message: str = "", **more: t.Any) -> ApiError:
    return ApiError(call, Answer(status=status, reason=reason, message=message, **more), server=SERVER)


def test_the_sentence() -> None:
    assert str(error(WRITE, 409, "Conflict", "the object has been modified")) == (
        "Could not patch ConfigMap fieldops-openshift/journal on the API server api.site.example:6443: "
        "409 Conflict: the object has been modified. "
        "The object was changed or replaced in the meantime: read it again, then retry."
    )


def test_kind_and_parts() -> None:
    raised = error(READ, 503, "ServiceUnavailable", transient=True)
    assert (raised.kind, raised.status, raised.reason, raised.causes, raised.transient) == (
        "api",
        503,
        "ServiceUnavailable",
        (),
        True,
    )


@pytest.mark.parametrize(
    ("call", "status", "reason", "message", "advice"),
    [
        pytest.param(READ, 401, "Unauthorized", "Unauthorized", "renew the token or the kubeconfig", id="401"),
        pytest.param(
            READ,
            403,
            "Forbidden",
            'User "alice" cannot get resource "nodes" in API group "" at the cluster scope',
            'Bind a role to user "alice" that allows the verb "get" on "nodes" in the whole cluster',
            id="403 in the cluster",
        ),
        pytest.param(
            WRITE,
            403,
            "Forbidden",
            'User "system:serviceaccount:a:b" cannot patch resource "leases" in API group "coordination.k8s.io" '
            'in the namespace "c"',
            'the verb "patch" on "leases" of API group "coordination.k8s.io" in namespace "c"',
            id="403 in a namespace",
        ),
        pytest.param(
            READ,
            403,
            "Forbidden",
            'User "system:anonymous" cannot get resource "nodes" in API group "" at the cluster scope',
            "reached the server without credentials",
            id="403 anonymous",
        ),
        pytest.param(
            WRITE, 403, "Forbidden", "denied by policy fieldops", "admission policy or a quota", id="403 by policy"
        ),
        pytest.param(READ, 404, "", "404 page not found", "Check that this cluster has the API v1", id="404 of a path"),
        pytest.param(WRITE, 409, "AlreadyExists", "", "already exists", id="409 exists"),
        pytest.param(APPLY, 409, "Conflict", "", "Another field manager owns these fields", id="409 of an apply"),
        pytest.param(WRITE, 422, "Invalid", "", "Correct the named fields", id="422"),
        pytest.param(READ, 429, "TooManyRequests", "", "limits the rate", id="429"),
        pytest.param(READ, 418, "", "", "Correct the values that the server rejects", id="any other"),
        pytest.param(READ, None, "CertificateRejected", "", "in ca_cert or in the kubeconfig", id="certificate"),
        pytest.param(READ, None, "Timeout", "", "no firewall drops the packets", id="black hole"),
        pytest.param(READ, None, "SlowAnswer", "", "allow more time with api_patience", id="slow"),
        pytest.param(READ, None, "ConnectionBroken", "", "nothing interrupts connections", id="broken"),
    ],
)
def test_advice_fits(call: Call, status: int | None, reason: str, message: str, advice: str) -> None:
    assert advice in error(call, status, reason, message).advice


def test_a_missing_namespace_is_named() -> None:
    body = {"details": {"kind": "namespaces", "name": "fieldops-openshift"}}
    assert error(WRITE, 404, "NotFound", "", body=body).advice == "Create the namespace fieldops-openshift first."


def test_a_missing_object() -> None:
    body = {"details": {"kind": "nodes", "name": "worker-0"}}
    assert "Check its name and namespace" in error(READ, 404, "NotFound", "", body=body).advice


def test_a_missing_kind_is_named() -> None:
    raised = error(Call("list", MACHINE_CONFIG_POOL), 404, KIND_NOT_SERVED)
    assert "machineconfiguration.openshift.io/v1" in raised.advice


def test_a_budget_is_told_from_rate_limiting() -> None:
    cause = Cause("DisruptionBudget", "The disruption budget db needs 1 healthy pods and has 1 currently")
    raised = error(Call("create", POD, "db-0", "infra", "eviction"), 429, "TooManyRequests", causes=(cause,))
    assert "A PodDisruptionBudget prevents the eviction" in raised.advice


def test_field_causes_are_listed_once() -> None:
    causes = (
        Cause("FieldValueInvalid", "must be positive", "spec.a"),
        Cause("FieldValueRequired", "Required", "spec.b"),
    )
    raised = error(WRITE, 422, "Invalid", "spec.b: Required", causes=causes)
    assert raised.seen == "422 Invalid: spec.b: Required (spec.a: must be positive)"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://api:6443", "api:6443"),
        (SERVER, "api.site.example:6443"),
        ("https://[fd00::1]:6443/", "[fd00::1]:6443"),
    ],
)
def test_server_name(url: str, name: str) -> None:
    assert server_name(url) == name
