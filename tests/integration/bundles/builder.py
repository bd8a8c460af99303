# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Builds bundles as the job does, in the process of the test."""

from __future__ import annotations

import hashlib
import json
import typing as t
from dataclasses import dataclass, field
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_job import BuildWork, build
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import NoProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.verify_bundle import Damage, verify_all
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import BundleRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry
from ansible_collections.fieldops.openshift.tests.lab.workspace import write_private

SOURCES = ("quay.io", "registry.partner.example")


@dataclass
class Builder:
    """Builds a release of ``registry`` in ``path``. ``settings`` are further fields of the request."""

    path: Path
    registry: Registry
    store: str
    trusted_key: str
    settings: dict[str, t.Any] = field(default_factory=dict)

    @property
    def folder(self) -> BundleFolder:
        """Where the bundle is."""
        return BundleFolder(self.path)

    @property
    def index(self) -> BundleIndex:
        """The index that was built."""
        return self.folder.require_index()

    def elsewhere(self, path: Path) -> Builder:
        """Return a builder of the same in another folder."""
        return Builder(path, self.registry, self.store, self.trusted_key, dict(self.settings))

    def document(self, **changes: t.Any) -> dict[str, t.Any]:
        """Return the request as the job gets it."""
        plain: dict[str, t.Any] = {
            "release": "quay.io/openshift-release-dev/ocp-release:4.21.3-x86_64",
            "architecture": "x86_64",
            "trusted_keys": [self.trusted_key],
            "signature_stores": [self.store],
            "source_date_epoch": 1_764_000_000,
            "registry": access_to(self.registry),
        }
        return {**plain, **self.settings, **changes}

    def build(self, *, passphrase: str | None = None, **changes: t.Any) -> dict[str, t.Any]:
        """Build it and return what the job would return."""
        secrets = {"signing_passphrase": passphrase} if passphrase else None
        return build(self.document(**changes), str(self.path), NoProgress(), secrets)

    def forecast(self, **changes: t.Any) -> dict[str, t.Any]:
        """Return what check mode tells."""
        request = BundleRequest.from_document(self.document(**changes))
        return BuildWork(request, self.folder, SystemClock(), NoProgress()).forecast()

    def damages(self) -> list[Damage]:
        """Read every byte and return what is damaged."""
        return verify_all(self.folder, self.index)

    def files(self) -> set[str]:
        """Return every file below the folder."""
        return {str(path.relative_to(self.path)) for path in self.path.rglob("*") if path.is_file()}


def access_to(*registries: Registry) -> dict[str, t.Any]:
    """Return the options by which a build finds all images in these registries, asking the first of them first."""
    mirrors = [registry.host for registry in registries]
    insecure = any(registry.authority is None for registry in registries)
    options: dict[str, t.Any] = {
        "mirrors": [
            {"source": source, "mirrors": mirrors, "insecure": insecure, "contact_source": False} for source in SOURCES
        ]
    }
    trusted = [registry.ca_file.read_text() for registry in registries if registry.ca_file]
    logins = [json.loads(registry.pull_secret.read_text())["auths"] for registry in registries if registry.pull_secret]
    here = registries[0].directory
    if trusted:
        (here / "trusted.crt").write_text("".join(trusted))
        options["ca_file"] = str(here / "trusted.crt")
    if logins:
        secret = {"auths": {host: login for found in logins for host, login in found.items()}}
        options["pull_secret"] = str(write_private(here / "logins.json", json.dumps(secret)))
    return options


def tree_digest(path: Path) -> str:
    """Return a digest of all names and contents below ``path``."""
    hasher = hashlib.sha256()
    for entry in sorted(path.rglob("*")):
        hasher.update(str(entry.relative_to(path)).encode())
        hasher.update(entry.read_bytes() if entry.is_file() else b"/")
    return hasher.hexdigest()
