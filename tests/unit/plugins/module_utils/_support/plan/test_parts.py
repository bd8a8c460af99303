# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names in an archive, whoever chose them, and which parts count as missing."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.parts import (
    STATES,
    Part,
    member_name,
    missing_of,
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("journal/crio.log", "journal/crio.log"),
        ("files/etc/systemd/system/fieldops-x@1.service", "files/etc/systemd/system/fieldops-x@1.service"),
        ("/etc/passwd", "etc/passwd"),
        ("../../etc/passwd", "_../_../etc/passwd"),
        ("a//b/./c", "a/b/_./c"),
        ("-rf", "_-rf"),
        (".bashrc", "_.bashrc"),
        ("a b\n\u202ec\\d:e", "a_b_c_d_e"),
        ("", "_"),
        ("///", "_"),
        ("x" * 500, "x" * 120),
        ("a/" * 50, "/".join("a" * 20)),
    ],
)
def test_names_are_safe_below_any_folder(name: str, expected: str) -> None:
    assert member_name(name) == expected


def test_no_two_parts_have_one_name() -> None:
    assert member_name("a:b", {"a_b", "a_b+2"}) == "a_b+3"


def test_what_a_site_does_not_have_is_not_missing() -> None:
    parts = [Part(state, "x", state) for state in STATES]
    assert [part.name for part in missing_of(parts)] == ["failed", "refused", "away", "left_out"]
