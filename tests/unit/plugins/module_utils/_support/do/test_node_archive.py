# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The archive of a node: a secret in each of its sources is in none of its parts, and each source is there."""

from __future__ import annotations

import io
import json
import tarfile
import typing as t
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandResult
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do import node_parts
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.node_archive import collected
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.node_parts import CREDENTIALS
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.node_sources import (
    COMMANDS,
    FILES,
    LOGS,
    journal_sources,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils.conftest import FakeClock

NOW = datetime(2026, 11, 21, 22, 0, 0, tzinfo=timezone.utc)
CANARY = "cAnArY0123456789xYz"
KNOWN = "known-only-to-the-node"
LEAK = f"seen here\npassword: {CANARY}\nAuthorization: Bearer {CANARY}\nit sent {KNOWN} somewhere\n"
PATTERNS = [source.pattern for source in (*FILES, *LOGS)]


class Quiet:
    def report(self, *_words: t.Any, **_more: t.Any) -> None:
        pass


@dataclass(frozen=True)
class FakeHost(Host):
    """A host whose commands say ``said``; ``endings`` say how those of some programs end."""

    said: str = LEAK
    endings: t.Any = None

    def run(self, argv: t.Sequence[str], **_more: t.Any) -> CommandResult:
        rc = (self.endings or {}).get(argv[0], 0)
        if rc == 127:
            raise MissingRequirementError(f"start {argv[0]}", on="host", seen="No such file", advice="Install it.")
        return CommandResult(tuple(argv), rc, self.said, f"failed, token={CANARY}" if rc else "", 0.1)


def plant(root: Path, pattern: str, text: str) -> Path:
    path = root / pattern.lstrip("/").replace("*", "some")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The root of a node with a secret in each file that is collected, and with files of credentials."""
    stamped = "".join(f"{NOW.isoformat()} stderr F {line}\n" for line in LEAK.splitlines())
    for source in (*FILES, *LOGS):
        plant(tmp_path, source.pattern, stamped if source.is_log else LEAK)
    for path in CREDENTIALS:
        plant(tmp_path, path, json.dumps({"auths": {"quay.io": {"password": KNOWN}}, "password": KNOWN}))
    return tmp_path


def unpacked(packed: bytes) -> dict[str, str]:
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        members = archive.getmembers()
        assert all(member.isreg() and member.mode == 0o600 for member in members)
        return {one.name: t.cast("t.IO[bytes]", archive.extractfile(one)).read().decode() for one in members}


def collect(host: Host, limit_mib: int = 64) -> tuple[dict[str, str], dict[str, t.Any]]:
    packed, parts = collected(host, 24, limit_mib, Quiet())
    found = unpacked(packed)
    told = {part["name"]: part for part in json.loads(found["manifest.json"])["parts"]}
    assert [part.as_document() for part in parts] == list(told.values())
    return found, told


@pytest.mark.parametrize("endings", [{}, dict.fromkeys(("crictl", "journalctl", "systemctl", "find"), 1)])
def test_a_secret_in_each_source_is_nowhere(root: Path, endings: dict[str, int]) -> None:
    found, _told = collect(FakeHost(FakeClock(), root, endings=endings))
    for name, text in found.items():
        assert CANARY not in text, name
        assert KNOWN not in text, name
    commands = [*COMMANDS, *journal_sources(0)]
    for name in [source.name for source in commands] + [f"files{one.replace('*', 'some')}" for one in PATTERNS]:
        assert "seen here" in found[name]


@pytest.mark.parametrize("path", CREDENTIALS)
def test_no_file_of_credentials_is_collected(root: Path, path: str) -> None:
    found, _told = collect(FakeHost(FakeClock(), root))
    assert not [name for name in found if name.endswith(path)]


def test_an_empty_host_without_programs_says_what_it_lacks(tmp_path: Path) -> None:
    gone = dict.fromkeys({source.argv[0] for source in (*COMMANDS, *journal_sources(0))}, 127)
    found, told = collect(FakeHost(FakeClock(), tmp_path, endings=gone))
    assert list(found) == ["manifest.json"]
    assert {part["state"] for part in told.values()} == {"absent"}
    assert told["journal/crio.log"]["reason"] == "No such file"
    assert set(told) >= {source.name for source in COMMANDS}


def test_a_command_that_fails_is_told_with_what_it_said(root: Path) -> None:
    found, told = collect(FakeHost(FakeClock(), root, endings={"crictl": 1}))
    assert (told["commands/crictl-info.json"]["state"], told["commands/crictl-info.json"]["reason"]) == (
        "failed",
        "it ended with status 1",
    )
    assert "failed, token=********" in found["commands/crictl-info.json"]


def test_a_link_is_not_followed(root: Path) -> None:
    secret = root / "secret"
    secret.write_text("not to be seen")
    (root / "etc/crio/crio.conf.d/99-link").symlink_to(secret)
    found, told = collect(FakeHost(FakeClock(), root))
    assert told["files/etc/crio/crio.conf.d/99-link"]["state"] == "refused"
    assert not [name for name, text in found.items() if "not to be seen" in text]


def test_of_a_log_the_lines_of_the_time_span_are_kept(root: Path) -> None:
    pattern = LOGS[0].pattern
    old, young = NOW - timedelta(hours=25), NOW - timedelta(hours=23)
    lines = [f"{old.isoformat()} stderr F old", "its rest", f"{young.isoformat()} stderr F young", "its rest too"]
    plant(root, pattern, "\n".join(lines))
    found, _told = collect(FakeHost(FakeClock(), root))
    assert found[f"files{pattern.replace('*', 'some')}"] == "\n".join(lines[2:])


def test_a_long_file_is_cut_to_its_end(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_parts, "PART_LIMIT", 1000)
    path = "/etc/hosts"
    plant(root, path, "first\n" + "x" * 99 + "\n" + ("y" * 99 + "\n") * 10 + "last\n")
    found, told = collect(FakeHost(FakeClock(), root))
    kept = found[f"files{path}"]
    assert (told[f"files{path}"]["state"], kept[:3], kept[-5:]) == ("cut", "yyy", "last\n")
    assert len(kept) <= 1000


def test_what_is_beyond_the_bound_is_left_out_and_told(root: Path) -> None:
    found, told = collect(FakeHost(FakeClock(), root, said="z" * 60_000), limit_mib=1)
    left = {name for name, part in told.items() if part["state"] == "left_out"}
    assert "journal/kubelet.log" in left
    assert told["journal/kubelet.log"]["reason"] == "the archive would have more than 1.0 MiB"
    assert not left & found.keys()
    assert sum(len(text) for name, text in found.items() if name != "manifest.json") <= 1024 * 1024
