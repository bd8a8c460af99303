# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A client of image registries: manifests whole, blobs as streams, each from the first endpoint that has it right.

Source: OCI distribution specification 1.1; distribution ``docs/spec/api.md``.
"""

from __future__ import annotations

import typing as t
from collections.abc import Callable

from ansible_collections.fieldops.openshift.plugins.module_utils._net.download import fetch
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download_request import (
    Download,
    unusable_download,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.authorized_requests import (
    AuthorizedRequests,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.availability import Availability, is_slow
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.manifests import Manifest
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.referrers import referrers
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_access import (
    RegistryAccess,
    RegistrySettings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import (
    RegistryError,
    none_has_it,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.tokens import TokenStore
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TlsError, TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import (
    IMAGE_LISTS,
    IMAGE_MANIFESTS,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.mirror_rules import Endpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

LARGEST_PART = 16 * 1024 * 1024
"""Bytes of a blob that are kept in memory at once."""

_ACCEPT = ", ".join(sorted(IMAGE_MANIFESTS | IMAGE_LISTS))
_SLOW_ROUNDS = 3
"""How often a slow source is tried when no other one has the content."""


class BlobSink(t.Protocol):
    """Where a blob goes: a sink of a download that can start again."""

    @property
    def position(self) -> int:
        """Offset of the next byte."""

    def write(self, chunk: memoryview) -> object:
        """Take the whole ``chunk``; its memory is used again as soon as this returns."""

    def restart(self) -> None:
        """Throw away what was written so far."""

    def update(self, block: memoryview, /) -> object:
        """Add ``block`` to the digest of what was written."""

    def hexdigest(self) -> str:
        """Return the digest of everything written so far."""


class RegistryClient:
    """Any number of registries behind one pull secret and one set of mirror rules. Threads share it; close it.

    ``notice`` receives a sentence when a registry requests a wait of more than some seconds, and ``asked`` each host
    from which a blob is requested, both in the thread that does so.
    """

    def __init__(
        self,
        settings: RegistrySettings,
        clock: Clock,
        *,
        notice: Callable[[str], object] | None = None,
        asked: Callable[[str], object] = lambda _host: None,
    ) -> None:
        self._rules = settings.rules
        self._note_asked = asked
        self._access = RegistryAccess(settings, clock, notice)
        self._requests = AuthorizedRequests(self._access, TokenStore(settings.pull_secret, clock))
        self._availability = Availability(clock)
        self._without_referrers: set[str] = set()

    def __enter__(self) -> RegistryClient:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._access.close()

    def manifest(self, reference: ImageReference, *, deadline: Deadline) -> Manifest:
        """Return the manifest of ``reference``, whose digest is right where the reference has one.

        Raises RegistryError naming the image and every endpoint that was asked, and DeadlineExceededError.
        """
        name = str(reference.digest or reference.tag or "latest")

        def ask(endpoint: Endpoint) -> Manifest:
            answer = self._requests.get(endpoint, f"manifests/{name}", deadline, accept=_ACCEPT)
            return Manifest.checked(answer, reference.digest, endpoint)

        return self._first("fetch the manifest", reference, ask)

    def find_manifest(self, reference: ImageReference, *, deadline: Deadline) -> Manifest | None:
        """Return the manifest of ``reference``, None where every endpoint says that there is none."""
        try:
            return self.manifest(reference, deadline=deadline)
        except RegistryError as error:
            if error.is_absence:
                return None
            raise

    def find_referrers(self, image: ImageReference, *, deadline: Deadline) -> Manifest | None:
        """Return the OCI index that lists what refers to ``image``, which has a digest; None where nothing does.

        Of registries without the API for it, the tag is requested that stands in for it. Nothing proves the list: it
        may lack entries, and what it names has to be judged by its own digest. Raises as ``manifest``.
        """
        pinned = image.by_digest()
        digest = t.cast("Digest", pinned.digest)

        def ask(endpoint: Endpoint) -> Manifest:
            return referrers(self._requests, endpoint, digest, deadline, self._without_referrers)

        try:
            return self._first("list the referrers", pinned, ask)
        except RegistryError as error:
            if error.is_absence:
                return None
            raise

    def blob(
        self,
        image: ImageReference,
        digest: Digest,
        size: int,
        sink: BlobSink,
        *,
        deadline: Deadline,
    ) -> None:
        """Fill ``sink`` with the blob ``digest`` of ``size`` bytes that belongs to ``image``.

        What the sink already holds is continued, over endpoints and over broken connections; a result with another
        digest is thrown away. Returns only when the digest was right. Raises as ``manifest``, and what the sink raises.
        """

        def send(client: HttpClient, url: Url, headers: dict[str, str]) -> None:
            download = Download(url, size=size, digest=digest, headers=headers)
            fetch(client, download, sink, deadline=deadline, hasher=sink)

        def ask(endpoint: Endpoint) -> None:
            inherited = sink.position > 0
            self._note_asked(endpoint.host)
            try:
                self._requests.perform(endpoint, f"blobs/{digest}", deadline, send, progress=lambda: sink.position)
            except TransferError:
                if sink.position < size or sink.hexdigest() == digest.hex:
                    raise
                sink.restart()
                # The beginning may be damaged by a power cut between two runs: that is not this endpoint's fault.
                if not inherited:
                    raise
                ask(endpoint)

        self._first(f"fetch the blob {digest}", image, ask)

    def part(
        self, image: ImageReference, digest: Digest, start: int, stop: int, size: int, *, deadline: Deadline
    ) -> bytes:
        """Return the bytes from ``start`` up to, not including, ``stop`` of the blob ``digest`` of ``size`` bytes.

        Nothing proves them: that is left to the caller. They are at most 16 MiB. Raises as ``manifest``.
        """
        if stop - start > LARGEST_PART:
            raise unusable_download(f"{stop - start} bytes are more than a part of a blob may have")

        def send(client: HttpClient, url: Url, headers: dict[str, str]) -> bytes:
            sink = _PartSink(start)
            download = Download(url, start, stop, size, headers=headers, proved_later=True)
            fetch(client, download, sink, deadline=deadline)
            return bytes(sink.content)

        def ask(endpoint: Endpoint) -> bytes:
            return self._requests.perform(endpoint, f"blobs/{digest}", deadline, send)

        return self._first(f"fetch the bytes {start} to {stop} of the blob {digest}", image, ask)

    def _first(self, attempted: str, reference: ImageReference, ask: Callable[[Endpoint], _Found]) -> _Found:
        failures: dict[Endpoint, FieldOpsError] = {}
        wanted = sorted(self._rules.endpoints(reference), key=lambda one: self._availability.is_away(one.host))
        for _round in range(_SLOW_ROUNDS):
            for endpoint in wanted:
                found, failure = self._asked(endpoint, ask)
                if failure is None:
                    return t.cast("_Found", found)
                failures[endpoint] = failure
            wanted = [endpoint for endpoint, failure in failures.items() if is_slow(failure)]
        raise none_has_it(attempted, str(reference), list(failures.items()))

    def _asked(
        self, endpoint: Endpoint, ask: Callable[[Endpoint], _Found]
    ) -> tuple[_Found | None, FieldOpsError | None]:
        try:
            found = ask(endpoint)
        except (TransferError, RegistryError, TlsError) as error:
            self._availability.note_failure(endpoint.host, error)
            return None, error
        self._availability.note_success(endpoint.host)
        return found, None


_Found = t.TypeVar("_Found")


class _PartSink:
    """A sink in memory for the bytes from ``start`` on."""

    def __init__(self, start: int) -> None:
        self.content = bytearray()
        self._start = start

    @property
    def position(self) -> int:
        return self._start + len(self.content)

    def write(self, chunk: memoryview) -> None:
        self.content += chunk
