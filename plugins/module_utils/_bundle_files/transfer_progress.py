# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How far work that passes over the bytes of a bundle has come: numbers often, a sentence as fast as a person reads."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock, ProgressReporter
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size

SENTENCE_SECONDS = 10.0
COUNT_SECONDS = 0.25


class TransferProgress:
    """Counts bytes, from any thread; ``done_word`` is a word such as "verified", ``received`` what was worked on."""

    def __init__(self, reporter: ProgressReporter, clock: Clock, done_word: str, total: int = 0) -> None:
        self._reporter = reporter
        self._clock = clock
        self._word = done_word
        self._lock = threading.Lock()
        self._images = 0
        self._lacking: list[int] = []
        self._waiting: dict[Digest, list[int]] = {}
        self._places: dict[int, str] = {}
        self.received = 0
        self._begin(total)

    def say(self, sentence: str) -> None:
        """Report what is being done now."""
        self._reporter.report(sentence)

    def asks(self, place: str) -> None:
        """Note which server this thread asks now; the sentence names those of all threads."""
        with self._lock:
            self._places[threading.get_ident()] = place

    def expect(self, total: int, images: Iterable[Iterable[Digest]] = ()) -> None:
        """Begin to count ``total`` bytes, of images that consist of the blobs in ``images``."""
        with self._lock:
            blobs = [set(image) for image in images]
            self._images, self._lacking, self._waiting = len(blobs), [len(image) for image in blobs], {}
            for number, image in enumerate(blobs):
                for digest in image:
                    self._waiting.setdefault(digest, []).append(number)
            self._begin(total)
            self._report(self._started)

    def there(self, count: int) -> None:
        """Count bytes that were there already; negative ones turned out not to be right."""
        self._add(count, 0)

    def arrived(self, count: int) -> None:
        """Count bytes that came, or that were processed: they determine the rate."""
        self._add(count, count)

    def finished(self, digest: Digest) -> None:
        """Note that a blob is complete."""
        with self._lock:
            for number in self._waiting.pop(digest, ()):
                self._lacking[number] -= 1

    def waits_for(self, reason: str) -> None:
        """Report that nothing comes, and why."""
        with self._lock:
            self._reporter.report(f"{self._sentence(self._clock.monotonic())}; waiting: {reason}")

    def _begin(self, total: int) -> None:
        self._total, self._done, self._moved = total, 0, 0
        self._started = self._counted = self._clock.monotonic()
        self._said = self._started - SENTENCE_SECONDS

    def _add(self, count: int, received: int) -> None:
        with self._lock:
            self._done += count
            self.received += received
            self._moved += received
            now = self._clock.monotonic()
            if now - self._counted >= COUNT_SECONDS:
                self._counted = now
                self._report(now)

    def _report(self, now: float) -> None:
        sentence = None
        if now - self._said >= SENTENCE_SECONDS:
            self._said = now
            sentence = self._sentence(now)
        self._reporter.report(sentence, done=self._done, total=self._total, unit="bytes")

    def _sentence(self, now: float) -> str:
        said = f"{self._word} {format_size(self._done)} of {format_size(self._total)}"
        if self._images:
            complete = sum(1 for lacking in self._lacking if lacking <= 0)
            said = f"image {min(complete + 1, self._images)} of {self._images}, {said}"
        if self._places:
            said = f"{said} from {', '.join(sorted(set(self._places.values())))}"
        seconds = now - self._started
        if seconds < 1 or self._moved <= 0:
            return said
        rate = self._moved / seconds
        return f"{said}, {format_size(int(rate))}/s, {_duration((self._total - self._done) / rate)} left"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    if seconds < 5400:
        return f"about {round(seconds / 60)} min"
    return f"about {seconds / 3600:.1f} h"
