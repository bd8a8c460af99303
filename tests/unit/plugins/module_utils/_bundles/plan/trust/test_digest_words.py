# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The words are those of BIP-39: the vectors are from its reference implementation."""

from __future__ import annotations

import sys

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.digest_words import (
    digest_words,
    vetted_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)

pytest.importorskip("mnemonic")

# Source: github.com/trezor/python-mnemonic, vectors.json.
FIRST = "legal winner thank year wave sausage worth useful legal winner thank yellow"
FIRST_HEX = "7f" * 16
SECOND = "ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic"
SECOND_HEX = "9e885d952ad362caeb4efe34a8e91bd2"


def test_each_half_is_a_phrase() -> None:
    assert digest_words(Digest(FIRST_HEX + SECOND_HEX)) == (FIRST, SECOND)


@pytest.mark.parametrize(
    ("text", "digest"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param(f" sha256:{FIRST_HEX}{SECOND_HEX} ", f"sha256:{FIRST_HEX}{SECOND_HEX}", id="the digest itself"),
        pytest.param(f"sha256:{FIRST_HEX}", f"sha256:{FIRST_HEX}", id="its beginning"),
        pytest.param(FIRST, f"sha256:{FIRST_HEX}", id="one line"),
        pytest.param(FIRST.upper(), f"sha256:{FIRST_HEX}", id="capitals"),
        pytest.param(" ".join(word[:4] for word in FIRST.split()), f"sha256:{FIRST_HEX}", id="four letters"),
        pytest.param(
            ", ".join(f"{number}. {word}" for number, word in enumerate(FIRST.split(), 1)),
            f"sha256:{FIRST_HEX}",
            id="numbered",
        ),
    ],
)
def test_what_a_person_passes_on(text: str, digest: str) -> None:
    assert vetted_digest(text) == digest


def test_both_lines_are_the_whole_digest() -> None:
    digest = Digest(FIRST_HEX + SECOND_HEX)
    assert vetted_digest("\n".join(digest_words(digest))) == str(digest)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        pytest.param(" ".join(FIRST.split()[:11]), "it has 11 words", id="too few bits"),
        pytest.param(f"{FIRST} {FIRST.split()[0]}", "it has 13 words", id="a word too many"),
        pytest.param(f"{FIRST} " * 3, "it has 36 words", id="three lines"),
        pytest.param(FIRST.replace("wave", "wafe"), "line 1: wafe is not in the list of words", id="misheard"),
        pytest.param(FIRST.replace("sausage", "sa"), "line 1: sa is not in the list of words", id="too short"),
        pytest.param(FIRST.replace("yellow", "year"), "line 1: the words do not match their checksum", id="exchanged"),
        pytest.param(f"{FIRST} {SECOND[:-6]}zoo", "line 2: the words do not match", id="the second line"),
    ],
)
def test_what_proves_too_little_or_is_misheard_is_refused(text: str, seen: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        vetted_digest(text)
    assert refused.value.seen.startswith(seen)


def test_a_digest_needs_no_library_and_words_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mnemonic", None)
    assert vetted_digest(f"sha256:{FIRST_HEX}") == f"sha256:{FIRST_HEX}"
    with pytest.raises(MissingRequirementError, match="Install the Python package mnemonic"):
        vetted_digest(FIRST)
