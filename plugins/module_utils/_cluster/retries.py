# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Trying again what may be tried again, inside a deadline and no faster than the server asks."""

from __future__ import annotations

import typing as t

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

PATIENCE = 30.0
"""Seconds for which a read, or a write that may be repeated, is tried again unless the caller says otherwise."""

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 5.0


def pause_after(failures: int) -> float:
    """Return the seconds to wait after the ``failures``-th failure in a row, the first being 1."""
    return float(min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(failures - 1, 10)))


def persist(send: Callable[[float], Answer], deadline: Deadline, *, once: bool = False) -> Answer:
    """Return the first answer that is not transient, or the last one that fits into ``deadline``.

    ``send`` is given the seconds it may take. A Retry-After beyond the deadline ends the attempts at once, ``once``
    ends them after the first.
    """
    failures = 0
    while True:
        answer = send(deadline.remaining)
        failures += 1
        pause = max(pause_after(failures), answer.retry_after or 0.0)
        if once or not answer.transient or pause >= deadline.remaining:
            return answer
        deadline.pause(pause)
