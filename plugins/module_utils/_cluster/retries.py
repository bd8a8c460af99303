# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Trying again what may be tried again, inside a deadline and no faster than the server asks."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.backoff import Backoff
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

PATIENCE = 30.0
"""Seconds for which a read, or a write that may be repeated, is tried again unless the caller says otherwise."""

BACKOFF = Backoff(first=0.5, longest=5.0)

START_SECONDS = 30.0
"""How long after an outage a refusal may come from a server that has just started and has yet to read its roles."""

_NOT_LET_IN = (401, 403)


def persist(send: Callable[[float], Answer], deadline: Deadline, *, once: bool = False, unsent: bool = False) -> Answer:
    """Return the first answer that is not transient, or the last one that fits into ``deadline``.

    ``send`` is given the seconds it may take. ``once`` ends the attempts after the first; with ``unsent`` they end
    with the first that the server may have carried out. A refusal that follows an outage may pass as well.
    """
    away = -START_SECONDS
    for failures in itertools.count(1):
        answer = send(deadline.remaining)
        if answer.status is None:
            away = deadline.elapsed
        starts = answer.status in _NOT_LET_IN and deadline.elapsed - away < START_SECONDS
        again = starts or (answer.unsent if unsent else answer.transient)
        if once or not again or not BACKOFF.wait(failures, deadline, asked=answer.retry_after):
            break
    return answer
