# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The same work on many things at once; the first failure ends it all, and soon."""

from __future__ import annotations

import threading
import typing as t
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

_Item = t.TypeVar("_Item")
_Found = t.TypeVar("_Found")


class StoppedError(Exception):
    """The work was stopped because another part of it failed; this is not visible outside."""


class StopSign:
    """Requests workers to end; they check it between two blocks."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """Ask all workers to end."""
        self._event.set()

    def heed(self) -> None:
        """Raise StoppedError if the sign is set."""
        if self._event.is_set():
            raise StoppedError


def in_parallel(
    work: Callable[[_Item], _Found], items: Sequence[_Item], *, workers: int, stop: StopSign
) -> list[_Found]:
    """Return what ``work`` gives for each of ``items``, in their order; raise its first error.

    Also when this thread is interrupted, ``stop`` is set and the workers are waited for.
    """
    with ThreadPoolExecutor(max_workers=max(1, min(workers, len(items))), thread_name_prefix="bundle") as pool:
        futures = [pool.submit(work, item) for item in items]
        try:
            done, _pending = wait(futures, return_when=FIRST_EXCEPTION)
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        errors = [error for error in (future.exception() for future in done) if error is not None]
        if errors:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise next((error for error in errors if not isinstance(error, StoppedError)), errors[0])
    return [future.result() for future in futures]
