# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Content digests as registries and bundles write them: ``sha256:`` and 64 lower-case hexadecimal digits."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

_FORM = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)
_SHORT = 12


@dataclass(frozen=True, order=True)
class Digest:
    """One digest; only SHA-256 is accepted because nothing in an OpenShift release uses another algorithm.

    Source: OCI image specification, descriptor.md, "Digests".
    """

    hex: str

    @property
    def algorithm(self) -> str:
        """Return the name of the algorithm as hashlib knows it."""
        return "sha256"

    @property
    def short(self) -> str:
        """Return the first twelve digits, for names of directories and for people."""
        return self.hex[:_SHORT]

    def __str__(self) -> str:
        return f"{self.algorithm}:{self.hex}"

    @classmethod
    def parse(cls, text: str) -> Digest:
        """Return the digest written as ``text``; raise InvalidInputError for any other form."""
        if not _FORM.fullmatch(text):
            raise InvalidInputError(
                "read a digest",
                on=repr(text[:100]),
                seen="it is not 'sha256:' followed by 64 lower-case hexadecimal digits",
                advice="Copy the complete digest, as 'skopeo inspect' or 'oc adm release info' prints it.",
            )
        return cls(text.partition(":")[2])
