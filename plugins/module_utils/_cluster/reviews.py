# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Questions to the server about the asker: who am I, may I, and which version are you."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.retries import persist
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient

SELF_SUBJECT_REVIEW = ObjectKind("authentication.k8s.io/v1", "SelfSubjectReview")
SELF_SUBJECT_ACCESS_REVIEW = ObjectKind("authorization.k8s.io/v1", "SelfSubjectAccessReview")


@dataclass(frozen=True)
class Identity:
    """Whom the server takes us for, after impersonation."""

    username: str
    uid: str
    groups: tuple[str, ...]


@dataclass(frozen=True)
class Permission:
    """Whether something is permitted; ``reason`` is the server's, often empty."""

    allowed: bool
    reason: str


def who_am_i(client: ClusterClient, *, deadline: Deadline | None = None) -> Identity:
    """Return whom the server takes this client for."""
    status = _review(client, SELF_SUBJECT_REVIEW, {}, deadline)
    user = status.get("userInfo") or {}
    return Identity(str(user.get("username", "")), str(user.get("uid", "")), tuple(user.get("groups") or ()))


def may(
    client: ClusterClient,
    verb: str,
    kind: ObjectKind,
    *,
    name: str | None = None,
    namespace: str | None = None,
    subresource: str | None = None,
    deadline: Deadline | None = None,
) -> Permission:
    """Return whether this client may do ``verb`` (a verb of RBAC) to objects of ``kind``.

    Raise ApiError also when the cluster has no such kind: then it cannot be determined.
    """
    deadline = deadline or client.patience()
    found = persist(lambda left: client.transport.lookup(kind, at_most=left), deadline)
    if not found.ok or found.body is None:
        raise ApiError(Call("list", kind), found, server=client.access.server)
    attributes = {
        "verb": verb,
        "group": kind.group,
        "resource": found.body["name"],
        "name": name,
        "namespace": namespace,
        "subresource": subresource,
    }
    asked = {key: value for key, value in attributes.items() if value}
    status = _review(client, SELF_SUBJECT_ACCESS_REVIEW, {"spec": {"resourceAttributes": asked}}, deadline)
    return Permission(bool(status.get("allowed")), str(status.get("reason", "")))


def _review(
    client: ClusterClient, kind: ObjectKind, body: dict[str, t.Any], deadline: Deadline | None
) -> dict[str, t.Any]:
    # A review keeps nothing on the server, so asking twice is harmless and it is no action to report.
    call = Call("create", kind, body={"apiVersion": kind.api_version, "kind": kind.kind, **body})
    answer = persist(lambda left: client.transport.send(call, at_most=left), deadline or client.patience())
    if not answer.ok or answer.body is None:
        raise ApiError(call, answer, server=client.access.server)
    return dict(answer.body.get("status") or {})
