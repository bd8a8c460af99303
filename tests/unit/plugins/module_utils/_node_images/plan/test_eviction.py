# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Below which free space a kubelet evicts pods, read from its configuration without a YAML library."""

from __future__ import annotations

import json
import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.eviction import (
    IMAGEFS,
    EvictionThreshold,
    evictions_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.kubelet_file import settings_in
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import GIB, MIB

HEAD = "kind: KubeletConfiguration\n"
HARD, SOFT, NODE = "evictionHard imagefs", "evictionSoft imagefs", "evictionHard nodefs"
# As in the documentation of OpenShift: "Configuring garbage collection for containers and images", shortened.
DOCUMENTED = (
    HEAD
    + """evictionSoft:
  memory.available: "500Mi"
  nodefs.available: "10%"
  nodefs.inodesFree: "5%"
  imagefs.available: "15%"
  imagefs.inodesFree: "10%"
evictionSoftGracePeriod:
  memory.available: "1m30s"
  imagefs.available: "1m30s"
evictionHard:
  memory.available: "200Mi"
  nodefs.available: "5%"
  imagefs.available: "10%"
evictionPressureTransitionPeriod: 3m
imageMinimumGCAge: 5m
imageGCHighThresholdPercent: 80
"""
)


def found_in(text: str) -> dict[str, str]:
    thresholds = evictions_of(settings_in(text.encode(), "kubelet.conf"), "kubelet.conf")
    return {f"{one.setting} {one.signal.split('.')[0]}": one.value for one in thresholds}


def hard(value: str) -> str:
    return f"{HEAD}evictionHard:\n  imagefs.available: {value}\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(HEAD, {}, id="not set"),
        pytest.param(
            DOCUMENTED,
            {HARD: "10%", NODE: "5%", SOFT: "15%", "evictionSoft nodefs": "10%"},
            id="as documented",
        ),
        pytest.param("".join(f"  {line}\n" for line in DOCUMENTED.splitlines()), found_in(DOCUMENTED), id="indented"),
        pytest.param(HEAD + "evictionHard:\n", {}, id="empty"),
        pytest.param(HEAD + "evictionHard: null\n", {}, id="null"),
        pytest.param(HEAD + "evictionHard: {}\n", {}, id="empty, in braces"),
        pytest.param(HEAD + "evictionHard:\n  memory.available: 1Gi\n", {}, id="other signals"),
        pytest.param(hard("null"), {}, id="the signal is null"),
        pytest.param(hard("20%  # as agreed"), {HARD: "20%"}, id="comment"),
        pytest.param(hard("'20%'"), {HARD: "20%"}, id="quoted"),
        pytest.param(
            HEAD + "evictionHard: {imagefs.available: 20%, nodefs.available: '1Gi'}\n",
            {HARD: "20%", NODE: "1Gi"},
            id="in braces",
        ),
        pytest.param(HEAD + 'evictionHard: {"imagefs.available":"20%"}\n', {HARD: "20%"}, id="JSON within YAML"),
        pytest.param(HEAD + "evictionHard:\n- imagefs.available\nother:\n  imagefs.available: 1%\n", None, id="a list"),
        pytest.param(HEAD + "evictionHard: 20%\n", None, id="no mapping"),
        pytest.param(
            json.dumps({"kind": "KubeletConfiguration", "evictionHard": {IMAGEFS: "20%"}}), {HARD: "20%"}, id="JSON"
        ),
        pytest.param(json.dumps({"kind": "KubeletConfiguration", "evictionHard": [IMAGEFS]}), None, id="JSON, a list"),
        pytest.param(
            json.dumps({"kind": "KubeletConfiguration", "evictionHard": {IMAGEFS: [1]}}), None, id="JSON, list in it"
        ),
    ],
)
def test_what_a_configuration_sets(text: str, found: dict[str, str] | None) -> None:
    if found is None:
        with pytest.raises(InvalidInputError, match="evictionHard"):
            found_in(text)
    else:
        assert found_in(text) == found


@pytest.mark.parametrize(
    ("value", "total", "reserve"),
    [
        pytest.param("10Gi", 100 * GIB, 10 * GIB, id="binary unit"),
        pytest.param("1.5Gi", 100 * GIB, 1536 * MIB, id="with a fraction"),
        pytest.param("10G", 100 * GIB, 10**10, id="decimal unit"),
        pytest.param("1073741824", 100 * GIB, GIB, id="plain bytes"),
        pytest.param("1e9", 100 * GIB, 10**9, id="exponent"),
        pytest.param("2E", 100 * GIB, 2 * 10**18, id="exabytes are no exponent"),
        pytest.param("1500m", 100 * GIB, 2, id="parts of bytes are rounded up"),
        pytest.param("50%", 101, 50, id="share, rounded down"),
        pytest.param("12.5%", 1000, 125, id="share with a fraction"),
        # float32(0.15) is a little more than 0.15.
        pytest.param("15%", 10**12, 150000005960, id="a share is a float32"),
        pytest.param("0%", 10**12, 0, id="switched off"),
        pytest.param("100%", 10**12, 0, id="switched off, too"),
    ],
)
def test_how_much_must_be_free(value: str, total: int, reserve: int) -> None:
    (threshold,) = evictions_of(settings_in(hard(value).encode(), "kubelet.conf"), "kubelet.conf")
    assert threshold.reserve(total) == reserve


@pytest.mark.parametrize(
    "value",
    ["most", "101%", "-5%", "-1Gi", "0", "0Gi", "%", "5 %", "5GiB", "1e", "1e999", "nan%", "[20%]", "''", "9" * 99],
)
def test_a_value_that_is_no_threshold_is_named(value: str) -> None:
    with pytest.raises(
        InvalidInputError, match=r"evictionHard, imagefs\.available is .* not a percentage from 0% to 100%"
    ):
        found_in(hard(value))


@given(st.binary(max_size=300))
def test_no_content_leads_to_anything_but_thresholds_or_an_error(content: bytes) -> None:
    for within in (b"evictionHard:", b"evictionHard:\n  ", b"evictionHard:\n  imagefs.available: "):
        try:
            found = list(evictions_of(settings_in(HEAD.encode() + within + content, "kubelet.conf"), "kubelet.conf"))
        except InvalidInputError:
            continue
        assert all(one.reserve(10**12) >= 0 for one in found)


@given(
    st.dictionaries(
        st.sampled_from([IMAGEFS, "nodefs.available", "memory.available"]), st.sampled_from(["5%", "1Gi", "250M"])
    )
)
def test_it_is_found_as_yaml_and_json_write_it(signals: dict[str, str]) -> None:
    # Nodes have no such library, and neither has the place where this is tested as on a node.
    yaml = pytest.importorskip("yaml")
    document: dict[str, t.Any] = {"kind": "KubeletConfiguration", "evictionHard": signals, "maxPods": 250}
    wanted = {f"evictionHard {name.split('.')[0]}": value for name, value in signals.items() if "memory" not in name}
    for text in (yaml.safe_dump(document), json.dumps(document), yaml.safe_dump(document, default_flow_style=None)):
        assert found_in(text) == wanted


def test_the_sentence_says_who_says_so() -> None:
    threshold = EvictionThreshold("evictionHard", IMAGEFS, "20%", "/a")
    assert threshold.sentence == "evicts pods below 20% free (evictionHard, imagefs.available in /a)"
