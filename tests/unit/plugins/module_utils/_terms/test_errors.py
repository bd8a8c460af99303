# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Errors: sentences for people, data for programs, the same after a journey."""

from __future__ import annotations

import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    FieldOpsError,
    InvalidInputError,
)

ERROR = DeadlineExceededError(
    "drain", on="node n1", seen="2 pods left.", advice="Look at them.", partial={"evicted": 7}, transient=True
)
DATA = {
    "kind": "deadline_exceeded",
    "attempted": "drain",
    "on": "node n1",
    "seen": "2 pods left.",
    "advice": "Look at them.",
    "partial": {"evicted": 7},
    "transient": True,
}


def test_an_error_is_one_sentence_and_a_piece_of_advice() -> None:
    assert str(ERROR) == "Could not drain on node n1: 2 pods left. Look at them."


def test_an_error_is_data() -> None:
    assert ERROR.as_data() == DATA


@pytest.mark.parametrize("kind", [FieldOpsError, InvalidInputError], ids=lambda kind: kind.__name__)
def test_an_error_that_happened_elsewhere_keeps_its_words_and_kind(kind: type[FieldOpsError]) -> None:
    error = kind.from_data(DATA)
    assert error.__class__ is kind
    assert str(error) == str(ERROR)
    assert error.as_data() == DATA
    assert kind.kind != DATA["kind"]


@given(
    st.dictionaries(
        st.sampled_from(sorted(DATA)), st.none() | st.integers() | st.text() | st.dictionaries(st.text(), st.text())
    )
)
def test_damaged_data_is_read_as_far_as_it_goes(data: dict[str, t.Any]) -> None:
    error = InvalidInputError.from_data(data)
    assert error.attempted == str(data.get("attempted", ""))
    assert isinstance(error.partial, dict)
    assert error.transient is False
