# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets leave no trace in what is masked."""

from __future__ import annotations

import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.masking import MASK, Mask

LETTERS = st.text("abXY", min_size=0, max_size=40)


@pytest.mark.parametrize(
    ("secrets", "text", "masked"),
    [
        pytest.param(["hunter22"], "password hunter22!", f"password {MASK}!", id="in-a-text"),
        pytest.param(["hunter22"], "hunter2", "hunter2", id="a-beginning-is-no-secret"),
        pytest.param(["abcd", "abcdef"], "abcdef", MASK, id="the-longer-one-goes-as-a-whole"),
        pytest.param(["a.c+"], "abcc a.c+", f"abcc {MASK}", id="no-pattern-is-meant"),
        pytest.param(["pässword"], "pässword", MASK, id="beyond-ascii"),
        pytest.param(["1", ""], "1 of 10", "1 of 10", id="too-short-to-protect"),
        pytest.param([], "text", "text", id="no-secrets"),
    ],
)
def test_text(secrets: list[str], text: str, masked: str) -> None:
    mask = Mask(secrets)
    assert mask.text(text) == masked
    assert mask.raw(text.encode()) == masked.encode()


@pytest.mark.parametrize(
    ("content", "pending"),
    [(b"hunter22", 0), (b"the hunt", 4), (b"the hunt.", 0), (b"hunter2", 7), (b"", 0), (b"swordfis", 8)],
    ids=["whole", "begun", "something-else", "all-but-one", "nothing", "another-one"],
)
def test_what_may_become_a_secret_is_pending(content: bytes, pending: int) -> None:
    assert Mask(["hunter22", "swordfish"]).pending(content) == pending


def test_documents_are_masked_in_keys_and_values_at_any_depth() -> None:
    document = {"token-s3cret": ["x s3cret", {"n": 1, "t": ("s3cret",)}], "ok": None, "flag": True}
    expected = {f"token-{MASK}": [f"x {MASK}", {"n": 1, "t": [MASK]}], "ok": None, "flag": True}
    assert Mask(["s3cret"]).document(document) == expected


@given(st.lists(st.text("abXY", min_size=4, max_size=8), max_size=4), LETTERS)
def test_no_secret_survives(secrets: list[str], text: str) -> None:
    masked = Mask(secrets).text(text)
    assert not [secret for secret in secrets if secret in masked]


DOCUMENTS = st.recursive(
    st.none() | st.integers() | LETTERS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(LETTERS, inner, max_size=3),
    max_leaves=5,
)


@given(DOCUMENTS)
def test_without_secrets_a_document_stays_as_it_is(document: t.Any) -> None:
    assert Mask().document(document) == document
