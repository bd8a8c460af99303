# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""A client of image registries: manifests whole, blobs as streams, each from the first endpoint that has it right.

Source: OCI distribution specification 1.1; distribution ``docs/spec/api.md``.
"""

from __future__ import annotations

import hashlib
import typing as t
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._net.download import fetch
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download_request import Download
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.challenge import parse_challenges
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_access import RegistryAccess
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import (
    RegistryError,
    none_has_it,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.tokens import TokenStore
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import IMAGE_LISTS, IMAGE_MANIFESTS

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from ansible_collections.fieldops.openshift.plugins.module_utils._net.messages import Response
    from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.mirror_rules import Endpoint
    from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_access import (
        RegistrySettings,
    )
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

LARGEST_MANIFEST = 4 * 1024 * 1024
"""Bytes of a manifest; registries refuse larger ones (OCI distribution specification, "Pushing Manifests")."""

_ACCEPT = ", ".join(sorted(IMAGE_MANIFESTS | IMAGE_LISTS))


@dataclass(frozen=True)
class Manifest:
    """The exact bytes that a registry keeps under ``digest``; ``media_type`` is what it says they are."""

    digest: Digest
    media_type: str
    content: bytes = field(repr=False)


class BlobSink(t.Protocol):
    """Where a blob goes: a sink of a download that can begin anew."""

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
    """Any number of registries behind one pull secret and one set of mirror rules. Threads share it; close it."""

    def __init__(self, settings: RegistrySettings, clock: Clock) -> None:
        self._rules = settings.rules
        self._access = RegistryAccess(settings, clock)
        self._tokens = TokenStore(settings.pull_secret, clock)
        self._clock = clock
        self._away_until: dict[str, float] = {}

    def __enter__(self) -> RegistryClient:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._access.close()

    def manifest(self, reference: ImageReference, *, deadline: Deadline) -> Manifest:
        """Return the manifest of ``reference``, whose digest is right where the reference has one.

        Raises RegistryError naming the image and every endpoint that was asked, DeadlineExceededError, TlsError.
        """
        name = str(reference.digest or reference.tag or "latest")

        def ask(endpoint: Endpoint) -> Manifest:
            answer = self._get(endpoint, f"manifests/{name}", deadline, {"Accept": _ACCEPT})
            return _checked(answer, reference.digest, endpoint)

        return self._first("fetch the manifest", str(reference), reference, ask)

    def find_manifest(self, reference: ImageReference, *, deadline: Deadline) -> Manifest | None:
        """Return the manifest of ``reference``, None where every endpoint says that there is none."""
        try:
            return self.manifest(reference, deadline=deadline)
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
        progress: Callable[[int], object] | None = None,
    ) -> None:
        """Fill ``sink`` with the blob ``digest`` of ``size`` bytes that belongs to ``image``.

        What the sink already holds is continued, over endpoints and over broken connections; a result with another
        digest is thrown away. Returns only when the digest was right. Raises as ``manifest``, and what the sink raises.
        """

        def ask(endpoint: Endpoint) -> None:
            self._fetch(endpoint, digest, size, sink, deadline, progress)

        self._first(f"fetch the blob {digest}", str(image), image, ask)

    def part(
        self, image: ImageReference, blob: Digest, start: int, stop: int, size: int, *, deadline: Deadline
    ) -> bytes:
        """Return the bytes of ``blob`` from ``start`` up to ``stop``, which nothing proves yet. Raises as ``blob``."""

        def ask(endpoint: Endpoint) -> bytes:
            sink = _Piece(start)
            header = self._tokens.header_for(endpoint) or self._log_in(endpoint, None, deadline)
            client, scheme = self._access.client_for(endpoint, deadline)
            url = _url(scheme, endpoint, f"blobs/{blob}")
            headers = {"Authorization": header} if header else {}
            fetch(client, Download(url, start=start, stop=stop, size=size, headers=headers), sink, deadline=deadline)
            return bytes(sink.content)

        return self._first(f"fetch the bytes {start} to {stop} of the blob {blob}", str(image), image, ask)

    def _first(self, attempted: str, on: str, reference: ImageReference, ask: Callable[[Endpoint], _Found]) -> _Found:
        failures: list[tuple[Endpoint, FieldOpsError]] = []
        endpoints = self._rules.endpoints(reference)
        for endpoint in sorted(endpoints, key=self._is_away):
            found, failure = self._asked(ask, endpoint)
            if failure is None:
                return t.cast("_Found", found)
            failures.append((endpoint, failure))
        raise none_has_it(attempted, on, failures)

    def _asked(
        self, ask: Callable[[Endpoint], _Found], endpoint: Endpoint
    ) -> tuple[_Found | None, TransferError | RegistryError | None]:
        try:
            return ask(endpoint), None
        except (TransferError, RegistryError) as error:
            if error.transient and getattr(error, "status", None) is None:
                self._note_away(endpoint)
            return None, error

    def _fetch(
        self,
        endpoint: Endpoint,
        digest: Digest,
        size: int,
        sink: BlobSink,
        deadline: Deadline,
        progress: Callable[[int], object] | None,
    ) -> None:
        logged_in_at: int | None = None
        inherited = sink.position > 0
        while True:
            header = self._tokens.header_for(endpoint)
            try:
                self._fetch_once(endpoint, digest, size, sink, header, deadline, progress)
            except TransferError as error:
                if sink.position >= size and sink.hexdigest() != digest.hex:
                    sink.restart()
                    # The beginning may have been spoilt by a power cut between two sittings: that is no one's fault.
                    if not inherited:
                        raise
                    inherited = False
                elif error.status == 401 and sink.position != logged_in_at:
                    logged_in_at = sink.position
                    self._log_in(endpoint, header, deadline)
                else:
                    raise
            else:
                return

    def _fetch_once(
        self,
        endpoint: Endpoint,
        digest: Digest,
        size: int,
        sink: BlobSink,
        header: str | None,
        deadline: Deadline,
        progress: Callable[[int], object] | None,
    ) -> None:
        client, scheme = self._access.client_for(endpoint, deadline)
        url = _url(scheme, endpoint, f"blobs/{digest}")
        headers = {"Authorization": header} if header else {}
        download = Download(url, size=size, digest=digest, headers=headers)
        fetch(client, download, sink, deadline=deadline, hasher=sink, progress=progress)

    def _get(self, endpoint: Endpoint, path: str, deadline: Deadline, headers: dict[str, str]) -> Response:
        client, scheme = self._access.client_for(endpoint, deadline)
        url = _url(scheme, endpoint, path)
        header = self._tokens.header_for(endpoint)
        answer = client.request("GET", url, deadline=deadline, headers=_with(headers, header))
        if answer.status == 401:
            header = self._answered(endpoint, answer, header, deadline)
            answer = client.request("GET", url, deadline=deadline, headers=_with(headers, header))
            if answer.status == 401:
                raise self._tokens.refusal(endpoint)
        return answer.require(200)

    def _log_in(self, endpoint: Endpoint, refused: str | None, deadline: Deadline) -> str | None:
        """Return the authorization for ``endpoint``, other than the ``refused`` one; None where none is wanted.

        The base of the API is asked, because a request for a blob may be led to a server that allows nothing but that.
        """
        client, scheme = self._access.client_for(endpoint, deadline)
        answer = client.request("GET", _base(scheme, endpoint), deadline=deadline)
        return self._answered(endpoint, answer, refused, deadline) if answer.status == 401 else None

    def _answered(self, endpoint: Endpoint, answer: Response, refused: str | None, deadline: Deadline) -> str:
        client, scheme = self._access.client_for(endpoint, deadline)
        challenges = parse_challenges(answer.headers.get_all("WWW-Authenticate"))
        return self._tokens.answer(
            endpoint, challenges, refused=refused, client=client, scheme=scheme, deadline=deadline
        )

    def _is_away(self, endpoint: Endpoint) -> bool:
        return self._away_until.get(endpoint.host, 0.0) > self._clock.monotonic()

    def _note_away(self, endpoint: Endpoint) -> None:
        # A mirror that is down would cost its whole patience for every single image.
        self._away_until[endpoint.host] = self._clock.monotonic() + 60.0


_Found = t.TypeVar("_Found")


class _Piece:
    """A sink in memory for the bytes from ``start`` on."""

    def __init__(self, start: int) -> None:
        self.content = bytearray()
        self._start = start

    @property
    def position(self) -> int:
        return self._start + len(self.content)

    def write(self, chunk: memoryview) -> None:
        self.content += chunk


def _with(headers: dict[str, str], authorization: str | None) -> dict[str, str]:
    return {**headers, "Authorization": authorization} if authorization else headers


def _base(scheme: str, endpoint: Endpoint) -> Url:
    host = "registry-1.docker.io" if endpoint.host == "docker.io" else endpoint.host
    return Url.parse(f"{scheme}://{host}/v2/")


def _url(scheme: str, endpoint: Endpoint, path: str) -> Url:
    repository = endpoint.repository
    if endpoint.host == "docker.io" and "/" not in repository:
        repository = f"library/{repository}"
    return _base(scheme, endpoint).join(f"{repository}/{path}")


def _checked(answer: Response, wanted: Digest | None, endpoint: Endpoint) -> Manifest:
    digest = Digest(hashlib.sha256(answer.body).hexdigest())
    if len(answer.body) > LARGEST_MANIFEST:
        raise _spoilt(endpoint, f"the manifest has {len(answer.body)} bytes, more than {LARGEST_MANIFEST}")
    told = answer.headers.get("Docker-Content-Digest")
    if wanted is not None and digest != wanted:
        raise _spoilt(endpoint, f"the manifest has the digest {digest} instead of {wanted}")
    if wanted is None and told is not None and told != str(digest):
        raise _spoilt(endpoint, f"the manifest has the digest {digest}, not the one that the registry announced")
    media_type = answer.headers.get("Content-Type", "").partition(";")[0].strip()
    return Manifest(digest, media_type, answer.body)


def _spoilt(endpoint: Endpoint, seen: str) -> RegistryError:
    return RegistryError(
        "fetch the manifest",
        on=endpoint.name,
        seen=seen,
        advice="This registry or a proxy on the way holds damaged or other content; take the image from elsewhere.",
    )
