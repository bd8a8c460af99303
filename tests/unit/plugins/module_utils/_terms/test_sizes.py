# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import (
    GIB,
    KIB,
    MIB,
    TIB,
    format_size,
    parse_size,
)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("0", 0),
        ("4096", 4096),
        ("17 B", 17),
        ("1KiB", KIB),
        ("1.5 MiB", MIB + MIB // 2),
        ("16 GiB", 16 * GIB),
        (" 2 TiB ", 2 * TIB),
    ],
)
def test_sizes_are_read(text: str, count: int) -> None:
    assert parse_size(text) == count


@pytest.mark.parametrize(
    "text", ["", "GiB", "-1", "1 GB", "1,5 MiB", "1e9", "16 gib", "1.2345 MiB", "\N{ARABIC-INDIC DIGIT THREE} MiB"]
)
def test_doubtful_sizes_are_refused(text: str) -> None:
    with pytest.raises(InvalidInputError, match="B, KiB, MiB, GiB, TiB"):
        parse_size(text)


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
