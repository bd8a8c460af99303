# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where the blobs of a bundle come from: a folder such as that on removable media, or a relay."""

from __future__ import annotations

import contextlib
import typing as t
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sink import BlobSink
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import open_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download import fetch
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download_request import Download
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import RetryPolicy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.backoff import Backoff
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import NoSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import INDEX_FILE, Blob
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import LARGEST_INDEX
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_volumes import VOLUME_FILE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

NOT_THERE, NOT_YET = 404, 503
"""What a relay answers for a blob that it does not have, and for one that it is still receiving."""

_LIMITS = HttpLimits(connect_seconds=5.0, stall_seconds=30.0, document_bytes=LARGEST_INDEX)


class AbsentHereError(Exception):
    """The source does not have the blob; ``is_coming`` when it says that it is going to.

    ``costs_nothing`` where that was known at once.
    """

    def __init__(self, seen: str, *, is_coming: bool = False, costs_nothing: bool = False) -> None:
        self.is_coming = is_coming
        self.costs_nothing = costs_nothing
        super().__init__(seen)


class BlobSource(t.Protocol):
    """A source of a bundle's blobs, now or soon."""

    name: str

    @property
    def is_filling(self) -> bool:
        """Whether what is absent now may come."""

    def fill(self, blob: Blob, sink: BlobSink, stop: int, deadline: Deadline) -> None:
        """Add to ``sink`` what it lacks of ``blob``, at least up to the offset ``stop``, or as much as there is.

        Nothing is proved here: ``sink`` knows the digests. Raises AbsentHereError, FieldOpsError.
        """

    def close(self) -> None:
        """Release connections."""


class IndexSource(BlobSource, t.Protocol):
    """A source that has the index, too."""

    def index_content(self, deadline: Deadline) -> bytes:
        """Return the bytes of the index, which nothing proves yet. Raises FieldOpsError."""

    def volume_content(self, deadline: Deadline) -> bytes | None:
        """Return the document about the drives of the bundle, None where there is none. Raises FieldOpsError."""


@dataclass(frozen=True)
class RelaySourceSpec:
    """How to reach an HTTPS server of bundles: ``ca`` is PEM text, ``token`` a bearer token or empty."""

    url: str
    ca: str = ""
    token: str = ""


class RelaySource:
    """A relay: ``GET /index.json`` and ``GET /blobs/sha256/<hex>`` below its URL."""

    is_filling = True

    def __init__(self, spec: RelaySourceSpec, clock: Clock) -> None:
        """Raises InvalidInputError for a URL that cannot be used, or that would disclose the token."""
        url = Url.parse(spec.url, on="sources.url")
        if spec.token and url.scheme != "https":
            raise InvalidInputError(
                "use a bundle source",
                on=f"sources.url {url}",
                seen="the token would be sent unencrypted",
                advice="Specify an https URL, or no token.",
            )
        self.name = url.redacted
        self._base = spec.url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {spec.token}"} if spec.token else {}
        self._client = HttpClient(
            clock,
            tls=TlsSettings(ca_pem=spec.ca or None),
            retry=RetryPolicy(attempts=2, backoff=Backoff(first=0.2, longest=1.0)),
            limits=_LIMITS,
        )

    def index_content(self, deadline: Deadline) -> bytes:
        """Return the bytes of the index, which nothing proves yet."""
        answer = self._client.request("GET", f"{self._base}/{INDEX_FILE}", deadline=deadline, headers=self._headers)
        if answer.status != 200:
            raise TransferError(
                "fetch the index of the bundle",
                on=self.name,
                seen=f"the server answered with status {answer.status}",
                advice="Check that the relay serves this bundle and that its token is correct.",
                status=answer.status,
                transient=answer.status == NOT_YET,
            )
        return answer.body

    def volume_content(self, deadline: Deadline) -> bytes | None:
        """Return the document about the drives of the bundle that the relay reads, None where there is none.

        Raises FieldOpsError.
        """
        answer = self._client.request("GET", f"{self._base}/{VOLUME_FILE}", deadline=deadline, headers=self._headers)
        return answer.body if answer.status == 200 else None

    def fill(self, blob: Blob, sink: BlobSink, stop: int, deadline: Deadline) -> None:  # noqa: ARG002
        """Ask for what is missing as a range, which a relay that is being filled may answer with a part of it."""
        url = Url.parse(f"{self._base}/{blob.path}", on="sources.url")
        download = Download(url, size=blob.size, stop=blob.size, digest=blob.digest, headers=self._headers)
        try:
            fetch(self._client, download, sink, deadline=deadline, hasher=sink)
        except TransferError as error:
            if error.status in (NOT_THERE, NOT_YET):
                raise AbsentHereError(error.seen, is_coming=error.status == NOT_YET) from error
            raise

    def close(self) -> None:
        """Close idle connections."""
        self._client.close()


class FolderSource:
    """A bundle in a folder of this machine, such as mounted removable media."""

    is_filling = False

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._folder = BundleFolder(path)
        # An open folder keeps removable media from being unmounted between two of its files.
        self._held = contextlib.ExitStack()
        with contextlib.suppress(OSError):
            self._held.enter_context(open_directory(path))

    def index_content(self, deadline: Deadline) -> bytes:  # noqa: ARG002
        """Return the bytes of the index, which nothing proves yet."""
        content = self._folder.index_bytes()
        if content is None:
            raise NoSourceError(
                "read the index of the bundle",
                on=self.name,
                seen=f"there is no {INDEX_FILE}",
                advice="Mount the removable media, and specify the folder on it that contains the index of the bundle.",
            )
        return content

    def volume_content(self, deadline: Deadline) -> bytes | None:  # noqa: ARG002
        """Return the document about the drives of the bundle, None where there is none."""
        return self._folder.volume_bytes()

    def fill(self, blob: Blob, sink: BlobSink, stop: int, deadline: Deadline) -> None:
        """Read on where ``sink`` ends."""
        with contextlib.ExitStack() as closing:
            with self._reading():
                reader = closing.enter_context(self._folder.open_blob(blob.digest))
            if reader is None:
                raise AbsentHereError("the file is missing")
            if reader.size != blob.size:
                raise AbsentHereError(f"the file has {reader.size} bytes instead of {blob.size}")
            blocks = reader.blocks(sink.position, stop)
            while not deadline.expired:
                with self._reading():
                    block = next(blocks, None)
                if block is None:
                    return
                sink.write(block)
                sink.update(block)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except FileAccessError as error:
            # Errors of the file that is written keep their kind: they are about the own disk and end the work.
            raise NoSourceError(
                "read the blob",
                on=error.on,
                seen=error.seen,
                advice="Check that the removable media is connected, mounted and undamaged (dmesg).",
            ) from error

    def close(self) -> None:
        """Release the folder, so that its medium can be unmounted."""
        self._held.close()
