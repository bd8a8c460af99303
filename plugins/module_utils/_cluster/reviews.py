# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Requests to the server about the user of this client: the identity, and what it is allowed to do."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.retries import persist
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind

SELF_SUBJECT_REVIEW = ObjectKind("authentication.k8s.io/v1", "SelfSubjectReview")
SELF_SUBJECT_ACCESS_REVIEW = ObjectKind("authorization.k8s.io/v1", "SelfSubjectAccessReview")


@dataclass(frozen=True)
class Identity:
    """Whom the server takes us for, after impersonation."""

    username: str
    groups: tuple[str, ...]


def who_am_i(client: ClusterClient) -> Identity:
    """Return whom the server takes this client for."""
    status = _review(client, SELF_SUBJECT_REVIEW, {})
    user = status.get("userInfo") or {}
    return Identity(str(user.get("username", "")), tuple(user.get("groups") or ()))


def is_allowed(client: ClusterClient, attributes: dict[str, str]) -> bool:
    """Return whether this client may do what ``attributes`` describe.

    They are those of a SelfSubjectAccessReview: verb, group, resource, subresource, name and namespace. Raise ApiError
    when the server does not answer.
    """
    body = {"spec": {"resourceAttributes": attributes}}
    return bool(_review(client, SELF_SUBJECT_ACCESS_REVIEW, body).get("allowed"))


def _review(client: ClusterClient, kind: ObjectKind, body: dict[str, t.Any]) -> dict[str, t.Any]:
    # A review keeps nothing on the server, so asking twice is harmless and it is no action to report.
    call = Call("create", kind, body={"apiVersion": kind.api_version, "kind": kind.kind, **body})
    answer = persist(lambda left: client.transport.send(call, at_most=left), client.patience())
    if not answer.ok or answer.body is None:
        raise ApiError(call, answer, server=client.access.server)
    return dict(answer.body.get("status") or {})
