# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What of two states is shown and what counts as a difference."""

from __future__ import annotations

import copy
import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.differences import (
    differ,
    difference,
    meaningful,
)

CONFIG_MAP: dict[str, t.Any] = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {
        "name": "a",
        "labels": {"x": "y"},
        "uid": "2f0c",
        "resourceVersion": "12",
        "generation": 3,
        "creationTimestamp": "2026-11-21T22:00:00Z",
        "managedFields": [{"manager": "kubectl"}],
        "annotations": {"kubectl.kubernetes.io/last-applied-configuration": '{"data":{}}'},
    },
    "data": {"k": "v"},
}


def secret(**data: str) -> dict[str, t.Any]:
    return {"kind": "Secret", "metadata": {"name": "s"}, "data": data}


def test_bookkeeping_is_left_out() -> None:
    assert meaningful(CONFIG_MAP) == {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "a", "labels": {"x": "y"}},
        "data": {"k": "v"},
    }


def test_the_object_itself_is_not_touched() -> None:
    before = copy.deepcopy(CONFIG_MAP)
    difference(CONFIG_MAP, secret(a="b"))
    assert before == CONFIG_MAP


def test_other_annotations_stay() -> None:
    annotated = {"metadata": {"annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}", "mine": "1"}}}
    assert meaningful(annotated) == {"metadata": {"annotations": {"mine": "1"}}}


@pytest.mark.parametrize("absent", [None, {}])
def test_an_absent_object_is_empty(absent: dict[str, t.Any] | None) -> None:
    assert difference(absent, {"kind": "ConfigMap"}) == {"before": {}, "after": {"kind": "ConfigMap"}}
    assert differ(absent, {"kind": "ConfigMap"})
    assert not differ(absent, None)


@pytest.mark.parametrize(
    "noise", [{"resourceVersion": "13"}, {"generation": 4}, {"managedFields": []}, {"uid": "other"}]
)
def test_bookkeeping_is_no_difference(noise: dict[str, t.Any]) -> None:
    assert not differ(CONFIG_MAP, {**CONFIG_MAP, "metadata": {**CONFIG_MAP["metadata"], **noise}})


def test_of_a_secret_only_the_keys_that_differ_are_seen() -> None:
    assert difference(
        secret(same="c2FtZQ==", other="b2xk", gone="eA=="), secret(same="c2FtZQ==", other="bmV3", new="eQ==")
    ) == {
        "before": secret(same="hidden, unchanged", other="hidden, value before", gone="hidden, value before"),
        "after": secret(same="hidden, unchanged", other="hidden, value after", new="hidden, value after"),
    }


def test_the_content_of_a_secret_counts() -> None:
    assert differ(secret(a="b2xk"), secret(a="bmV3"))


VALUES = st.dictionaries(st.sampled_from("abc"), st.text(alphabet="SECRT", min_size=4), max_size=3)


@given(before=VALUES, after=VALUES)
def test_no_secret_content_is_ever_shown_and_differences_are(before: dict[str, str], after: dict[str, str]) -> None:
    shown = difference(secret(**before), secret(**after))
    assert not any(value in str(shown) for value in {*before.values(), *after.values()})
    assert (shown["before"] != shown["after"]) == differ(secret(**before), secret(**after))
