# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import (
    GIB,
    KIB,
    MIB,
    TIB,
    format_size,
)


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (KIB, "1.0 KiB"),
        (3 * GIB // 2, "1.5 GiB"),
        (2 * TIB, "2.0 TiB"),
        (-MIB, "-1.0 MiB"),
    ],
)
def test_sizes_are_written_for_people(count: int, text: str) -> None:
    assert format_size(count) == text
