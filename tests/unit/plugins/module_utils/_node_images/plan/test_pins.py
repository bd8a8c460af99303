# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The one list of pinned images that CRI-O uses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.pins import (
    MAIN_FILE,
    NAMES,
    DropIn,
    effective,
    pins_document,
    plan_pins,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.toml_reader import toml_string
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

A, B, C = (f"quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:{letter * 64}" for letter in "abc")


def other(name: str, *pinned: str) -> DropIn:
    """Return a file as the machine-config operator writes it."""
    listed = ", ".join(f'"{one}"' for one in pinned)
    return DropIn.read(name, f"[crio]\n  [crio.image]\n    pinned_images = [{listed}]\n")


def ours(name: str, content: str) -> DropIn:
    return DropIn.read(name, content)


def test_the_first_pin_makes_a_file_that_says_so() -> None:
    plan = plan_pins([], [B, A], ())
    assert plan.name == "99-fieldops-pinned-images"
    assert plan.content == (
        "# Written by fieldops.openshift.crio_pinned_images. Manual changes are lost.\n"
        "# The list replaces those of all files that sort before this one.\n"
        "[crio]\n"
        "  [crio.image]\n"
        "    pinned_images = [\n"
        f'      "{A}",\n'
        f'      "{B}",\n'
        "    ]\n"
    )


def test_what_others_pin_is_repeated_because_ours_replaces_it() -> None:
    plan = plan_pins([other("50-pinned-images", C, A)], [A], ())
    assert plan.own == (A,)
    assert C in plan.content
    assert effective([other("50-pinned-images", C, A), ours(plan.name or "", plan.content)]) == (A, C)


def test_our_own_part_is_known_again() -> None:
    plan = plan_pins([other("50-pinned-images", C)], [A, B], ())
    file = ours(plan.name or "", plan.content)
    assert (file.is_ours, file.own, file.pinned) == (True, (A, B), (A, B, C))


def test_the_same_again_is_the_same_file() -> None:
    mco = other("50-pinned-images", C)
    first = plan_pins([mco], [A], ())
    again = plan_pins([mco, ours(first.name or "", first.content)], [A], ())
    assert (again.name, again.content, again.obsolete) == (first.name, first.content, ())


def test_what_others_no_longer_pin_is_dropped() -> None:
    first = plan_pins([other("50-pinned-images", C)], [A], ())
    again = plan_pins([other("50-pinned-images"), ours(first.name or "", first.content)], [A], ())
    assert C not in again.content


@pytest.mark.parametrize(
    ("remove", "own"),
    [
        pytest.param((B,), (A,), id="one of them"),
        pytest.param((C,), (A, B), id="one that we never had"),
        pytest.param(None, (), id="all"),
        pytest.param((A, B), (), id="both"),
    ],
)
def test_removal(remove: tuple[str, ...] | None, own: tuple[str, ...]) -> None:
    first = plan_pins([], [A, B], ())
    plan = plan_pins([ours(first.name or "", first.content)], (), remove)
    assert plan.own == own
    assert (plan.name is None, bool(plan.obsolete)) == (not own, not own)


def test_without_pins_of_ours_others_stand_alone() -> None:
    mco = other("50-pinned-images", C)
    first = plan_pins([mco], [A], ())
    plan = plan_pins([mco, ours(first.name or "", first.content)], (), None)
    assert (plan.name, plan.content, plan.obsolete) == (None, "", ("99-fieldops-pinned-images",))


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        pytest.param(["50-pinned-images"], NAMES[0], id="numbered files sort before"),
        pytest.param(["99-fieldops"], NAMES[0], id="a shorter name sorts before"),
        pytest.param(["99-zz-site"], NAMES[1], id="a later number needs a later name"),
        pytest.param(["99-fieldops-pinned-images/10-site"], NAMES[1], id="folders are walked in place"),
        pytest.param(["zzz-site"], NAMES[2], id="even letters"),
        pytest.param([MAIN_FILE], NAMES[0], id="the main file is read first"),
    ],
)
def test_our_file_sorts_behind_all_that_pin(names: list[str], chosen: str) -> None:
    others = [other(name, C) for name in names]
    plan = plan_pins(others, [A], ())
    assert plan.name == chosen
    assert effective([*others, ours(chosen, plan.content)]) == (A, C)


def test_a_file_that_moves_leaves_none_behind() -> None:
    first = plan_pins([], [A], ())
    plan = plan_pins([ours(NAMES[0], first.content), other("99-zz-site", C)], [A], ())
    assert (plan.name, plan.obsolete) == (NAMES[1], (NAMES[0],))


def test_a_name_behind_all_of_ours_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="sorts after every name") as refused:
        plan_pins([other("zzzzzzzzz", C)], [A], ())
    assert refused.value.on == "zzzzzzzzz"


def test_files_without_a_list_do_not_matter() -> None:
    plan = plan_pins([DropIn.read("zzzzzzzzz", '[crio.runtime]\nlog_level = "info"\n')], [A], ())
    assert plan.name == NAMES[0]


@pytest.mark.parametrize("value", ['"a"', "[1]", "true", '[["a"]]'])
def test_a_list_of_anything_else_is_refused(value: str) -> None:
    with pytest.raises(InvalidInputError, match="not a list of strings"):
        DropIn.read("50-site", f"[crio.image]\npinned_images = {value}")


def test_a_file_that_is_no_toml_is_refused_with_its_name() -> None:
    with pytest.raises(InvalidInputError) as refused:
        DropIn.read("50-site", '[crio.image]\npinned_images = ["half')
    assert refused.value.on.startswith("50-site, line 2")


def test_the_document_tells_what_one_file_hides_of_another() -> None:
    files = [other("50-pinned-images", C), other("60-site", A)]
    assert pins_document(files) == {
        "own": [],
        "effective": [A],
        "hidden": [C],
        "files": [
            {"name": "50-pinned-images", "ours": False, "pinned": 1},
            {"name": "60-site", "ours": False, "pinned": 1},
        ],
    }


PATTERNS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)


@given(st.lists(PATTERNS, max_size=4), st.lists(PATTERNS, max_size=4), st.lists(PATTERNS, max_size=2))
def test_pins_are_never_lost(foreign: list[str], add: list[str], remove: list[str]) -> None:
    listed = ", ".join(map(toml_string, foreign))
    mco = DropIn.read("50-pinned-images", f"[crio.image]\npinned_images = [{listed}]")
    first = plan_pins([mco], add, ())
    files = [mco, *([ours(first.name, first.content)] if first.name else [])]
    plan = plan_pins(files, (), remove)
    now = effective([mco, *([ours(plan.name, plan.content)] if plan.name else [])])
    assert set(now) == set(foreign) | (set(add) - set(remove))
