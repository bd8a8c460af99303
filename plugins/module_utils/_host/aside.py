# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Work in a background process: one process starts it, and another process can wait for it.

The starting process can end before the work does. Another process of the same user can wait for it. Both know the
folder of the work, whose lock is held for as long as the work is in progress.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import tempfile
import typing as t
from collections.abc import Callable, Iterator
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import remove_tree
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError, explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_json, write_file

ANSWER_LIMIT = 64 * 1024 * 1024
"""Bytes of an answer at most."""

_LIFE = "life"
_ANSWER = "answer.json"
_ENDINGS = (signal.SIGTERM, signal.SIGINT)


def begin_aside(base: Path, work: Callable[[], str], after: Path | None = None) -> Path:
    """Start ``work`` in a child of this process and return the folder to wait for it by; its answer is a text.

    The folder is below ``base``. It starts when the work in the folder ``after`` has ended.
    """
    with explained("start the work", base):
        folder = Path(tempfile.mkdtemp(prefix="aside-", dir=base))
        life = os.open(folder / _LIFE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(life, fcntl.LOCK_EX)
    if os.fork() == 0:
        _do(work, folder, after)
    os.close(life)
    return folder


def await_one() -> None:
    """Wait until a child of this process has ended, if it has one."""
    with contextlib.suppress(ChildProcessError):
        os.wait()


def answer_of(folder: Path) -> t.Any | None:
    """Wait for the end of the work in ``folder``, remove it and return the JSON document that it returned.

    None stands for a process that was killed.
    """
    with _locked(folder / _LIFE):
        answer = read_json(folder / _ANSWER, limit=ANSWER_LIMIT)
    remove_tree(folder)
    return answer


def _do(work: Callable[[], str], folder: Path, after: Path | None) -> t.NoReturn:
    """Do the work in this child; nothing of its parent's may run in it afterwards."""
    try:
        for number in _ENDINGS:
            # The parent's own answer to it would end all of its group.
            signal.signal(number, signal.SIG_DFL)
        if after is not None:
            # Its answer may have been taken, and its folder removed, long before.
            with contextlib.suppress(FileAccessError), _locked(after / _LIFE):
                pass
        write_file(folder / _ANSWER, work(), mode=0o600, durable=False)
    finally:
        os._exit(0)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock on ``path``, and wait for it without a bound, because its holders have one."""
    with explained("wait for the work", path):
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
