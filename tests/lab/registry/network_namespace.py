# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Sockets in another network namespace, for parts of the lab that only its nodes can reach."""

from __future__ import annotations

import ctypes
import os
import typing as t
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

Answer = t.TypeVar("Answer")
CLONE_NEWNET = 0x40000000  # setns(2)


def within(namespace: Path | None, action: Callable[[], Answer]) -> Answer:
    """Return what ``action`` returns; it runs in a thread of its own inside the namespace, or right here without one.

    ``namespace`` is a file such as ``/run/netns/NAME`` or ``/proc/PID/ns/net``. Sockets made inside stay inside.
    """
    if namespace is None:
        return action()

    def entered() -> Answer:
        _enter(namespace)
        return action()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(entered).result()


def _enter(namespace: Path) -> None:
    """Move the calling thread; the others of this process stay."""
    libc = ctypes.CDLL(None, use_errno=True)
    with namespace.open("rb") as handle:
        if libc.setns(handle.fileno(), CLONE_NEWNET):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), str(namespace))
