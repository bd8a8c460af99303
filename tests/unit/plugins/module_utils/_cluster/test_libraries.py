# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which versions of the client library are used."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.libraries import objection_to


@pytest.mark.parametrize("version", ["28.1.0", "31.0.0", "35.0.0", "36.0.0b1", "36.0.2", "37.0.2", "38.0.0+snapshot"])
def test_usable(version: str) -> None:
    assert objection_to(version) == ""


@pytest.mark.parametrize(
    ("version", "objection"),
    [
        ("36.0.0", "sends every request without credentials"),
        ("36.0.1", "sends every request without credentials"),
        ("27.2.0", "is older than 28.1.0"),
        ("28.0", "is older than 28.1.0"),
        ("unknown", "is older than 28.1.0"),
    ],
)
def test_unusable(version: str, objection: str) -> None:
    assert objection_to(version) == objection


@pytest.mark.parametrize(("version", "usable"), [("35.0.0", False), ("36.0.2", False), ("37.0.0", True)])
def test_older_releases_need_the_old_methods_of_urllib3(version: str, usable: bool) -> None:
    assert (objection_to(version, old_response_methods=False) == "") == usable
