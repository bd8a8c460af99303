# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The output of plays with the callback ``site``, in a log and in a terminal, from the events of the core in use."""

from __future__ import annotations

import json
import re
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.callback import site
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_view import EVENTS
from ansible_collections.fieldops.openshift.tests.integration.play_processes import PROGRAM, run_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.integration.terminal import (
    Meanwhile,
    Screen,
    Terminal,
    run_in_terminal,
    undisturbed,
)

WORKING = '''
from ansible.plugins.action import ActionBase


class ActionModule(ActionBase):
    """Works as a step loop does: says how each node goes on, and waits for the file ``until`` if there is one."""

    def run(self, tmp=None, task_vars=None):
        import os, time
        for node in ("worker-0", "worker-1"):
            self._display.display(f"  {node}: 2026-11-22T03:29:11Z 1 of 17 images are loaded")
        self._display.warning("the disk is slow") if self._task.args.get("warn") else None
        while self._task.args.get("until") and not os.path.exists(self._task.args["until"]):
            time.sleep(0.1)
        self._display.display(f"  worker-0: 2026-11-22T03:29:12Z 17 of 17 images are loaded")
        return {"changed": True, "warnings": ["one module warns"] if self._task.args.get("warn") else []}
'''
HERE = {"ansible_python_interpreter": "{{ ansible_playbook_python }}"}
LOAD = {"name": "Load on each node", "working": {"warn": True}}
ERROR = {"attempted": "drain the node", "on": "worker-0", "seen": "shop/web stays.", "advice": "Raise its budget."}
FAIL = {"name": "Drain the node", "failing": {"msg": "Could not ...", "error": ERROR}}
LOOK = {"name": "Look", "ansible.builtin.command": "sleep 1.1", "changed_when": False}
"""A phase that is over within a second has no line."""
FAILING = """
from ansible.errors import AnsibleConnectionFailure
from ansible.plugins.action import ActionBase


class ActionModule(ActionBase):
    def run(self, tmp=None, task_vars=None):
        if self._task.args.get("away"):
            raise AnsibleConnectionFailure("no route to host")
        return {"failed": True, **self._task.args}
"""
CLOCK = re.compile(r"^\d\d:\d\d:\d\d  ", re.MULTILINE)
TIMES = re.compile(r'\d\d:\d\d:\d\d\.\d+|"(delta|start|end)": "[^"]*"|, \d+ s$|after \d+ s', re.MULTILINE)

COLOR = re.compile(r"\x1b\[[\d;]*m")
"""ECMA-48: select graphic rendition."""
CHANGING = re.compile(r"^.*(callback|ansible-tmp-|EXEC|PUT|tmp).*\n", re.MULTILINE)
"""Lines of -vvv that name the callback or a temporary file."""


