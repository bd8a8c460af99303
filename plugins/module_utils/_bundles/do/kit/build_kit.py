# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The job that makes a kit: everything that a laptop without network and without root needs in addition to a bundle."""

from __future__ import annotations

import hashlib
import json
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import KitError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.kit import install
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.kit.collection_archive import (
    CollectionArchive,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.kit.kit_folder import (
    ARCHIVE,
    EXECUTION_ENVIRONMENT,
    INSTALLER,
    LOCK,
    PAGES,
    SIGNATURE,
    WHEELS,
    KitFolder,
    sha256_of,
    sums_text,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.kit.wheels import WheelStore
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.signing import sign_content
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_lock import KitLock, KitTarget
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_requirements import lines_of
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.copies import (
    PART,
    copy_file,
    copy_folder,
    visible_files,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory, remove_tree
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file, write_file, write_json
from ansible_collections.fieldops.openshift.plugins.module_utils._host.program_archive import program_archive
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import CHECKSUM_FILE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock, ProgressReporter

_OWN = (LOCK, INSTALLER, WHEELS, PAGES, EXECUTION_ENVIRONMENT, CHECKSUM_FILE, SIGNATURE)
PASSPHRASE, PIP = "signing_passphrase", "pip_settings"
"""The names of the secrets of the job: the second one is a JSON document, since an index may need a password."""


@dataclass(frozen=True)
class KitOrder:
    """What the kit in the folder ``path`` holds; absolute paths, and None for parts that it does not have."""

    path: str
    collection: str
    pythons: tuple[str, ...]
    architectures: tuple[str, ...]
    documentation: str | None = None
    execution_environment: str | None = None
    signing_key: str | None = None
    refresh_wheels: bool = False

    @property
    def targets(self) -> tuple[KitTarget, ...]:
        """Return what wheels are for."""
        return tuple(KitTarget(python, machine) for python in self.pythons for machine in self.architectures)


@dataclass(frozen=True)
class KitContent:
    """What a kit has to hold, apart from its wheels."""

    archive: CollectionArchive
    installer: bytes
    requirements: tuple[str, ...]

    @classmethod
    def of(cls, order: KitOrder) -> KitContent:
        """Return the content for an order; raise KitError where the collection is none."""
        archive = CollectionArchive.of(Path(order.collection))
        installer = program_archive(install.main, before=install.FIND_PYTHON)
        return cls(archive, installer, ("ansible-core", "pip", *lines_of(archive.requirements)))

    def is_in(self, order: KitOrder, folder: KitFolder) -> bool:
        """Whether an intact kit has it already, and nothing else."""
        sums, lock = folder.sums(), folder.lock()
        signed = order.signing_key is None or folder.signature() is not None
        if lock is None or not lock.is_for(self.requirements, order.targets) or folder.sums_bytes() != sums_text(sums):
            return False
        wheels = {f"{WHEELS}/{wheel.file}": wheel.sha256 for wheel in lock.wheels}
        return signed and {name: one for name, one in sums.items() if name != LOCK} == {**self._sums(order), **wheels}

    def _sums(self, order: KitOrder) -> dict[str, str]:
        found = {
            self.archive.file_name: hashlib.sha256(self.archive.content).hexdigest(),
            INSTALLER: hashlib.sha256(self.installer).hexdigest(),
        }
        if order.documentation:
            pages = Path(order.documentation)
            found.update({f"{PAGES}/{name}": sha256_of(pages / name) for name in visible_files(pages)})
        if order.execution_environment:
            found[EXECUTION_ENVIRONMENT] = sha256_of(Path(order.execution_environment))
        return found


def build_kit(
    order: Mapping[str, t.Any], progress: ProgressReporter, secrets: Mapping[str, str] | None = None
) -> dict[str, t.Any]:
    """Make the kit that ``order`` describes and return what came of it; the work of a job."""
    wanted = KitOrder(**{**order, "pythons": tuple(order["pythons"]), "architectures": tuple(order["architectures"])})
    return _Build(wanted, SystemClock(), progress).perform(secrets or {})


@dataclass(frozen=True)
class _Build:
    order: KitOrder
    clock: Clock
    progress: ProgressReporter

    @property
    def folder(self) -> KitFolder:
        """Return the folder of the kit."""
        return KitFolder(Path(self.order.path))

    def perform(self, secrets: Mapping[str, str]) -> dict[str, t.Any]:
        """Make the kit; its checksums are written last, so that one that is not complete is never taken for one."""
        content, path = KitContent.of(self.order), self.folder.path
        ensure_directory(path)
        refuse_foreign(path)
        ensure_directory(path / WHEELS)
        before = self.folder.state()
        self._write_wheels(content, json.loads(secrets.get(PIP, "{}")))
        self.progress.report("writing the kit")
        self._write_parts(content)
        self._write_sums(secrets.get(PASSPHRASE))
        return {"before": before, "after": self.folder.state()}

    def _write_wheels(self, content: KitContent, settings: Mapping[str, str]) -> None:
        store = WheelStore(self.folder.path / WHEELS, settings, self.clock)
        lock = self._kept_lock(content)
        if lock is None:
            lock = store.resolve(content.requirements, self.order.targets, self.progress)
        else:
            self.progress.report("verifying the wheels")
            store.restore(lock)
        kept = {wheel.file for wheel in lock.wheels}
        for path in (self.folder.path / WHEELS).iterdir():
            if path.name not in kept:
                remove_file(path)
        write_json(self.folder.path / LOCK, lock.as_document())

    def _kept_lock(self, content: KitContent) -> KitLock | None:
        lock = None if self.order.refresh_wheels else self.folder.lock()
        return lock if lock is not None and lock.is_for(content.requirements, self.order.targets) else None

    def _write_parts(self, content: KitContent) -> None:
        path = self.folder.path
        for old in path.iterdir():
            if old.name.endswith(PART) or (ARCHIVE.fullmatch(old.name) and old.name != content.archive.file_name):
                remove_file(old)
        write_file(path / content.archive.file_name, content.archive.content)
        write_file(path / INSTALLER, content.installer)
        if self.order.documentation:
            copy_folder(Path(self.order.documentation), path / PAGES)
        else:
            remove_tree(path / PAGES)
        if self.order.execution_environment:
            copy_file(Path(self.order.execution_environment), path / EXECUTION_ENVIRONMENT)
        else:
            remove_file(path / EXECUTION_ENVIRONMENT)

    def _write_sums(self, passphrase: str | None) -> None:
        """Write checksums and signature; one of other checksums is removed."""
        content = sums_text(self.folder.sums())
        signature = self.folder.signature() if content == self.folder.sums_bytes() else None
        if signature is None and self.order.signing_key:
            signature = sign_content(content, Path(self.order.signing_key), passphrase, self.clock)
        path = self.folder.path / SIGNATURE
        if signature is None:
            remove_file(path)
        else:
            write_file(path, signature)
        write_file(self.folder.sums_path, content)


def refuse_foreign(path: Path) -> None:
    """Raise KitError for a folder with content that is no part of a kit: it would be signed, or removed."""
    top = (each.name for each in path.iterdir())
    foreign = [name for name in top if name not in _OWN and not ARCHIVE.fullmatch(name) and not _is_part(name)]
    wheels = path / WHEELS
    if wheels.is_dir():
        inside = (each.name for each in wheels.iterdir())
        foreign += [f"{WHEELS}/{name}" for name in inside if not name.endswith(".whl") and not _is_part(name)]
    if foreign:
        raise KitError(
            "make a kit",
            on=str(path),
            seen=f"the folder contains {', '.join(sorted(foreign)[:5])}",
            advice="Specify an empty folder, or that of a kit. Remove what does not belong to it.",
        )


def _is_part(name: str) -> bool:
    return name.startswith(".") and name.endswith(PART)
