# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who works in the folder of a bundle, and what in it is a bundle's: nothing else is ever removed or replaced."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_files import remove_blob
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import (
    BundleFolder,
    is_hex_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import (
    ensure_directory,
    remove_empty_directory,
    remove_tree,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError, explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import (
    append_line,
    read_file,
    remove_file,
    write_file,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.locks import locked
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    CHECKSUM_FILE,
    INDEX_FILE,
    INDEX_SIGNATURE_FILE,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_volumes import (
    PARITY_FILE,
    VOLUME_FILE,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import DeadlineExceededError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

LOCK_FILE = ".lock"
BEGUN = "begun"
"""Below the build folder: the blobs that this build has started, a line each; what it does not need in the end goes."""

_KIND = b'"kind":"FieldOpsBundle"'
_CHECKSUM_LINE = re.compile(r"([0-9a-f]{64})  (?:blobs/sha256/\1|index\.json)", re.ASCII)


def prepare(folder: BundleFolder) -> None:
    """Make the folders of a bundle; raise BundleError for a directory that holds something else."""
    for member in folder.members:
        refuse_foreign(member)
    for member in folder.members:
        for path in (member.path, member.build_folder):
            _ensure(path)
        # From here on the folder is known to be a bundle's.
        append_line(member.build_folder / BEGUN, "")
        for path in (member.blobs.parent, member.blobs):
            _ensure(path)


@contextlib.contextmanager
def worked_in(folder: BundleFolder, clock: Clock) -> Iterator[None]:
    """Make the folder ready and hold it for one process; raise BundleError while another one works in it."""
    with contextlib.ExitStack() as holding:
        for member in folder.members:
            refuse_foreign(member)
            _ensure(member.path)
            holding.enter_context(_held(member, clock))
        prepare(folder)
        yield


@contextlib.contextmanager
def _held(folder: BundleFolder, clock: Clock) -> Iterator[None]:
    lock = folder.path / LOCK_FILE
    try:
        with locked(lock, Deadline(0, clock)):
            yield
            remove_file(lock)
    except DeadlineExceededError as error:
        if error.on != str(lock):
            raise
        raise BundleError(
            "work in the folder of the bundle",
            on=str(folder.path),
            seen="another process is building or changing a bundle there",
            advice="Wait until it ends, or use a separate folder for each bundle.",
            transient=True,
        ) from error


def is_there(folder: BundleFolder) -> bool:
    """Whether the folder holds a bundle or the beginnings of one."""
    return any(one.index_path.exists() or (one.build_folder / BEGUN).exists() for one in folder.members)


def note_begun(folder: BundleFolder, digest: Digest) -> None:
    """Take down that this build is about to write the blob ``digest``."""
    append_line(folder.home(digest).build_folder / BEGUN, digest.hex)


def keep_blob(folder: BundleFolder, digest: Digest, content: bytes) -> None:
    """Make ``content``, which has this ``digest``, a blob of the bundle that is being built."""
    note_begun(folder, digest)
    write_file(folder.blob(digest), content)


def owned_blobs(folder: BundleFolder) -> set[Digest]:
    """Return the blobs that are this bundle's: named by its index, its checksums, or by its unfinished build."""
    owned: set[Digest] = set()
    for member in folder.members:
        index = member.last_index()
        owned |= set(index.blobs) if index is not None else set()
        for path in (member.path / CHECKSUM_FILE, member.build_folder / BEGUN):
            owned |= {Digest(line[:64]) for line in _lines(path) if is_hex_digest(line[:64])}
    return owned


def keep_only(folder: BundleFolder, wanted: set[Digest], owned: set[Digest]) -> int:
    """Remove the ``owned`` blobs that are not ``wanted``, and what the build left; return how many blobs went."""
    removed = 0
    for member in folder.members:
        removed += sum(remove_blob(member.blob(digest)) for digest in sorted(owned - wanted))
        for digest in owned | wanted:
            remove_blob(member.part(digest))
        remove_tree(member.build_folder)
    return removed


def remove_bundle(folder: BundleFolder, clock: Clock) -> bool:
    """Remove the bundle and return whether there was one; other files, and folders that hold some, stay.

    The index goes first: what is left when this is interrupted is no bundle any more. Raises BundleError while another
    process works in the folder, or where what is there is no bundle.
    """
    if not is_there(folder):
        return False
    with worked_in(folder, clock):
        owned = owned_blobs(folder)
        # Written down before the index goes, so that the next run knows them too.
        for digest in sorted(owned):
            note_begun(folder, digest)
        for member in folder.members:
            for name in (INDEX_FILE, INDEX_SIGNATURE_FILE, CHECKSUM_FILE, VOLUME_FILE):
                remove_file(member.path / name)
            remove_blob(member.path / PARITY_FILE)
        keep_only(folder, set(), owned)
    for member in folder.members:
        for path in (member.blobs, member.blobs.parent, member.path):
            if not path.is_mount():
                remove_empty_directory(path)
    return True


def refuse_foreign(folder: BundleFolder) -> None:
    """Raise BundleError if the directory holds an index, or blobs, of something else than a bundle."""
    names = _names(folder.path)
    ours = (folder.build_folder / BEGUN).exists() or _is_bundle(folder)
    foreign = INDEX_FILE in names or "blobs" in names
    if "oci-layout" in names or (foreign and not ours):
        raise BundleError(
            "use the folder for a bundle",
            on=str(folder.path),
            seen="it contains an index or blobs of another format, such as an OCI layout",
            advice="Choose another folder. Nothing in this folder was changed.",
        )


def _ensure(path: Path) -> None:
    # The modes of a disk that is already in use are its owner's business; FAT has none at all.
    if path.is_symlink() or not path.is_dir():
        ensure_directory(path)


def _is_bundle(folder: BundleFolder) -> bool:
    """Whether the index, however damaged it may be, is a bundle's; where it is not readable, its checksums decide."""
    try:
        content = folder.index_bytes() or b""
    except FileAccessError:
        content = b""
    lines = _lines(folder.path / CHECKSUM_FILE)
    return _KIND in content or bool(lines and all(_CHECKSUM_LINE.fullmatch(line) for line in lines))


def _lines(path: Path) -> list[str]:
    return (read_file(path) or b"").decode("ascii", errors="replace").splitlines()


def _names(path: Path) -> set[str]:
    with explained("list the directory", path):
        try:
            return {entry.name for entry in path.iterdir()}
        except FileNotFoundError:
            return set()
