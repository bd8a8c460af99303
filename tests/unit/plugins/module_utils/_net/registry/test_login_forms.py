# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Logins of every form at registries that demand one."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Callable

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.auth_file import AuthFile
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.login import Login
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.pull_secret import PullSecret
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import RegistryClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import LoginRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.registry.played_registry import (
    PlayedRegistry,
    secret_of,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import (
    ScriptedServer,
)

Host = Callable[[PlayedRegistry], ScriptedServer]
ClientFor = Callable[..., RegistryClient]

MANIFEST = b'{"schemaVersion":2}'
IMAGE = ImageReference.parse("quay.io/a/b:1")
CANARY = "kanarienvogel"


def played(**demands: t.Any) -> PlayedRegistry:
    registry = PlayedRegistry(**demands)
    registry.add_manifest(MANIFEST, "1")
    return registry


def secret(server: ScriptedServer, entry: object) -> PullSecret:
    return secret_of(json.dumps({"auths": {f"127.0.0.1:{server.port}": entry}}), on="/home/engineer/auth.json")


def test_a_registry_token_is_sent_as_it_is(host: Host, client_for: ClientFor, deadline: Deadline) -> None:
    registry = played(tokens=True, accepted={"given"})
    server = host(registry)
    client = client_for(server, secret=secret(server, {"registrytoken": "given"}))
    assert client.manifest(IMAGE, deadline=deadline).content == MANIFEST
    assert registry.token_requests == []


def test_a_registry_token_that_is_refused_is_told(host: Host, client_for: ClientFor, deadline: Deadline) -> None:
    server = host(played(tokens=True))
    client = client_for(server, secret=secret(server, {"registrytoken": CANARY}))
    with pytest.raises(LoginRefusedError, match="does not accept the credentials") as caught:
        client.manifest(IMAGE, deadline=deadline)
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize("basic", [True, False], ids=["basic", "token service"])
def test_what_a_helper_keeps_is_sent(host: Host, client_for: ClientFor, deadline: Deadline, basic: bool) -> None:
    server = host(played(login=("u", "word"), basic=basic, tokens=not basic))
    asked: list[tuple[str, str]] = []

    def ask(helper: str, place: str) -> Login:
        asked.append((helper, place))
        return Login("u", "word")

    client = client_for(server, secret=PullSecret((AuthFile("f", store="lab"),), ask_helper=ask))
    assert asked == []
    assert [client.manifest(IMAGE, deadline=deadline).content for _again in range(2)] == [MANIFEST] * 2
    assert asked == [("lab", f"127.0.0.1:{server.port}")]


@pytest.mark.parametrize("entry", [17, {"auth": "!"}, {"registrytoken": "a b"}], ids=["number", "base64", "token"])
def test_an_entry_that_cannot_be_used_is_told_with_its_file_where_it_is_needed(
    host: Host, client_for: ClientFor, deadline: Deadline, entry: object
) -> None:
    server = host(played(login=("u", "word"), basic=True))
    client = client_for(server, secret=secret(server, entry))
    with pytest.raises(LoginRefusedError, match=r"the entry '127\.0\.0\.1:[0-9]+' of /home/engineer/auth\.json"):
        client.manifest(IMAGE, deadline=deadline)


def test_an_entry_that_cannot_be_used_harms_no_registry_that_wants_no_login(
    host: Host, client_for: ClientFor, deadline: Deadline
) -> None:
    server = host(played())
    assert client_for(server, secret=secret(server, 17)).manifest(IMAGE, deadline=deadline).content == MANIFEST


def test_an_entry_that_cannot_be_used_leads_to_the_next_mirror(
    host: Host, client_for: ClientFor, deadline: Deadline
) -> None:
    locked, free = host(played(login=("u", "word"), basic=True)), host(played())
    client = client_for(locked, free, secret=secret(locked, {"auth": "!"}))
    assert client.manifest(IMAGE, deadline=deadline).content == MANIFEST
