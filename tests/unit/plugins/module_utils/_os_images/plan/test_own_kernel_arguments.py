# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Kernel arguments of the next boot, from entries of the boot loader and from what ostree has staged."""

from __future__ import annotations

import base64

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
RECORDED = (
    "dGFyZ2V0AABuYW1lAAAAADgzOTkzMjhiMzk2YTBiZWJhYWE1ZGUyMDJiMjdiMzllMTA4OTZkYjFkMDFiNGRjMjUxMDFmNjRmNjU1NDNiODcuMA"
    "AAcwUAAG9zbmFtZQAAZGVmYXVsdAAAcwcAAAAAAGJvb3Rjc3VtAAAAAAAAAABlNDc5OGExYzBhYTc5YTg4NTI1ZWRkN2I3YjA1NDcwODZlN2Q4"
    "YWJkYTAzZWRjMDUxMzQ0YzYyMjgyODg1MDlhAABzCU5jvABhe3N2fQcAAG1lcmdlLWRlcGxveW1lbnQAAAAAAAAAAG5hbWUAAAAAZTNkZjQwND"
    "RiZDhlN2JkZjljM2Q2N2VkNDVmNTMyZDExMDk1ZTY3YTdmZTMxNmMzYjI3NzNmOTBjYjMwYWJiOC4wAABzBQAAb3NuYW1lAABkZWZhdWx0AABz"
    "BwAAAAAAYm9vdGNzdW0AAAAAAAAAAGU0Nzk4YTFjMGFhNzlhODg1MjVlZGQ3YjdiMDU0NzA4NmU3ZDhhYmRhMDNlZGMwNTEzNDRjNjIyODI4OD"
    "UwOWEAAHMJTmO8AGF7c3Z9EQAAa2FyZ3MAAABjb25zb2xlPXR0eVMwAHJ3AHJvb3Q9L2Rldi92ZGEAb3N0cmVlPS9vc3RyZWUvYm9vdC4xL2Rl"
    "ZmF1bHQvZTQ3OThhMWMwYWE3OWE4ODUyNWVkZDdiN2IwNTQ3MDg2ZTdkOGFiZGEwM2VkYzA1MTM0NGM2MjI4Mjg4NTA5YS8wAA4RH4AAYXMGzg"
    "CuAUAC"
)
"""What ostree 2026.4 wrote on a host for a ``bootc switch``, in Base64."""
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


def test_what_ostree_writes_is_read() -> None:
    found = staged_arguments(base64.b64decode(RECORDED))
    assert found is not None
    assert (found.words[:3], len(found.words), found.own) == (("console=ttyS0", "rw", "root=/dev/vda"), 4, ())


@pytest.mark.parametrize("content", [b"", b"kargs\0\0\0rw\0", b"\0as\x06 kargs\0\0\0"])
def test_another_form_is_not_guessed(content: bytes) -> None:
    assert staged_arguments(content) is None
