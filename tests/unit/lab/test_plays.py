# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a playbook is told of a lab, and the windows that a lab can be given."""

from __future__ import annotations

import hashlib
import typing as t
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.filter.validate_change_policy import validate_change_policy
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import INDEX_FILE
from ansible_collections.fieldops.openshift.plugins.test.change_permitted import change_permitted
from ansible_collections.fieldops.openshift.tests.lab.plays import GOVERNED, HOURS, site_variables, window

NOW = datetime(2026, 11, 24, 0, 0, 30, tzinfo=timezone.utc)  # the window began on the day before
FOUND = {
    "releases": {"4.21.3": "quay.io/a/b:4.21.3@sha256:1", "4.21.4": "quay.io/a/b:4.21.4@sha256:2"},
    "site": {"site_ca_file": "/lab/ca.crt", "site_release_keys": "/lab/release-key.asc"},
}


@pytest.mark.parametrize(
    ("state", "hours", "permitted"),
    [
        ("open", 0, True),
        ("open", HOURS - 1, True),
        ("open", HOURS, False),
        ("closed", 0, False),
        ("closed", 24, False),
        ("closed", 70.5, True),
    ],
)
def test_a_window_is_what_its_name_says(state: str, hours: float, permitted: bool) -> None:
    asked = window(state, NOW)
    at = (NOW + timedelta(hours=hours)).isoformat()
    policies = {asked["name"]: {"spec": asked["spec"]}}
    for one in GOVERNED:
        assert change_permitted(asked["assignments"][one], policies, now=at) is permitted
    assert validate_change_policy({"spec": asked["spec"]})["errors"] == []


def test_without_a_window_nothing_is_governed() -> None:
    asked = window("none", NOW)
    assert (asked["state"], asked["assignments"]) == ("absent", dict.fromkeys(GOVERNED))


def test_a_bundle_is_built_of_the_newest_release(tmp_path: Path) -> None:
    built = site_variables({**FOUND, "directory": str(tmp_path)}, "create_bundle")
    assert built["site_release"] == FOUND["releases"]["4.21.4"]
    assert built["site_bundle"] == str(tmp_path / "bundle-4.21.4")
    assert built["site_ca_file"] == "/lab/ca.crt"


def test_an_update_is_told_the_digest_of_a_bundle_that_is_there(tmp_path: Path) -> None:
    found = {**FOUND, "directory": str(tmp_path)}
    assert "site_bundle_digest" not in site_variables(found, "update_site")
    (tmp_path / "bundle-4.21.4").mkdir()
    (tmp_path / "bundle-4.21.4" / INDEX_FILE).write_bytes(b"{}")
    digest = hashlib.sha256(b"{}").hexdigest()
    assert site_variables(found, "update_site")["site_bundle_digest"] == f"sha256:{digest}"


@pytest.mark.parametrize("found", [{**FOUND, "directory": "/lab"}, {"directory": "/lab"}])
def test_other_playbooks_and_labs_without_releases_are_told_nothing(found: dict[str, t.Any]) -> None:
    assert site_variables(found, "check_site") == {}
