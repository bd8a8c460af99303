# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From where on a kubelet removes images, read from its configuration without a YAML library."""

from __future__ import annotations

import json
import string
import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.image_gc import (
    ImageGc,
    threshold_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.kubelet_file import settings_in
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

HEAD = "kind: KubeletConfiguration\napiVersion: kubelet.config.k8s.io/v1beta1\n"
# As the machine-config operator writes it: templates/worker/01-worker-kubelet/_base/files/kubelet.yaml, shortened.
WRITTEN = (
    HEAD
    + """authentication:
  x509:
    clientCAFile: /etc/kubernetes/kubelet-ca.crt
  anonymous:
    enabled: false
cgroupDriver: systemd
clusterDNS:
  - 172.30.0.10
clusterDomain: cluster.local
containerLogMaxSize: 50Mi
maxPods: 250
featureGates:
  RotateKubeletServerCertificate: true
imageGCHighThresholdPercent: 70
imageGCLowThresholdPercent: 60
serverTLSBootstrap: true
"""
)


def threshold_in(content: bytes, name: str) -> int | None:
    return threshold_of(settings_in(content, name), name)


def json_of(**settings: t.Any) -> str:
    return json.dumps({"kind": "KubeletConfiguration", "apiVersion": "kubelet.config.k8s.io/v1beta1", **settings})


@pytest.mark.parametrize(
    ("text", "threshold"),
    [
        pytest.param(WRITTEN, 70, id="as the operator writes it"),
        pytest.param(WRITTEN.replace("\n", "\r\n"), 70, id="with the line ends of another system"),
        pytest.param("\ufeff---\n# ours\n" + WRITTEN + "---\nimageGCHighThresholdPercent: 5\n", 70, id="one document"),
        pytest.param(WRITTEN + "...\nimageGCHighThresholdPercent: 5\n", 70, id="ended document"),
        pytest.param(HEAD, None, id="not set"),
        pytest.param(HEAD + "imageGCHighThresholdPercent: null\n", None, id="null"),
        pytest.param(HEAD + "imageGCHighThresholdPercent:\n", None, id="empty"),
        pytest.param(HEAD + "imageGCHighThresholdPercent: 1\n", 1, id="least"),
        pytest.param(HEAD + "imageGCHighThresholdPercent: 100", 100, id="most, no line end"),
        pytest.param(HEAD + "imageGCHighThresholdPercent  :  80  # as agreed\n", 80, id="blanks and comment"),
        pytest.param(HEAD + "imageGCHighThresholdPercent: # as agreed\n  80\n", 80, id="on the next line"),
        pytest.param(HEAD + "'imageGCHighThresholdPercent': 80\n", 80, id="quoted key"),
        pytest.param(HEAD + "imageGCHighThresholdPercent: 80\nimageGCHighThresholdPercent: 75\n", 75, id="last wins"),
        pytest.param("".join(f"  {line}\n" for line in WRITTEN.splitlines()), 70, id="indented as a whole"),
        pytest.param(HEAD + "other:\n  imageGCHighThresholdPercent: 5\n", None, id="of something else"),
        pytest.param(HEAD + "other: |\n  imageGCHighThresholdPercent: 5\n", None, id="in a text"),
        pytest.param(HEAD + "# imageGCHighThresholdPercent: 5\n", None, id="commented out"),
        pytest.param(HEAD + "other:\n- imageGCHighThresholdPercent: 5\n", None, id="in a list"),
        pytest.param(json_of(imageGCHighThresholdPercent=65), 65, id="JSON"),
        pytest.param(json_of(imageGCHighThresholdPercent=None), None, id="JSON null"),
        pytest.param("\n " + json_of(), None, id="JSON, not set"),
        pytest.param(json_of(other={"imageGCHighThresholdPercent": 5}), None, id="JSON, of something else"),
    ],
)
def test_what_a_configuration_sets(text: str, threshold: int | None) -> None:
    assert threshold_in(text.encode(), "kubelet.conf") == threshold


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("0", "0"),
        ("101", "101"),
        ("-1", "-1"),
        ("85.0", "85.0"),
        ("'85'", "'85'"),
        ("085", "085"),
        ("true", "true"),
        ("[85]", r"\[85\]"),
        ("&a 85", "&a 85"),
        ("85 %", "85 %"),
        ("9" * 5000, "9{40},"),
        ("{}", "{}"),
    ],
)
def test_a_value_that_is_no_threshold_is_named(value: str, shown: str) -> None:
    text = f"{HEAD}imageGCHighThresholdPercent: {value}\n"
    with pytest.raises(InvalidInputError, match=f"Percent is {shown}.* not a whole number from 1 to 100"):
        threshold_in(text.encode(), "kubelet.conf")


