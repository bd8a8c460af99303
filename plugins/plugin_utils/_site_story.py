# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a play of a site comes to for the person who watches it: phases, steps, nodes, and what is worth a line.

Converts events to permanent lines. The status area reads the current activity. Nothing here knows Ansible,
a clock or a terminal.
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_words import (
    BAD,
    CHANGED,
    GOOD,
    LABELS,
    PLAIN,
    QUIET,
    Line,
    changed_items,
    duration,
    failure_lines,
    indented,
    message_lines,
    printable,
    without_drawings,
)

Content = Mapping[str, t.Any]

PROGRESS = re.compile(
    r"  (?:(?P<node>\S+): )?\d{4}-\d\d-\d\dT(?P<at>\d\d:\d\d:\d\d)\S*Z (?P<still>still after \d+ s: )?(?P<sentence>.*)",
    re.DOTALL,
)
"""A line of an action that waits, see ``_step_loop``: its node, if any, and where things stand there."""
POOL = re.compile(r"pool (\S+): (\d+) of (\d+) nodes have ")
"""The sentence of a pool whose nodes the machine-config operator rolls, see ``PoolProgress``."""
WITHOUT_NODE = ""
BRIEF = 1.0
"""Seconds; a phase that is over sooner had nothing to do, and is worth no line."""


@dataclass(frozen=True)
class TaskSeen:
    """A task that starts: ``path`` names the includes it stands in, the outermost, which is its phase, first."""

    name: str
    path: tuple[str, ...] = ()
    is_include: bool = False


@dataclass(frozen=True)
class Failure:
    """A task that failed: ``label`` is its host or item, ``handled`` whether the play continues by its own rules."""

    task: str
    label: str
    content: Content
    word: str = "FAILED"
    handled: bool = False


@dataclass
class NodeState:
    """The last sentence of a node, and whether a line has said it."""

    sentence: str
    at: str
    said_at: float
    said: bool = False


@dataclass
class Now:
    """The current activity."""

    play: str = ""
    began: float = 0.0
    phase: str = ""
    phase_began: float = 0.0
    phase_failed: bool = False
    step: tuple[str, ...] = ()
    step_changed: bool = False
    task: str = ""
    task_began: float = 0.0
    attempt: str = ""
    nodes: dict[str, NodeState] = field(default_factory=dict)
    upcoming: tuple[str, ...] = ()
    nodes_done: str = ""
    node: str = ""
    window: str = ""
    problem: tuple[str, ...] = ()


