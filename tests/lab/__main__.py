# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lab's command line: ``up`` starts one in the background, ``down`` ends it, ``status`` says what there is."""

from __future__ import annotations

import argparse
import sys

from ansible_collections.fieldops.openshift.tests.lab import standing
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError


def main() -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="lab", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb, purpose in (("up", "start a lab and return"), ("keep", "start a lab and stay (used by up)")):
        sub = verbs.add_parser(verb, help=purpose)
        sub.add_argument("--profile", choices=standing.PROFILES, default="default")
        sub.add_argument("--control-plane", type=int)
        sub.add_argument("--workers", type=int)
    verbs.add_parser("down", help="end it and remove everything that is left of any lab")
    verbs.add_parser("status", help="print what is up as JSON; exit status 1 if nothing is")
    options = parser.parse_args()
    try:
        if options.verb in ("up", "keep"):
            shape = standing.Shape.of(options.profile, options.control_plane, options.workers)
            return standing.up(shape) if options.verb == "up" else standing.keep(shape)
        return standing.down() if options.verb == "down" else standing.status()
    except LabError as error:
        print(f"lab: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
