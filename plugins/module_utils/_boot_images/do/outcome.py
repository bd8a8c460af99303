# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""What a module that writes has done, before it becomes its result."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Outcome:
    """``objects`` are the module's own return values; ``difference`` holds what was before and is after."""

    changed: bool
    objects: Mapping[str, t.Any] = field(default_factory=dict)
    difference: Mapping[str, t.Any] | None = None
    warnings: tuple[str, ...] = ()