class Story:
    """Takes note of events and returns the lines that each of them is worth.

    In a log a node that works for long has a line every ``interval`` seconds, and a play in which nothing is said for
    ``silence`` seconds a sign of life. With ``is_live`` a status area shows both.
    """

    def __init__(self, *, is_live: bool, interval: float, silence: float) -> None:
        self._is_live, self._interval, self._silence = is_live, interval, silence
        self.now = Now()
        self._spoken_at = 0.0
        self._worded: set[str] = set()
        self._progressed = False

    def play_starts(self, name: str, phases: Sequence[str], at: float, clock: str) -> list[Line]:
        """Begin a play with the phases that it may have; ``clock`` is the date and time of day, as in RFC 3339."""
        lines = [*self._end_step(at), *self._end_phase(at, clock[11:19])]
        self.now = Now(play=printable(name), began=at, upcoming=tuple(phases))
        self._worded = set()
        return self._spoken(at, [*lines, Line(f"{clock}  {self.now.play}")])

    def task_starts(self, task: TaskSeen, at: float, clock: str) -> list[Line]:
        """Begin a task, with its phase and its step if it is the first of them."""
        lines = []
        phase = task.path[0] if task.path else ""
        if task.path != self.now.step:
            lines += self._end_step(at)
        if phase != self.now.phase:
            lines += self._end_phase(at, clock)
            self.now.phase, self.now.phase_began = phase, at
        self._pass(phase or (task.name if task.is_include else ""))
        self.now.step, self.now.task, self.now.task_began = task.path, printable(task.name), at
        self.now.attempt, self._progressed = "", False
        return self._spoken(at, lines)

    def _pass(self, name: str) -> None:
        if name in self.now.upcoming:
            self.now.upcoming = self.now.upcoming[self.now.upcoming.index(name) + 1 :]

    def progress(self, text: str, at: float) -> list[Line] | None:
        """Take note of a line of an action that waits; return None for any other line."""
        found = PROGRESS.fullmatch(text)
        if not found:
            return None
        name, sentence = found["node"] or WITHOUT_NODE, printable(found["sentence"])
        known = self.now.nodes.get(name)
        said_at = known.said_at if known else self.now.task_began
        said = known is not None and known.said and known.sentence == sentence
        self.now.nodes[name] = state = NodeState(sentence, found["at"], said_at, said)
        self._progressed = True
        pool = POOL.match(sentence)
        if pool:
            self.now.nodes_done, self.now.node = f"{pool[2]} of {pool[3]} nodes of pool {pool[1]} are done", ""
        if self._is_live or said or at - said_at < self._interval:
            return []
        return self._spoken(at, [_said({name: state}, at)])

    def retries(self, attempt: int, attempts: int) -> None:
        """Take note of a task that is tried again."""
        self.now.attempt = f"attempt {attempt} of {attempts}"

    def went_well(self, content: Content, at: float, clock: str) -> list[Line]:
        """Take note of the result of a task; a change is worth a line unless the sentence of a node says it."""
        self._note(content, clock)
        if not content.get("changed"):
            return []
        self.now.step_changed = True
        if self._progressed:
            return []
        items = changed_items(content)
        return self._spoken(at, [Line(f"{clock}  {self.now.task}{': ' if items else ''}{items}", CHANGED)])

    def _note(self, content: Content, clock: str) -> None:
        done, remaining = content.get("done"), content.get("remaining")
        if isinstance(done, list) and isinstance(remaining, list):
            total = len(done) + len(remaining) + len(content.get("held_back") or [])
            self.now.nodes_done = f"{len(done)} of {total} nodes are done"
            left = (content.get("estimate") or {}).get("remaining_seconds")
            if remaining and left:
                self.now.nodes_done += f", about {duration(left)} left"
        node = content.get("node")
        if isinstance(remaining, list) and (node is None or isinstance(node, dict)):
            self.now.node = printable(str((node or {}).get("name", "")))
        permission = content.get("permission")
        if isinstance(permission, dict) and permission.get("sentence"):
            self.now.window = printable(f"at {clock[:5]} UTC, {permission['sentence']}")

    def shows(self, content: Content, at: float) -> list[Line]:
        """Return the message of a debug task, unless it was shown in this play."""
        lines = message_lines(content)
        if not self._is_live:
            lines = without_drawings(lines)
        if "\n".join(lines) in self._worded:
            return []
        self._worded.update(lines, ["\n".join(lines)])
        return self._spoken(at, [Line(line) for line in lines])

    def failed(self, failure: Failure, at: float) -> list[Line]:
        """Return what a failed task said, once; the whole phase failed unless the play handles that."""
        said = failure_lines(failure.content)
        self.now.problem = tuple(said)
        self.now.phase_failed = self.now.phase_failed or not failure.handled
        label = f" ({failure.label})" if failure.label else ""
        first = Line(f"{failure.word}  {printable(failure.task)}{label}", BAD)
        rest = [] if self._worded.issuperset(said) else [Line(line, BAD) for line in indented(said)]
        self._worded.update(said)
        return self._spoken(at, [first, *rest])

    def ignores(self, task: str, content: Content, at: float) -> list[Line]:
        """Return one line for a failure that the play ignores."""
        return self._spoken(at, [Line(f"ignored: {printable(task)}: {failure_lines(content)[0]}", QUIET)])

    def is_silent(self, at: float, clock: str) -> list[Line]:
        """Return a sign of life for a log, if nothing was said for long."""
        if self._is_live or not self.now.task or at - self._spoken_at < self._silence:
            return []
        running = f"{clock}  still running for {duration(at - self.now.task_began)}: {self.now.task}"
        latest = [f"{name + ': ' if name else ''}{state.sentence}" for name, state in self.now.nodes.items()]
        return self._spoken(at, [Line("; ".join([running, *latest[-1:]]), QUIET)])

    def ends(self, at: float, clock: str, ending: str, failures: Sequence[str]) -> list[Line]:
        """End the last play; ``ending`` is the status that the run has set, ``failures`` are hosts that failed."""
        lines = [*self._end_step(at), *self._end_phase(at, clock)]
        status = ending or ("failed" if failures else "done")
        tone = GOOD if status in ("done", "nothing_to_do") and not failures else BAD
        where = f" on {', '.join(failures)}" if failures and not ending else ""
        lines.append(Line(f"{clock}  Ended after {duration(at - self.now.began)}: {status}{where}", tone))
        self.now = Now()
        return self._spoken(at, lines)

    def _end_step(self, at: float) -> list[Line]:
        """Return the last sentences of the nodes whose state has changed in a step; equal ones share a line."""
        unsaid: dict[str, dict[str, NodeState]] = {}
        for name, state in self.now.nodes.items():
            if not state.said and state.sentence not in self._worded:
                unsaid.setdefault(state.sentence, {})[name] = state
        lines = [_said(nodes, at) for nodes in unsaid.values()] if self.now.step_changed else []
        self.now.nodes, self.now.step_changed = {}, False
        return lines

    def _end_phase(self, at: float, clock: str) -> list[Line]:
        phase, seconds = self.now.phase, at - self.now.phase_began
        failed, self.now.phase, self.now.phase_failed = self.now.phase_failed, "", False
        if not phase or seconds < BRIEF:
            return []
        took = f"{phase}, {duration(seconds)}"
        return [Line(f"{clock}  failed: {took}", BAD) if failed else Line(f"{clock}  done: {took}", GOOD)]

    def _spoken(self, at: float, lines: list[Line]) -> list[Line]:
        if lines:
            self._spoken_at = at
        return lines


def _said(nodes: Mapping[str, NodeState], at: float) -> Line:
    """Return the line for the last sentence that nodes have in common, which then is said."""
    for state in nodes.values():
        state.said, state.said_at = True, at
    names, latest = listed(sorted(nodes), LABELS), max(nodes.values(), key=lambda state: state.at)
    return Line(f"{latest.at}  {names + ': ' if names else ''}{latest.sentence}", PLAIN)
