# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every kind of wrong file on a drive, in place of every kind of blob: refused, or read as what it is from elsewhere.

Nothing that was not proved gets the name of a blob, and nothing outside of the bundle's folder is touched.
"""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_files import part_path
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import FolderSource
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import (
    BundleFolder,
    verified_index,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.receive_blobs import BlobReceiver
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import (
    NoSourceError,
    WrongContentError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.medium import Medium

Harm = Callable[[Path], object]

KINDS = ("layer of several pieces", "layer", "manifest")


def flip(path: Path, place: float) -> None:
    content = bytearray(path.read_bytes())
    content[int(place * (len(content) - 1))] ^= 1
    path.write_bytes(content)


def resize(path: Path, change: Callable[[int], int]) -> None:
    with path.open("r+b") as file:
        file.truncate(change(path.stat().st_size))


def replace(path: Path, make: Callable[[Path], object]) -> None:
    path.unlink()
    make(path)


def sparse(path: Path) -> None:
    with path.open("r+b") as file:
        size = path.stat().st_size
        file.truncate(0)
        file.truncate(size)


def listen(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(path.parent)  # the path of a socket may have 107 bytes only
        try:
            server.bind(path.name)
        finally:
            os.chdir(here)


def part(path: Path, content: Callable[[bytes], list[bytes]]) -> None:
    parts = content(path.read_bytes())
    path.unlink()
    for number, piece in enumerate(parts):
        part_path(path, number).write_bytes(piece)


def elsewhere(path: Path) -> Path:
    """Move a file out of the bundle and return where it is."""
    return Path(shutil.move(path, path.parent.parent / "elsewhere"))


HARMS: dict[str, Harm] = {
    "the first byte flipped": lambda path: flip(path, 0.0),
    "a byte in the middle flipped": lambda path: flip(path, 0.5),
    "the last byte flipped": lambda path: flip(path, 1.0),
    "empty": lambda path: resize(path, lambda _size: 0),
    "cut in half": lambda path: resize(path, lambda size: size // 2),
    "a byte too short": lambda path: resize(path, lambda size: size - 1),
    "a byte too long": lambda path: resize(path, lambda size: size + 1),
    "a tebibyte of nothing": lambda path: resize(path, lambda _size: 1 << 40),
    "holes of its size": sparse,
    "absent": lambda path: path.unlink(),
    "a link to the right bytes": lambda path: path.symlink_to(elsewhere(path)),
    "a link out of the bundle": lambda path: replace(path, lambda new: new.symlink_to("/etc/hostname")),
    "a link to itself": lambda path: replace(path, lambda new: new.symlink_to(new.name)),
    "a second name of another file": lambda path: replace(
        path, lambda new: os.link(new.parents[2] / "index.json", new)
    ),
    "a folder": lambda path: replace(path, lambda new: new.mkdir()),
    "a FIFO": lambda path: replace(path, os.mkfifo),
    "a socket": lambda path: replace(path, listen),
    "parts of which one is missing": lambda path: part(path, lambda content: [content[: len(content) // 2]]),
    "parts of which one is damaged": lambda path: part(path, lambda content: [b"x", content[1:]]),
}


@pytest.fixture
def drive(tmp_path: Path, medium: Medium) -> Medium:
    """A drive of its own for each test."""
    folder = Path(shutil.copytree(medium.folder, tmp_path / "drive" / "bundle"))
    return type(medium)(folder, medium.index, medium.stored, medium.large)


@pytest.fixture
def target(tmp_path: Path, medium: Medium) -> BundleFolder:
    made = BundleFolder(tmp_path / "staged")
    made.blobs.mkdir(parents=True)
    made.index_path.write_bytes(medium.index.as_bytes())
    return made


def digest_of(medium: Medium, kind: str) -> Digest:
    first = medium.index.images[0]
    return {
        "layer of several pieces": medium.large,
        "layer": medium.named(b"c" * 3000),
        "manifest": first.manifests[0],
    }[kind]


def receive(target: BundleFolder, medium: Medium, *folders: Path) -> None:
    class Unwatched:
        def there(self, count: int) -> None: ...
        def arrived(self, count: int) -> None: ...
        def finished(self, digest: Digest) -> None: ...
        def waits_for(self, reason: str) -> None: ...

    sources = [FolderSource(folder) for folder in folders]
    try:
        made = BlobReceiver(target, sources, Deadline(60, SystemClock()), Unwatched(), patience=1.0, mode=0o444)
        made.receive(list(medium.index.blobs.values()))
    finally:
        for source in sources:
            source.close()


def staged(target: BundleFolder) -> dict[str, bytes]:
    """Return what has the name of a blob, and its content."""
    return {path.name: path.read_bytes() for path in target.blobs.iterdir() if not path.name.endswith(".part")}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_a_wrong_file_is_refused_and_all_others_are_staged(
    drive: Medium, target: BundleFolder, harm: Harm, kind: str
) -> None:
    wrong = digest_of(drive, kind)
    harm(drive.folder / "blobs" / "sha256" / wrong.hex)
    with pytest.raises((NoSourceError, FileAccessError)) as refused:
        receive(target, drive, drive.folder)
    assert wrong.hex in str(refused.value)
    others = {digest.hex: content for digest, content in drive.stored.items() if digest != wrong}
    assert staged(target).items() <= others.items()
    if isinstance(refused.value, NoSourceError):
        assert staged(target) == others


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_a_second_drive_has_what_is_wrong_on_the_first(
    drive: Medium, medium: Medium, target: BundleFolder, harm: Harm
) -> None:
    harm(drive.folder / "blobs" / "sha256" / drive.large.hex)
    receive(target, drive, drive.folder, medium.folder)
    assert staged(target) == {digest.hex: content for digest, content in drive.stored.items()}


INDEX_HARMS = {name: harm for name, harm in HARMS.items() if "part" not in name and "second name" not in name}


@pytest.mark.parametrize("harm", INDEX_HARMS.values(), ids=INDEX_HARMS)
def test_an_index_that_is_not_the_one_that_was_accepted_is_not_parsed(drive: Medium, harm: Harm) -> None:
    accepted = drive.index.digest
    harm(drive.folder / "index.json")
    with pytest.raises((WrongContentError, FileAccessError, NoSourceError)):
        verified_index(FolderSource(drive.folder).index_content(Deadline(5, SystemClock())), accepted, "drive")
