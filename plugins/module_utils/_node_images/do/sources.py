# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Where the blobs of a bundle come from: a relay or other HTTPS server, or a folder on a mounted medium."""

from __future__ import annotations

import os
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._net.download import fetch
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download_request import Download
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import RetryPolicy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import NoSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.backoff import Backoff
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import INDEX_FILE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import LARGEST_INDEX
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ansible_collections.fieldops.openshift.plugins.module_utils._host.partial_file import PartialFile
    from ansible_collections.fieldops.openshift.plugins.module_utils._net.download_request import Hasher
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

NOT_THERE, NOT_YET = 404, 503
"""What a relay answers for a blob that it has not got, and for one that is on its way to it."""

_LIMITS = HttpLimits(connect_seconds=5.0, stall_seconds=30.0, document_bytes=LARGEST_INDEX)
_BLOCK = 1024 * 1024


class AbsentHereError(Exception):
    """The source does not have the blob; ``is_coming`` when it says that it is going to."""

    def __init__(self, seen: str, *, is_coming: bool = False) -> None:
        self.is_coming = is_coming
        super().__init__(seen)


class BlobSource(t.Protocol):
    """A place that has a bundle, or is going to have it."""

    name: str

    @property
    def is_filling(self) -> bool:
        """Whether what is absent now may come."""

    def index_content(self, deadline: Deadline) -> bytes:
        """Return the bytes of the index, verified by nobody yet."""

    def fill(
        self,
        blob: Blob,
        file: PartialFile,
        hasher: Hasher,
        progress: Callable[[int], object],
        deadline: Deadline,
    ) -> None:
        """Add to ``file``, and to ``hasher``, what is missing of ``blob``; raises AbsentHereError, FieldOpsError."""

    def close(self) -> None:
        """Let go of connections."""


@dataclass(frozen=True)
class HttpSourceSpec:
    """How to reach an HTTPS server of bundles: ``ca`` is PEM text, ``token`` a bearer token or empty."""

    url: str
    ca: str = ""
    token: str = ""


class HttpSource:
    """A relay: ``GET /index.json`` and ``GET /blobs/sha256/<hex>`` below its URL."""

    is_filling = True

    def __init__(self, spec: HttpSourceSpec, clock: Clock) -> None:
        """Raises InvalidInputError for a URL that cannot be used, or that would show the token to everybody."""
        url = Url.parse(spec.url, on="sources.url")
        if spec.token and url.scheme != "https":
            raise InvalidInputError(
                "use a source of bundles",
                on=f"sources.url {url}",
                seen="a token would travel unencrypted",
                advice="Give an https URL, or no token.",
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
        """Ask for the index."""
        answer = self._client.request("GET", f"{self._base}/{INDEX_FILE}", deadline=deadline, headers=self._headers)
        if answer.status != 200:
            raise TransferError(
                "fetch the index of the bundle",
                on=self.name,
                seen=f"the server answered with status {answer.status}",
                advice="Check that the relay serves this bundle and that its token is the right one.",
                status=answer.status,
                transient=answer.status == NOT_YET,
            )
        return answer.body

    def fill(
        self, blob: Blob, file: PartialFile, hasher: Hasher, progress: Callable[[int], object], deadline: Deadline
    ) -> None:
        """Ask for what is missing as a range, which a relay that is being filled may answer with a part of it."""
        url = Url.parse(f"{self._base}/{blob.path}", on="sources.url")
        download = Download(url, size=blob.size, stop=blob.size, digest=blob.digest, headers=self._headers)
        try:
            fetch(self._client, download, file, deadline=deadline, hasher=hasher, progress=progress)
        except TransferError as error:
            if error.status in (NOT_THERE, NOT_YET):
                raise AbsentHereError(error.seen, is_coming=error.status == NOT_YET) from error
            raise

    def close(self) -> None:
        """Close idle connections."""
        self._client.close()


class FolderSource:
    """A bundle in a folder of this machine, such as a mounted stick."""

    is_filling = False

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._folder = BundleFolder(path)

    def index_content(self, deadline: Deadline) -> bytes:  # noqa: ARG002
        """Read the index."""
        content = self._folder.index_content()
        if content is None:
            raise NoSourceError(
                "read the index of the bundle",
                on=self.name,
                seen=f"there is no {INDEX_FILE}",
                advice="Mount the medium, and give the folder on it that holds the index of the bundle.",
            )
        return content

    def fill(
        self, blob: Blob, file: PartialFile, hasher: Hasher, progress: Callable[[int], object], deadline: Deadline
    ) -> None:
        """Copy what is missing; ``deadline`` is looked at between blocks."""
        path = self._folder.blob(blob)
        buffer = memoryview(bytearray(_BLOCK))
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError as error:
            raise AbsentHereError("the file is missing") from error
        except OSError as error:
            raise _unreadable(path, error) from error
        try:
            while file.position < blob.size and not deadline.expired:
                count = _read(descriptor, buffer[: blob.size - file.position], file.position, path)
                if count == 0:
                    break
                file.write(buffer[:count])
                hasher.update(buffer[:count])
                progress(count)
        finally:
            os.close(descriptor)

    def close(self) -> None:
        """There is nothing to let go of."""


def _read(descriptor: int, buffer: memoryview, offset: int, path: Path) -> int:
    try:
        return os.preadv(descriptor, [buffer], offset)
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> NoSourceError:
    # Not a FileAccessError: those are about this node's own disk and end the work.
    return NoSourceError(
        "read the file",
        on=str(path),
        seen=os.strerror(error.errno or 0),
        advice="Look at the medium: is it plugged in, mounted and undamaged (dmesg)?",
    )
