# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Commands whose output is read while they run."""

from __future__ import annotations

import os
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_stream import streamed_output
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError


@pytest.fixture
def source(tmp_path: Path) -> t.Iterator[t.BinaryIO]:
    (tmp_path / "source").write_bytes(b"0123456789" * 100_000)
    with (tmp_path / "source").open("rb") as stream:
        yield stream


def test_the_output_is_read_to_its_end(source: t.BinaryIO) -> None:
    with streamed_output(["tr", "0", "x"], source) as output:
        assert output.read() == b"x123456789" * 100_000
        assert output.read(1) == b""


def test_a_command_is_ended_when_enough_was_read(source: t.BinaryIO) -> None:
    with streamed_output(["sh", "-c", "echo $$; exec yes"], source) as output:
        process = int(output.readline())
        assert output.read(4) == b"y\ny\n"
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_failure_is_told_at_the_end_of_the_output(source: t.BinaryIO) -> None:
    script = "printf ok; echo broken >&2; exit 3"
    with streamed_output(["sh", "-c", script], source) as output:
        assert output.read(2) == b"ok"
        with pytest.raises(CommandError, match="broken") as caught:
            output.read(1)
    assert caught.value.rc == 3


def test_much_that_is_said_on_the_way_blocks_nothing(source: t.BinaryIO) -> None:
    script = "head -c 1000000 /dev/zero | tr '\\0' 'e' >&2; echo done"
    with streamed_output(["sh", "-c", script], source) as output:
        assert output.read() == b"done\n"


def test_a_program_that_is_missing_is_told(source: t.BinaryIO) -> None:
    with pytest.raises(MissingRequirementError, match="no-such-program"), streamed_output(["no-such-program"], source):
        pass
