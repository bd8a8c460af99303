# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Files read within a bound, and written so that a reader, a kill or a power cut never meets half of one."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import stat
import typing as t
from collections.abc import Iterator
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import (
    FileAccessError,
    FileContentError,
    explained,
)

READ_LIMIT = 16 * 1024 * 1024
"""Bytes that ``read_file`` accepts unless the caller asks for another bound."""


def write_file(path: Path, content: bytes | str, *, mode: int = 0o644, durable: bool = True) -> bool:
    """Make ``path`` a file of ``content`` and ``mode`` and return whether that changed anything.

    The content appears as a whole or not at all. The owner of an existing file is kept. A symbolic link, a directory
    or a device in place of the file is refused. ``durable=False`` leaves out the flush to the disk, for records that
    mean nothing after a power cut.

    Raises FileAccessError, DiskFullError.
    """
    payload = content.encode() if isinstance(content, str) else content
    with explained("write the file", path), open_directory(path.parent) as directory:
        existing = _existing(path.name, directory)
        settled = _settled(path.name, directory, payload, mode) if existing is not None else None
        if settled is not None:
            return settled
        _replace(path.name, directory, payload, mode, existing, durable=durable)
    return True


def write_json(path: Path, document: t.Any, *, mode: int = 0o644, durable: bool = True) -> bool:
    """Write ``document`` as indented JSON with sorted keys; see ``write_file``."""
    return write_file(path, _json(document), mode=mode, durable=durable)


def append_line(path: Path, line: str) -> None:
    """Add ``line``, and a line end unless it is empty, to the file at ``path``, which is made where there is none."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with explained("write the file", path):
        descriptor = os.open(path, flags, 0o644)
        try:
            _refuse_irregular(os.fstat(descriptor))
            os.write(descriptor, f"{line}\n".encode() if line else b"")
        finally:
            os.close(descriptor)


def read_file(path: Path, *, limit: int = READ_LIMIT) -> bytes | None:
    """Return the content of the regular file ``path``, None when there is none.

    Raises FileAccessError for a symbolic link, anything else that is not a regular file, or more than ``limit`` bytes.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with explained("read the file", path):
        try:
            descriptor = os.open(path, flags)
        except FileNotFoundError:
            return None
        with os.fdopen(descriptor, "rb") as stream:
            _refuse_irregular(os.fstat(descriptor))
            content = stream.read(limit + 1)
    if len(content) > limit:
        raise FileAccessError(
            "read the file",
            on=str(path),
            seen=f"it is larger than {limit} bytes",
            advice="Check the path. A file of this type is never that large.",
        )
    return content


def read_end(path: Path, size: int) -> bytes:
    """Return the last ``size`` bytes of the regular file ``path``, however large it is; nothing when there is none."""
    with explained("read the file", path):
        try:
            stream = path.open("rb")
        except FileNotFoundError:
            return b""
        with stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - size))
            return stream.read(size)


def read_json(path: Path, *, limit: int = READ_LIMIT) -> t.Any | None:
    """Return the JSON document in ``path``, None when there is no file; raises FileContentError for anything else."""
    content = read_file(path, limit=limit)
    if content is None:
        return None
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise FileContentError(
            "read the JSON document",
            on=str(path),
            seen=f"{error} (it has {len(content)} bytes)",
            advice="Restore the file from a copy, or remove it to start again.",
        ) from error


def remove_file(path: Path) -> bool:
    """Remove the file or symbolic link ``path`` itself and return whether there was one."""
    with explained("remove the file", path):
        try:
            with open_directory(path.parent) as directory:
                os.unlink(path.name, dir_fd=directory)
                sync_directory(directory)
        except FileNotFoundError:
            return False
    return True


@contextlib.contextmanager
def open_directory(path: Path, *, follow: bool = True) -> Iterator[int]:
    """Hold the directory ``path`` open, so that what happens in it happens in this one; raises OSError."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    descriptor = os.open(path, flags)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def sync_directory(descriptor: int) -> None:
    """Flush the names in an open directory to the disk, where its file system can."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise


def set_mode(descriptor: int, mode: int) -> bool:
    """Give an open file or directory ``mode`` and return whether that changed anything."""
    is_wrong = stat.S_IMODE(os.fstat(descriptor).st_mode) != mode
    if is_wrong:
        os.fchmod(descriptor, mode)
    return is_wrong


def _json(document: t.Any) -> bytes:
    def text(*, ascii_only: bool) -> str:
        return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=ascii_only, allow_nan=False) + "\n"

    try:
        return text(ascii_only=False).encode()
    except UnicodeEncodeError:
        # A file name that is not UTF-8 has become part of the document; as an escape it survives.
        return text(ascii_only=True).encode()


def _existing(name: str, directory: int) -> os.stat_result | None:
    try:
        seen = os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return None
    _refuse_irregular(seen)
    return seen


def _refuse_irregular(seen: os.stat_result) -> None:
    if stat.S_ISLNK(seen.st_mode):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if stat.S_ISDIR(seen.st_mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(seen.st_mode):
        raise OSError(errno.ENXIO, os.strerror(errno.ENXIO))


def _settled(name: str, directory: int, payload: bytes, mode: int) -> bool | None:
    """Return whether the mode was changed, where the content is right; None where the file must be replaced."""
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
    except PermissionError:
        # Unreadable for us, yet replaceable when the directory is ours.
        return None
    with os.fdopen(descriptor, "rb") as stream:
        seen = os.fstat(descriptor)
        if seen.st_size != len(payload) or stream.read(len(payload) + 1) != payload:
            return None
        try:
            set_mode(descriptor, mode)
        except PermissionError:
            # The file is another user's; or its file system keeps no modes and says so, as FAT does.
            return False if seen.st_uid == os.geteuid() else None
        # A file system may also ignore modes silently, as exFAT does.
        return os.fstat(descriptor).st_mode != seen.st_mode


def _replace(
    name: str, directory: int, payload: bytes, mode: int, replaced: os.stat_result | None, *, durable: bool
) -> None:
    temporary = f".fieldops-{secrets.token_hex(8)}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, 0o600, dir_fd=directory)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(payload)
            stream.flush()
            if replaced is not None:
                _give_to_owner_of(replaced, descriptor)
            # After the owner: a change of owner clears the set-id bits.
            set_mode(descriptor, mode)
            if durable:
                os.fsync(descriptor)
        os.replace(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=directory)
        raise
    if durable:
        sync_directory(directory)


def _give_to_owner_of(other: os.stat_result, descriptor: int) -> None:
    made = os.fstat(descriptor)
    if (made.st_uid, made.st_gid) != (other.st_uid, other.st_gid):
        os.fchown(descriptor, other.st_uid, other.st_gid)
