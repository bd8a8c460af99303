# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""What a build tells of itself while it runs."""

from __future__ import annotations

import threading
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.progress_sentence import (
    Counts,
    progress_sentence,
)

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import GatheredImage
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock, ProgressReporter

SENTENCE_SECONDS = 10.0
"""A person reads no faster; the numbers behind the sentence are reported more often."""

COUNT_SECONDS = 0.25


class BuildProgress:
    """Counts bytes and images, from any thread, and reports them."""

    def __init__(self, reporter: ProgressReporter, clock: Clock) -> None:
        self._reporter = reporter
        self._clock = clock
        self._lock = threading.Lock()
        self._images = 0
        self._waiting: dict[Digest, list[int]] = {}
        self._missing: list[int] = []
        self._total = 0
        self._done = 0
        self._started = self._said = self._counted = clock.monotonic()
        self.fetched = 0

    def say(self, sentence: str) -> None:
        """Report what is being done now."""
        self._reporter.report(sentence)

    def expect(self, images: Sequence[GatheredImage], total: int) -> None:
        """Begin to count: ``total`` bytes for ``images``."""
        with self._lock:
            self._images, self._total, self._done = len(images), total, 0
            self._missing = [len({blob.digest for blob in image.blobs}) for image in images]
            for number, image in enumerate(images):
                for digest in {blob.digest for blob in image.blobs}:
                    self._waiting.setdefault(digest, []).append(number)
            self._started = self._said = self._clock.monotonic()
            self._report(self._started)

    def there(self, count: int) -> None:
        """Count bytes that were found on the disk and are right; negative ones turned out not to be."""
        self._add(count, 0)

    def arrived(self, count: int) -> None:
        """Count bytes that were fetched."""
        self._add(count, count)

    def finished(self, digest: Digest) -> None:
        """Note that a blob is complete."""
        with self._lock:
            for number in self._waiting.pop(digest, ()):
                self._missing[number] -= 1

    def _add(self, count: int, fetched: int) -> None:
        with self._lock:
            self._done += count
            self.fetched += fetched
            now = self._clock.monotonic()
            if now - self._counted >= COUNT_SECONDS:
                self._counted = now
                self._report(now)

    def _report(self, now: float) -> None:
        sentence = None
        if now - self._said >= SENTENCE_SECONDS or now == self._started:
            self._said = now
            complete = sum(1 for missing in self._missing if missing == 0)
            sentence = progress_sentence(
                Counts(complete, self._images, self._done, self._total, self.fetched, now - self._started)
            )
        self._reporter.report(sentence, done=self._done, total=self._total, unit="bytes")
