# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Tells one story of the main job on a lab: ``python -m ...tests.demo [--window closed] [--fail node2|power]``."""

from __future__ import annotations

import argparse
import sys

from ansible_collections.fieldops.openshift.tests.demo.stage import Stage, StoryError
from ansible_collections.fieldops.openshift.tests.demo.stories import (
    closed_window,
    failing_node,
    power_cut,
    success,
)
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError


def _numbers(word: str) -> tuple[int, int]:
    """Read ``3+2``: three nodes of the control plane and two workers."""
    control_plane, workers = word.split("+")
    return int(control_plane), int(workers)


def main(arguments: list[str]) -> int:
    """Tell the story that was asked for; return 0 when it went as it should."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--window", choices=("open", "closed"), default="open")
    parser.add_argument("--fail", metavar="NODE", help="power, a node's name, or node2")
    parser.add_argument("--nodes", type=_numbers, default=(3, 2), metavar="3+2", help="control plane + workers")
    chosen = parser.parse_args(arguments)
    try:
        with Stage(*chosen.nodes) as stage:
            if chosen.window == "closed":
                closed_window(stage)
            elif chosen.fail == "power":
                power_cut(stage)
            elif chosen.fail:
                failing_node(stage, chosen.fail)
            else:
                success(stage)
    except (LabError, StoryError) as error:
        print(f"The demonstration ended early. {error}", file=sys.stderr, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
