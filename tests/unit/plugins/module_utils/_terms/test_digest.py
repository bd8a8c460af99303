# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

HEX = "9e2e4cf1b0d4a0fbb9a1f6b5f5cf8d5fd8a4f9b0a7e7b2f6b6f1c1d1e2f3a4b5"


def test_a_digest_is_read_and_written_unchanged() -> None:
    assert str(Digest.parse(f"sha256:{HEX}")) == f"sha256:{HEX}"


def test_short_form_is_the_first_twelve_digits() -> None:
    assert Digest.parse(f"sha256:{HEX}").short == "9e2e4cf1b0d4"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param(HEX, id="no algorithm"),
        pytest.param(f"sha512:{HEX}{HEX}", id="another algorithm"),
        pytest.param(f"sha256:{HEX[:-1]}", id="one digit short"),
        pytest.param(f"sha256:{HEX}0", id="one digit long"),
        pytest.param(f"sha256:{HEX.upper()}", id="upper case"),
        pytest.param(f"sha256:{HEX}\n", id="line end behind it"),
        pytest.param("sha256:" + "\N{ARABIC-INDIC DIGIT ZERO}" * 64, id="digits of another script"),
        pytest.param("sha256:../../etc/passwd", id="a path"),
    ],
)
def test_other_forms_are_refused(text: str) -> None:
    with pytest.raises(InvalidInputError, match="64 lower-case hexadecimal digits"):
        Digest.parse(text)
