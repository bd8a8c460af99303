# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reboots asked of a systemd that is played by two small programs, since nobody may reboot the machine of a test."""

from __future__ import annotations

import json
import sys
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import boot_id
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.reboot import (
    reboot_once,
    soft_reboot_once,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import RebootRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

PROGRAM = """#!{python}
import json, pathlib, sys
place = pathlib.Path({place!r})
with (place / "calls").open("a") as calls:
    calls.write(json.dumps([pathlib.Path(sys.argv[0]).name, *sys.argv[1:]]) + "\\n")
print((place / sys.argv[1]).read_text() if (place / sys.argv[1]).exists() else "")
if sys.argv[0].endswith("systemd-run") and (place / "refused").exists():
    (place / "is-system-running").write_text((place / "refused").read_text())
    sys.exit("Transaction for fieldops-reboot.timer/start is destructive")
"""


class PlayedSystemd:
    """Answers to systemctl's verbs, and the calls that were made; systemd(1), systemctl(1)."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def answer(self, verb: str, text: str) -> None:
        (self._place / verb).write_text(text)

    @property
    def reboots(self) -> list[list[str]]:
        """Return the calls of systemd-run."""
        path = self._place / "calls"
        calls = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        return [call for call in calls if call[0] == "systemd-run"]


@pytest.fixture
def clock() -> SystemClock:
    """Real time: real processes do not wait for a clock that is moved by whoever looks at it."""
    return SystemClock()


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlayedSystemd:
    for name in ("systemctl", "systemd-run"):
        program = tmp_path / name
        program.write_text(PROGRAM.format(python=sys.executable, place=str(tmp_path)))
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    played = PlayedSystemd(tmp_path)
    played.answer("is-system-running", "running")
    played.answer("is-active", "inactive\ninactive")
    return played


def ask(clock: t.Any, boot: str | None = None, *, check_mode: bool = False) -> Step:
    return reboot_once(Host(clock), boot or str(boot_id()), check_mode=check_mode)


def test_a_host_that_begins_to_go_down_meanwhile_is_no_error(clock: t.Any, systemd: PlayedSystemd) -> None:
    systemd.answer("refused", "stopping")
    step = ask(clock)
    assert (step.objects["rebooted"], step.objects["requested"], step.actions) == (False, False, [])


def test_a_host_that_refuses_for_another_reason_is_one(clock: t.Any, systemd: PlayedSystemd) -> None:
    systemd.answer("refused", "running")
    with pytest.raises(CommandError, match="destructive"):
        ask(clock)


def test_a_host_in_the_boot_that_is_to_end_is_asked_by_a_timer_of_its_own(clock: t.Any, systemd: PlayedSystemd) -> None:
    step = ask(clock)
    (call,) = systemd.reboots
    assert (step.objects["requested"], step.objects["rebooted"]) == (True, False)
    assert [{"argv": call}] == step.actions
    assert call[-3:-1] == ["systemctl", "reboot"]
    assert "--on-active=2s" in call
    assert "--setenv=SYSTEMCTL_SKIP_AUTO_SOFT_REBOOT=1" in call


def test_a_host_that_has_rebooted_is_not_asked_again(clock: t.Any, systemd: PlayedSystemd) -> None:
    step = ask(clock, "1f6a3d0e-8a1c-4a53-bb7e-1de1a2f0c9d4")
    assert (step.objects["rebooted"], step.objects["requested"], step.objects["boot_id"], systemd.reboots) == (
        True,
        False,
        boot_id(),
        [],
    )


@pytest.mark.parametrize(
    ("verb", "text"),
    [("is-system-running", "stopping"), ("is-active", "active\ninactive"), ("is-active", "inactive\nactivating")],
    ids=["it is going down", "the timer is set", "the reboot is being asked for"],
)
def test_a_host_that_was_asked_is_not_asked_again(clock: t.Any, systemd: PlayedSystemd, verb: str, text: str) -> None:
    systemd.answer(verb, text)
    step = ask(clock)
    assert (step.objects["rebooted"], step.objects["requested"], systemd.reboots) == (False, False, [])


def test_a_degraded_host_can_be_rebooted(clock: t.Any, systemd: PlayedSystemd) -> None:
    systemd.answer("is-system-running", "degraded")
    assert ask(clock).changed


def test_check_mode_only_says_it(clock: t.Any, systemd: PlayedSystemd) -> None:
    step = ask(clock, check_mode=True)
    assert (step.objects["requested"], systemd.reboots) == (True, [])
    assert next(iter(step.actions or ()))["argv"][0] == "systemd-run"


def test_a_mounted_host_without_proc_is_refused(clock: t.Any, tmp_path: Path) -> None:
    with pytest.raises(RebootRefusedError, match="host_root"):
        reboot_once(Host(clock, tmp_path), "x", check_mode=False)


def ask_softly(clock: t.Any, root: Path, request: str = "r1 first", *, check_mode: bool = False) -> Step:
    return soft_reboot_once(Host(clock, root), str(boot_id()), request, check_mode=check_mode)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A host whose /run is a directory of the test, and whose commands run here."""
    place = tmp_path / "host"
    (place / "run").mkdir(parents=True)
    boot = place / "proc/sys/kernel/random/boot_id"
    boot.parent.mkdir(parents=True)
    boot.write_text(str(boot_id()))
    monkeypatch.setattr(Host, "is_mounted", property(lambda _self: False))
    return place


def test_one_request_leads_to_one_soft_reboot(clock: t.Any, systemd: PlayedSystemd, root: Path) -> None:
    systemd.answer("show", "0")
    first = ask_softly(clock, root)
    assert (first.objects["requested"], first.objects["rebooted"], first.objects["soft"]) == (True, False, True)
    assert systemd.reboots[0][-3:-1] == ["systemctl", "soft-reboot"]
    systemd.answer("is-active", "active\ninactive")
    assert not ask_softly(clock, root).changed
    systemd.answer("is-active", "inactive\ninactive")
    systemd.answer("show", "1")
    after = ask_softly(clock, root)
    assert (after.objects["requested"], after.objects["rebooted"], after.objects["soft"], len(systemd.reboots)) == (
        False,
        True,
        True,
        1,
    )


def test_another_request_leads_to_another_soft_reboot(clock: t.Any, systemd: PlayedSystemd, root: Path) -> None:
    systemd.answer("show", "0")
    ask_softly(clock, root)
    systemd.answer("show", "1")
    assert ask_softly(clock, root, "r1 second").changed


def test_a_request_that_was_killed_before_it_asked_is_made_again(
    clock: t.Any, systemd: PlayedSystemd, root: Path
) -> None:
    systemd.answer("show", "4")
    ask_softly(clock, root)
    assert ask_softly(clock, root).changed


def test_a_full_reboot_is_as_good_as_a_soft_one(clock: t.Any, systemd: PlayedSystemd, root: Path) -> None:
    step = soft_reboot_once(Host(clock, root), "1f6a3d0e-8a1c-4a53-bb7e-1de1a2f0c9d4", "r1", check_mode=False)
    assert (step.objects["rebooted"], step.objects["soft"], systemd.reboots) == (True, False, [])


def test_a_systemd_without_soft_reboots_is_named(clock: t.Any, systemd: PlayedSystemd, root: Path) -> None:
    systemd.answer("show", "")
    with pytest.raises(RebootRefusedError, match="systemd 254"):
        ask_softly(clock, root)


def test_check_mode_leaves_no_mark_of_a_soft_reboot(clock: t.Any, systemd: PlayedSystemd, root: Path) -> None:
    systemd.answer("show", "0")
    assert ask_softly(clock, root, check_mode=True).changed
    assert (systemd.reboots, [*(root / "run").iterdir()]) == ([], [])
