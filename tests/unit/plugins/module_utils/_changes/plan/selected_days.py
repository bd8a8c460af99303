# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The days that a rule selects, one after another."""

from __future__ import annotations

import typing as t

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.selected_dates import SelectedDates


def days_from(dates: SelectedDates, day: int) -> Iterator[int]:
    """Yield the selected days at or after ``day`` in order."""
    found = dates.next_from(day)
    while found is not None:
        yield found
        found = dates.next_from(found + 1)
