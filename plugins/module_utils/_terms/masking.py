# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets taken out of whatever is about to be written or shown."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable

MASK = "********"

SHORTEST = 4
"""Values of fewer characters are not masked: they protect nothing, and hiding each "1" would ruin every report."""


class Mask:
    """Replaces each of ``secrets`` by ``MASK`` in text, bytes and JSON-like documents."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        # Longest first: a secret that contains another one must go as a whole.
        self._secrets = sorted({s for s in secrets if len(s) >= SHORTEST}, key=lambda s: (-len(s), s))

    def text(self, text: str) -> str:
        """Return ``text`` without the secrets."""
        for secret in self._secrets:
            text = text.replace(secret, MASK)
        return text

    def raw(self, content: bytes) -> bytes:
        """Return ``content`` without the UTF-8 form of the secrets."""
        for secret in self._secrets:
            content = content.replace(secret.encode(), MASK.encode())
        return content

    def pending(self, content: bytes) -> int:
        """Return how many bytes at the end of ``content`` may be the beginning of a secret."""
        secrets = [secret.encode() for secret in self._secrets]
        return max((n for secret in secrets for n in range(1, len(secret)) if content.endswith(secret[:n])), default=0)

    def document(self, document: t.Any) -> t.Any:
        """Return a copy of the JSON-like ``document`` without the secrets, in its keys as well."""
        if isinstance(document, str):
            return self.text(document)
        if isinstance(document, dict):
            return {self.document(key): self.document(value) for key, value in document.items()}
        if isinstance(document, (list, tuple)):
            return [self.document(value) for value in document]
        return document
