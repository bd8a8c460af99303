# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which images the signature policies of a site name.

Source: openshift/api ``config/v1/types_cluster_image_policy.go``, ``types_image_policy.go``; the scopes are those of
containers-policy.json(5), matched as in containers/image ``docker/policyconfiguration/naming.go``.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

_KINDS = ("ClusterImagePolicy", "ImagePolicy")


@dataclass(frozen=True)
class SignaturePolicy:
    """A policy by ``name``, such as ``ClusterImagePolicy openshift``, and what it is about."""

    name: str
    scopes: tuple[str, ...]

    @classmethod
    def from_document(cls, document: Mapping[str, t.Any]) -> SignaturePolicy:
        """Return the policy in a job's arguments."""
        return cls(document["name"], tuple(document["scopes"]))

    def names(self, image: ImageReference) -> bool:
        """Whether ``image`` is in one of the scopes."""
        return not set(self.scopes).isdisjoint(_scopes_of(image))


def policies_in(documents: Iterable[t.Any], *, on: str) -> tuple[SignaturePolicy, ...]:
    """Return the policies in the YAML ``documents`` of the file ``on``, those in lists included."""
    found: list[SignaturePolicy] = []
    for document in documents:
        if not isinstance(document, dict):
            raise _refusal(on, "a document in it is not a mapping")
        items = document.get("items")
        if str(document.get("kind", "")).endswith("List") and isinstance(items, list):
            found += policies_in(items, on=on)
        else:
            found.append(_policy(document, on))
    if not found:
        raise _refusal(on, "it contains no policy")
    return tuple(found)


def _policy(document: Mapping[str, t.Any], on: str) -> SignaturePolicy:
    group = str(document.get("apiVersion", "")).partition("/")[0]
    kind = document.get("kind")
    if group != "config.openshift.io" or kind not in _KINDS:
        raise _refusal(
            on, f"a document in it is of kind {str(kind)[:60]!r}, neither ClusterImagePolicy nor ImagePolicy"
        )
    metadata, spec = document.get("metadata"), document.get("spec")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    scopes = spec.get("scopes") if isinstance(spec, dict) else None
    if not isinstance(name, str) or not isinstance(scopes, list) or not all(isinstance(one, str) for one in scopes):
        raise _refusal(on, f"a {kind} in it has no metadata.name, or no spec.scopes")
    return SignaturePolicy(f"{kind} {name[:100]}", tuple(scopes))


def _scopes_of(image: ImageReference) -> Iterator[str]:
    """Yield every scope that ``image`` is in."""
    yield str(image)
    yield f"{image.name}:{image.tag}" if image.tag else image.name
    path = image.name
    while path:
        yield path
        path = path.rpartition("/")[0]
    host = image.registry.partition(":")[0]
    while "." in host:
        host = host.partition(".")[2]
        yield f"*.{host}"


def _refusal(on: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "read the image policies",
        on=on,
        seen=seen,
        advice="Specify ClusterImagePolicy and ImagePolicy manifests in the format of 'oc get -o yaml'.",
    )
