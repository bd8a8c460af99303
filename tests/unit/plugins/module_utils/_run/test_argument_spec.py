# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


def test_merging_keeps_options_and_rules_of_all_parts() -> None:
    first = ArgumentSpec(options={"a": {"type": "str"}}, required_one_of=[("a", "b")])
    second = ArgumentSpec(options={"b": {"type": "int"}}, mutually_exclusive=[("a", "b")])
    merged = first.merged(second)
    assert set(merged.options) == {"a", "b"}
    assert (merged.required_one_of, merged.mutually_exclusive) == ([("a", "b")], [("a", "b")])


def test_an_option_has_one_definition() -> None:
    part = ArgumentSpec(options={"a": {"type": "str"}})
    with pytest.raises(InvalidInputError, match="two parts define the same option"):
        part.merged(part)
