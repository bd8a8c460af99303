# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Calls as values: words, methods, paths, and names that are none."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import NODE, POD, ObjectKind


@dataclass(frozen=True)
class Served:
    """Where a kind is served, as the client library says it."""

    namespaced: bool

    def path(self, name: str | None, namespace: str | None) -> str:
        return "/".join(
            ["/api/v1", *(["namespaces", namespace] if namespace else []), "things", *([name] if name else [])]
        )


@pytest.mark.parametrize(
    ("call", "target"),
    [
        (Call("get", NODE, "worker-0"), "Node worker-0"),
        (Call("get", POD, "registry-1", "infra"), "Pod infra/registry-1"),
        (Call("create", POD, "registry-1", "infra", "eviction"), "Pod/eviction infra/registry-1"),
        (Call("list", POD, namespace="infra"), "Pod in namespace infra"),
        (Call("list", POD), "Pod"),
    ],
)
def test_target_in_words(call: Call, target: str) -> None:
    assert call.target == target


@pytest.mark.parametrize(
    ("call", "path"),
    [
        (Call("get", POD, "a", "ns"), "/api/v1/namespaces/ns/things/a"),
        (Call("list", POD), "/api/v1/things"),
        (Call("create", POD, "a", "ns"), "/api/v1/namespaces/ns/things"),
        (Call("create", POD, "a", "ns", "eviction"), "/api/v1/namespaces/ns/things/a/eviction"),
        (Call("patch", POD, "system:node", "ns", "status"), "/api/v1/namespaces/ns/things/system:node/status"),
        (Call("get", POD, "a?b#c d", "ns"), "/api/v1/namespaces/ns/things/a%3Fb%23c%20d"),
    ],
)
def test_path(call: Call, path: str) -> None:
    assert call.path(Served(namespaced=True)) == path


@pytest.mark.parametrize("verb", ["get", "delete", "create"])
def test_objects_in_namespaces_need_one(verb: str) -> None:
    with pytest.raises(InvalidInputError, match="no namespace is specified"):
        Call(verb, POD, "a").path(Served(namespaced=True))


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../../secrets", "a%2fb", "{namespace}", "a\nb", "a\0b"])
@pytest.mark.parametrize("part", ["name", "namespace", "subresource"])
def test_what_cannot_be_a_name_is_refused(name: str, part: str) -> None:
    segments: dict[str, t.Any] = {part: name}
    with pytest.raises(InvalidInputError, match="cannot be a name"):
        Call("get", POD, **segments)


def test_unknown_verbs_are_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="no verb of the API: replace"):
        Call("replace", NODE)


def test_the_body_is_not_shown() -> None:
    secret = ObjectKind("v1", "Secret")
    assert "canary" not in repr(Call("create", secret, "a", "ns", body={"stringData": {"token": "canary"}}))
