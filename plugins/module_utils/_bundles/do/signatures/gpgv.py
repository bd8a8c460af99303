# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""OpenPGP signatures, judged by gpgv alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.gpg_verdict import (
    GpgVerdict,
    gpg_verdict,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandResult
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.scratch import scratch_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

SECONDS = 60.0
LONGEST_MESSAGE = 256 * 1024
WEAK_DIGESTS = ("SHA1", "RIPEMD160")
"""Hash algorithms that gpgv itself would still accept. MD5 it refuses anyway."""

_SOME_NOT_COUNTED = 2
"""What gpgv ends with when it could not verify one of several signatures, such as one by an unknown key."""


@dataclass(frozen=True)
class SignedMessage:
    """A message and what gpgv says of it; ``text`` means nothing unless the verdict is good."""

    verdict: GpgVerdict
    text: str


class Gpgv:
    """Verifies with the public keys in ``ring`` alone; nothing of the user's own GnuPG is read."""

    def __init__(self, ring: bytes, clock: Clock) -> None:
        self._ring = ring
        self._clock = clock

    def open_message(self, message: bytes) -> SignedMessage:
        """Return what is inside the signed ``message``. Raises MissingRequirementError, DeadlineExceededError."""
        with scratch_directory() as scratch:
            signed = scratch / "message"
            write_file(signed, message, mode=0o600, durable=False)
            # The text goes through a pipe of bounded length: a compressed message could fill any disk.
            ended = self._run(scratch, ["--output", "-", str(signed)])
        verdict = _judged(ended, gpg_verdict(ended.stderr))
        if ended.stdout_cut:
            verdict = GpgVerdict((), f"the message in it is longer than {LONGEST_MESSAGE} bytes")
        return SignedMessage(verdict, ended.stdout)

    def verify_detached(self, content: bytes, signature: bytes) -> GpgVerdict:
        """Return the verdict on the detached ``signature`` of ``content``."""
        with scratch_directory() as scratch:
            signed, signing = scratch / "content", scratch / "signature"
            write_file(signed, content, mode=0o600, durable=False)
            write_file(signing, signature, mode=0o600, durable=False)
            ended = self._run(scratch, [str(signing), str(signed)])
        return _judged(ended, gpg_verdict(ended.stderr, detached=True))

    def _run(self, scratch: Path, words: list[str]) -> CommandResult:
        ring = scratch / "trusted.gpg"
        write_file(ring, self._ring, mode=0o600, durable=False)
        weak = [word for digest in WEAK_DIGESTS for word in ("--weak-digest", digest)]
        return Host(self._clock).run(
            ["gpgv", "--homedir", str(scratch), "--keyring", str(ring), *weak, "--status-fd", "2", *words],
            deadline=Deadline(SECONDS, self._clock),
            ok=None,
            limit=LONGEST_MESSAGE,
        )


def _judged(ended: CommandResult, verdict: GpgVerdict) -> GpgVerdict:
    """Return the verdict, a good one only if gpgv reported all and ended as it does in such a case."""
    if ended.stderr_cut:
        return GpgVerdict((), "it has more signatures than can be verified")
    expected = (0, _SOME_NOT_COUNTED) if verdict.others else (0,)
    if verdict.is_good and ended.rc not in expected:
        return GpgVerdict((), f"gpgv ended with status {ended.rc}", verdict.others)
    return verdict
