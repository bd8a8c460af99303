# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Commands: real processes, bounded in time and output, with nothing left behind."""

from __future__ import annotations

import os
import signal
import sys
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host import commands
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandResult
from ansible_collections.fieldops.openshift.plugins.module_utils._host.commands import run_command
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.backends import wait_until
from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import ProcessIdentity
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    FieldOpsError,
    InvalidInputError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.masking import MASK, Mask

PATH = {"PATH": os.environ["PATH"]}


def ran(*argv: str, within: float = 20, **given: t.Any) -> CommandResult:
    given.setdefault("environment", PATH)
    return run_command(argv, deadline=Deadline(within, SystemClock()), **given)


def is_gone(pid: int) -> bool:
    return wait_until(lambda: not ProcessIdentity.of(pid).is_alive, Deadline(10, SystemClock()))


def test_both_streams_status_and_time_are_returned() -> None:
    result = ran("sh", "-c", "echo out; echo err >&2; exit 3")
    assert (result.stdout, result.stderr, result.rc) == ("out\n", "err\n", 3)
    assert 0 < result.seconds < 20


def test_death_by_signal_is_a_negative_status() -> None:
    assert ran("sh", "-c", "kill -9 $$").rc == -9


def test_no_shell_looks_at_the_words() -> None:
    assert ran("echo", "$HOME; `id` *").stdout == "$HOME; `id` *\n"


def test_the_environment_is_exactly_the_given_one() -> None:
    assert ran("/usr/bin/env", environment={"A": "1"}).stdout == "A=1\n"


@pytest.mark.parametrize("size", [0, 1, 300_000], ids=["nothing", "little", "more-than-a-pipe-holds"])
def test_standard_input_arrives_whole(size: int) -> None:
    assert ran("wc", "-c", stdin=b"x" * size).stdout.strip() == str(size)


def test_a_command_that_ignores_its_input_is_no_error() -> None:
    assert ran("true", stdin=b"x" * 1_000_000).rc == 0


def test_output_beyond_the_limit_keeps_its_ends() -> None:
    result = ran("sh", "-c", "echo first; seq 100000; echo last", limit=200)
    assert result.stdout.startswith("first\n1\n")
    assert result.stdout.endswith("100000\nlast\n")
    assert f"[{result.stdout_cut} bytes cut]" in result.stdout


def test_every_chunk_is_seen_as_it_comes() -> None:
    seen: list[bytes] = []
    ran("sh", "-c", "echo a; echo b >&2", tee=seen.append)
    assert sorted(b"".join(seen).split()) == [b"a", b"b"]


def test_a_process_left_behind_does_not_hold_us_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "LINGERING", 0.2)
    result = ran("sh", "-c", "sleep 60 & echo $!")
    os.kill(int(result.stdout), signal.SIGKILL)
    assert result.seconds < 10


LATE = 3.0
"""Seconds after which a shell has begun on a machine that has much else to do."""


class TestDeadline:
    def test_the_whole_group_is_ended(self) -> None:
        with pytest.raises(DeadlineExceededError) as caught:
            ran("sh", "-c", "sleep 60 & echo $!; echo waiting >&2; wait", within=LATE)
        assert "Its output: waiting" in caught.value.seen
        assert is_gone(int(caught.value.partial["stdout"]))

    def test_who_ignores_sigterm_is_killed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(commands, "TERMINATION_GRACE", 0.3)
        with pytest.raises(DeadlineExceededError) as caught:
            ran("sh", "-c", "trap '' TERM; echo $$; while :; do sleep 1; done", within=LATE)
        assert is_gone(int(caught.value.partial["stdout"]))

    def test_who_closed_its_output_is_noticed_too(self) -> None:
        with pytest.raises(DeadlineExceededError):
            ran("sh", "-c", "exec >&- 2>&-; sleep 60", within=0.3)

    def test_a_mask_covers_what_is_quoted(self) -> None:
        with pytest.raises(DeadlineExceededError) as caught:
            ran("sh", "-c", "cat >&2; sleep 60", stdin=b"canary-pw", within=LATE, mask=Mask(["canary-pw"]))
        assert MASK in str(caught.value)
        assert "canary" not in f"{caught.value} {caught.value.partial}"


def test_an_interruption_of_ours_ends_the_command(tmp_path: Path) -> None:
    def interrupt(chunk: bytes) -> None:
        (tmp_path / "pid").write_bytes(chunk)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ran("sh", "-c", "echo $$; sleep 60", tee=interrupt)
    assert is_gone(int((tmp_path / "pid").read_text()))


def script(directory: Path, content: str, mode: int = 0o755) -> str:
    path = directory / "program"
    path.write_text(content)
    path.chmod(mode)
    return str(path)


def test_a_missing_program_is_named() -> None:
    with pytest.raises(MissingRequirementError, match="Install the package that provides skopeo-none"):
        ran("skopeo-none")


def test_a_missing_program_is_missing_though_a_directory_of_the_path_is_closed(tmp_path: Path) -> None:
    (tmp_path / "skopeo-none").write_text("")
    with pytest.raises(MissingRequirementError, match="Install the package that provides skopeo-none"):
        ran("skopeo-none", environment={"PATH": f"{tmp_path}:/usr/bin"})


def test_a_command_line_too_long_is_no_missing_program() -> None:
    with pytest.raises(FieldOpsError, match="Argument list too long") as caught:
        ran("/bin/true", "x" * 3_000_000)
    assert caught.value.kind == "error"


def test_a_program_without_the_right_to_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingRequirementError, match=r"Permission denied.*executable"):
        ran(script(tmp_path, "#!/bin/sh\n", mode=0o644))


def test_a_program_of_another_machine_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingRequirementError, match="architecture"):
        ran(script(tmp_path, "\x7fELF nonsense"))


@pytest.mark.parametrize("argv", [(), ("",), ("a\0b",), (1,)], ids=["none", "empty", "nul", "no-string"])
def test_words_that_are_none_are_refused(argv: tuple[t.Any, ...]) -> None:
    with pytest.raises((InvalidInputError, MissingRequirementError)):
        ran(*argv)


def test_a_line_for_a_shell_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="list of strings"):
        run_command("rm -rf /tmp/x", deadline=Deadline(1, SystemClock()), environment={})


def test_no_descriptor_of_ours_is_inherited(tmp_path: Path) -> None:
    with (tmp_path / "private").open("w") as private:
        os.set_inheritable(private.fileno(), True)
        listed = ran(sys.executable, "-c", "import os; print(os.listdir('/proc/self/fd'))").stdout
        assert f"'{private.fileno()}'" not in listed
