# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.version_ranges import (
    VersionRange,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion


def version(text: str) -> ReleaseVersion:
    found = ReleaseVersion.parse(text)
    assert found is not None
    return found


# The cases of blang/semver v4, range_test.go.
@pytest.mark.parametrize(
    ("written", "inside", "outside"),
    [
        (">1.2.3", ["1.2.4"], ["1.2.2", "1.2.3"]),
        (">=1.2.3", ["1.2.3", "1.2.4"], ["1.2.2"]),
        (">= 1.2.3", ["1.2.3", "1.2.4"], ["1.2.2"]),
        ("<1.2.3", ["1.2.2"], ["1.2.3"]),
        ("<=1.2.3", ["1.2.2", "1.2.3"], ["1.2.4"]),
        ("1.2.3", ["1.2.3"], ["1.2.2", "1.2.4"]),
        ("=1.2.3", ["1.2.3"], ["1.2.2"]),
        ("==1.2.3", ["1.2.3"], ["1.2.2"]),
        ("!=1.2.3", ["1.2.2", "1.2.4"], ["1.2.3"]),
        ("!1.2.3", ["1.2.2", "1.2.4"], ["1.2.3"]),
        (">1.2.2 <1.2.4", ["1.2.3"], ["1.2.2", "1.2.4"]),
        (">1.2.2 <1.2.5 !=1.2.4", ["1.2.3"], ["1.2.2", "1.2.4", "1.2.5"]),
        ("<1.2.2 || >1.2.4", ["1.2.1", "1.2.5"], ["1.2.2", "1.2.3", "1.2.4"]),
        (">1.2.2 <1.2.4 || >=2.0.0", ["1.2.3", "2.0.0"], ["1.2.2", "1.2.4"]),
        (">1.x", ["2.0.0"], ["0.1.9", "1.2.6"]),
        (">1.2.x", ["1.3.0"], ["1.1.9", "1.2.6"]),
        ("<=1.2.x", ["1.2.6"], ["1.3.0"]),
        ("1.2.x", ["1.2.0", "1.2.9"], ["1.1.9", "1.3.0"]),
        ("1.x || >=2.0.x <2.2.x", ["1.2.2", "2.0.0", "2.1.8"], ["0.9.2", "2.2.0"]),
        (">=4.18.0-0 <4.18.5", ["4.18.0-202501230001", "4.18.4"], ["4.18.5"]),
    ],
)
def test_ranges_mean_what_olm_reads(written: str, inside: list[str], outside: list[str]) -> None:
    found = VersionRange.parse(written)
    assert found is not None
    assert [text for text in inside if not found.holds(version(text))] == []
    assert [text for text in outside if found.holds(version(text))] == []


@pytest.mark.parametrize("text", ["", ">>1.2.3", "1.0", "|| 1.2.3", "1.2.3 ||", "a.b.c", "<1.2.2||>1.2.4", "1" * 2000])
def test_what_is_no_range_updates_nothing(text: str) -> None:
    assert VersionRange.parse(text) is None