class Site:
    """A folder with a playbook of three phases, of which the second is skipped and the third may fail."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "action_plugins").mkdir()
        (folder / "action_plugins" / "working.py").write_text(WORKING)
        (folder / "action_plugins" / "failing.py").write_text(FAILING)

    def write(self, *last: dict[str, t.Any], first: dict[str, t.Any] = LOAD) -> Path:
        """Write the playbook; its tasks ``last`` are a phase of their own, after which it sums up."""
        self._tasks("load", [first, LOOK])
        self._tasks("roll", [{"name": "Say", "ansible.builtin.debug": {}}, LOOK, *last])
        include = "ansible.builtin.include_tasks"
        phases = [
            {"name": "Load the images", include: "load.yml"},
            {"name": "Clean up", include: "load.yml", "when": False},
            {"name": "Roll the nodes", include: "roll.yml"},
        ]
        ending = {"name": "Report", "ansible.builtin.set_stats": {"data": {"fieldops_ending": "needs_person"}}}
        said = {"name": "Sum up", "ansible.builtin.debug": {"msg": ["worker-0  done", "Nothing remains."]}}
        group = {"name": "Run", "block": phases, "always": [said, ending]}
        play = {"name": "Update the site", "hosts": "localhost", "gather_facts": False, "vars": HERE, "tasks": [group]}
        path = self.folder / "play.yml"
        path.write_text(json.dumps([play]))
        return path

    def _tasks(self, name: str, tasks: list[dict[str, t.Any]]) -> None:
        (self.folder / f"{name}.yml").write_text(json.dumps(tasks))

    def environment(self, callback: str = "fieldops.openshift.site", **extra: str) -> dict[str, str]:
        """Return the environment of a play with a callback."""
        own = {"ANSIBLE_STDOUT_CALLBACK": callback, "ANSIBLE_DIFF_ALWAYS": "false", **extra}
        kept = environment_for(self.folder, own)
        return {name: value for name, value in kept.items() if name not in ("CI", "AWX_ISOLATED_DATA_DIR")}

    def run(self, play: Path, *words: str, callback: str = "fieldops.openshift.site", **extra: str) -> str:
        """Run the playbook with its output in a pipe."""
        command = ["-i", "localhost,", "-c", "local", *words, str(play)]
        return run_ansible_playbook(command, self.environment(callback, **extra), self.folder).stdout


@pytest.fixture
def place(tmp_path: Path) -> Site:
    return Site(tmp_path)


def in_short(output: str) -> list[str]:
    """Return the lines of an output without its times."""
    return TIMES.sub("", CLOCK.sub("", output)).splitlines()


def test_a_log_has_one_line_for_each_change_and_phase_and_what_the_play_says(place: Site) -> None:
    assert in_short(place.run(place.write()))[1:] == [
        "[WARNING]: the disk is slow",
        "[WARNING]: one module warns",
        "worker-0: 17 of 17 images are loaded",
        "worker-1: 1 of 17 images are loaded",
        "done: Load the images",
        "Hello world!",
        "done: Roll the nodes",
        "worker-0  done",
        "Nothing remains.",
        "Ended : needs_person",
    ]


def test_a_failure_is_shown_once_with_what_to_do(place: Site) -> None:
    lines = in_short(place.run(place.write(FAIL)))
    first = lines.index("FAILED  Drain the node (localhost)")
    assert lines[first + 1 : first + 4] == [
        "  Could not drain the node on worker-0: shop/web stays.",
        "  What to do: Raise its budget.",
        "failed: Roll the nodes",
    ]
    assert len([line for line in lines if "shop/web" in line]) == 1


@pytest.mark.parametrize(
    ("task", "shown"),
    [
        pytest.param({**FAIL, "ignore_errors": True}, "ignored: Drain the node: Could not drain", id="ignored"),
        pytest.param({**FAIL, "loop": ["a", "b"]}, "FAILED  Drain the node (localhost, b)", id="of an item"),
        pytest.param({**FAIL, "no_log": True}, "  the output has been hidden", id="censored"),
        pytest.param({"name": "Reach", "failing": {"away": True}}, "UNREACHABLE  Reach (localhost)", id="unreachable"),
        pytest.param(
            {"name": "A", "block": [FAIL], "rescue": [{"ansible.builtin.debug": {}}]}, "done: Roll", id="saved"
        ),
        pytest.param({"name": "Try", "ansible.builtin.command": "false"}, "FAILED  Try (localhost)", id="a command"),
        pytest.param({"name": "Ask", "ansible.builtin.debug": {"msg": "{{ nothing }}"}}, "FAILED  Ask", id="undefined"),
    ],
)
def test_no_failure_is_lost(place: Site, task: dict[str, t.Any], shown: str) -> None:
    output = place.run(place.write(task))
    assert [line for line in in_short(output) if line.startswith(shown)], output
    assert "The view of the site failed" not in output


@pytest.mark.parametrize("words", [["-v", "--diff"], ["-vvv", "--check"]], ids=" ".join)
def test_with_v_it_is_the_default_output(place: Site, words: list[str]) -> None:
    play = place.write(FAIL)
    ours, theirs = (place.run(play, *words, callback=name) for name in ("fieldops.openshift.site", "default"))
    assert "TASK [Drain the node]" in ours
    assert CHANGING.sub("", TIMES.sub("", ours)) == CHANGING.sub("", TIMES.sub("", theirs))


def test_the_full_output_can_be_chosen(place: Site) -> None:
    assert "TASK [Look]" in place.run(place.write(), FIELDOPS_VIEW="full")


def test_a_log_shows_that_a_long_task_still_runs(place: Site) -> None:
    waits = {"name": "Wait", "ansible.builtin.command": "sleep 2.5", "changed_when": False}
    lines = in_short(place.run(place.write(waits), FIELDOPS_VIEW_SILENCE="0.5"))
    alive = [line for line in lines if re.match(r"still running for \d s: Wait$", line)]
    assert alive, lines


def test_a_log_file_has_every_task(place: Site) -> None:
    place.run(place.write(), ANSIBLE_LOG_PATH=str(place.folder / "log"))
    log = (place.folder / "log").read_text()
    assert "TASK [Look]" in log
    assert "worker-0: 2026-11-22T03:29:11Z 1 of 17 images are loaded" in log


def test_a_view_that_fails_gives_way_to_the_default_output(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_view: t.Any) -> None:
        raise ValueError("broken")

    shown: list[str] = []
    callback = site.CallbackModule()
    callback._view = t.cast("t.Any", "a view")
    monkeypatch.setitem(EVENTS, "v2_playbook_on_no_hosts_matched", broken)
    monkeypatch.setattr(callback._display, "display", lambda text, *_args, **_options: shown.append(text))
    callback.v2_playbook_on_no_hosts_matched()
    callback.v2_playbook_on_no_hosts_matched()
    assert "broken" in "".join(shown)
    assert shown[-2:] == ["skipping: no hosts matched"] * 2


def in_terminal(
    place: Site, play: Path, size: tuple[int, int], meanwhile: Meanwhile = undisturbed
) -> tuple[Screen, str]:
    """Run a playbook in a terminal and return its screen and all that was written."""
    command = [str(PROGRAM), "-i", "localhost,", "-c", "local", str(play)]
    environment = place.environment(TERM="xterm-256color")
    _status, text = run_in_terminal(command, environment, place.folder, size, meanwhile)
    screen = Screen(size[0])
    screen.write(text)
    return screen, text


@pytest.mark.parametrize("columns", [30, 120])
def test_a_terminal_is_left_as_a_log_would_be(place: Site, columns: int) -> None:
    play = place.write(FAIL)
    screen, _text = in_terminal(place, play, (columns, 30))
    left = [line for line in in_short("\n".join(screen.rows)) if line and "WARNING" not in line]
    expected = [line for line in in_short(place.run(play)) if "WARNING" not in line]
    assert left[1:] == expected[1:]
    assert screen.rows[-1] == "", "the prompt of the shell has a line of its own"


def test_the_status_area_stays_within_the_terminal_and_shows_what_goes_on(place: Site) -> None:
    gate = place.folder / "gate"
    seen: list[str] = []

    def meanwhile(text: str, _terminal: Terminal) -> None:
        if text.count("> Load the images, 2 s") and not gate.exists():
            screen = Screen(50)
            screen.write(text)
            seen.extend(screen.rows)
            gate.touch()

    play = place.write(first={"name": "Load on each node", "working": {"until": str(gate)}})
    screen, text = in_terminal(place, play, (50, 30), meanwhile)
    assert [TIMES.sub("", row) for row in seen if row][1:] == [
        "-- Update the site",
        "> Load the images, 2 s: Load on each node",
        "  worker-0  1 of 17 images are loaded",
        "  worker-1  1 of 17 images are loaded",
        "  Next: Clean up, Roll the nodes",
    ]
    assert screen.overflows == []
    assert "\x1b[?" not in text, "no mode that must be undone"


def test_a_terminal_that_becomes_narrow_keeps_every_line_that_stays(place: Site) -> None:
    gate = place.folder / "gate"

    def meanwhile(text: str, terminal: Terminal) -> None:
        if "> Load the images, 1 s" in text:
            terminal.resize(30, 30)
        if "> Load the images, 3 s" in text:
            gate.touch()

    play = place.write(first={"name": "Load on each node", "working": {"until": str(gate)}})
    screen, text = in_terminal(place, play, (70, 30), meanwhile)
    left = in_short("\n".join(screen.rows))
    assert [line for line in in_short(place.run(play))[1:] if line not in left] == []
    painted = [row.rstrip("\r") for row in text.split("\n") if row.startswith(("> ", "-- "))]
    assert max(len(row) for row in painted) > 30, "it was wide before"
    assert max(len(row) for row in painted if ", 3 s" in row) < 30


@pytest.mark.parametrize(
    ("extra", "colored"), [({}, True), ({"NO_COLOR": "1"}, False)], ids=["usual", "without colors"]
)
def test_a_terminal_can_do_without_colors(place: Site, extra: dict[str, str], colored: bool) -> None:
    command = [str(PROGRAM), "-i", "localhost,", "-c", "local", str(place.write(FAIL))]
    usual = place.environment(TERM="xterm-256color")
    environment = {**{name: usual[name] for name in usual.keys() - {"ANSIBLE_NOCOLOR", "NO_COLOR"}}, **extra}
    _status, text = run_in_terminal(command, environment, place.folder, (80, 30))
    assert bool(COLOR.search(text)) is colored, text
    assert "> Roll the nodes" in text, "the status area is there in either case"


@pytest.mark.parametrize(
    "extra",
    [{"FIELDOPS_VIEW": "plain"}, {"TERM": "dumb"}, {"AWX_ISOLATED_DATA_DIR": "/runner"}, {"CI": "true"}],
    ids=["chosen", "dumb", "automation platform", "build server"],
)
def test_where_nothing_is_to_be_painted_there_are_only_lines(place: Site, extra: dict[str, str]) -> None:
    play = place.write()
    command = [str(PROGRAM), "-i", "localhost,", "-c", "local", str(play)]
    environment = {**place.environment(TERM="xterm"), **extra}
    _status, text = run_in_terminal(command, environment, place.folder, (80, 30))
    assert "\x1b" not in text
    assert "done: Roll the nodes" in text
