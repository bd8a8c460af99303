# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One download between and during its requests: what to request, what to accept of the answer, the position."""

from __future__ import annotations

import hashlib
import mmap
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._net.byte_ranges import (
    BodyPlan,
    ByteRange,
    RangeMismatchError,
    plan_partial,
    plan_whole,
    strong_etag,
    unsatisfied_size,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download_request import Download, Hasher, Sink
from ansible_collections.fieldops.openshift.plugins.module_utils._net.failures import status_failure
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.incoming import IncomingResponse
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

CHUNK: t.Final = 2 * 1024 * 1024


class Transfer:
    """The state of one download between its requests."""

    def __init__(
        self,
        client: HttpClient,
        download: Download,
        sink: Sink,
        hasher: Hasher | None,
    ) -> None:
        self._client = client
        self._download = download
        self._sink = sink
        self._hasher = hasher if hasher is not None or download.digest is None else hashlib.sha256()
        self._url = download.url
        self._size = download.size
        # Memory that begins with a page can be written to a disk past the page cache.
        self._buffer = memoryview(mmap.mmap(-1, CHUNK))
        self._begun = sink.position
        self.skipped = 0
        self.requests = 0
        self.etag = download.etag
        self.finished = self._end is not None and sink.position == self._end

    @property
    def kept(self) -> int:
        """Bytes written so far."""
        return self._sink.position - self._begun

    @property
    def resumable(self) -> bool:
        """Whether a further answer can be shown to continue the bytes already written."""
        untouched = self._sink.position == self._download.start
        return untouched or self._is_provable or self.etag is not None

    @property
    def _is_provable(self) -> bool:
        return self._download.digest is not None or self._download.proved_later

    @property
    def _end(self) -> int | None:
        return self._download.stop if self._download.stop is not None else self._size

    def advance(self, deadline: Deadline) -> None:
        """Make one request and write what it gives; ``finished`` is whether that was all."""
        self.requests += 1
        wanted = ByteRange(self._sink.position, self._download.stop)
        headers = {**self._download.headers, "Accept-Encoding": "identity"}
        if wanted.header is not None:
            headers["Range"] = wanted.header
            if self._expected_etag is not None:
                headers["If-Range"] = self._expected_etag
        sensitive = self._download.sensitive
        with self._client.stream("GET", self._url, deadline=deadline, headers=headers, sensitive=sensitive) as incoming:
            if incoming.status == 416 and self._is_whole(wanted, incoming):
                self.finished = True
                return
            self._refuse_status(incoming)
            incoming.refuse_encoded()
            self._check_entity(incoming)
            self._consume(incoming, self._plan(wanted, incoming))

    def verify(self) -> None:
        """Raise TransferError unless the bytes have the expected digest."""
        digest, hasher = self._download.digest, self._hasher
        if digest is None or hasher is None or hasher.hexdigest() == digest.hex:
            return
        raise self._failure(
            f"the {self._sink.position - self._download.start} bytes received have the digest "
            f"sha256:{hasher.hexdigest()} instead of {digest}",
            "Discard them and fetch the whole again. If the error persists, the content of the source is damaged or "
            "different.",
        )

    @property
    def _expected_etag(self) -> str | None:
        # With a digest, a learned ETag decides nothing: the servers behind one name may each have their own.
        return self._download.etag if self._is_provable else self.etag

    def _is_whole(self, wanted: ByteRange, incoming: IncomingResponse) -> bool:
        """Whether a 416 only says that the sink already stands at the end of an entity of unknown size."""
        return wanted.stop is None and self._size is None and unsatisfied_size(incoming.headers) == wanted.first > 0

    def _refuse_status(self, incoming: IncomingResponse) -> None:
        if incoming.status not in (200, 206):
            incoming.drain()
            url, is_own = incoming.request.url, incoming.request.url.origin == self._url.origin
            challenges = incoming.headers.get_all("WWW-Authenticate") if is_own and incoming.status == 401 else ()
            raise status_failure("GET", url, incoming.status, incoming.retry_after, challenges=challenges)

    def _check_entity(self, incoming: IncomingResponse) -> None:
        seen = strong_etag(incoming.headers)
        if self._expected_etag is not None and seen != self._expected_etag:
            raise self._failure(
                "its ETag is not the one of the bytes already there, so the entity has changed since then",
                "Discard the received bytes and start again.",
            )
        self.etag = seen

    def _plan(self, wanted: ByteRange, incoming: IncomingResponse) -> BodyPlan:
        try:
            if incoming.status == 206:
                plan = plan_partial(wanted, incoming.headers, incoming.length, self._size)
            else:
                plan = plan_whole(wanted, incoming.length, self._size)
        except RangeMismatchError as exc:
            advice = "Check the URL and the server. If the entity was replaced there, start again."
            raise self._failure(f"the answer does not match the request: {exc}", advice) from exc
        if plan.take is None and self._download.digest is None and incoming.headers.get("Transfer-Encoding") is None:
            raise self._failure(
                "the answer has no length, so a broken connection cannot be distinguished from its end",
                "Fetch it from a server that reports the length, or set the expected size or digest.",
            )
        limit = self._download.limit
        if plan.take is not None and limit is not None and wanted.first + plan.take - self._download.start > limit:
            raise self._too_long(limit)
        self._size = plan.complete
        return plan

    def _consume(self, incoming: IncomingResponse, plan: BodyPlan) -> None:
        self._skip(incoming, plan.skip)
        left = plan.take
        while left is None or left > 0:
            view = self._buffer if left is None else self._buffer[:left]
            count = incoming.fill(view)
            if count == 0:
                break
            self._write(view[:count])
            left = None if left is None else left - count
        if left is not None and left > 0:
            raise self._failure(f"the body ended {left} bytes too early", "Try again later.", transient=True)
        if plan.exhausts and incoming.has_more():
            raise self._failure("the body is longer than it should be", "Check the URL. This is a different entity.")
        self.finished = left is None or self._sink.position == self._end

    def _skip(self, incoming: IncomingResponse, count: int) -> None:
        while count:
            skipped = incoming.fill(self._buffer[:count])
            if skipped == 0:
                raise self._failure("the body ended before the requested bytes", "Try again later.", transient=True)
            self.skipped += skipped
            count -= skipped

    def _write(self, block: memoryview) -> None:
        limit = self._download.limit
        if limit is not None and self._sink.position + len(block) - self._download.start > limit:
            raise self._too_long(limit)
        self._sink.write(block)
        if self._hasher is not None:
            self._hasher.update(block)

    def _too_long(self, limit: int) -> TransferError:
        return self._failure(f"there is more than the {limit} bytes allowed", "Check the URL, or raise the limit.")

    def _failure(self, seen: str, advice: str, *, transient: bool = False) -> TransferError:
        return TransferError("download", on=self._url.redacted, seen=seen, advice=advice, transient=transient)
