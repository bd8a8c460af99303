# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The verification of a bundle in one line: its index digest, and which keys signed."""

from __future__ import annotations

from collections.abc import Sequence


def key_name(fingerprint: str) -> str:
    """Return the long key ID of an OpenPGP fingerprint, as GnuPG shows it; other names of keys stay as they are."""
    if ":" in fingerprint:
        return fingerprint
    # Source: RFC 9580, 5.5.4: keys of version 4 are known by the end of their fingerprint, later ones by its beginning.
    return fingerprint[-16:] if len(fingerprint) == 40 else fingerprint[:16]


def signed_by(signers: Sequence[str]) -> str:
    """Return who signed in words, such as ``signed by 199E2F91FD431D51``."""
    return f"signed by {', '.join(key_name(one) for one in signers)}" if signers else "not signed by a trusted key"


def proof_sentence(index_digest: str, trusted: bool | None, signers: Sequence[str]) -> str:
    """Return what is proved of an index that was not refused."""
    if trusted is None:
        return f"index {index_digest}, not verified"
    return f"trusted: index {index_digest}{f', {signed_by(signers)}' if signers else ''}"


def release_proof(signers: Sequence[str], warnings: Sequence[str]) -> str:
    """Return in words who vouches for the release inside a bundle; empty where no release was judged."""
    if signers:
        return f"release {signed_by(signers)}"
    return "release not verified" if warnings else ""


def release_warnings(trusted_keys: Sequence[str] | None, release: str, *, has_built_in_key: bool) -> tuple[str, ...]:
    """Return what has to be known when no key was there to judge a ``release`` by; ``trusted_keys`` as given."""
    if trusted_keys or (trusted_keys is None and has_built_in_key):
        return ()
    if trusted_keys is None:
        return (f"No key was specified and none is built in for {release}: its signature was not verified.",)
    return (f"trusted_keys is empty: the signature of {release} was not verified.",)
