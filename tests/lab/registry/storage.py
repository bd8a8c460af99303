# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A registry's storage, written directly: blobs are linked into place, nothing is sent or hashed again.

The layout is that of distribution's filesystem driver (``registry/storage/paths.go``). It has not changed since 2.0, a
running registry without a cache reads it anew for each request, and the tests hold the result against what a real push
of the same images leaves behind.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.lab.registry.content import BlobPool, link_or_copy
from ansible_collections.fieldops.openshift.tests.lab.registry.images import NamedImage


class RegistryStorage:
    """The directory that a registry is configured with as ``storage.filesystem.rootdirectory``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._base = root / "docker/registry/v2"

    def publish(self, pool: BlobPool, images: Iterable[NamedImage]) -> None:
        """Hold these images, under their repositories, and under their tags where their references have one."""
        for one in images:
            repository = one.reference.repository
            for blob in one.image.blobs:
                self._place(pool, blob.digest)
                self._link(f"{repository}/_layers/sha256/{blob.digest.hex}", blob.digest)
            for manifest in one.image.manifests:
                self.keep_manifest(pool, repository, manifest.digest)
            if one.reference.tag:
                self.tag(repository, one.reference.tag, one.image.digest)

    def keep_manifest(self, pool: BlobPool, repository: str, digest: Digest) -> None:
        """Hold a manifest without a tag, such as one that refers to another."""
        self._place(pool, digest)
        self._link(f"{repository}/_manifests/revisions/sha256/{digest.hex}", digest)

    def tag(self, repository: str, tag: str, digest: Digest) -> None:
        """Let a tag lead to a manifest that the repository holds; a tag that exists moves."""
        place = f"{repository}/_manifests/tags/{tag}"
        self._link(f"{place}/index/sha256/{digest.hex}", digest)
        self._link(f"{place}/current", digest)

    def blob(self, digest: Digest) -> Path:
        """Return the file of a blob or manifest, whether it exists or not."""
        return self._base / "blobs/sha256" / digest.hex[:2] / digest.hex / "data"

    def has(self, repository: str) -> bool:
        """Whether there is a repository of that name."""
        return (self._base / "repositories" / repository / "_manifests").is_dir()

    def manifests(self, repository: str) -> list[Digest]:
        """Return the manifests that a repository holds, in the order of their digests."""
        return [Digest(path.name) for path in sorted(self._revisions(repository).glob("*"))]

    def version(self, repository: str) -> tuple[int, ...]:
        """Return what changes whenever a repository gets a manifest."""
        try:
            seen = self._revisions(repository).stat()
        except FileNotFoundError:
            return ()
        return seen.st_mtime_ns, seen.st_nlink

    def overwrite(self, digest: Digest, content: bytes) -> None:
        """Give a blob other content, in this storage only: the pool and other registries keep theirs."""
        _replace(self.blob(digest), content)

    def forget(self, digest: Digest) -> None:
        """Lose a blob or manifest that is still referred to."""
        self.blob(digest).unlink()

    def _revisions(self, repository: str) -> Path:
        return self._base / "repositories" / repository / "_manifests/revisions/sha256"

    def _place(self, pool: BlobPool, digest: Digest) -> None:
        target = self.blob(digest)
        if target.exists():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        link_or_copy(pool.path(digest), target)

    def _link(self, place: str, digest: Digest) -> None:
        target = self._base / "repositories" / place / "link"
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, str(digest).encode())


def _replace(path: Path, content: bytes) -> None:
    part = path.with_name(".part")
    part.write_bytes(content)
    part.replace(path)
