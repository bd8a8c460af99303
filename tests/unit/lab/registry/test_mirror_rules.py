# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.tests.lab.registry.mirror_rules import mirror_rules


@pytest.mark.parametrize(
    ("prefix", "mirror"),
    [
        pytest.param("quay.io/openshift-release-dev", "127.0.0.1:5000/openshift-release-dev", id="part of a registry"),
        pytest.param("registry.partner.example", "127.0.0.1:5000", id="whole registry"),
    ],
)
def test_a_name_is_led_to_the_same_path_of_the_mirror_and_its_source_is_blocked(prefix: str, mirror: str) -> None:
    assert mirror_rules("127.0.0.1:5000", [prefix], insecure=True).splitlines() == [
        "[[registry]]",
        f'prefix = "{prefix}"',
        f'location = "{prefix}"',
        "mirror-by-digest-only = true",
        "blocked = true",
        "[[registry.mirror]]",
        f'location = "{mirror}"',
        "insecure = true",
    ]


def test_tags_may_be_led_there_too() -> None:
    rules = mirror_rules("h:1", ["a.example/b"], insecure=False, by_digest_only=False).splitlines()
    assert "mirror-by-digest-only = false" in rules
    assert "insecure = false" in rules
