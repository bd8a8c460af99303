# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which hosts are used last for a while, because they are down or slow, or requested a pause."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TlsError, TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

_SHORTEST, _LONGEST = 60.0, 3600.0


class Availability:
    """What the last requests showed of hosts: a mirror that is down would cost its whole patience for every image."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._away: dict[str, tuple[float, float]] = {}

    def is_away(self, host: str) -> bool:
        """Whether ``host`` should be asked after all others."""
        return self._away.get(host, (0.0, 0.0))[0] > self._clock.monotonic()

    def note_success(self, host: str) -> None:
        """Take note that ``host`` served a request."""
        self._away.pop(host, None)

    def note_failure(self, host: str, failure: FieldOpsError) -> None:
        """Take note of ``failure``; a host that fails again is avoided for twice as long."""
        asked = getattr(failure, "retry_after", None)
        unreachable = failure.transient and getattr(failure, "status", None) is None
        if not unreachable and asked is None and not isinstance(failure, TlsError):
            return
        doubled = 2 * self._away.get(host, (0.0, 0.0))[1]
        seconds = min(_LONGEST, max(_SHORTEST, doubled) if asked is None else asked)
        self._away[host] = (self._clock.monotonic() + seconds, seconds)


def is_slow(failure: FieldOpsError) -> bool:
    """Whether the source gave bytes, but too few of them."""
    return isinstance(failure, TransferError) and failure.slow
