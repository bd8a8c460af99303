# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Makes the image store of a bundle: skopeo fills a scratch storage, which becomes one read-only file."""

from __future__ import annotations

import json
import os
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.folder_ownership import (
    note_begun,
    worked_in,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.prefix_hasher import PrefixHasher
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.transfer_progress import TransferProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_bundle import publish_bundle
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_space import (
    media_folder,
    require_space,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.image_store.scratch import StoreScratch
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.signing import (
    sign_content,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.verify_bundle import (
    damage_report,
    verify_all,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.stores.image_store_bases import (
    StoreChain,
    chain_over,
    kept_store,
    with_store,
    without_stores,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.stores.image_store_copy import (
    VIEW_VERSION,
    ScratchStorage,
    copy_command,
    view_links,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.stores.image_store_format import (
    StoreFormat,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory, remove_tree
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_names import write_symlinks
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file, remove_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import LONGEST
from ansible_collections.fieldops.openshift.plugins.module_utils._host.partial_file import PartialFile
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import (
    BundleError,
    DamagedBundleError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    Blob,
    BundledImage,
    BundledStore,
    BundleIndex,
    blobs_by_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB, format_size

UNFINISHED = "image-store"
"""The store in the bundle's build folder while it is being made."""

_LARGEST_BOOK = 256 * MIB
_NO_DIGEST = Digest("0" * 64)


@dataclass(frozen=True)
class StoreOrder:
    """What to make: paths are those of the bundle, of bundles with stores to build on, and of scratch space."""

    path: str
    filesystem: str
    compression: str
    bases: tuple[str, ...]
    scratch: str
    signing_key: str | None = None


def build_store(
    order: Mapping[str, t.Any], progress: ProgressReporter, secrets: Mapping[str, str] | None = None
) -> dict[str, t.Any]:
    """Make the store that ``order`` describes and name it in the bundle's index: the work of a job.

    Raises DamagedBundleError, BundleError, MissingRequirementError, DiskFullError; the bundle stays as it was then.
    """
    wanted = StoreOrder(**{**order, "bases": tuple(order["bases"])})
    return StoreBuild(wanted, progress).perform((secrets or {}).get("signing_passphrase"))


class StoreBuild:
    """One store of one bundle."""

    def __init__(self, order: StoreOrder, progress: ProgressReporter) -> None:
        self._order = order
        self._form = StoreFormat.of(order.filesystem, order.compression)
        self._progress = progress
        self._host = Host(SystemClock())
        self._deadline = Deadline(LONGEST, self._host.clock)
        self._folder = media_folder(Path(order.path))
        self._bases = [BundleFolder(Path(path)) for path in order.bases]

    def perform(self, passphrase: str | None) -> dict[str, t.Any]:
        """Make the store and return what came of it."""
        require_root()
        self._folder.require_index()
        with worked_in(self._folder, self._host.clock):
            index = self._folder.require_index()
            chain = chain_over([base.require_index() for base in self._bases], self._form)
            known = kept_store(index, self._form, chain)
            if known is not None and self._folder.has(known.digest, index.blobs[known.digest].size):
                return self._result(index, known, chain, changed=False)
            made, store = self._made(index, chain)
            signed = self._signature(made, passphrase)
            publish_bundle(self._folder, made, self._progress)
            self._folder.write_index_signature(signed)
            return self._result(made, store, chain, changed=True)

    def _made(self, index: BundleIndex, chain: StoreChain) -> tuple[BundleIndex, BundledStore]:
        holders = self._verified(index, chain)
        self._require_space(index)
        file = self._folder.build_folder / UNFINISHED
        with StoreScratch(self._host, Path(self._order.scratch), index, self._deadline) as scratch:
            bases = [(self._holder_of(store).blob(store.digest), store.filesystem) for store in chain.stores]
            storage = scratch.storage(bases)
            self._fill(index, storage, scratch, holders)
            scratch.settle()
            _require_names(Path(storage.tree), index)
            size = _tree_size(Path(storage.tree))
            self._progress.report(f"packing {size // MIB} MiB as {self._form.filesystem}, {self._form.compression}")
            self._pack(storage.tree, file)
        blob = self._named(file)
        store = BundledStore(
            digest=blob.digest,
            filesystem=self._form.filesystem,
            compression=self._form.compression,
            unpacked_size=size,
            images=tuple(str(image.name) for image in index.images if image.is_image),
            base=chain.stores[0].digest if chain.stores else None,
            depth=chain.depth,
        )
        return with_store(index, store, blob), store

    def _verified(self, index: BundleIndex, chain: StoreChain) -> dict[Digest, str]:
        """Return the folder of every blob that is needed, having read each byte of it."""
        holders: dict[Digest, str] = {}
        needed = _content(index)
        # A damaged store must not prevent a new one.
        self._verify(self._folder, without_stores(index))
        holders.update({digest: str(self._folder.path.resolve()) for digest in needed & set(index.blobs)})
        for base in self._bases:
            there = base.require_index()
            lacking = (needed - set(holders)) | {store.digest for store in chain.stores}
            used = [blob for digest, blob in there.blobs.items() if digest in lacking]
            self._verify(base, replace(there, blobs=blobs_by_digest(*used)))
            holders.update({blob.digest: str(base.path.resolve()) for blob in used if blob.digest in needed})
        if needed - set(holders):
            raise BundleError(
                "create the image store",
                on=index.folder_name,
                seen=f"{len(needed - set(holders))} blobs are only in the base {index.base} of this delta",
                advice="Add the folder of that bundle to the bases, or merge the two bundles first.",
            )
        return holders

    def _verify(self, folder: BundleFolder, index: BundleIndex) -> None:
        watched = TransferProgress(self._progress, self._host.clock, "verified", index.size)
        damages = verify_all(folder, index, counted=watched.arrived)
        if damages:
            raise DamagedBundleError(
                "create the image store",
                on=str(folder.path),
                seen=f"{len(damages)} of {len(index.blobs)} blobs are damaged or missing",
                advice="Repair the bundle first. A store is created from verified bytes only.",
                partial={"damage": damage_report(index, damages)},
            )

    def _require_space(self, index: BundleIndex) -> None:
        """Expect of a store what the compressed images have: zstd packs a little better than gzip."""
        size = sum({digest: index.blobs[digest].size for digest in _content(index) if digest in index.blobs}.values())
        require_space(self._folder, [Descriptor(_NO_DIGEST, size, self._form.media_type)])
        if self._folder.part_size is not None and size > self._folder.part_size:
            raise BundleError(
                "create the image store",
                on=str(self._folder.path),
                seen=f"it may have {format_size(size)}, and FAT does not support files of 4 GiB",
                advice="Create it in a folder on ext4, XFS or exFAT, then copy the bundle to this disk (state: "
                "merged).",
            )

    def _holder_of(self, store: BundledStore) -> BundleFolder:
        return next(base for base in self._bases if store.digest in base.require_index().blobs)

    def _fill(
        self, index: BundleIndex, storage: ScratchStorage, scratch: StoreScratch, holders: Mapping[Digest, str]
    ) -> None:
        images = [image for image in index.images if image.is_image]
        for number, image in enumerate(images):
            now = image.component or str(image.name)
            said = f"{number} of {len(images)} images are in the store, now {now}"
            self._progress.report(said, done=number, total=len(images), unit="images")
            self._copy(image, storage, scratch, holders)

    def _copy(
        self, image: BundledImage, storage: ScratchStorage, scratch: StoreScratch, holders: Mapping[Digest, str]
    ) -> None:
        view = scratch.path / "view"
        ensure_directory(view)
        write_file(view / "version", VIEW_VERSION, durable=False)
        write_symlinks(view, view_links(image, holders))
        command = copy_command(str(view), image, storage, str(scratch.policy))
        try:
            self._host.run(command, deadline=self._deadline, env={"CONTAINERS_STORAGE_CONF": str(scratch.conf)})
        except CommandError as error:
            raise _failed(f"add {image.name} to the image store", self._order.scratch, error) from error
        remove_tree(view)

    def _pack(self, tree: str, file: Path) -> None:
        remove_file(file)
        try:
            self._host.run(self._form.argv(tree, str(file)), deadline=self._deadline)
        except CommandError as error:
            raise _failed(f"pack the image store as {self._form.filesystem}", str(file), error) from error

    def _named(self, file: Path) -> Blob:
        self._progress.report("naming the image store")
        size = file.stat().st_size
        hasher = PrefixHasher()
        with PartialFile.opened(file) as partial:
            for block in partial.blocks():
                hasher.update(block)
            digest = Digest(hasher.hexdigest())
            note_begun(self._folder, digest)
            partial.publish(self._folder.blob(digest))
        return Blob(digest, size, self._form.media_type, None, hasher.prefixes())

    def _signature(self, index: BundleIndex, passphrase: str | None) -> bytes | None:
        key = self._order.signing_key
        return sign_content(index.as_bytes(), Path(key), passphrase, self._host.clock) if key else None

    def _result(self, index: BundleIndex, store: BundledStore, chain: StoreChain, *, changed: bool) -> dict[str, t.Any]:
        return {
            "changed": changed,
            "index_digest": str(index.digest),
            "store": str(store.digest),
            "merged": chain.merged,
        }


def require_root() -> None:
    """Raise MissingRequirementError unless this is root, who alone can give files in layers their owners."""
    if os.geteuid() != 0:
        raise MissingRequirementError(
            "create an image store",
            on="this machine",
            seen="the current user is not root",
            advice="Run the task with become, on a machine that can mount file systems and create files of all owners.",
        )


def _content(index: BundleIndex) -> set[Digest]:
    return {digest for image in index.images if image.is_image for digest in image.blobs()}


def _require_names(tree: Path, index: BundleIndex) -> None:
    book = read_file(tree / "overlay-images/images.json", limit=_LARGEST_BOOK)
    names = {name for image in json.loads(book or b"[]") for name in image.get("names") or ()}
    lacking = sorted({str(image.name) for image in index.images if image.is_image} - names)
    if lacking:
        raise BundleError(
            "create the image store",
            on=", ".join(lacking[:3]),
            seen=f"skopeo reported success, but {len(lacking)} images are not in the scratch storage",
            advice="Report this with the version of skopeo.",
        )


def _tree_size(tree: Path) -> int:
    return sum((Path(at) / name).lstat().st_size for at, _folders, names in os.walk(tree) for name in names)


def _failed(attempted: str, on: str, error: CommandError) -> BundleError:
    return BundleError(
        attempted,
        on=on,
        seen=f"{error.stderr[-1000:] or error.seen}",
        advice="Check the output of the program. The scratch folder must be on ext4 or XFS and have space for all "
        "unpacked images.",
    )
