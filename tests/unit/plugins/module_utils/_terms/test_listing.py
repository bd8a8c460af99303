# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed


@pytest.mark.parametrize(
    ("names", "at_most", "expected"),
    [
        ([], 3, ""),
        (["a"], 3, "a"),
        (["a", "b", "c"], 3, "a, b, c"),
        (["a", "b", "c", "d"], 3, "a, b, c and 1 more"),
        (["a", "b", "c"], 1, "a and 2 more"),
    ],
)
def test_names_beyond_the_limit_are_counted(names: list[str], at_most: int, expected: str) -> None:
    assert listed(names, at_most) == expected
