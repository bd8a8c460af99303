# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Versions as the operator reads them, case by case of the code that it uses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.versions import (
    less_than,
    parse_generic,
    rhel_version_of,
    three_numbers,
)

# k8s.io/apimachinery, pkg/util/version/version.go: versionMatchRE and parse(str, semver=false).
PARSED = {
    "three numbers": ("4.13.0", (4, 13, 0)),
    "two numbers": ("9.2", (9, 2)),
    "a leading v": ("v4.13", (4, 13)),
    "leading white space": (" \t4.13", (4, 13)),
    "what follows is ignored": ("4.13.0-rc.1", (4, 13, 0)),
    "even a dot": ("4.13.", (4, 13)),
    "many numbers": ("1.2.3.4.5", (1, 2, 3, 4, 5)),
    "later zeros may lead": ("4.08.00", (4, 8, 0)),
    "zero itself leads": ("0.0.0", (0, 0, 0)),
    "the first may have no leading zero": ("04.13", None),
    "one number is no version": ("4", None),
    "nor is a number and a dot": ("4.", None),
    "nor nothing": ("", None),
    "nor words": ("latest", None),
    "a line break ends it": ("4.13\n", None),
    "a capital V does not lead": ("V4.13", None),
    "digits of other scripts": ("٤.١٣", None),
    "64 bits fit": ("4.18446744073709551615", (4, 2**64 - 1)),
    "65 do not": ("4.18446744073709551616", None),
    "nor does what no number holds": (f"4.{'9' * 5000}", None),
    "zeros before a number are no digits": (f"4.{'0' * 5000}7", (4, 7)),
}

# machine-config-operator, pkg/operator/status.go, checkRHCOSVersionSkew.
RHEL = {
    "date: the version itself": ("9.6.20251023-0", "9.6"),
    "date and time: the second number": ("48.84.202208021106-0", "8.4"),
    "two digits of a minor version": ("416.94.202411201433-0", "9.4"),
    "RHEL 8.10": ("418.810.202411201433-0", "8.10"),
    "no build number": ("9.6.20251023", "9.6"),
    "too short a second number": ("48.8.202208021106-0", ""),
    "ten digits": ("416.94.2024112021-0", ""),
    "two parts": ("9.6", ""),
    "nothing": ("", ""),
    "eight characters need not be digits": ("9.1.abcdefgh-0", "9.1"),
    "more parts are ignored": ("9.1.20240101-0.x", "9.1"),
}


@pytest.mark.parametrize(("text", "expected"), PARSED.values(), ids=PARSED)
def test_parse(text: str, expected: tuple[int, ...] | None) -> None:
    assert parse_generic(text) == expected


@pytest.mark.parametrize(("rhcos", "expected"), RHEL.values(), ids=RHEL)
def test_rhel_version(rhcos: str, expected: str) -> None:
    assert rhel_version_of(rhcos) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((4, 12, 99), (4, 13, 0), True),
        ((4, 13, 0), (4, 13, 0), False),
        ((4, 13), (4, 13, 0), False),
        ((4, 13), (4, 13, 0, 1), True),
        ((4, 13, 0, 1), (4, 13), False),
        ((8, 10), (9, 2), True),
        ((9, 10), (9, 2), False),
    ],
)
def test_less_than(one: tuple[int, ...], other: tuple[int, ...], expected: bool) -> None:
    assert less_than(one, other) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("4.12.0-rc.3", "4.12.0"), ("4.12", "4.12.0"), ("4.22.5", "4.22.5"), ("0.0.1-snapshot", "0.0.1"), ("x", "")],
)
def test_three_numbers(text: str, expected: str) -> None:
    assert three_numbers(text) == expected


@given(some.lists(some.integers(0, 2**64 - 1), min_size=2, max_size=6))
def test_what_is_written_is_read(numbers: list[int]) -> None:
    assert parse_generic(".".join(map(str, numbers))) == tuple(numbers)


@given(*[some.lists(some.integers(0, 3), max_size=4).map(tuple)] * 2)
def test_exactly_one_is_older_unless_they_differ_in_zeros(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    alike = (one + (0,) * 4)[:4] == (other + (0,) * 4)[:4]
    older = [less_than(*pair) for pair in ((one, other), (other, one))]
    assert sum(older) == (0 if alike else 1)


@given(some.text(max_size=40))
def test_nothing_breaks_it(text: str) -> None:
    parse_generic(text)
    parse_generic(rhel_version_of(text))
