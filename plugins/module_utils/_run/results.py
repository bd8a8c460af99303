# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""What modules return: data, never sentences alone, and the same shape for success and failure."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field

if t.TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

_RESERVED = frozenset(
    {"changed", "actions", "diff", "failed", "msg", "error", "progress", "timeline", "invocation", "rc"}
)


@dataclass(frozen=True)
class Result:
    """The outcome of a module.

    ``objects`` are the module's own return values by name. ``actions`` are the API calls and commands that were made,
    or in check mode would have been made. ``diff`` is shown only when the user asked for differences.
    """

    changed: bool = False
    objects: Mapping[str, t.Any] = field(default_factory=dict)
    actions: Sequence[Mapping[str, t.Any]] = ()
    diff: Mapping[str, t.Any] | None = None

    def __post_init__(self) -> None:
        taken = _RESERVED & set(self.objects)
        if taken:
            raise ValueError(f"reserved for every module's result: {', '.join(sorted(taken))}")

    def as_data(self, *, with_diff: bool) -> dict[str, t.Any]:
        """Return the result as exit_json takes it."""
        shown: dict[str, t.Any] = {"changed": self.changed, "actions": [dict(a) for a in self.actions], **self.objects}
        if with_diff and self.diff is not None:
            shown["diff"] = dict(self.diff)
        return shown


def failure_data(error: FieldOpsError) -> dict[str, t.Any]:
    """Return an error as fail_json takes it: one sentence for people, its parts for programs, what was achieved."""
    parts = error.as_data()
    return {"changed": False, **parts.pop("partial"), "msg": str(error), "error": parts}
