# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which images of a bundle are meant."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.selection import (
    choice_by_node,
    select_images,
    select_names,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import simple_bundle

INDEX, _STORED = simple_bundle({"release": b"r", "etcd": b"e", "cli": b"c"})
RELEASE, ETCD, CLI = INDEX.images


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        pytest.param((), (RELEASE, ETCD, CLI), id="nothing named means all"),
        pytest.param(("etcd",), (ETCD,), id="by component"),
        pytest.param((str(CLI.name),), (CLI,), id="by name"),
        pytest.param(("cli", "etcd", str(ETCD.name)), (ETCD, CLI), id="each once, in the order of the index"),
    ],
)
def test_selection(wanted: tuple[str, ...], chosen: tuple[object, ...]) -> None:
    assert select_images(INDEX, wanted) == chosen


@pytest.mark.parametrize("word", ["", "ETCD", "quay.io/other@sha256:" + "0" * 64, "etc*"])
def test_a_name_that_the_bundle_does_not_have_is_refused(word: str) -> None:
    with pytest.raises(InvalidInputError, match="has no image of that name") as refused:
        select_images(INDEX, ("etcd", word))
    assert word in refused.value.on


def test_as_results_show_them_and_by_mere_names_the_same_are_chosen() -> None:
    shown = [{"name": str(image.name), "component": image.component, "reason": "component"} for image in INDEX.images]
    names = [str(image.name) for image in INDEX.images]
    assert select_names(shown, ["cli", str(ETCD.name)]) == (str(ETCD.name), str(CLI.name))
    assert select_names(names, [str(CLI.name)]) == (str(CLI.name),)
    assert select_names(shown) == select_names(names) == tuple(names)
    with pytest.raises(InvalidInputError, match="has no image of that name") as refused:
        select_names(names, ["cli"])
    assert "cli" in refused.value.on


@pytest.mark.parametrize(
    ("by_pool", "expected"),
    [
        pytest.param({}, {}, id="no choice: everything everywhere"),
        pytest.param({"worker": ["cli"]}, {"worker-0": ["cli"], "worker-1": ["cli"]}, id="the nodes of the pool"),
        pytest.param({"edge": ["cli"]}, {}, id="a pool that has no node here"),
        pytest.param({"master": []}, {"master-0": []}, id="an empty list, which means all"),
    ],
)
def test_nodes_get_what_is_chosen_for_their_pool(by_pool: dict[str, list[str]], expected: dict[str, list[str]]) -> None:
    pools = {"master-0": "master", "worker-0": "worker", "worker-1": "worker"}
    assert choice_by_node(pools, by_pool) == expected


def test_a_node_without_a_known_pool_is_refused_where_something_is_chosen() -> None:
    pools = {"worker-0": "", "worker-1": "worker"}
    assert choice_by_node(pools, {}) == {}
    with pytest.raises(InvalidInputError, match="their pool is unknown") as refused:
        choice_by_node(pools, {"worker": ["cli"]})
    assert refused.value.on == "worker-0"


@pytest.mark.parametrize("words", ["cli", ["cli", 5], [["cli"]]], ids=["a word", "a number", "a list in it"])
def test_a_choice_is_a_list_of_names(words: t.Any) -> None:
    with pytest.raises(InvalidInputError, match="list of names"):
        choice_by_node({"worker-0": "worker"}, {"worker": words})
