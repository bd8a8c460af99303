# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Kernel arguments of the next boot, from entries of the boot loader and from what ostree has staged."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.own_kernel_arguments import (
    KernelArguments,
    newest_entry,
    staged_arguments,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_machine import Staged

FORMER = "title Lab Linux 9.1 (ostree:1)\nversion 1\noptions rw root=/dev/vda\nlinux /ostree/a/vmlinuz\n"
NEWEST = (
    "title Lab Linux 9.2 (ostree:0)\nversion 10\noptions rw root=/dev/vda nosmt quiet\nlinux /ostree/b/vmlinuz\n"
    "x-options-source-tuned quiet\nx-options-source-fieldops nosmt\n"
)
CLEARED = NEWEST.replace("-fieldops nosmt", "-fieldops ")
LONG = tuple(f"argument{number}=value" for number in range(30))


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        pytest.param([FORMER], (("rw", "root=/dev/vda"), ()), id="one that bootc set nothing in"),
        pytest.param([NEWEST, FORMER], (("rw", "root=/dev/vda", "nosmt", "quiet"), ("nosmt",)), id="the newest"),
        pytest.param([CLEARED], (("rw", "root=/dev/vda", "nosmt", "quiet"), ()), id="an empty key"),
    ],
)
def test_the_newest_entry_boots_next(entries: list[str], expected: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    assert newest_entry(entries) == KernelArguments(*expected)


def test_without_entries_nothing_is_known() -> None:
    assert newest_entry([]) is None


@pytest.mark.parametrize(
    ("words", "own"),
    [
        pytest.param(("rw", "asd=1", "nosmt"), "nosmt", id="few"),
        pytest.param(LONG, "argument1=value argument2=value", id="more than one byte counts"),
        pytest.param(("rw",), "", id="none of its own"),
        pytest.param((), "", id="none at all"),
    ],
)
def test_what_is_staged_has_arguments_as_well(words: tuple[str, ...], own: str) -> None:
    content = b"\x01\0target\0\0" + Staged("default", "c", list(words), "", own=own).as_variant() + b"\x40\0"
    assert staged_arguments(content) == KernelArguments(words, tuple(own.split()))


@pytest.mark.parametrize("content", [b"", b"kargs\0\0\0rw\0", b"\0as\x06 kargs\0\0\0"])
def test_another_form_is_not_guessed(content: bytes) -> None:
    assert staged_arguments(content) is None
