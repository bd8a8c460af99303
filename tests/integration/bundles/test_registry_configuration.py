# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A build with the files that an engineer already has: a cluster's mirror sets, certs.d and a credential helper."""

from __future__ import annotations

import json
import os
import shutil
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import LoginRefusedError
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder
from ansible_collections.fieldops.openshift.tests.lab.registry.credentials import Credentials
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

MIRROR_SETS = """
apiVersion: v1
kind: List
items:
- apiVersion: config.openshift.io/v1
  kind: ImageDigestMirrorSet
  metadata: {{name: release}}
  spec:
    imageDigestMirrors:
    - {{source: quay.io, mirrors: ["{host}"], mirrorSourcePolicy: NeverContactSource}}
- apiVersion: config.openshift.io/v1
  kind: ImageTagMirrorSet
  metadata: {{name: release}}
  spec:
    imageTagMirrors:
    - {{source: quay.io, mirrors: ["{host}"]}}
"""
HELPER = """#!/bin/sh
server=$(cat)
echo "$1 $server" >> {asked}
echo '{{"ServerURL":"","Username":"{user}","Secret":"{password}"}}'
"""


@pytest.fixture
def credentials() -> Credentials:
    return Credentials()


@pytest.fixture
def private(release: Release, credentials: Credentials) -> Iterator[Registry]:
    """A registry with TLS of its own authority, which demands a login."""
    with Registry(tls=True, credentials=credentials) as registry:
        registry.publish(release)
        yield registry


def engineer(tmp_path: Path, registry: Registry, credentials: Credentials) -> dict[str, t.Any]:
    """Write the files of an engineer and return the options that name them."""
    assert registry.authority is not None
    (tmp_path / "mirrors.yaml").write_text(MIRROR_SETS.format(host=registry.host))
    own = tmp_path / "certs.d" / registry.host
    own.mkdir(parents=True)
    shutil.copyfile(registry.authority.pair.certificate, own / "ca.crt")
    (tmp_path / "bin").mkdir()
    helper = tmp_path / "bin/docker-credential-lab"
    helper.write_text(HELPER.format(asked=tmp_path / "asked", user=credentials.user, password=credentials.password))
    helper.chmod(0o755)
    (tmp_path / "config.json").write_text(json.dumps({"auths": {registry.host: {}}, "credsStore": "lab"}))
    return {
        "registries_conf": str(tmp_path / "mirrors.yaml"),
        "certs_dirs": [str(tmp_path / "certs.d")],
        "auth_files": [str(tmp_path / "absent.json"), str(tmp_path / "config.json")],
    }


def test_a_release_is_built_with_them(
    builder: Builder,
    private: Registry,
    credentials: Credentials,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options = engineer(tmp_path, private, credentials)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    builder.build(registry=options)
    assert not builder.damages()
    assert (tmp_path / "asked").read_text() == f"get {private.host}\n", "once, however many images there are"
    held = [path for path in builder.path.rglob("*") if path.is_file()]
    assert not [path for path in held if credentials.password.encode() in path.read_bytes()]


def test_a_helper_that_is_missing_is_told_with_the_registry(
    builder: Builder, private: Registry, credentials: Credentials, tmp_path: Path
) -> None:
    options = engineer(tmp_path, private, credentials)
    with pytest.raises(LoginRefusedError, match=r"docker-credential-lab.*No such file") as caught:
        builder.build(registry=options)
    assert private.host in caught.value.seen
