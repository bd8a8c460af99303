# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long nodes took so far, and so how long the next one and the rest may take."""

from __future__ import annotations

import typing as t
from statistics import median

if t.TYPE_CHECKING:
    from collections.abc import Iterable

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import NodeRecord


def seconds_per_node(records: Iterable[NodeRecord]) -> float | None:
    """Return the median over the nodes that are done; None where none is."""
    known = [seconds for seconds in (record.seconds for record in records) if seconds is not None]
    return float(median(known)) if known else None
