# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Blobs from several sources into the folder of a bundle: proved before they are named, resumed where they ended."""

from __future__ import annotations

import threading
import typing as t
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_facts import described, proved_blob
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_files import remove_blob
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sink import BlobSink
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import (
    AbsentHereError,
    BlobSource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.receive_failures import (
    Failure,
    failure_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import RegistryError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TlsError, TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import (
    NoSourceError,
    WrongContentError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import PREFIX_STEP, Blob
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    FieldOpsError,
)

PARALLEL = 4
"""Blobs that are received at once from relays and media: enough to flush one while others come in."""

PATIENCE = 120.0
"""Seconds without a byte from anywhere after which the sources are abandoned."""

HOLD = 30.0
"""Seconds without a byte until one no longer waits for what a source says is coming, but asks the next one."""

SILENT = 10.0
"""Seconds without a byte after which the progress says why."""

REST = 5.0
"""Seconds for which a source that failed is left alone."""

MOST_FAILURES = 20
"""Blobs that may fail permanently, other than by being absent, before no further one is started."""

_LOOK_AGAIN = 0.2
_REFUSALS = (401, 403)


_Said = dict[str, AbsentHereError]
"""What sources say that do not have a blob, by their names."""


class Progress(t.Protocol):
    """Receives the progress, from several threads."""

    def there(self, count: int) -> object:
        """Take note of bytes that were there already; negative ones turned out to be wrong."""

    def arrived(self, count: int) -> object:
        """Take note of bytes that came."""

    def finished(self, digest: Digest) -> object:
        """Take note that a blob has its name."""

    def waits_for(self, reason: str) -> object:
        """Take note that nothing comes, and of what the sources say."""


class StoppedError(Exception):
    """Another worker ended the work; never seen outside."""


class BlobReceiver:
    """Receives blobs into ``folder``. ``received`` counts bytes, and ``by_source`` those of each source.

    ``rechecks``: blobs that have their name already are read and proved first. ``stepwise``: each source is asked only
    for the bytes up to the next prefix, so that what only one of them has is taken from it and nothing else. ``begun``
    is called before a blob is written. ``owner`` is what a blob belongs to, for errors. ``fallbacks`` are groups of
    sources that are asked as well for what is missing when those before them have given all they have.
    """

    def __init__(
        self,
        folder: BundleFolder,
        sources: Sequence[BlobSource],
        deadline: Deadline,
        progress: Progress,
        *,
        patience: float = PATIENCE,
        parallel: int = PARALLEL,
        rechecks: bool = False,
        stepwise: bool = False,
        mode: int = 0o644,
        begun: Callable[[Digest], object] = lambda _digest: None,
        owner: Callable[[Digest], str] = lambda _digest: "",
        fallbacks: Sequence[Sequence[BlobSource]] = (),
    ) -> None:
        self._folder = folder
        self._sources = sources
        self._fallbacks = fallbacks
        self._deadline = deadline
        self._progress = progress
        self._patience = patience
        self._parallel = parallel
        self._rechecks = rechecks
        self._stepwise = stepwise
        self._mode = mode
        self._begun = begun
        self._owner = owner
        self._lock = threading.Lock()
        self._pending: deque[Blob] = deque()
        self._last_byte = deadline.elapsed
        self._resting: dict[str, float] = {}
        self._refused: dict[str, str] = {}
        self._troubles: dict[str, str] = {}
        self._failures: list[Failure] = []
        self._costly = 0
        self._stopped = False
        self.by_source: Counter[str] = Counter()
        self.blobs: dict[Digest, Blob] = {}

    @property
    def received(self) -> int:
        """Bytes that came from all sources."""
        return sum(self.by_source.values())

    def receive(self, blobs: Sequence[Blob]) -> Mapping[Digest, Blob]:
        """Return the blobs, with what their bytes proved, once all have their names.

        What can be had is brought before the error about the rest is raised: NoSourceError with every blob that failed.
        Raises FileAccessError, DeadlineExceededError at once.
        """
        self._work_on(blobs)
        for sources in self._fallbacks:
            if sources and self._failures and not self._stopped:
                self._sources, self._failures, self._costly = (*self._sources, *sources), [], 0
                self._work_on([blob for blob in blobs if blob.digest not in self.blobs])
        if blobs:
            self._folder.sync_names()
        if self._failures:
            raise failure_of(self._failures, str(self._folder.path), self._so_far())
        return self.blobs

    def _work_on(self, blobs: Sequence[Blob]) -> None:
        self._pending.extend(blobs)
        with ThreadPoolExecutor(self._parallel, thread_name_prefix="blob") as pool:
            workers = [pool.submit(self._work) for _number in range(min(self._parallel, len(blobs)))]
            try:
                for worker in workers:
                    worker.result()
            except BaseException:
                self._stopped = True
                raise

    def stop(self) -> None:
        """Let ``receive`` end soon; what was received is kept."""
        self._stopped = True

    def _work(self) -> None:
        try:
            while True:
                with self._lock:
                    if self._stopped or not self._pending:
                        return
                    blob = self._pending.popleft()
                self._settle(blob)
        except StoppedError:
            return
        except BaseException:
            self._stopped = True
            raise

    def _settle(self, blob: Blob) -> None:
        said: _Said = {}
        cause: FieldOpsError | None = None
        try:
            found = self._kept(blob) or self._receive_one(blob, said)
        except RegistryError as error:
            found, cause = None, error
        except FileAccessError as error:
            error.partial.update(blob=str(blob.digest), image=self._owner(blob.digest), **self._so_far())
            raise
        if found is not None:
            with self._lock:
                self.blobs[blob.digest] = found
            self._progress.finished(blob.digest)
        elif cause is not None or not self._may_come(said):
            self._give_up(blob, said, cause)
        else:
            with self._lock:
                self._pending.append(blob)
            self._deadline.pause(_LOOK_AGAIN)

    def _kept(self, blob: Blob) -> Blob | None:
        """Return the blob where it is there already and right; one that is wrong goes."""
        if not self._rechecks or not self._folder.has(blob.digest, blob.size):
            return None
        read = 0

        def count(number: int) -> None:
            nonlocal read
            self._raise_if_stopped()
            read += number
            self._progress.there(number)

        found = proved_blob(self._folder.blob(blob.digest), blob, count)
        if found is None:
            self._progress.there(-read)
            remove_blob(self._folder.blob(blob.digest))
        return found

    def _receive_one(self, blob: Blob, said: _Said) -> Blob | None:
        """Return the blob once it has its name; ``said`` takes the answers of sources that do not have it."""
        self._begun(blob.digest)
        with self._folder.receiving(blob.digest, blob.size) as file:
            sink = BlobSink(blob, file, there=self._there, arrived=self._arrived)
            while not sink.is_right:
                if not self._advance(blob, sink, said):
                    # The next attempt finds these bytes there, and counts them again.
                    self._progress.there(-sink.position)
                    return None
            file.publish(self._folder.blob(blob.digest), mode=self._mode, sync_name=False)
        return described(self._folder.blob(blob.digest), blob, sink.prefixes()) if self._rechecks else blob

    def _advance(self, blob: Blob, sink: BlobSink, said: _Said) -> bool:
        """Return whether ``sink`` is right up to where this step ends: the blob's end, or its next prefix."""
        next_prefix = (sink.position // PREFIX_STEP + 1) * PREFIX_STEP
        stop = min(blob.size, next_prefix) if self._stepwise else blob.size
        for source in self._usable():
            if self._filled(source, blob, sink, stop, said):
                return True
            absent = said.get(source.name)
            if absent is not None and absent.is_coming and self._silence < HOLD:
                return False
        return False

    def _filled(self, source: BlobSource, blob: Blob, sink: BlobSink, stop: int, said: _Said) -> bool:
        """Let ``source`` fill ``sink``; return whether that is right up to ``stop``. Wrong bytes are thrown away."""
        while True:
            wrong = self._wrong_after(source, blob, sink, stop, said)
            if not wrong:
                return sink.position >= stop
            was_inherited = sink.is_inherited
            sink.rewind()
            if not was_inherited:
                self._note_wrong(source, blob, wrong, said)
                return False

    def _wrong_after(self, source: BlobSource, blob: Blob, sink: BlobSink, stop: int, said: _Said) -> str:
        """Ask ``source`` once and return what is wrong with what ``sink`` holds then, nothing if that may be right."""
        sink.origin = source.name
        try:
            source.fill(blob, sink, stop, self._deadline)
        except AbsentHereError as absent:
            seen = f"it does not have it: {absent}"
            said[source.name] = AbsentHereError(seen, is_coming=absent.is_coming, costs_nothing=True)
        except WrongContentError as error:
            return error.seen
        except NoSourceError as error:
            # A place of a medium that cannot be read says nothing of the others.
            said[source.name] = AbsentHereError(f"{error.on}: {error.seen}")
        except (TransferError, TlsError) as error:
            self._note(source, error)
        return "the complete blob has another digest" if sink.position == blob.size and not sink.is_right else ""

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

    def _raise_if_stopped(self) -> None:
        if self._stopped:
            raise StoppedError

    def _there(self, count: int) -> None:
        self._raise_if_stopped()
        self._progress.there(count)

    def _arrived(self, origin: str, count: int) -> None:
        self._raise_if_stopped()
        with self._lock:
            self._last_byte = self._deadline.elapsed
            self.by_source[origin] += count
            self._troubles.pop(origin, None)
        self._progress.arrived(count)

    def _note(self, source: BlobSource, error: FieldOpsError) -> None:
        self._troubles[source.name] = error.seen
        if isinstance(error, TlsError) or getattr(error, "status", None) in _REFUSALS:
            self._refused[source.name] = error.seen
        self._resting[source.name] = self._deadline.elapsed + REST

    def _note_wrong(self, source: BlobSource, blob: Blob, wrong: str, said: _Said) -> None:
        reason = f"it returned wrong bytes for {blob.digest}: {wrong}"
        said[source.name] = AbsentHereError(reason)
        if source.is_filling:
            # Another node may be hostile; removable media are damaged in one place, and right in others.
            self._refused[source.name] = reason

    def _may_come(self, said: _Said) -> bool:
        """Return whether a blob that was not to be had may still come. Raises DeadlineExceededError."""
        if self._deadline.expired:
            raise DeadlineExceededError(
                "receive the bundle",
                on=str(self._folder.path),
                seen=f"after {self._deadline.seconds:.0f} s {len(self._pending) + 1} blobs are still missing",
                advice="Run it again. The blobs that exist are kept.",
                partial=self._so_far(),
            )
        if not any(self._may_bring(source, said.get(source.name)) for source in self._sources):
            return False
        if self._silence >= self._patience:
            return False
        if self._silence > SILENT:
            self._progress.waits_for(self._reasons(said))
        return True

    def _may_bring(self, source: BlobSource, absent: AbsentHereError | None) -> bool:
        """Return whether ``source`` may still have a blob, of which it has said that it is ``absent``."""
        has_none = absent is not None and absent.costs_nothing and not absent.is_coming
        return source.is_filling and source.name not in self._refused and not has_none

    def _reasons(self, said: _Said) -> str:
        reasons = {**self._troubles, **{name: str(reason) for name, reason in said.items()}, **self._refused}
        return "; ".join(f"{name}: {reason}" for name, reason in sorted(reasons.items())) or "no source was specified"

    def _give_up(self, blob: Blob, said: _Said, cause: FieldOpsError | None) -> None:
        seen = f"{cause.attempted} on {cause.on}: {cause.seen}" if cause is not None else self._reasons(said)
        with self._lock:
            self._failures.append(Failure(blob, self._owner(blob.digest), seen, cause))
            # A drive that has only a part of the bundle gives all of that part.
            is_costly = cause is not None or not said or not all(one.costs_nothing for one in said.values())
            self._costly += is_costly
            if self._costly >= MOST_FAILURES:
                self._pending.clear()
            # What may pass by itself concerns the other blobs as well; the next run continues.
            self._stopped = self._stopped or (cause is not None and cause.transient)

    def _so_far(self) -> dict[str, t.Any]:
        return {"received_size": self.received, "by_source": dict(self.by_source)}
