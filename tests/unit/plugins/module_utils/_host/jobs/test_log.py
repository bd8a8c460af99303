# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a job prints: bounded, masked, and never in the way of the work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.log import MaskedLog, RotatingLog
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.masking import Mask


def written(directory: Path, limit: int, *chunks: bytes) -> tuple[bytes, bytes]:
    log = RotatingLog(directory / "log", directory / "older", limit)
    for chunk in chunks:
        log.write(chunk)
    log.close()
    older = directory / "older"
    return older.read_bytes() if older.exists() else b"", (directory / "log").read_bytes()


@pytest.mark.parametrize(
    ("chunks", "files"),
    [
        pytest.param([b"abc"], (b"", b"abc"), id="little"),
        pytest.param([b"abcd", b"e"], (b"abcd", b"e"), id="one-half-full"),
        pytest.param([b"abcdefghi"], (b"efgh", b"i"), id="the-end-stays"),
    ],
)
def test_two_halves_take_turns(tmp_path: Path, chunks: list[bytes], files: tuple[bytes, bytes]) -> None:
    assert written(tmp_path, 8, *chunks) == files


def test_only_we_can_read_it(tmp_path: Path) -> None:
    written(tmp_path, 8, b"abcdef")
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_a_log_that_is_there_is_continued(tmp_path: Path) -> None:
    written(tmp_path, 100, b"first ")
    assert written(tmp_path, 100, b"second")[1] == b"first second"


@settings(max_examples=30)
@given(st.lists(st.binary(max_size=20), max_size=10))
def test_the_end_is_kept_and_the_bound_too(tmp_path_factory: pytest.TempPathFactory, chunks: list[bytes]) -> None:
    older, newer = written(tmp_path_factory.mktemp("log"), 16, *chunks)
    kept = older + newer
    assert len(kept) <= 16
    assert b"".join(chunks).endswith(kept)
    assert len(kept) >= min(8, len(b"".join(chunks)))


def masked(directory: Path, *chunks: bytes) -> bytes:
    log = MaskedLog(RotatingLog(directory / "log", directory / "older", 4096), Mask(["canary-pw", "another"]))
    for chunk in chunks:
        log.write(chunk)
    log.close()
    return (directory / "log").read_bytes()


@pytest.mark.parametrize(
    ("chunks", "text"),
    [
        pytest.param([b"a canary-pw."], b"a ********.", id="whole"),
        pytest.param([b"a can", b"ary-", b"pw."], b"a ********.", id="in-pieces"),
        pytest.param([b"a can", b"non"], b"a cannon", id="only-begun"),
        pytest.param([b"the end: can"], b"the end: can", id="begun-at-the-end"),
        pytest.param([b"can", b"another", b"!"], b"can********!", id="two"),
    ],
)
def test_secrets_are_masked_in_whatever_pieces_they_come(tmp_path: Path, chunks: list[bytes], text: bytes) -> None:
    assert masked(tmp_path, *chunks) == text


def test_what_cannot_be_a_secret_is_written_at_once(tmp_path: Path) -> None:
    log = MaskedLog(RotatingLog(tmp_path / "log", tmp_path / "older", 4096), Mask(["canary-pw"]))
    log.write(b"line 1\n")
    assert (tmp_path / "log").read_bytes() == b"line 1\n"
    log.close()


def test_what_comes_after_the_end_is_dropped(tmp_path: Path) -> None:
    log = MaskedLog(RotatingLog(tmp_path / "log", tmp_path / "older", 4096), Mask())
    log.close()
    log.write(b"late")
    assert (tmp_path / "log").read_bytes() == b""


PRINTING = """
import os, subprocess, sys
from pathlib import Path
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.log import CapturedOutput
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.log import MaskedLog, RotatingLog
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.masking import Mask
directory = Path(sys.argv[1])
print("before", flush=True)
log = MaskedLog(RotatingLog(directory / "log", directory / "older", 4096), Mask(["canary-pw"]))
with CapturedOutput(log):
    print("from python")
    os.write(2, b"torn cana")
    os.write(2, b"ry-pw secret\\n")
    subprocess.run(["sh", "-c", "echo from a child; echo canary-pw"], check=True)
    subprocess.Popen(["cat"], start_new_session=True)
print("after", flush=True)
"""


def test_all_that_a_process_and_its_children_print_is_taken_and_masked(tmp_path: Path) -> None:
    """Also while a process that was left behind, here cat, still could print more."""
    printing = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", PRINTING, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    with printing:
        assert printing.stdout
        assert printing.stdout.read() == b"before\n"
    lines = (tmp_path / "log").read_text().splitlines()
    assert sorted(lines) == ["********", "from a child", "from python", "torn ******** secret"]
