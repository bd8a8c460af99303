# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The same stubs to our conversion, to ign-converter and to Ignition's own validation."""

from __future__ import annotations

import json
import subprocess
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.ignition_conversion import converted
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._boot_images.plan.ignition_stubs import (
    CONVERTED,
    REFUSED,
    Json,
)

SECRET = "worker-user-data"


@pytest.fixture(scope="module")
def upstream() -> dict[str, Json]:
    """By stub what upstream converts it to or why it refuses it, and what is wrong with our conversion."""
    try:
        command = [str(program("ignition-stubs"))]
    except LabError as error:
        pytest.skip(f"Ignition cannot be had: {error.line}")
    asked: list[Json] = [{"stub": row.stub, "ours": converted(row.stub, SECRET)} for row in CONVERTED.values()]
    asked += [{"stub": row.stub, "ours": None} for row in REFUSED.values()]
    done = subprocess.run(command, input=json.dumps(asked), stdout=subprocess.PIPE, text=True, check=True)
    return dict(zip([*CONVERTED, *REFUSED], json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("name", CONVERTED)
def test_what_is_converted_is_valid(upstream: dict[str, Json], name: str) -> None:
    assert upstream[name]["flaws"] == ""


@pytest.mark.parametrize("name", CONVERTED)
def test_what_is_converted_is_what_upstream_makes_of_it_or_differs_for_a_reason(
    upstream: dict[str, Json], name: str
) -> None:
    row, theirs = CONVERTED[name], upstream[name]
    same = theirs["converted"] is not None and _filled(theirs["converted"]) == _filled(converted(row.stub, SECRET))
    assert same == (not row.differs), theirs


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_refused_upstream_or_converted_there_for_a_reason(
    upstream: dict[str, Json], name: str
) -> None:
    theirs = upstream[name]
    assert (theirs["converted"] is not None) == bool(REFUSED[name].differs), theirs


def _filled(part: t.Any) -> t.Any:
    """Return a configuration without what is empty: Ignition's own types have every field."""
    if isinstance(part, list):
        return [_filled(one) for one in part]
    if not isinstance(part, dict):
        return part
    filled = {name: _filled(value) for name, value in part.items()}
    return {name: value for name, value in filled.items() if value not in ({}, [], None, "")}
