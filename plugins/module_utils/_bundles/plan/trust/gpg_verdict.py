# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What gpgv says of a signed message, read from its status lines.

Source: GnuPG ``doc/DETAILS``, "Format of the --status-fd output"; RFC 9580, 9.1 and 9.5 for the numbers of algorithms.
The exit status alone is not enough: gpgv succeeds for a signature whose key has expired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

_MARK = "[GNUPG:] "
_VETOES = {
    "BADSIG": "a signature does not match the message",
    "FAILURE": "gpgv failed",
    "NODATA": "it is not an OpenPGP message, or contains additional data",
    "UNEXPECTED": "it is not a signed OpenPGP message",
}
_UNCOUNTED = {
    "EXPKEYSIG": "its key has expired",
    "EXPSIG": "the signature itself has expired",
    "REVKEYSIG": "its key was revoked",
}
_ERRORS = {
    "6": "its key is unusable: its self-signature uses SHA-1, or it is damaged",
    "9": "its key is not among the trusted ones",
}
"""Codes of ERRSIG, which are those of libgpg-error: BAD_PUBKEY and NO_PUBKEY."""

STRONG_HASHES = frozenset({"8", "9", "10", "11", "12", "14"})
_HASHES = {"1": "MD5", "2": "SHA-1", "3": "RIPEMD-160"}
WEAK_ALGORITHMS = {"16": "ElGamal", "17": "DSA", "20": "ElGamal"}


@dataclass(frozen=True)
class GpgVerdict:
    """What became of all signatures of a message.

    ``signers`` are the primary fingerprints of the trusted keys whose signatures count. ``others`` name the signatures
    that do not count, each with the reason. ``problem`` is empty if the message is signed well.
    """

    signers: tuple[str, ...]
    problem: str
    others: tuple[str, ...] = ()

    @property
    def is_good(self) -> bool:
        """Whether a trusted key made a valid signature, and none is bad."""
        return bool(self.signers) and not self.problem


@dataclass
class _Signature:
    """One signature: the word that gpgv has for it with its fields, and the fields of VALIDSIG."""

    word: str
    fields: Sequence[str]
    valid: Sequence[str] = field(default_factory=tuple)

    @property
    def key(self) -> str:
        """Return the fingerprint of the primary key, or what else names the key."""
        if len(self.valid) >= 10:
            return self.valid[9]
        if self.word == "ERRSIG" and len(self.fields) >= 7 and self.fields[6] != "-":
            return self.fields[6]
        return self.fields[0] if self.fields else "an unknown key"

    def objection(self) -> str:
        """Return why the signature does not count; empty for one that does."""
        if self.word in _UNCOUNTED:
            return _UNCOUNTED[self.word]
        if self.word == "ERRSIG":
            return self._error()
        if len(self.valid) < 10:
            return "gpgv did not report it as valid"
        return _weakness(self.valid[6], self.valid[7])

    def _error(self) -> str:
        code = self.fields[5] if len(self.fields) > 5 else ""
        if code == "9":
            return _ERRORS[code]
        weak = _weakness(self.fields[1], self.fields[2]) if len(self.fields) > 2 else ""
        return weak or _ERRORS.get(code) or f"gpgv cannot verify it (code {code[:10]!r})"


def gpg_verdict(status: str, *, detached: bool = False) -> GpgVerdict:
    """Return the verdict in the status lines ``status``; one valid signature counts as long as none is bad.

    A signature that was made for ``detached`` content must not bring content of its own.
    """
    lines = [line[len(_MARK) :].split() for line in status.splitlines() if line.startswith(_MARK)]
    words = [line[0] for line in lines if line]
    problems = [text for word, text in _VETOES.items() if word in words]
    if detached and "PLAINTEXT" in words:
        problems.append("it is not a detached signature: it contains a message")
    found = _signatures(lines)
    judged = [(one.key, one.objection()) for one in found if one.word != "BADSIG"]
    signers = tuple(dict.fromkeys(key for key, objection in judged if not objection))
    others = tuple(f"{key}: {objection}" for key, objection in judged if objection)
    others += tuple(f"{one.key}: {_VETOES['BADSIG']}" for one in found if one.word == "BADSIG")
    if not problems and not signers:
        problems.append("; ".join(others) or "it contains no signature")
    return GpgVerdict(() if problems else signers, "; ".join(problems), others)


def _signatures(lines: Sequence[Sequence[str]]) -> list[_Signature]:
    """Return the signatures in their order; VALIDSIG belongs to the word right before it that says how valid."""
    found: list[_Signature] = []
    for line in lines:
        if line and line[0] in {"GOODSIG", "BADSIG", "ERRSIG", *_UNCOUNTED}:
            found.append(_Signature(line[0], line[1:]))
        elif line and line[0] == "VALIDSIG" and found and not found[-1].valid:
            found[-1].valid = line[1:]
    return found


def _weakness(algorithm: str, digest: str) -> str:
    if algorithm in WEAK_ALGORITHMS:
        return f"its key is of the algorithm {WEAK_ALGORITHMS[algorithm]}, which is too weak"
    if digest not in STRONG_HASHES:
        return f"its hash {_HASHES.get(digest, f'algorithm {digest[:10]!r}')} is too weak: SHA-2 or SHA-3 is required"
    return ""
