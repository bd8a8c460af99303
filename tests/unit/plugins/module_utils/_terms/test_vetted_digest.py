# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.vetted_digest import VettedDigest

HEX = "9e2e4cf1b0d4a0fbb9a1f6b5f5cf8d5fd8a4f9b0a7e7b2f6b6f1c1d1e2f3a4b5"


@pytest.mark.parametrize(
    ("digits", "other", "matches"),
    [
        pytest.param(HEX, HEX, True, id="the complete digest"),
        pytest.param(HEX[:32], HEX, True, id="128 bits"),
        pytest.param(HEX[:33], HEX[:32] + "1" * 32, False, id="the bit after them differs"),
        pytest.param(HEX, HEX[:63] + "0", False, id="the last digit differs"),
        pytest.param("0" * 32, HEX, False, id="another bundle"),
    ],
)
def test_it_matches_what_begins_with_it(digits: str, other: str, matches: bool) -> None:
    assert VettedDigest.parse(f"sha256:{digits}").matches(Digest(other)) is matches


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        pytest.param(f"sha256:{HEX[:31]}", "31 hexadecimal digits, which are 124 bits, do not prove enough", id="few"),
        pytest.param(f"sha256:{HEX}0", "it is not 'sha256:'", id="one digit long"),
        pytest.param(f"sha256:{HEX.upper()}", "it is not 'sha256:'", id="upper case"),
        pytest.param(HEX, "it is not 'sha256:'", id="no algorithm"),
        pytest.param("", "it is not 'sha256:'", id="empty"),
    ],
)
def test_other_forms_and_too_few_bits_are_refused(text: str, seen: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        VettedDigest.parse(text)
    assert refused.value.seen.startswith(seen)
