# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.challenge import (
    Challenge,
    parse_challenges,
)

pytest.importorskip("hypothesis")

from hypothesis import given
from hypothesis import strategies as st

QUAY = (
    'Bearer realm="https://quay.io/v2/auth",service="quay.io",scope="repository:openshift-release-dev/ocp-release:pull"'
)


@pytest.mark.parametrize(
    ("values", "found"),
    [
        pytest.param(
            [QUAY],
            [
                Challenge(
                    "bearer",
                    {
                        "realm": "https://quay.io/v2/auth",
                        "service": "quay.io",
                        "scope": "repository:openshift-release-dev/ocp-release:pull",
                    },
                )
            ],
            id="quay",
        ),
        pytest.param(['Basic realm="lab"'], [Challenge("basic", {"realm": "lab"})], id="basic"),
        pytest.param(["Negotiate"], [Challenge("negotiate", {})], id="without parameters"),
        pytest.param(
            ['Negotiate, Basic realm="a, b", Bearer realm=c'],
            [Challenge("negotiate", {}), Challenge("basic", {"realm": "a, b"}), Challenge("bearer", {"realm": "c"})],
            id="several in one header, a comma within quotes",
        ),
        pytest.param(
            ["Bearer realm=a", "Basic realm=b"],
            [Challenge("bearer", {"realm": "a"}), Challenge("basic", {"realm": "b"})],
            id="several headers",
        ),
        pytest.param([r'Basic realm="a\"b"'], [Challenge("basic", {"realm": 'a"b'})], id="escaped quote"),
        pytest.param([""], [], id="empty"),
        pytest.param(["=,=,="], [], id="nonsense"),
    ],
)
def test_demands_are_taken_apart(values: list[str], found: list[Challenge]) -> None:
    assert list(parse_challenges(values)) == found


@given(st.lists(st.text(max_size=60), max_size=3))
def test_any_header_can_be_read(values: list[str]) -> None:
    for challenge in parse_challenges(values):
        assert challenge.scheme == challenge.scheme.lower()
