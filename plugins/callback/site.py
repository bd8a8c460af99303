# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: site
type: stdout
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Show the phases of a play, its changes and its problems
description:
  - Output for the person who updates a site. It leaves out task headers and results without a change.
  - In a terminal, the lower rows show the current phase, the state of each node and the elapsed time. They are
    repainted each second, and after the terminal was resized.
  - In pipes, log files and automation platforms, each change, finished phase and message is one line. A node that works
    for long gets a line in intervals. Nodes with the same result share a line, and QR codes are left out.
  - Failures always show the task, the host and the message with the recommended action. Messages of
    P(ansible.builtin.debug#module) are always shown.
  - With C(-v), the output is that of P(ansible.builtin.default#callback). The other options of that plugin apply only
    then.
options:
  view:
    description:
      - V(auto) uses V(live) if the output is a terminal that can be repainted, and V(plain) otherwise. It uses V(plain)
        if E(TERM) is C(dumb), and under ansible-runner and build servers.
      - V(live) shows the status area.
      - V(plain) writes only lines, and no QR codes. Use it with screen readers.
      - V(full) shows the output of P(ansible.builtin.default#callback).
    type: str
    choices: [auto, live, plain, full]
    default: auto
    env:
      - name: FIELDOPS_VIEW
    ini:
      - section: callback_site
        key: view
  interval:
    description: Seconds between two lines about the same node in V(plain).
    type: float
    default: 60
    env:
      - name: FIELDOPS_VIEW_INTERVAL
    ini:
      - section: callback_site
        key: interval
  silence:
    description: After this many seconds without output, V(plain) writes a line that the play is still running.
    type: float
    default: 300
    env:
      - name: FIELDOPS_VIEW_SILENCE
    ini:
      - section: callback_site
        key: silence
extends_documentation_fragment:
  - ansible.builtin.default_callback
  - ansible.builtin.result_format_callback
requirements:
  - Set as C(stdout_callback) in the configuration of Ansible.
"""

import os
import typing as t
from collections.abc import Callable

from ansible.plugins.callback.default import CallbackModule as DefaultOutput

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_screen import SiteScreen, is_terminal
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_story import Story
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_view import EVENTS, SiteView

DEFAULTS = {"view": "auto", "interval": 60.0, "silence": 300.0}


class CallbackModule(DefaultOutput):
    """The default output, of which the view takes over what it knows better."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "stdout"
    CALLBACK_NAME = "fieldops.openshift.site"

    def __init__(self) -> None:
        super().__init__()
        self._view: SiteView | None = None
        self._screen: SiteScreen | None = None

    def begin(self) -> None:
        """Choose the output for this run."""
        view = self._option("view")
        if view == "full" or self._display.verbosity > 0:
            return
        is_live = view == "live" or (view == "auto" and is_terminal(os.environ))
        interval, silence = float(self._option("interval")), float(self._option("silence"))
        story = Story(is_live=is_live, interval=interval, silence=silence)
        self._screen = SiteScreen(self._display, story, is_live=is_live)
        self._view = SiteView(self, story, self._screen)

    def _option(self, name: str) -> t.Any:
        try:
            return self.get_option(name)
        except KeyError:  # ansible-runner derives a callback of another name, without these options
            return os.environ.get(f"FIELDOPS_VIEW_{name.upper()}".replace("_VIEW_VIEW", "_VIEW"), DEFAULTS[name])

    def give_up(self, error: Exception) -> None:
        """Go on with the default output: no problem of a view may hide what happens."""
        screen, self._view, self._screen = self._screen, None, None
        if screen is not None:
            screen.close()
        self._display.warning(f"The site view failed. The default output follows: {error!r}")


def _event(name: str) -> Callable[..., None]:
    """Return the method for an event: the view handles it, or where there is none or it fails the default output."""

    def told(self: CallbackModule, *args: t.Any, **options: t.Any) -> None:
        if name == "v2_playbook_on_start":
            self.begin()
        if name == "v2_playbook_on_play_start":
            self._play = args[0]
        if self._view is not None:
            try:
                if name in EVENTS:
                    EVENTS[name](self._view, *args, **options)
            except Exception as error:
                self.give_up(error)
            else:
                return
        getattr(super(CallbackModule, self), name)(*args, **options)

    return told


for _name in [name for name in dir(DefaultOutput) if name.startswith("v2_") and name != "v2_on_any"]:
    setattr(CallbackModule, _name, _event(_name))
