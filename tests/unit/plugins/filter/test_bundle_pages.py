# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Filters about bundles: what is none of their input is refused in words."""

from __future__ import annotations

import typing as t

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.fieldops.openshift.plugins.filter.bundle_page import bundle_page
from ansible_collections.fieldops.openshift.plugins.filter.vetted_digest import vetted_digest

FORECAST: dict[str, t.Any] = {
    "version": "4.21.3",
    "release": "quay.io/a/b@sha256:c",
    "images": [],
    "content": {
        "rows": [],
        "size": 0,
        "missing": 0,
        "shared": 0,
        "node": {"staged": 0, "unpacked": 0, "estimated": False},
    },
    "space": {"media": [], "fits": True, "lacking": 0, "obsolete": 0},
    "remedies": [],
    "plan": {"base": None},
}


def test_a_plan_at_a_bandwidth_from_a_survey() -> None:
    page = bundle_page({"forecast": FORECAST}, bandwidth="50")  # type: ignore[arg-type]
    assert "To download: 0 B, 0s at 50 Mbit/s." in page


@pytest.mark.parametrize(
    ("convert", "message"),
    [
        pytest.param(lambda: bundle_page({}, bandwidth=0), "must be greater than 0, and is 0", id="bandwidth"),
        pytest.param(lambda: bundle_page({"forecast": {}}), "bundle_page: a result of", id="no forecast"),
        pytest.param(lambda: bundle_page({}), "bundle_page: a result of release_bundle or", id="no result"),
        pytest.param(lambda: bundle_page({}, html=True), "bundle_page: a result of", id="no result for a page"),
        pytest.param(lambda: vetted_digest("one two"), "it has 2 words", id="too few words"),
    ],
)
def test_other_input_is_refused(convert: t.Callable[[], object], message: str) -> None:
    with pytest.raises(AnsibleFilterError, match=message):
        convert()


def test_an_answer_that_is_empty_stays_empty() -> None:
    assert vetted_digest("") == ""
