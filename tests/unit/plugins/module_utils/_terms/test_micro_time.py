# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of, micro_time

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=timezone.utc)
INSTANTS = st.datetimes(min_value=datetime(1970, 1, 1), timezones=st.just(timezone.utc))


def test_a_whole_second_has_six_digits_all_the_same() -> None:
    assert micro_time(NOON) == "2026-11-21T12:00:00.000000Z"


def test_another_zone_is_written_as_utc() -> None:
    assert micro_time(NOON.astimezone(timezone(timedelta(hours=-5)))) == "2026-11-21T12:00:00.000000Z"


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-21T12:00:00Z",
        "2026-11-21T12:00:00.0Z",
        "2026-11-21T12:00:00.000000123Z",
        "2026-11-21t12:00:00z",
        "2026-11-21T13:00:00+01:00",
        " 2026-11-21T12:00:00Z\n",
    ],
)
def test_every_form_of_rfc_3339_is_read(text: str) -> None:
    assert instant_of(text) == NOON


@pytest.mark.parametrize(
    "text", ["", "now", "2026-11-21", "2026-11-21T12:00:00", "2026-13-21T12:00:00Z", "2026-11-21T25:00:00Z", "9" * 400]
)
def test_what_names_no_instant_is_none(text: str) -> None:
    assert instant_of(text) is None


@given(INSTANTS)
def test_what_was_written_is_read_back(instant: datetime) -> None:
    assert instant_of(micro_time(instant)) == instant


@given(INSTANTS, INSTANTS)
def test_texts_sort_as_their_instants_do(one: datetime, other: datetime) -> None:
    assert (micro_time(one) < micro_time(other)) == (one < other)
