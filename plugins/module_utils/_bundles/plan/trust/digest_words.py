# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The digest of an index as a person passes it on: complete, or as words that can be read out by telephone.

Each half of the digest, 128 bits, is a phrase of twelve English words with a checksum of four bits. Source: BIP-39,
"Mnemonic code for generating deterministic keys", whose list has no two words with the same first four letters.
"""

from __future__ import annotations

import re
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)

if t.TYPE_CHECKING:
    from mnemonic import Mnemonic


PHRASE = 12
"""Words for a half of a digest."""
HALF_BYTES = 16
_WORD = re.compile(r"[a-z]+", re.ASCII)


def digest_words(digest: Digest) -> tuple[str, str]:
    """Return the phrases of both halves; raise MissingRequirementError without the library."""
    content, book = bytes.fromhex(digest.hex), _book()
    return book.to_mnemonic(content[:HALF_BYTES]), book.to_mnemonic(content[HALF_BYTES:])


def vetted_digest(text: str) -> str:
    """Return words that a person passed on as a digest, or the first 12 as its beginning; other texts as they are.

    Words may be abbreviated to four letters, and numbered. Raises InvalidInputError for wrong words, and for a number
    of them that proves too little. A text with a colon is no words: who uses it as a digest judges it.
    """
    given = text.strip()
    if not given or ":" in given:
        return given
    words = _WORD.findall(given.lower())
    if len(words) not in (PHRASE, 2 * PHRASE):
        seen = f"it has {len(words)} words"
        raise _refusal(seen, "Enter the 12 words of the first line, or the 24 words of both lines.")
    phrases = [words[start : start + PHRASE] for start in range(0, len(words), PHRASE)]
    return f"sha256:{''.join(_half(phrase, line) for line, phrase in enumerate(phrases, start=1))}"


def _half(words: list[str], line: int) -> str:
    """Return a half of a digest, in hexadecimal digits."""
    book = _book()
    complete = [book.expand_word(word) for word in words]
    unknown = [word for word in complete if word not in book.wordlist]
    if unknown:
        seen = f"line {line}: {', '.join(unknown)} is not in the list of words"
        raise _refusal(seen, "Correct the words. At least the first four letters of each are needed.")
    try:
        return bytes(book.to_entropy(complete)).hex()
    except ValueError:
        seen = f"line {line}: the words do not match their checksum"
        raise _refusal(seen, "Compare the words and their order again: at least one is wrong.") from None


def _book() -> Mnemonic:
    try:
        from mnemonic import Mnemonic
    except ImportError as error:
        raise MissingRequirementError(
            "convert the digest of a bundle and its words",
            on="the Python package mnemonic",
            seen=str(error),
            advice="Install the Python package mnemonic together with ansible-core, or use the digest itself.",
        ) from error
    return Mnemonic("english")


def _refusal(seen: str, advice: str) -> InvalidInputError:
    return InvalidInputError("read the words of a digest", on="the digest of the bundle", seen=seen, advice=advice)
