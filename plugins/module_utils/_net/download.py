# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Large bodies into a sink: from where it stands, hashed while they stream, resumed when the connection breaks."""

from __future__ import annotations

from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._net.download_request import (
    Download,
    Hasher,
    Sink,
    unusable_download,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer import Transfer
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


@dataclass(frozen=True)
class Received:
    """A finished download: ``position`` of the sink, bytes ``kept`` in this call, strong ``etag`` if there is one.

    ``skipped`` bytes were received and discarded because the server ignored the range.
    """

    position: int
    kept: int
    skipped: int
    requests: int
    etag: str | None


def fetch(
    client: HttpClient,
    download: Download,
    sink: Sink,
    *,
    deadline: Deadline,
    hasher: Hasher | None = None,
) -> Received:
    """Fill ``sink`` from its position to the end of ``download``; it returns only after the digest was right.

    A sink that already holds a beginning is continued: with a digest, ``hasher`` must have been fed with it; without
    one, ``download.etag`` must be given. What breaks off is resumed under the client's retry policy, whose attempts
    count from the beginning after every progress; a source that is too slow is abandoned immediately. With a digest
    resuming needs nothing else; without one it needs a strong ETag. A server that ignores the range is read from its
    beginning and what the sink already has is thrown away.

    Raises TransferError (``partial`` holds the sink's position and the ETag), TlsError, DeadlineExceededError,
    InvalidInputError, and whatever the sink raises.
    """
    _check_beginning(download, sink.position, hasher)
    transfer = Transfer(client, download, sink, hasher)
    attempt = 0
    while not transfer.finished:
        attempt += 1
        before = sink.position
        try:
            transfer.advance(deadline)
            attempt = 0
        except FieldOpsError as error:
            error.partial.update(position=sink.position, etag=transfer.etag)
            attempt = 1 if sink.position > before else attempt
            if not isinstance(error, TransferError) or not (error.transient and transfer.resumable):
                raise
            if not client.pause_before_retry(attempt, "GET", error, deadline):
                raise
    transfer.verify()
    return Received(sink.position, transfer.kept, transfer.skipped, transfer.requests, transfer.etag)


def _check_beginning(download: Download, position: int, hasher: Hasher | None) -> None:
    """Raise InvalidInputError if the bytes that the sink already holds cannot be relied on."""
    end = download.stop if download.stop is not None else download.size
    if position < download.start or (end is not None and position > end):
        raise unusable_download("the position of the sink is outside the requested range")
    vouched = hasher if download.digest is not None else download.etag
    if position > download.start and vouched is None:
        raise unusable_download("the sink already has content, but neither an updated hasher nor an ETag proves it")
