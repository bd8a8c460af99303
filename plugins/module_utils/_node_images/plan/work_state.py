# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Where a piece of work on a node stands after one step."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field

if t.TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class WorkState:
    """``sentence`` for people, ``objects`` for programs; ``actions`` were taken, or in check mode would be.

    ``next_delay`` is how many seconds may pass before another step is worth while. ``warnings`` are what a person has
    to know although the work goes on.
    """

    sentence: str
    done: bool
    changed: bool = False
    objects: Mapping[str, t.Any] = field(default_factory=dict)
    actions: tuple[Mapping[str, t.Any], ...] = ()
    next_delay: float = 5.0
    warnings: tuple[str, ...] = ()
