# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Brings the story of a play to the screen: as lines in a log, with a status area below them in a terminal.

Lines of actions that wait come through ``Display.display`` like all others, from worker processes as well. So that
they reach the story, and so that no line is written into the status area, the display of this process is wrapped as
long as plays run. Workers keep what they have: they only hand over to this process.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import sys
import threading
import time
import typing as t
from collections.abc import Callable, Iterable, Iterator, Mapping

from ansible import constants
from ansible.utils.color import stringc
from ansible.utils.display import get_text_width

from ansible_collections.fieldops.openshift.plugins.plugin_utils._live_area import LiveArea
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_area import area_lines
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_story import Story
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_words import BAD, CHANGED, GOOD, QUIET, Line

TICK = 1.0
WRAPPED = ("display", "prompt_until")
UNATTENDED = ("AWX_ISOLATED_DATA_DIR", "AWX_PRIVATE_DATA_DIR", "CI")
"""Set by ansible-runner, and so by automation platforms, and by build servers: their terminal is a log."""
COLOURS = {GOOD: "COLOR_OK", CHANGED: "COLOR_CHANGED", BAD: "COLOR_ERROR", QUIET: "COLOR_VERBOSE"}


def is_terminal(environment: Mapping[str, str]) -> bool:
    """Whether a person watches a terminal that can be painted."""
    if environment.get("TERM", "dumb") in ("dumb", "unknown") or any(environment.get(name) for name in UNATTENDED):
        return False
    with contextlib.suppress(OSError, ValueError):
        return os.isatty(sys.stdout.fileno())
    return False


def terminal_size() -> os.terminal_size:
    """Return the size of the terminal at this moment, whatever the environment says of an earlier one."""
    try:
        return os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):
        return shutil.get_terminal_size()


def columns_of(text: str) -> int:
    """Return how many columns a text takes, rather more than less where the terminal decides."""
    return max(len(text), get_text_width(text))


class SiteScreen:
    """Where lines are written; ``story`` is asked, each second, what there is to show."""

    def __init__(self, display: t.Any, story: Story, *, is_live: bool) -> None:
        self._display, self._story, self._is_live = display, story, is_live
        self._process = os.getpid()
        # The lock that ansible-core holds while it forks: no worker is born while this thread writes.
        self.lock: t.Any = getattr(display, "_lock", None) or threading.RLock()
        self._plain_display = display.display
        self._area = LiveArea(self._write, lambda: terminal_size().columns)
        self._asked = False
        self._over = threading.Event()

    def open(self) -> None:
        """Begin: wrap the display and let the clock tick."""
        plain_prompt = self._display.prompt_until if hasattr(self._display, "prompt_until") else None
        self._display.display = self._display_line
        if plain_prompt is not None:
            self._display.prompt_until = lambda *args, **options: self._prompt(plain_prompt, *args, **options)
        atexit.register(self.close)
        threading.Thread(target=self._tick, name="site view", daemon=True).start()

    def close(self) -> None:
        """End: no area is left, and the display is as it was."""
        if os.getpid() != self._process or self._over.is_set():
            return
        self._over.set()
        for name in WRAPPED:
            vars(self._display).pop(name, None)
        # Who reads it may be gone.
        with contextlib.suppress(OSError, ValueError), self.lock:
            self._area.clear()
            self._flush()
        atexit.unregister(self.close)

    def say(self, lines: Iterable[Line]) -> None:
        """Write lines that stay."""
        for line in lines:
            colour = COLOURS.get(line.tone)
            self._above(line.text, color=getattr(constants, colour) if colour else None)
        self.repaint()

    def log(self, text: str) -> None:
        """Write to the log file of Ansible alone, if there is one."""
        self._plain_display(text, log_only=True)

    def suspend(self) -> None:
        """Leave the bottom of the screen to a prompt, until ``resume``."""
        with self.lock:
            self._area.clear()
            self._flush()
            self._asked = True

    def resume(self) -> None:
        """Show the status area again."""
        self._asked = False

    def repaint(self) -> None:
        """Show the current activity."""
        if not self._is_live or self._asked or self._over.is_set():
            return
        with self.lock:
            size = terminal_size()
            lines = area_lines(self._story.now, time.monotonic(), size.columns, size.lines, columns_of)
            painted = [stringc(one.text, getattr(constants, COLOURS.get(one.tone, ""), "normal")) for one in lines]
            self._area.paint(painted, [columns_of(one.text) for one in lines])
            self._flush()

    def _display_line(self, msg: str, *args: t.Any, **options: t.Any) -> t.Any:
        """Stand in for ``Display.display``: a line of an action that waits belongs to the story."""
        if os.getpid() != self._process:
            return self._plain_display(msg, *args, **options)
        lines = None
        with self._guarded(), self.lock:
            lines = self._story.progress(msg, time.monotonic()) if isinstance(msg, str) else None
        if lines is None:
            self._above(msg, *args, **options)
            return self.repaint()
        if not lines:
            self.log(msg)
        return self.say(lines)

    def _above(self, msg: str, *args: t.Any, **options: t.Any) -> None:
        """Write by the display of Ansible, above the status area."""
        if not self._is_live:
            # Without the lock: others hold one of their own while they write, and ask for this one then.
            self._plain_display(msg, *args, **options)
            return self._flush()
        with self.lock:
            self._area.clear()
            self._flush()
            self._plain_display(msg, *args, **options)
            return self._flush()

    def _prompt(self, prompt: Callable[..., t.Any], *args: t.Any, **options: t.Any) -> t.Any:
        if os.getpid() != self._process:
            return prompt(*args, **options)
        self.suspend()
        try:
            return prompt(*args, **options)
        finally:
            self.resume()

    def _tick(self) -> None:
        while not self._over.wait(TICK):
            with self._guarded():
                with self.lock:
                    lines = self._story.is_silent(time.monotonic(), time.strftime("%H:%M:%S", time.gmtime()))
                if lines:
                    self.say(lines)
                else:
                    self.repaint()

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        """If the status area fails, disable it and continue the play."""
        try:
            yield
        except Exception:
            self._is_live = False

    def _write(self, text: str) -> None:
        sys.stdout.write(text)

    def _flush(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
