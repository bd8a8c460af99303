# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The events of a callback as a site's view takes them."""

from __future__ import annotations

import time
import typing as t
from collections.abc import Callable, Sequence

from ansible.playbook.task_include import TaskInclude

from ansible_collections.fieldops.openshift.plugins.plugin_utils import _site_events as events
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_screen import SiteScreen
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_story import Story
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_words import Line

DEBUG = ("debug", "ansible.builtin.debug", "ansible.legacy.debug")
FAILED_ITEMS = "results"
ENDING = "fieldops_ending"


class Helpers(t.Protocol):
    """What a callback inherits and the view needs."""

    def _handle_warnings(self, res: t.Any) -> None: ...
    def _get_item_label(self, result: t.Any) -> t.Any: ...
    def _get_diff(self, difflist: t.Any) -> t.Any: ...


class SiteView:
    """Passes events to the story, and what they are worth to the screen."""

    def __init__(self, helpers: Helpers, story: Story, screen: SiteScreen) -> None:
        self._helpers, self._story, self._screen = helpers, story, screen

    def _say(self, told: Callable[[], Sequence[Line]]) -> None:
        # Not written under the lock: see SiteScreen.
        with self._screen.lock:
            lines = told()
        self._screen.say(lines)

    def begins(self, _playbook: t.Any) -> None:
        """Begin."""
        self._screen.open()

    def asks(self, *_args: t.Any, **_options: t.Any) -> None:
        """Leave the screen to the question, which comes before the next play."""
        self._screen.suspend()

    def play_starts(self, play: t.Any) -> None:
        """Name the play."""
        self._screen.resume()
        clock = f"{_now('%Y-%m-%d %H:%M:%S')} UTC"
        name = play.get_name().strip() + (" (check mode)" if play.check_mode else "")
        self._say(lambda: self._story.play_starts(name, events.phases_of(play), _at(), clock))

    def task_starts(self, task: t.Any, *_args: t.Any, **_options: t.Any) -> None:
        """Take note of the task; the log of Ansible, if there is one, has its name."""
        seen = events.seen(task)
        self._screen.log(f"TASK [{task.get_name().strip()}]")
        self._say(lambda: self._story.task_starts(seen, _at(), _now()))

    def matches_nothing(self) -> None:
        """Say why nothing is done."""
        self._screen.say([Line("skipping: no hosts matched")])

    def went_well(self, result: t.Any) -> None:
        """Show a message or a change."""
        task, content = events.task_of(result), events.content_of(result)
        if isinstance(task, TaskInclude):
            return
        self._helpers._handle_warnings(content)
        if task.action in DEBUG:
            if FAILED_ITEMS not in content:
                self._say(lambda: self._story.shows(content, _at()))
        else:
            self._say(lambda: self._story.went_well(content, _at(), _now()))

    def item_went_well(self, result: t.Any) -> None:
        """Show the message of an item; its change is shown with those of the others."""
        task, content = events.task_of(result), events.content_of(result)
        self._helpers._handle_warnings(content)
        if task.action in DEBUG:
            self._say(lambda: self._story.shows(content, _at()))

    def failed(self, result: t.Any, ignore_errors: bool = False) -> None:
        """Show a failure, unless those of its items were shown."""
        content = events.content_of(result)
        self._helpers._handle_warnings(content)
        if FAILED_ITEMS in content and any(_has_failed(one) for one in content[FAILED_ITEMS]):
            return
        if ignore_errors:
            name = events.name_of(events.task_of(result))
            self._say(lambda: self._story.ignores(name, content, _at()))
        else:
            self._say(lambda: self._story.failed(events.failure(result), _at()))

    def item_failed(self, result: t.Any) -> None:
        """Show the failure of an item."""
        task, content = events.task_of(result), events.content_of(result)
        self._helpers._handle_warnings(content)
        label = f"{events.host_of(result)}, {self._helpers._get_item_label(content)}"
        if task.ignore_errors is True:
            self._say(lambda: self._story.ignores(f"{events.name_of(task)} ({label})", content, _at()))
        else:
            self._say(lambda: self._story.failed(events.failure(result, label), _at()))

    def was_unreachable(self, result: t.Any) -> None:
        """Show that a host could not be reached."""
        task, content = events.task_of(result), events.content_of(result)
        self._helpers._handle_warnings(content)
        if task.ignore_unreachable is True:
            self._say(lambda: self._story.ignores(events.name_of(task), content, _at()))
        else:
            self._say(lambda: self._story.failed(events.failure(result, word="UNREACHABLE"), _at()))

    def tries_again(self, result: t.Any) -> None:
        """Take note of another attempt."""
        content = events.content_of(result)
        with self._screen.lock:
            self._story.retries(int(content.get("attempts") or 0) + 1, int(content.get("retries") or 0))
        self._screen.repaint()

    def differs(self, result: t.Any) -> None:
        """Show the difference that was requested."""
        content = events.content_of(result)
        for one in content.get(FAILED_ITEMS, [content]):
            if isinstance(one, dict) and one.get("changed") and one.get("diff"):
                shown = self._helpers._get_diff(one["diff"])
                self._screen.say([Line(f"{events.name_of(events.task_of(result))}:"), Line(str(shown).strip("\n"))])

    def ends(self, stats: t.Any) -> None:
        """Say how it ended."""
        ending = str(stats.custom.get("_run", {}).get(ENDING, ""))
        failures = sorted({*stats.failures, *stats.dark})
        self._say(lambda: self._story.ends(_at(), _now(), ending, failures))
        self._screen.close()


EVENTS: dict[str, Callable[..., None]] = {
    "v2_playbook_on_start": SiteView.begins,
    "v2_playbook_on_vars_prompt": SiteView.asks,
    "v2_playbook_on_play_start": SiteView.play_starts,
    "v2_playbook_on_task_start": SiteView.task_starts,
    "v2_playbook_on_handler_task_start": SiteView.task_starts,
    "v2_playbook_on_no_hosts_matched": SiteView.matches_nothing,
    "v2_runner_on_ok": SiteView.went_well,
    "v2_runner_item_on_ok": SiteView.item_went_well,
    "v2_runner_on_failed": SiteView.failed,
    "v2_runner_item_on_failed": SiteView.item_failed,
    "v2_runner_on_unreachable": SiteView.was_unreachable,
    "v2_runner_retry": SiteView.tries_again,
    "v2_on_file_diff": SiteView.differs,
    "v2_playbook_on_stats": SiteView.ends,
}
"""By which method the view handles an event of a callback; others are worth nothing to it."""


def _has_failed(item: t.Any) -> bool:
    return isinstance(item, dict) and bool(item.get("failed") or item.get("unreachable"))


def _at() -> float:
    return time.monotonic()


def _now(shape: str = "%H:%M:%S") -> str:
    return time.strftime(shape, time.gmtime())
