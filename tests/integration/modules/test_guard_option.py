# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A guard that says nothing where it is given is refused: an empty variable must not open a site."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.plays import run_play


@pytest.mark.parametrize("direct", [True, False], ids=["in the task", "as a program"])
@pytest.mark.parametrize("part", ["", "stanza", "assignments", "policies"])
def test_null_is_refused_before_the_api_is_asked(tmp_path: Path, part: str, direct: bool) -> None:
    guard = {part: None} if part else None
    task = {"fieldops.openshift.change_management_info": {"host": "https://127.0.0.1:9", "guard": guard}}
    run = run_play(tmp_path, task, "-e", f"fieldops_direct_execution={str(direct).lower()}")
    assert ".".join(filter(None, ("guard", part))) + " is null" in run.result["msg"]
