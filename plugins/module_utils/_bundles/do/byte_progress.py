# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""How far work that passes over bytes has come."""

from __future__ import annotations

import threading
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock, ProgressReporter

SENTENCE_SECONDS = 10.0
COUNT_SECONDS = 0.25


class ByteProgress:
    """Counts the bytes that were ``done`` (a word such as "verified"), from any thread, of ``total``."""

    def __init__(self, reporter: ProgressReporter, clock: Clock, done: str, total: int) -> None:
        self._reporter = reporter
        self._clock = clock
        self._word = done
        self._total = total
        self._done = 0
        self._lock = threading.Lock()
        self._started = self._counted = clock.monotonic()
        self._said = self._started - SENTENCE_SECONDS

    def add(self, count: int) -> None:
        """Note ``count`` bytes more; negative ones turned out to be wrong."""
        with self._lock:
            self._done += count
            now = self._clock.monotonic()
            if now - self._counted < COUNT_SECONDS:
                return
            self._counted = now
            sentence = None
            if now - self._said >= SENTENCE_SECONDS:
                self._said = now
                rate = max(1, self._done) / max(now - self._started, COUNT_SECONDS)
                left = (self._total - self._done) / rate
                sentence = (
                    f"{self._word} {format_size(self._done)} of {format_size(self._total)}, "
                    f"{format_size(int(rate))}/s, about {left:.0f} s left"
                )
            self._reporter.report(sentence, done=self._done, total=self._total, unit="bytes")
