# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The digests of one blob while its bytes pass by: of the whole, and of its beginnings where it is large.

A beginning that has the digest of a prefix is proved, whatever follows. So a transfer continues from there, a relay
passes on what is proved, and a repair keeps it. The state of one SHA-256 gives all of them: nothing is hashed twice.
"""

from __future__ import annotations

import hashlib
import typing as t
from collections.abc import Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    PREFIX_STEP,
    prefix_count,
)


class _Sha256(t.Protocol):
    """The object that hashlib.sha256 returns."""

    def update(self, block: memoryview, /) -> object:
        """Add ``block``."""

    def hexdigest(self) -> str:
        """Return the digest of all that was added."""

    def copy(self) -> _Sha256:
        """Return one that continues from here on its own."""


class PrefixHasher:
    """Hashes a blob in blocks of any length. ``expected`` are the digests of its prefixes, where they are known."""

    def __init__(self, expected: Sequence[str] = ()) -> None:
        self._expected = tuple(expected)
        self.restart()

    def restart(self) -> None:
        """Begin with the first byte again."""
        self._whole: _Sha256 = hashlib.sha256()
        self._prefixes: list[str] = []
        self.position = 0
        self.proved = 0
        self.is_wrong = False
        self._proved_state: _Sha256 = hashlib.sha256()

    def update(self, block: memoryview) -> None:
        """Add ``block``; ``proved`` and ``is_wrong`` then show how it compares with the expected content."""
        while block:
            part = block[: PREFIX_STEP - self.position % PREFIX_STEP]
            self._whole.update(part)
            self.position += len(part)
            block = block[len(part) :]
            if self.position % PREFIX_STEP == 0:
                self._end_prefix()

    def rewind(self) -> int:
        """Go back to the end of what is proved, and return how many bytes that are."""
        self._whole = self._proved_state.copy()
        self._prefixes = self._prefixes[: self.proved // PREFIX_STEP]
        self.position, self.is_wrong = self.proved, False
        return self.proved

    def hexdigest(self) -> str:
        """Return the digest of all bytes so far."""
        return self._whole.hexdigest()

    def prefixes(self) -> tuple[str, ...]:
        """Return the digests of the prefixes of the blob that ends here."""
        return tuple(self._prefixes[: prefix_count(self.position)])

    def _end_prefix(self) -> None:
        self._prefixes.append(self._whole.hexdigest())
        number = len(self._prefixes)
        if number > len(self._expected) or self.is_wrong:
            return
        if self._prefixes[-1] == self._expected[number - 1]:
            self.proved, self._proved_state = self.position, self._whole.copy()
        else:
            self.is_wrong = True
