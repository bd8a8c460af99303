# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Played registries over TLS, and clients that know how to reach them."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.pull_secret import PullSecret
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_access import RegistrySettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import RegistryClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.mirror_rules import (
    Mirror,
    MirrorRule,
    MirrorRules,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.certificates import (
    CertificateAuthority,
    Identity,
    server_context,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.registry.played_registry import (
    BLOB,
    MANIFEST,
    PlayedRegistry,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import (
    ScriptedServer,
)


@pytest.fixture(scope="session")
def identity(authority: CertificateAuthority) -> Identity:
    return authority.issue("registry")


@pytest.fixture
def registry() -> PlayedRegistry:
    """A registry that holds the image."""
    played = PlayedRegistry()
    played.add_manifest(MANIFEST, "4.21.3-x86_64")
    played.add_blob(BLOB)
    return played


@pytest.fixture
def host(serve: Callable[..., ScriptedServer], identity: Identity) -> Callable[[PlayedRegistry], ScriptedServer]:
    """Let a played registry answer over TLS."""

    def start(registry: PlayedRegistry) -> ScriptedServer:
        server = serve(registry, tls=server_context(identity))
        registry.realm = registry.realm or server.url("/token")
        return server

    return start


@pytest.fixture
def client_for(clock: Clock, authority: CertificateAuthority) -> Iterator[Callable[..., RegistryClient]]:
    """Make a client for which ``quay.io`` is found at the given servers, in that order, and nowhere else."""
    clients: list[RegistryClient] = []

    def make(
        *servers: ScriptedServer,
        secret: PullSecret | None = None,
        insecure: bool = False,
        with_clock: Clock = clock,
        notice: Callable[[str], object] | None = None,
        asked: Callable[[str], object] = lambda _host: None,
        **more: t.Any,
    ) -> RegistryClient:
        mirrors = tuple(Mirror(f"127.0.0.1:{server.port}", insecure) for server in servers)
        settings = RegistrySettings(
            pull_secret=secret or PullSecret(),
            rules=MirrorRules((MirrorRule("quay.io", "quay.io", blocked=True, mirrors=mirrors),)),
            tls=TlsSettings(ca_file=authority.certificate),
            **more,
        )
        clients.append(RegistryClient(settings, with_clock, notice=notice, asked=asked))
        return clients[-1]

    yield make
    for client in clients:
        client.__exit__()
