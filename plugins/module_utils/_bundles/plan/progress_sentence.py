# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""How far a build has come, in one line that a person understands."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size


class Counts(t.NamedTuple):
    """Where a build stands: images complete of all, bytes there of all, and bytes fetched in ``seconds``."""

    images_done: int
    images: int
    bytes_done: int
    bytes: int
    fetched: int
    seconds: float


def progress_sentence(counts: Counts) -> str:
    """Return the counts as a sentence, with rate and time left once there is something to reckon from."""
    said = f"image {min(counts.images_done + 1, counts.images)} of {counts.images}"
    said += f", {format_size(counts.bytes_done)} of {format_size(counts.bytes)}"
    if counts.seconds < 1 or not counts.fetched:
        return said
    rate = counts.fetched / counts.seconds
    left = (counts.bytes - counts.bytes_done) / rate
    return f"{said}, {format_size(int(rate))}/s, {_duration(left)} left"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    if seconds < 5400:
        return f"about {round(seconds / 60)} min"
    return f"about {seconds / 3600:.1f} h"
