# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lab's command line: ``up`` starts one in the background, ``down`` ends it, ``status`` says what there is.

``run -- COMMAND`` runs a command, such as ansible-playbook, in the network of a lab that is up.
"""

from __future__ import annotations

import argparse
import sys

from ansible_collections.fieldops.openshift.tests.lab import standing
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError


def main() -> int:
    """Run the command line and return the exit status."""
    options = _parser().parse_args()
    try:
        if options.verb == "run":
            standing.run(options.command, options.name)
        if options.verb in ("down", "status"):
            return {"down": standing.down, "status": standing.status}[options.verb](options.name)
        sizes = (options.profile, options.control_plane, options.workers)
        shape = standing.Shape.of(*sizes, registry=options.registry)
        return {"up": standing.up, "keep": standing.keep}[options.verb](shape, options.name)
    except LabError as error:
        print(f"lab: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="lab", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb, purpose in (
        ("up", "start a lab and return"),
        ("keep", "start a lab and stay (used by up)"),
        ("run", "run a command in a lab's network"),
        ("down", "end it and remove everything that is left of any lab that was killed"),
        ("status", "print what is up as JSON; exit status 1 if nothing is"),
    ):
        sub = verbs.add_parser(verb, help=purpose)
        sub.add_argument("--name", default=standing.NAME, help="which lab, where several are up")
        if verb in ("up", "keep"):
            sub.add_argument("--profile", choices=standing.PROFILES, default="default")
            sub.add_argument("--control-plane", type=int, help="number of control-plane nodes")
            sub.add_argument("--workers", type=int, help="number of workers")
            sub.add_argument("--registry", action="store_true", help="with a registry that holds a small release")
        if verb == "run":
            sub.add_argument("command", nargs="+")
    return parser


if __name__ == "__main__":
    sys.exit(main())
