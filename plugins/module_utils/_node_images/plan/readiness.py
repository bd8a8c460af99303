# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a node is ready to run a release, by the images that it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Holding:
    """What a node has: names of images, and those of the bundle ``index_digest`` that it serves to itself.

    One that is ``asked_elsewhere`` has no copy of its own, and has to keep what it has.
    """

    index_digest: str | None
    is_staged: bool = True
    served: frozenset[str] = frozenset()
    unserved: Sequence[str] = ()
    lacking: Sequence[str] = ()
    unpinned: Sequence[str] = ()
    asked_elsewhere: bool = False


def problem_of(node: Holding) -> str:
    """Return why a node is not ready, as what follows its name in a sentence; nothing for one that is."""
    if not node.is_staged:
        return f"does not have the bundle {node.index_digest}"
    if node.unserved:
        return f"does not serve {', '.join(node.unserved)}"
    lacking = [name for name in node.lacking if node.asked_elsewhere or name not in node.served]
    if lacking:
        return f"lacks {', '.join(lacking)}"
    if node.asked_elsewhere and node.unpinned:
        return f"has not pinned {', '.join(node.unpinned)}"
    return ""
