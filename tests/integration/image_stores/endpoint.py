# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bundles of two generated releases and the stores that real programs make of them; also stores that lie."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
import typing as t
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import NoProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.image_store.build import build_store
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import blobs_by_digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.lab.registry.release import ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec

FIRST = ReleaseSpec(version="4.21.3", runnable=True)
NEXT = FIRST.next_z_stream("4.21.4", share=0.5, keeps=2, including=["etcd"])


class Endpoint:
    """Bundles below ``folder``, each made when it is asked for first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._factory = ReleaseFactory(folder / "pool")
        self._scratch = folder / "scratch"
        self._scratch.mkdir()

    @functools.cached_property
    def whole(self) -> WrittenBundle:
        """The first release with a whole store."""
        return self._made("whole", FIRST)

    @functools.cached_property
    def delta(self) -> WrittenBundle:
        """The next release, its store a delta over the first one's."""
        return self._made("delta", NEXT, bases=[str(self.whole.folder)])

    @functools.cached_property
    def rebuilt(self) -> WrittenBundle:
        """The first release with a store that was made once more: another file with the same images."""
        return self._made("rebuilt", FIRST)

    @functools.cached_property
    def erofs(self) -> WrittenBundle:
        """The first release with a store that is erofs without compression."""
        return self._made("erofs", FIRST, filesystem="erofs", compression="none")

    @functools.cached_property
    def plain(self) -> WrittenBundle:
        """The first release without a store."""
        return write_bundle(self._folder / "plain", self._factory.release(FIRST))

    @functools.cached_property
    def unmountable(self) -> WrittenBundle:
        """The first release with a store that no kernel mounts, although its digest is right."""
        return self._altered("unmountable", lambda file: file.write_bytes(b"no file system" * 1000))

    @functools.cached_property
    def tampered(self) -> WrittenBundle:
        """The first release with a store in which somebody changed one file of a layer before it was named."""
        return self._altered("tampered", self._tamper)

    def _made(self, name: str, spec: ReleaseSpec, **changes: t.Any) -> WrittenBundle:
        written = write_bundle(self._folder / name, self._factory.release(spec))
        order = {
            "path": str(written.folder),
            "filesystem": "squashfs",
            "compression": "zstd",
            "bases": [],
            "scratch": str(self._scratch),
            **changes,
        }
        build_store(order, NoProgress())
        return WrittenBundle(written.folder, BundleFolder(written.folder).require_index())

    def _altered(self, name: str, change: Callable[[Path], object]) -> WrittenBundle:
        """Return a copy of the whole bundle whose store was changed, and whose index names the changed one."""
        folder, index = self._folder / name, self.whole.index
        shutil.copytree(self.whole.folder, folder, copy_function=os.link)
        (store,) = index.stores
        file = folder / "new-store"
        shutil.copyfile(folder / index.blobs[store.digest].path, file)
        change(file)
        digest = Digest(hashlib.sha256(file.read_bytes()).hexdigest())
        blob = replace(index.blobs[store.digest], digest=digest, size=file.stat().st_size, prefixes=())
        others = [one for one in index.blobs.values() if one.digest != store.digest]
        made = replace(index, stores=(replace(store, digest=digest),), blobs=blobs_by_digest(*others, blob))
        file.rename(folder / blob.path)
        (folder / "index.json").unlink()
        (folder / "index.json").write_bytes(made.as_bytes())
        return WrittenBundle(folder, made)

    def _tamper(self, file: Path) -> None:
        tree = self._scratch / "tampered"
        subprocess.run(["unsquashfs", "-quiet", "-no-progress", "-dest", tree, file], check=True)
        victims = (one for one in sorted(tree.glob("overlay/*/diff/**/*")) if one.is_file() and not one.is_symlink())
        victim = next(one for one in victims if one.stat().st_size > 0)
        content = bytearray(victim.read_bytes())
        content[0] ^= 1
        victim.write_bytes(content)
        file.unlink()
        subprocess.run(["mksquashfs", tree, file, "-noappend", "-no-progress", "-quiet"], check=True)
        shutil.rmtree(tree)
