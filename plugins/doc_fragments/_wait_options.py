# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the options in module_utils/_run/wait_options.py."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  wait:
    description:
      - Whether to wait until the goal of the module is reached.
      - In a play each change is shown while it waits, and an API or host that is away meanwhile is waited for as well.
      - Without it the module looks once; C(done) of RV(progress) says whether the goal is reached.
      - Check mode never waits.
    type: bool
    default: false
  wait_timeout:
    description:
      - How many seconds to wait at most. When they have passed the task fails and says what was missing.
      - A C(timeout) keyword on the task must be larger than this, because it ends the task but not the module.
    type: int
    default: 1800
  wait_heartbeat:
    description:
      - After how many seconds without a change a line is shown all the same, so that nobody has to wonder.
      - It has no effect where the module is run without its action, as with C(async).
    type: int
    default: 60
"""