@pytest.mark.parametrize("value", [0, 101, -5, 85.0, "85", True, [], {}, [[[]]], 10**4000])
def test_a_value_in_json_that_is_no_threshold_is_named(value: t.Any) -> None:
    with pytest.raises(InvalidInputError, match="not a whole number from 1 to 100"):
        threshold_in(json_of(imageGCHighThresholdPercent=value).encode(), "kubelet.conf")


@pytest.mark.parametrize(
    ("content", "seen"),
    [
        pytest.param(b"", "not a KubeletConfiguration", id="empty"),
        pytest.param(b"some text", "not a KubeletConfiguration", id="prose"),
        pytest.param(b"[]", "not a KubeletConfiguration", id="list"),
        pytest.param(b"kind: Pod\n", "not a KubeletConfiguration", id="something else"),
        pytest.param(b'{"kind": ["KubeletConfiguration"]}', "not a KubeletConfiguration", id="kind of another kind"),
        pytest.param(b"\x7fELF\x02\x01\x00" * 50, "not text", id="program"),
        pytest.param(b"\xff\xfe\x00k", "not text", id="other encoding"),
        pytest.param(b'{"kind": "KubeletConfiguration", ', "not valid JSON", id="broken off"),
        pytest.param(b'{"a":' * 200_000, "not valid JSON", id="deep"),
        pytest.param(b"{kind: KubeletConfiguration}", "not valid JSON", id="YAML in flow style"),
    ],
)
def test_what_is_no_configuration_is_refused(content: bytes, seen: str) -> None:
    with pytest.raises(InvalidInputError, match=seen):
        threshold_in(content, "kubelet.conf")


@given(st.binary(max_size=300))
def test_no_content_leads_to_anything_but_a_threshold_or_an_error(content: bytes) -> None:
    for whole in (content, HEAD.encode() + content, HEAD.encode() + b"imageGCHighThresholdPercent:" + content):
        try:
            found = threshold_in(whole, "kubelet.conf")
        except InvalidInputError:
            continue
        assert found is None or 1 <= found <= 100


SCALARS = st.one_of(
    st.booleans(), st.integers(), st.text(string.ascii_letters + string.digits + " #:-'{[|>&*!%\"", max_size=20)
)
SETTINGS = st.dictionaries(st.text("abcXYZ", min_size=1), st.one_of(SCALARS, st.lists(SCALARS), st.just({"b": 1})))


@given(SETTINGS, st.integers(1, 100), st.booleans())
def test_it_is_found_among_all_else_that_yaml_and_json_write(
    settings: dict[str, t.Any], threshold: int, sort_keys: bool
) -> None:
    # Nodes have no such library, and neither has the place where this is tested as on a node.
    yaml = pytest.importorskip("yaml")
    document = {"kind": "KubeletConfiguration", **settings, "imageGCHighThresholdPercent": threshold}
    for text in (yaml.safe_dump(document, sort_keys=sort_keys), json.dumps(document, indent=2)):
        assert threshold_in(text.encode(), "kubelet.conf") == threshold


def starts_to_remove(free: int, total: int, threshold: int) -> bool:
    """As GarbageCollect of kubernetes pkg/kubelet/images/image_gc_manager.go and StartGarbageCollection decide it."""
    return threshold != 100 and 100 - free * 100 // total >= threshold


@given(st.integers(1, 10**15), st.integers(1, 100))
def test_the_reserve_is_the_least_that_the_kubelet_leaves_alone(total: int, threshold: int) -> None:
    reserve = ImageGc(threshold).reserve(total)
    assert not starts_to_remove(reserve, total, threshold)
    assert reserve == 0 or starts_to_remove(reserve - 1, total, threshold)


@pytest.mark.parametrize(
    ("gc", "sentence"),
    [
        (
            ImageGc(),
            "the kubelet removes images at 85 % disk usage (its default, no file sets imageGCHighThresholdPercent)",
        ),
        (ImageGc(70, "/a"), "the kubelet removes images at 70 % disk usage (imageGCHighThresholdPercent in /a)"),
        (
            ImageGc(70, "/a", "/b: it is not text"),
            "the kubelet removes images at 70 % disk usage "
            "(imageGCHighThresholdPercent in /a; ignored: /b: it is not text)",
        ),
        (
            ImageGc(100, "/a"),
            "the kubelet does not remove images if space is low (imageGCHighThresholdPercent in /a)",
        ),
    ],
)
def test_the_sentence_says_who_says_so(gc: ImageGc, sentence: str) -> None:
    assert gc.sentence == sentence
