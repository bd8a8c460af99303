# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A host below a temporary folder, a bundle on a medium, and real time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import PREFIX_STEP, BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.blob_server import BlobServer
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import (
    simple_bundle,
    write_folder,
)


@dataclass(frozen=True)
class Medium:
    """A bundle on a medium; ``large`` is the digest of its one blob of more than two pieces."""

    folder: Path
    index: BundleIndex
    stored: dict[Digest, bytes]
    large: Digest

    def named(self, content: bytes) -> Digest:
        """Return the digest of a blob by its content."""
        return next(digest for digest, one in self.stored.items() if one == content)


@pytest.fixture(scope="session")
def medium(tmp_path_factory: pytest.TempPathFactory) -> Medium:
    """A bundle of three images; nobody writes to it."""
    large = b"".join(bytes([number]) * PREFIX_STEP for number in (1, 2)) + b"the end"
    index, stored = simple_bundle({"release": b"r" * 5000, "etcd": large, "cli": b"c" * 3000})
    folder = write_folder(tmp_path_factory.mktemp("medium") / "bundle", index, stored)
    return Medium(folder, index, stored, next(digest for digest, content in stored.items() if content == large))


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A host whose root is a temporary folder."""
    root = tmp_path / "host"
    root.mkdir()
    return Host(SystemClock(), root)


@pytest.fixture
def seconds() -> Callable[[float], Deadline]:
    return lambda count: Deadline(count, SystemClock())


@pytest.fixture
def server(medium: Medium) -> Iterator[BlobServer]:
    with BlobServer(medium.folder) as serving:
        yield serving
