# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A digest that a person has vetted: complete, or a beginning that is long enough to prove content."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

LEAST_DIGITS = 32
"""128 bits: other content with the same beginning cannot be found for given content."""
_FORM = re.compile(r"sha256:([0-9a-f]{1,64})", re.ASCII)


@dataclass(frozen=True)
class VettedDigest:
    """``hex`` is what all bytes that are accepted have at the beginning of their SHA-256 digest."""

    hex: str

    def __str__(self) -> str:
        return f"sha256:{self.hex}"

    @classmethod
    def parse(cls, text: str) -> VettedDigest:
        """Return the digest written as ``text``; raise InvalidInputError for another form and for too few bits."""
        found = _FORM.fullmatch(text)
        digits = found[1] if found is not None else ""
        if len(digits) < LEAST_DIGITS:
            few = f"{len(digits)} hexadecimal digits, which are {4 * len(digits)} bits, do not prove enough"
            raise InvalidInputError(
                "read a vetted digest",
                on=repr(text[:100]),
                seen=few if digits else "it is not 'sha256:' followed by lower-case hexadecimal digits",
                advice=f"Specify the complete digest, or at least its first {LEAST_DIGITS} digits (128 bits).",
            )
        return cls(digits)

    def matches(self, digest: Digest) -> bool:
        """Whether ``digest`` is the vetted one, as far as that is known."""
        return digest.hex.startswith(self.hex)
