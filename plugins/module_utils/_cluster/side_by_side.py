# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Requests that do not depend on one another, some of them in progress at a time.

A ClusterClient may be used by several threads at once for kinds that it knows already: each request has a connection of
its own from the library's pool, and appending to the log of actions is atomic.
"""

from __future__ import annotations

import threading
import typing as t
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

LANES = 8
"""Below what API priority and fairness queues of one client, and below what the library keeps of connections."""

Item = t.TypeVar("Item")
Found = t.TypeVar("Found")


def side_by_side(work: Callable[[Item], Found], items: Sequence[Item], lanes: int = LANES) -> list[Found]:
    """Return what ``work`` returns for each item, in their order.

    Where it raises for one, no further is started; those in progress end, and the first error in the order of the items
    is raised. The first item goes alone: where all would be rejected, one rejection is enough.
    """
    if not items:
        return []
    first = work(items[0])
    failed = threading.Event()

    def unless_failed(item: Item) -> Found | None:
        if failed.is_set():
            return None
        try:
            return work(item)
        except BaseException:
            failed.set()
            raise

    with ThreadPoolExecutor(lanes) as pool:
        futures = [pool.submit(unless_failed, item) for item in items[1:]]
    # Items are started in their order: before the first that was not started one has failed, and raises here.
    return [first, *(t.cast("Found", future.result()) for future in futures)]
