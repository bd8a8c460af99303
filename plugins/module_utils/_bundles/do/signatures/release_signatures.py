# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The GPG signatures of a release: where they are found, and whether one of them is by a trusted key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import (
    PayloadError,
    SignatureError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.gpgv import Gpgv
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.signed_statement import (
    ATOMIC,
    statement_problem,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TlsError, TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

OFFICIAL_STORES = (
    "https://mirror.openshift.com/pub/openshift-v4/signatures/openshift/release",
    "https://storage.googleapis.com/openshift-release/official/signatures/openshift/release",
)
"""Where Red Hat publishes the signatures. Source: openshift/cluster-update-keys ``manifests.rhel``."""

MOST_SIGNATURES = 9
"""Numbers that a cluster looks for. Source: openshift/library-go ``pkg/verify/verify.go``, ``maxSignatureSearch``."""

LARGEST_SIGNATURE = 256 * 1024


@dataclass(frozen=True)
class FoundSignatures:
    """Signatures in the order found, each once; ``failures`` say which stores could not be asked, and why."""

    messages: tuple[bytes, ...]
    failures: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReleaseTrust:
    """The signers of the release: primary ``fingerprints`` of trusted keys; ``refusals`` are about other signatures."""

    fingerprints: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()


class SignatureStores:
    """Folders and URLs with files ``sha256=<hex>/signature-<n>``, n from 1 without a gap."""

    def __init__(self, stores: Sequence[str], client: HttpClient) -> None:
        self._stores = stores
        self._client = client

    def find(self, digest: Digest, *, deadline: Deadline) -> FoundSignatures:
        """Return the signatures of ``digest`` in all stores; a store that is away is a failure, not an error."""
        found: dict[bytes, None] = {}
        failures: list[str] = []
        for store in self._stores:
            messages, failure = self._asked(store, digest, deadline)
            found.update(dict.fromkeys(messages))
            failures += failure
        return FoundSignatures(tuple(found), tuple(failures))

    def _asked(self, store: str, digest: Digest, deadline: Deadline) -> tuple[list[bytes], list[str]]:
        try:
            return self._in_store(store, digest, deadline), []
        except (TransferError, TlsError) as error:
            return [], [f"{error.on}: {error.seen}"]

    def _in_store(self, store: str, digest: Digest, deadline: Deadline) -> list[bytes]:
        found = []
        for number in range(1, MOST_SIGNATURES + 1):
            message = self._read(store.rstrip("/"), f"sha256={digest.hex}/signature-{number}", deadline)
            if message is None:
                break
            found.append(message)
        return found

    def _read(self, store: str, name: str, deadline: Deadline) -> bytes | None:
        if not store.startswith(("http://", "https://")):
            return read_file(Path(store.removeprefix("file://")) / name, limit=LARGEST_SIGNATURE)
        answer = self._client.request("GET", f"{store}/{name}", deadline=deadline)
        if answer.status == 404:
            return None
        return answer.require(200).body[: LARGEST_SIGNATURE + 1]


def judge_signatures(messages: Iterable[bytes], digest: Digest, gpgv: Gpgv) -> ReleaseTrust:
    """Return who of the trusted signed the image ``digest``, and what is wrong with the other signatures."""
    signers: list[str] = []
    refusals = []
    for number, message in enumerate(messages, 1):
        problem, fingerprints = _judged(message, digest, gpgv)
        signers += fingerprints
        if problem:
            refusals.append(f"signature {number}: {problem}")
    return ReleaseTrust(tuple(dict.fromkeys(signers)), tuple(refusals))


def require_trust(trust: ReleaseTrust, found: FoundSignatures, *, on: str) -> None:
    """Raise SignatureError unless a trusted key signed the release ``on``; say what was seen instead."""
    if trust.fingerprints:
        return
    seen = "; ".join((*trust.refusals, *found.failures)) or "no signature store has a signature of it"
    raise SignatureError(
        "verify the release",
        on=on,
        seen=seen,
        advice="Compare the version and digest with Red Hat's errata. Add its release key to the trusted keys, and "
        "a signature store that has this release.",
    )


def _judged(message: bytes, digest: Digest, gpgv: Gpgv) -> tuple[str, tuple[str, ...]]:
    if len(message) > LARGEST_SIGNATURE:
        return f"it is larger than {LARGEST_SIGNATURE} bytes", ()
    opened = gpgv.open_message(message)
    if not opened.verdict.is_good:
        return opened.verdict.problem, ()
    try:
        problem = statement_problem(opened.text.encode(), ATOMIC, digest)
    except PayloadError as error:
        problem = error.seen
    return problem, () if problem else opened.verdict.signers
