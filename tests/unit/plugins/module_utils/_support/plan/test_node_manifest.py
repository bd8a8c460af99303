# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is believed of the manifest of a node."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.node_manifest import parts_of_manifest
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.parts import Part

WHOLE = Part("journal/crio.log", "journalctl", "cut", 12, "long")


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b"\xff", b'{"parts": 1}', b'{"parts": ["x"]}', b"[" * 100_000], ids=lambda c: c[:9]
)
def test_what_is_no_manifest_names_nothing(content: bytes) -> None:
    assert parts_of_manifest(content) == {}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, WHOLE),
        ({"state": "fine"}, Part(WHOLE.name, "journalctl", "failed", 12, "long")),
        ({"size": "big"}, Part(WHOLE.name, "journalctl", "cut", 0, "long")),
        ({"reason": "a\x1b[31m\n" + "b" * 600}, Part(WHOLE.name, "journalctl", "cut", 12, "a?[31m?" + "b" * 493)),
        ({"source": None}, Part(WHOLE.name, "", "cut", 12, "long")),
    ],
)
def test_what_has_another_form_is_made_harmless(changes: dict[str, t.Any], expected: Part) -> None:
    content = json.dumps({"parts": [{**WHOLE.as_document(), **changes}]}).encode()
    assert parts_of_manifest(content) == {WHOLE.name: expected}
