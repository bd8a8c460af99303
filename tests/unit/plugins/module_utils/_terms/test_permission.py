# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Permission

OPENS = "2026-11-28T22:00:00Z"


@pytest.mark.parametrize(
    ("permission", "ended"),
    [
        pytest.param(Permission(True, "ClusterVersion version", "it is open"), None, id="permitted"),
        pytest.param(
            Permission(False, "ClusterVersion version", "it is closed", OPENS),
            {"outcome": "restricted", "reason": "it is closed", "next_permitted": OPENS},
            id="restricted until an instant",
        ),
        pytest.param(
            Permission(False, "ClusterVersion version", "it is closed"),
            {"outcome": "restricted", "reason": "it is closed", "next_permitted": ""},
            id="restricted for good",
        ),
    ],
)
def test_what_may_not_be_begun_ends_with_why_and_until_when(
    permission: Permission, ended: dict[str, str] | None
) -> None:
    assert permission.ended == ended
