# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import (
    ReleaseVersion,
)


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ("4.20.9", "4.20.10"),
        ("4.9.30", "4.10.0"),
        ("4.22.9", "5.0.0"),
        ("4.22.0-rc.1", "4.22.0"),
        ("4.22.0-ec.9", "4.22.0-rc.0"),
        ("4.22.0-rc.2", "4.22.0-rc.10"),
        ("4.22.0-1", "4.22.0-alpha"),
        ("4.22.0-rc", "4.22.0-rc.1"),
    ],
)
def test_order(lower: str, higher: str) -> None:
    first, second = ReleaseVersion.parse(lower), ReleaseVersion.parse(higher)
    assert first is not None
    assert second is not None
    assert first < second
    assert (second < first) is False


def test_build_metadata_does_not_count() -> None:
    assert ReleaseVersion.parse("4.21.3+x86") == ReleaseVersion.parse("4.21.3")


def test_a_version_names_its_minor_version() -> None:
    found = ReleaseVersion.parse("4.22.0-rc.1")
    assert found is not None
    assert found.minor_name == "4.22"


@pytest.mark.parametrize(
    "text", ["", "4.21", "v4.21.3", "4.21.3 ", "4.21.x", "\u0664.21.3", "4.21.3-", f"4.21.{'9' * 19}"]
)
def test_other_texts_are_no_version(text: str) -> None:
    assert ReleaseVersion.parse(text) is None
