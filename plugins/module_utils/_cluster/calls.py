# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One request to the API as a value: what is asked, of which object, and what is sent along."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field
from urllib.parse import quote

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind

HTTP_METHODS = {
    "get": "get",
    "list": "get",
    "create": "post",
    "apply": "patch",
    "patch": "patch",
    "delete": "delete",
}
"""API verbs and the HTTP method of each; ``apply`` is server-side apply, to the server a patch."""

WRITE_VERBS = frozenset({"create", "apply", "patch", "delete"})

PATCH_TYPES = {
    "merge": "application/merge-patch+json",
    "json": "application/json-patch+json",
}
APPLY_TYPE = "application/apply-patch+yaml"


@dataclass(frozen=True)
class Call:
    """A request to the API; ``verb`` is one of ``HTTP_METHODS``, ``query`` is in the words of the HTTP API."""

    verb: str
    kind: ObjectKind
    name: str | None = None
    namespace: str | None = None
    subresource: str | None = None
    body: t.Any = field(default=None, repr=False)
    query: tuple[tuple[str, str], ...] = ()
    content_type: str = "application/json"

    def __post_init__(self) -> None:
        if self.verb not in HTTP_METHODS:
            raise ValueError(f"no verb of the API: {self.verb}")
        for segment in (self.name, self.namespace, self.subresource):
            _check_path_segment(segment, self.kind)

    @property
    def method(self) -> str:
        """Return the HTTP method in lower case."""
        return HTTP_METHODS[self.verb]

    @property
    def target(self) -> str:
        """Return the object in words: ``Pod infra/registry-1``, ``Node worker-0``, ``Pods`` in a namespace."""
        kind = f"{self.kind.kind}/{self.subresource}" if self.subresource else self.kind.kind
        if self.name is None:
            return f"{kind} in namespace {self.namespace}" if self.namespace else kind
        return f"{kind} {self.namespace}/{self.name}" if self.namespace else f"{kind} {self.name}"

    def path(self, resource: t.Any) -> str:
        """Return the URL path at ``resource``, the client library's record of where the kind is served.

        Raise InvalidInputError when an object of a namespaced kind is named without its namespace.
        """
        if resource.namespaced and not self.namespace and (self.name or self.verb == "create"):
            raise InvalidInputError(
                f"{self.verb} {self.target}",
                on="the Kubernetes API",
                seen="no namespace is specified",
                advice=f"{self.kind.kind} objects are namespaced: specify the namespace.",
            )
        # A created object goes to the collection of its kind, unless it is created as a part of another object.
        name = None if self.verb == "create" and not self.subresource else self.name
        path = str(resource.path(name=_quoted(name), namespace=_quoted(self.namespace)))
        return f"{path}/{quote(self.subresource)}" if self.subresource else path


def _quoted(segment: str | None) -> str | None:
    return None if segment is None else quote(segment, safe=":@")


def _check_path_segment(segment: str | None, kind: ObjectKind) -> None:
    """Hold the server's own rule for names within a path (k8s.io/apimachinery pkg/api/validation/path)."""
    if segment is None:
        return
    if segment in ("", ".", "..") or any(character in segment for character in "/%{}") or not segment.isprintable():
        raise InvalidInputError(
            f"name an object of kind {kind}",
            on=repr(segment),
            seen="it cannot be a name",
            advice="Use a name and a namespace that are not empty and contain neither a slash nor a percent sign.",
        )
