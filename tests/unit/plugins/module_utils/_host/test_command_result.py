# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How the end of a command is told."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import (
    CommandError,
    CommandResult,
    displayed,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.masking import Mask


def result(stdout: str = "", stderr: str = "", rc: int = 0, cut: int = 0) -> CommandResult:
    return CommandResult(("crictl", "images", "-o", "json"), rc, stdout, stderr, seconds=0.1, stdout_cut=cut)


def test_json_output_is_parsed() -> None:
    assert result('{"images": []}').json() == {"images": []}


@pytest.mark.parametrize(
    ("ended", "seen"),
    [
        pytest.param(result('{"images": ['), "not JSON", id="torn"),
        pytest.param(result(""), "not JSON", id="empty"),
        pytest.param(result("[" * 100_000), "not JSON", id="too-deep"),
        pytest.param(result("[1", cut=7), "7 bytes longer", id="cut"),
    ],
)
def test_output_that_is_not_json_is_an_error(ended: CommandResult, seen: str) -> None:
    with pytest.raises(CommandError, match=seen):
        ended.json()


@pytest.mark.parametrize(
    ("rc", "seen"), [(1, "ended with status 1"), (-9, "was killed by signal 9 (Killed)")], ids=["status", "signal"]
)
def test_an_error_says_how_it_ended_and_what_was_said(rc: int, seen: str) -> None:
    error = CommandError(result(stderr="error: manifest unknown\n", rc=rc), on="node-1")
    assert str(error).startswith(
        f"Could not run crictl images -o json on node-1: it {seen}, with the error output: error: manifest"
    )
    assert error.partial == {"argv": ["crictl", "images", "-o", "json"], "rc": rc, "stderr": "error: manifest unknown"}


def test_an_error_quotes_only_the_end_and_no_secret() -> None:
    error = CommandError(result(stderr="x" * 9000 + "denied for canary-pw", rc=1), mask=Mask(["canary-pw"]))
    assert len(str(error)) < 3000
    assert error.stderr.endswith("denied for ********")
    assert "canary" not in f"{error} {error.partial}"


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["skopeo", "copy", "a b"], "skopeo copy 'a b'"),
        (["echo", "x" * 400], "echo " + "x" * 292 + "..."),
    ],
    ids=["quoted", "shortened"],
)
def test_a_command_is_shown_as_a_person_types_it(argv: list[str], line: str) -> None:
    assert displayed(argv) == line
