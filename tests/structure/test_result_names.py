# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Results can be used with dots in a play: in ``found.update`` Jinja finds the dictionary's method, not the key."""

from __future__ import annotations

import importlib
import typing as t

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.structure.source_tree import PREFIX, ROOT

TAKEN = {name for name in dir(dict) if not name.startswith("_")}


def modules() -> list[str]:
    return sorted(path.stem for path in (ROOT / "plugins" / "modules").glob("*.py"))


def names(described: dict[str, t.Any], above: str = "") -> list[str]:
    """Return the dotted names of all documented results."""
    found = []
    for name, one in described.items():
        found += [f"{above}{name}", *names(one.get("contains") or {}, f"{above}{name}.")]
    return found


@pytest.mark.parametrize("name", modules())
def test_no_result_is_named_like_a_method_of_a_dictionary(name: str) -> None:
    module = importlib.import_module(f"{PREFIX}plugins.modules.{name}")
    results = yaml.safe_load(module.RETURN) or {}
    assert [one for one in names(results) if one.rpartition(".")[2] in TAKEN] == []
