# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Blobs from several sources into the folder of a bundle: each once, from whoever has it, proved before it is named."""

from __future__ import annotations

import threading
import typing as t
from collections import Counter, deque
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from ansible_collections.fieldops.openshift.plugins.module_utils._host.partial_file import PartialFile
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TlsError, TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.sources import AbsentHereError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import NoSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.piece_check import proved_beginning
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import DeadlineExceededError

if t.TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.bundle_folder import BundleFolder
    from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.sources import BlobSource
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

PARALLEL = 4
"""Blobs that are received at once: enough to flush one to the disk while others come in."""

PATIENCE = 120.0
"""Seconds without a byte from anywhere after which the sources are given up."""

HOLD = 30.0
"""Seconds without a byte until one no longer waits for what a source says is coming, but asks the next one."""

SILENT = 10.0
"""Seconds without a byte after which people are told why."""

REST = 5.0
"""Seconds for which a source that failed is left alone."""

_LOOK_AGAIN = 0.2
_REFUSALS = (401, 403)


class Onlooker(t.Protocol):
    """Who is told how it goes on, by several threads."""

    def took(self, count: int) -> None:
        """Take note of so many more bytes."""

    def waits_for(self, reason: str) -> None:
        """Take note that nothing comes, and of what the sources say."""


class BlobReceiver:
    """Receives the blobs of one bundle. ``received`` counts bytes, and ``by_source`` those of each source."""

    def __init__(
        self,
        folder: BundleFolder,
        sources: Sequence[BlobSource],
        deadline: Deadline,
        onlooker: Onlooker,
        patience: float = PATIENCE,
    ) -> None:
        self._folder = folder
        self._sources = sources
        self._deadline = deadline
        self._onlooker = onlooker
        self._patience = patience
        self._lock = threading.Lock()
        self._pending: deque[Blob] = deque()
        self._last_byte = deadline.elapsed
        self._resting: dict[str, float] = {}
        self._refused: dict[str, str] = {}
        self._troubles: dict[str, str] = {}
        self._stopped = False
        self.by_source: Counter[str] = Counter()

    @property
    def received(self) -> int:
        """Bytes that came from all sources."""
        return sum(self.by_source.values())

    def receive(self, blobs: Sequence[Blob]) -> None:
        """Return when all ``blobs`` have their names; raises NoSourceError, FileAccessError, DeadlineExceededError."""
        self._pending.extend(blobs)
        with ThreadPoolExecutor(PARALLEL) as pool:
            workers = [pool.submit(self._work) for _number in range(min(PARALLEL, len(blobs)))]
        for worker in workers:
            worker.result()

    def _work(self) -> None:
        try:
            while not self._stopped:
                with self._lock:
                    if not self._pending:
                        return
                    blob = self._pending.popleft()
                said: dict[str, str] = {}
                if not self._receive_one(blob, said):
                    self._require_hope(blob, said)
                    with self._lock:
                        self._pending.append(blob)
                    self._deadline.pause(_LOOK_AGAIN)
        finally:
            # One failure ends all: the others stop at their next blob.
            self._stopped = self._stopped or bool(self._pending)

    def _receive_one(self, blob: Blob, said: dict[str, str]) -> bool:
        """Return whether the blob has its name now; ``said`` takes what sources say that do not have it."""
        # Readable for all: a relay, which has no rights, passes on what is proved of it already.
        with PartialFile.opened(self._folder.part(blob), longest=blob.size, mode=0o644) as file:
            proved, hasher = proved_beginning(blob.pieces, file.blocks())
            file.keep(proved)
            for source in self._usable():
                try:
                    source.fill(blob, file, hasher, partial(self._took, source.name), self._deadline)
                except AbsentHereError as absent:
                    said[source.name] = f"it does not have {blob.digest}: {absent}"
                    if absent.is_coming and self._silence < HOLD:
                        return False
                except (TransferError, TlsError, NoSourceError) as error:
                    self._note(source, error)
                if file.position == blob.size:
                    if hasher.hexdigest() == blob.digest.hex:
                        file.publish(self._folder.blob(blob), mode=0o444)
                        return True
                    self._refused[source.name] = f"it gave wrong bytes for {blob.digest}"
                    proved, hasher = proved_beginning(blob.pieces, file.blocks())
                    file.keep(proved)
        return False

    @property
    def _silence(self) -> float:
        return self._deadline.elapsed - self._last_byte

    def _usable(self) -> list[BlobSource]:
        now = self._deadline.elapsed
        return [
            source
            for source in self._sources
            if source.name not in self._refused and self._resting.get(source.name, now) <= now
        ]

    def _took(self, name: str, count: int) -> None:
        with self._lock:
            self._last_byte = self._deadline.elapsed
            self.by_source[name] += count
            self._troubles.pop(name, None)
        self._onlooker.took(count)

    def _note(self, source: BlobSource, error: TransferError | TlsError | NoSourceError) -> None:
        self._troubles[source.name] = error.seen
        if isinstance(error, TlsError) or getattr(error, "status", None) in _REFUSALS:
            self._refused[source.name] = error.seen
        self._resting[source.name] = self._deadline.elapsed + REST

    def _require_hope(self, blob: Blob, said: Mapping[str, str]) -> None:
        so_far = {"received": self.received, "by_source": dict(self.by_source)}
        if self._deadline.expired:
            raise DeadlineExceededError(
                "receive the bundle",
                on=str(self._folder.path),
                seen=f"after {self._deadline.seconds:.0f} s {len(self._pending) + 1} blobs were still missing",
                advice="Run it again: what is there is kept.",
                partial=so_far,
            )
        may_still = [source for source in self._sources if source.is_filling and source.name not in self._refused]
        reasons = {**self._troubles, **said, **self._refused}
        seen = "; ".join(f"{name}: {reason}" for name, reason in sorted(reasons.items())) or "no source was given"
        if may_still and self._silence < self._patience:
            if self._silence > SILENT:
                self._onlooker.waits_for(seen)
            return
        raise NoSourceError(
            "receive the bundle",
            on=f"blob {blob.digest}",
            seen=seen,
            advice="Put the named sources right, or give others; what is there is kept and not fetched again.",
            partial=so_far,
        )
