# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Folders with certificates for single registries, on real TLS servers."""

from __future__ import annotations

import shutil
import typing as t
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.host_certificates import settings_for
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_access import RegistrySettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import RegistryClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import RegistryError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import RetryPolicy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
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
    PlayedRegistry,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import (
    ScriptedServer,
)

MANIFEST = b'{"schemaVersion":2}'
IMAGE = ImageReference.parse("quay.io/a/b:1")

Ask = t.Callable[..., bytes]


def put(folder: Path, host: str, **files: str | Path) -> Path:
    """Copy files into the subfolder for ``host``; the dot in a name is written as two underscores."""
    own = folder / host
    own.mkdir(parents=True, exist_ok=True)
    for name, source in files.items():
        shutil.copyfile(source, own / name.replace("__", "."))
    return own


@pytest.fixture
def registry() -> PlayedRegistry:
    played = PlayedRegistry()
    played.add_manifest(MANIFEST, "1")
    return played


@pytest.fixture
def server(registry: PlayedRegistry, serve: Callable[..., ScriptedServer], identity: Identity) -> ScriptedServer:
    return serve(registry, tls=server_context(identity))


@pytest.fixture
def ask(clock: Clock, deadline: Deadline) -> Iterator[Ask]:
    """Ask for the image at ``server`` with certificates from ``folders``, and return the manifest."""
    clients: list[RegistryClient] = []

    def manifest(server: ScriptedServer, *folders: Path, insecure: bool = False, ca_file: str | None = None) -> bytes:
        mirrors = (Mirror(f"127.0.0.1:{server.port}", insecure),)
        settings = RegistrySettings(
            rules=MirrorRules((MirrorRule("quay.io", "quay.io", blocked=True, mirrors=mirrors),)),
            tls=TlsSettings(ca_file=ca_file),
            retry=RetryPolicy(attempts=1),
            certificate_folders=tuple(map(str, folders)),
        )
        clients.append(RegistryClient(settings, clock))
        return clients[-1].manifest(IMAGE, deadline=deadline).content

    yield manifest
    for client in clients:
        client.__exit__()


def test_an_authority_in_the_folder_of_a_host_is_trusted_for_it(
    server: ScriptedServer, ask: Ask, authority: CertificateAuthority, tmp_path: Path
) -> None:
    put(tmp_path, f"127.0.0.1:{server.port}", site__crt=authority.certificate)
    assert ask(server, tmp_path) == MANIFEST


@pytest.mark.parametrize("name", ["127.0.0.1", "127.0.0.1:1", "other.example"])
def test_an_authority_for_another_host_is_not(
    server: ScriptedServer, ask: Ask, authority: CertificateAuthority, tmp_path: Path, name: str
) -> None:
    put(tmp_path, name, site__crt=authority.certificate)
    with pytest.raises(FieldOpsError, match="certificate was rejected"):
        ask(server, tmp_path)


@pytest.mark.parametrize(
    ("common", "own"), [("site", "other"), ("other", "site")], ids=["the file's stays", "the folder's is added"]
)
def test_authorities_of_a_host_are_added_to_the_given_ones(
    server: ScriptedServer,
    ask: Ask,
    authority: CertificateAuthority,
    other_authority: CertificateAuthority,
    tmp_path: Path,
    common: str,
    own: str,
) -> None:
    known = {"site": authority.certificate, "other": other_authority.certificate}
    put(tmp_path, f"127.0.0.1:{server.port}", own__crt=known[own])
    assert ask(server, tmp_path, ca_file=known[common]) == MANIFEST


def test_the_first_folder_with_the_host_counts_alone(
    server: ScriptedServer,
    ask: Ask,
    authority: CertificateAuthority,
    other_authority: CertificateAuthority,
    tmp_path: Path,
) -> None:
    host = f"127.0.0.1:{server.port}"
    put(tmp_path / "user", host, own__crt=other_authority.certificate)
    put(tmp_path / "system", host, own__crt=authority.certificate)
    assert ask(server, tmp_path / "absent", tmp_path / "system", tmp_path / "user") == MANIFEST
    with pytest.raises(FieldOpsError, match="certificate was rejected"):
        ask(server, tmp_path / "user", tmp_path / "system")


@pytest.mark.parametrize("insecure", [False, True], ids=["verified", "insecure"])
def test_a_client_certificate_is_shown_to_its_host(
    registry: PlayedRegistry,
    serve: Callable[..., ScriptedServer],
    ask: Ask,
    identity: Identity,
    authority: CertificateAuthority,
    tmp_path: Path,
    insecure: bool,
) -> None:
    server = serve(registry, tls=server_context(identity, client_authority=authority.certificate))
    person = authority.issue("builder")
    own = put(tmp_path, f"127.0.0.1:{server.port}", site__crt=authority.certificate)
    with pytest.raises(FieldOpsError):
        ask(server, tmp_path, insecure=insecure)
    shutil.copyfile(person.certificate, own / "client.cert")
    shutil.copyfile(person.key, own / "client.key")
    assert ask(server, tmp_path, insecure=insecure) == MANIFEST


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"client__cert": "certificate"}, "client.cert exists without client.key"),
        ({"client__key": "key"}, "client.key exists without client.cert"),
        (
            {"a__cert": "certificate", "a__key": "key", "b__cert": "certificate", "b__key": "key"},
            "2 client certificates exist there: a.cert, b.cert",
        ),
        ({"ca__crt": "key"}, "no usable PEM certificate"),
    ],
)
def test_certificates_that_cannot_be_used_are_named(
    server: ScriptedServer, ask: Ask, identity: Identity, tmp_path: Path, files: dict[str, str], said: str
) -> None:
    sources = {name: Path(getattr(identity, part)) for name, part in files.items()}
    put(tmp_path, f"127.0.0.1:{server.port}", **sources)
    with pytest.raises(RegistryError, match=said) as caught:
        ask(server, tmp_path)
    assert str(tmp_path) in str(caught.value)


@pytest.mark.parametrize(
    ("folder", "host", "found"),
    [
        ("quay.io", "quay.io", True),
        ("quay.io", "quay.io:443", True),
        ("quay.io:443", "quay.io", True),
        ("quay.io:5000", "quay.io", False),
        ("[::1]:5000", "[::1]:5000", True),
        ("[::1]", "[::1]:443", True),
        ("x", "..", False),
        ("x", ".", False),
        ("x", "", False),
    ],
)
def test_names_of_folders(authority: CertificateAuthority, tmp_path: Path, folder: str, host: str, found: bool) -> None:
    for name in (folder, "."):
        put(tmp_path / "certs.d", name, ca__crt=authority.certificate)
    put(tmp_path, ".", ca__crt=authority.certificate)
    expected = (str(tmp_path / "certs.d" / folder / "ca.crt"),) if found else ()
    assert settings_for(host, [str(tmp_path / "certs.d")], TlsSettings()).additional_ca_files == expected


def test_a_folder_without_certificates_changes_nothing(tmp_path: Path) -> None:
    put(tmp_path, "quay.io", README=Path(__file__))
    (tmp_path / "file.example").write_text("no folder")
    for host in ("quay.io", "file.example", "absent.example"):
        assert settings_for(host, [str(tmp_path), str(tmp_path / "absent")], TlsSettings()) == TlsSettings()
