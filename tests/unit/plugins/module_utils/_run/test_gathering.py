# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Only what is asked for is read, and each subject but the first is the result of its name."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._run.gathering import gather_option, gathered

CASES: dict[str, tuple[list[str], dict[str, t.Any]]] = {
    "the first": (["images"], {"ready": True, "lacking": []}),
    "another": (["stores"], {"stores": ["slot1"]}),
    "both": (["stores", "images"], {"ready": True, "lacking": [], "stores": ["slot1"]}),
    "nothing": ([], {}),
}


@pytest.mark.parametrize(("gather", "objects"), CASES.values(), ids=CASES)
def test_what_is_asked_for_is_read_and_returned(gather: list[str], objects: dict[str, t.Any]) -> None:
    asked: list[str] = []

    def images(source: list[str], _params: t.Any) -> dict[str, t.Any]:
        source.append("images")
        return {"ready": True, "lacking": []}

    def stores(source: list[str], _params: t.Any) -> list[str]:
        source.append("stores")
        return ["slot1"]

    readers: dict[str, t.Any] = {"images": images, "stores": stores}
    assert gathered(readers, asked, {"gather": gather}).objects == objects
    assert sorted(asked) == sorted(gather)


def test_the_first_subject_is_the_default() -> None:
    option = gather_option(["images", "stores"]).options["gather"]
    assert (option["choices"], option["default"]) == (["images", "stores"], ["images"])
