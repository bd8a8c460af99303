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
      - In a play, progress messages are shown while waiting, and an API or host that is temporarily unavailable is
        tolerated.
      - By default, the module checks once. C(done) in RV(progress) returns whether the goal is reached.
      - In check mode, the module never waits.
    type: bool
    default: false
  wait_timeout:
    description:
      - The maximum time to wait in seconds. After that time, the task fails and reports what was missing.
      - If the task has a C(timeout) keyword, it must be larger than this value, because it ends the task but not the
        module.
    type: int
    default: 1800
  wait_heartbeat:
    description:
      - Show a heartbeat message after this many seconds without progress.
      - It has no effect if the module runs without its action plugin, for example with C(async).
    type: int
    default: 60
"""
