# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The blobs of one drive come back from the others and the parity, whichever drive it is."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import FolderSource
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.connected_volumes import ConnectedVolumes
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.parity import (
    VolumeString,
    exclusive_or,
    parity_digest,
    volume_strings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.receive_blobs import BlobReceiver
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import (
    DamagedBundleError,
    NoSourceError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_volumes import (
    PARITY_FILE,
    Volume,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.drives import Drives
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import blob_of


class Ignored:
    """Progress that is not watched."""

    def there(self, count: int) -> None: ...

    def arrived(self, count: int) -> None: ...

    def finished(self, digest: Digest) -> None: ...

    def waits_for(self, reason: str) -> None: ...


def receive(drives: Drives, target: BundleFolder, *connected: BundleFolder) -> None:
    """Receive into ``target`` what the ``connected`` drives have."""
    volumes = ConnectedVolumes.of(connected, drives.index)
    assert volumes is not None
    BlobReceiver(
        target,
        [FolderSource(one.path) for one in connected],
        Deadline(30, SystemClock()),
        Ignored(),
        fallbacks=[volumes.parity_sources([target])],
    ).receive(target.lacking(drives.index.blobs.values()))


@pytest.fixture
def drives(tmp_path: Path) -> Drives:
    return Drives(tmp_path)


@pytest.fixture
def target(tmp_path: Path) -> BundleFolder:
    made = BundleFolder(tmp_path / "target")
    made.blobs.mkdir(parents=True)
    return made


def content_of(folder: BundleFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.blobs.iterdir()}


def everything(index: BundleIndex, stored: dict[Digest, bytes]) -> dict[str, bytes]:
    assert set(index.blobs) == set(stored)
    return {digest.hex: content for digest, content in stored.items()}


def test_exclusive_or_fills_with_zeros() -> None:
    assert exclusive_or([b"\x01\x02\x03", b"\x01"], 4) == b"\x00\x02\x03\x00"


def test_the_parity_is_as_large_as_the_fullest_drive(drives: Drives) -> None:
    content = (drives.parity.path / PARITY_FILE).read_bytes()
    assert len(content) == max(string.size for string in drives.strings)
    assert str(parity_digest(drives.parity)) == f"sha256:{hashlib.sha256(content).hexdigest()}"


def test_a_string_is_cut_into_pieces_of_its_blobs() -> None:
    first, second, third = blob_of(b"aaaa"), blob_of(b""), blob_of(b"cc")
    string = VolumeString([first, second, third])
    assert list(string.pieces(3, 5)) == [(first, 3, 4), (third, 0, 1)]
    assert (string.size, string.start_of(third.digest), string.start_of(blob_of(b"x").digest)) == (6, 4, None)


@pytest.mark.parametrize("lost", range(3))
def test_any_one_drive_may_be_lost(drives: Drives, target: BundleFolder, lost: int) -> None:
    receive(drives, target, *(one for number, one in enumerate(drives.folders) if number != lost), drives.parity)
    assert content_of(target) == everything(drives.index, drives.stored)


@pytest.mark.parametrize("order", [(0, 1, 3), (3, 1, 0), (1, 3, 0)])
def test_one_after_another_in_one_port_in_any_order(
    drives: Drives, target: BundleFolder, order: tuple[int, ...]
) -> None:
    every = [*drives.folders, drives.parity]
    # The parity is needed when all others have been there, so its drive is connected once more at the end.
    for number in (*order, 3):
        if target.lacking(drives.index.blobs.values()):
            try:
                receive(drives, target, every[number])
            except NoSourceError:
                continue
    assert content_of(target) == everything(drives.index, drives.stored)


def test_a_damaged_blob_on_one_drive_is_rebuilt(drives: Drives, target: BundleFolder) -> None:
    damaged = max(drives.folders[0].blobs.iterdir(), key=lambda path: path.stat().st_size)
    damaged.write_bytes(bytes(damaged.stat().st_size))
    with pytest.raises(NoSourceError):
        receive(drives, target, *drives.folders)
    receive(drives, target, *drives.folders, drives.parity)
    assert content_of(target) == everything(drives.index, drives.stored)


def test_two_lost_drives_cannot_be_replaced(drives: Drives, target: BundleFolder) -> None:
    with pytest.raises(NoSourceError, match="no connected drive has"):
        receive(drives, target, drives.folders[0], drives.parity)
    assert content_of(target).items() >= content_of(drives.folders[0]).items()


def test_a_damaged_parity_never_becomes_a_blob(drives: Drives, target: BundleFolder) -> None:
    path = drives.parity.path / PARITY_FILE
    path.write_bytes(bytes(path.stat().st_size))
    with pytest.raises(NoSourceError):
        receive(drives, target, *drives.folders[1:], drives.parity)
    named = {name: content for name, content in content_of(target).items() if not name.endswith(".part")}
    assert named.items() <= everything(drives.index, drives.stored).items()
    assert len(named) < len(drives.stored)


def test_a_document_about_other_blobs_is_refused(drives: Drives) -> None:
    other = replace(drives.volumes, volumes=(Volume("A", "", (blob_of(b"other").digest,)),))
    with pytest.raises(DamagedBundleError, match="which the index does not have"):
        volume_strings(other, drives.index)
