# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_lock import KitTarget
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_requirements import (
    WheelMetadata,
    lines_of,
    requested,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

OLD, NEW, ARM = KitTarget("3.10", "x86_64"), KitTarget("3.14", "x86_64"), KitTarget("3.14", "aarch64")


def wheels(**requires: list[str]) -> dict[str, WheelMetadata]:
    return {name: WheelMetadata(name, "1.0", tuple(lines)) for name, lines in requires.items()}


CASES = {
    "what is wanted": (OLD, ["a>=1"], {}, {"a": ">=1"}),
    "names are compared in their canonical form": (OLD, ["Foo.Bar>=1", "foo_bar<3"], {}, {"foo-bar": "<3,>=1"}),
    "what a wheel requires": (OLD, ["a"], {"a": ["b>=2"]}, {"a": "", "b": ">=2"}),
    "what that requires in turn": (OLD, ["a"], {"a": ["b"], "b": ["c==3"]}, {"a": "", "b": "", "c": "==3"}),
    "requirements of two wheels for a third": (
        OLD,
        ["a", "b"],
        {"a": ["c>=1"], "b": ["c<2,!=1.5"]},
        {"a": "", "b": "", "c": "!=1.5,<2,>=1"},
    ),
    "wheels that require each other": (OLD, ["a"], {"a": ["b"], "b": ["a>1"]}, {"a": ">1", "b": ""}),
    "a wheel that nothing requires any more": (OLD, ["a"], {"z": ["y"]}, {"a": ""}),
    "for an older Python": (OLD, ["a"], {"a": ["b; python_version < '3.11'"]}, {"a": "", "b": ""}),
    "not for a newer Python": (NEW, ["a"], {"a": ["b; python_version < '3.11'"]}, {"a": ""}),
    "for some patch releases only": (OLD, ["a"], {"a": ["b; python_full_version >= '3.10.4'"]}, {"a": "", "b": ""}),
    "for the other architecture": (NEW, ["a"], {"a": ["b; platform_machine == 'aarch64'"]}, {"a": ""}),
    "for this architecture": (ARM, ["a"], {"a": ["b; platform_machine == 'aarch64'"]}, {"a": "", "b": ""}),
    "for another system": (OLD, ["a"], {"a": ["b; sys_platform == 'win32'"]}, {"a": ""}),
    "an extra that is not asked for": (OLD, ["a"], {"a": ["b; extra == 'tls'"]}, {"a": ""}),
    "an extra": (OLD, ["a[tls]"], {"a": ["b; extra == 'tls'"]}, {"a": "", "b": ""}),
    "an extra that a wheel asks for later": (
        OLD,
        ["a", "c"],
        {"a": ["b; extra == 'tls'"], "c": ["a[tls]"]},
        {"a": "", "b": "", "c": ""},
    ),
}


@pytest.mark.parametrize(("target", "wanted", "requires", "expected"), CASES.values(), ids=CASES.keys())
def test_a_target_gets_what_it_needs(
    target: KitTarget, wanted: list[str], requires: dict[str, list[str]], expected: dict[str, str]
) -> None:
    found = requested(wanted, wheels(**requires), target)
    assert {name: specifier for name, (specifier, _extras) in found.items()} == expected


def test_what_is_no_requirement_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="not a requirement at all"):
        requested(["not a requirement at all"], {}, OLD)


def test_a_file_of_requirements_has_comments() -> None:
    assert lines_of("# why\n\nkubernetes>=28.1.0  # at least\nnetaddr\n") == ["kubernetes>=28.1.0", "netaddr"]


def test_a_wheel_says_what_it_is() -> None:
    text = "Metadata-Version: 2.1\nName: Foo_Bar\nVersion: 1.2\nRequires-Dist: a>=1\nRequires-Dist: b\n\nText\n"
    assert WheelMetadata.parse(text) == WheelMetadata("foo-bar", "1.2", ("a>=1", "b"))
