# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a pod's shell makes of an exec request, with a real shell in place of the pod."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.entry import (
    command_line,
    exec_words,
    receive_script,
    send_script,
)

BYTES = bytes(range(256)) * 1000


def run(script: str, given: bytes | None = None, rest: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run ``script`` as the pod would; ``rest`` is what the stream holds beyond what the command may read."""
    words = exec_words(None if given is None else len(given), in_host=False)
    stream = command_line(script) + (given or b"") + rest
    return subprocess.run(words, input=stream, capture_output=True, check=False, timeout=20)


def test_the_words_are_the_same_for_every_command() -> None:
    assert exec_words(None, in_host=True) == exec_words(None, in_host=True)
    assert "canary" not in " ".join(exec_words(6, in_host=True))
    assert b"canary" not in command_line("echo canary")


def test_status_and_both_streams() -> None:
    ended = run("echo out; echo err >&2; exit 7")
    assert (ended.returncode, ended.stdout, ended.stderr) == (7, b"out\n", b"err\n")


@pytest.mark.parametrize("text", ["it's", '"', "$HOME `id` \\", "a\nb", "ä€", "%s %d", "-n", "!", "\udcff"])
def test_any_text_arrives_as_it_is(text: str) -> None:
    ended = run(shlex.join(["printf", "%s", text]))
    assert ended.stdout == text.encode("utf-8", "surrogateescape")


@pytest.mark.parametrize("given", [b"", b"x", BYTES], ids=["nothing", "a byte", "every byte"])
def test_input_ends_where_it_should(given: bytes) -> None:
    assert run("cat", given, rest=b"not for it").stdout == given


def test_input_that_is_not_read_does_not_hide_the_status() -> None:
    words = exec_words(len(BYTES), in_host=False)
    with subprocess.Popen(words, stdin=subprocess.PIPE) as process:
        assert process.stdin
        process.stdin.write(command_line("exit 127") + BYTES)
        process.stdin.close()
        assert process.wait(20) == 127


def test_without_input_the_stream_is_not_the_commands() -> None:
    assert run("cat", rest=b"not for it").stdout == b""


def test_the_variable_of_containers_stays_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("container", "oci")
    assert run('echo "$container"').stdout == b"\n"


def test_a_broken_first_line_runs_nothing() -> None:
    words = exec_words(None, in_host=False)
    ended = subprocess.run(words, input=b"*?!\n", capture_output=True, check=False, timeout=20)
    assert ended.returncode == 125


def test_a_file_is_received_whole(tmp_path: Path) -> None:
    target = tmp_path / "it's here"
    assert run(receive_script(str(target), len(BYTES)), BYTES).returncode == 0
    assert target.read_bytes() == BYTES
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_file_that_was_cut_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("before")
    assert run(receive_script(str(target), len(BYTES) + 1), BYTES).returncode == 1
    assert target.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_file_is_sent(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(BYTES)
    assert run(send_script(str(tmp_path / "file"))).stdout == BYTES
    assert run(send_script(str(tmp_path / "none"))).returncode == 66
    assert run(send_script(str(tmp_path))).returncode == 66
