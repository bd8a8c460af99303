# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long nodes took so far, and so how long the next one and the rest may take."""

from __future__ import annotations

import typing as t
from statistics import median

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import DONE, DRAINING

if t.TYPE_CHECKING:
    from collections.abc import Iterable

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import NodeRecord


def node_seconds(record: NodeRecord) -> float | None:
    """Return how many seconds a node took from its cordon until it was done, None unless both are known."""
    begun, ended = (instant_of(record.times.get(phase, "")) for phase in (DRAINING, DONE))
    if begun is None or ended is None or ended < begun:
        return None
    return (ended - begun).total_seconds()


def seconds_per_node(records: Iterable[NodeRecord]) -> float | None:
    """Return the median over the nodes that are done; None where none is."""
    known = [seconds for seconds in map(node_seconds, records) if seconds is not None]
    return float(median(known)) if known else None
