# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lab's command line: ``up`` starts one in the background, ``down`` ends it, ``status`` says what there is.

The other commands act on a lab that is up; docs/lab.md shows them at work.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from ansible_collections.fieldops.openshift.tests.lab import plays, standing
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.faults import LAB_FAULTS, NODE_FAULTS

VERBS = {
    "up": "start a lab and return",
    "keep": "start a lab and stay (used by up)",
    "run": "run a command in a lab's network",
    "play": "run a playbook of this checkout, as it is now, on a lab",
    "publish": "put a further signed release into a lab's registry",
    "break": "break a host, the API or the registry until it is repaired",
    "repair": "repair what was broken",
    "window": "let the cluster keep a change policy whose window is open or closed, or none",
    "down": "end it and remove everything that is left of any lab that was killed",
    "status": "print what is up as JSON; exit status 1 if nothing is",
}


def main() -> int:
    """Run the command line and return the exit status."""
    options = _parser().parse_args()
    try:
        return _work(options)
    except LabError as error:
        print(f"lab: {error}", file=sys.stderr)
        return 1


def _work(options: argparse.Namespace) -> int:
    name = options.name
    work: dict[str, Callable[[], int]] = {
        "up": lambda: standing.up(_shape(options), name),
        "keep": lambda: standing.keep(_shape(options), name),
        "run": lambda: standing.run(options.command, name),
        "play": lambda: plays.play(options.playbook, options.words, name),
        "publish": lambda: standing.tell(name, "publish", version=options.version),
        "break": lambda: standing.tell(name, "break", place=options.place, fault=options.fault),
        "repair": lambda: standing.tell(name, "repair", place=options.place),
        "window": lambda: plays.set_window(options.state, name),
        "down": lambda: standing.down(name),
        "status": lambda: standing.status(name),
    }
    return work[options.verb]()


def _shape(options: argparse.Namespace) -> standing.Shape:
    sizes = (options.profile, options.control_plane, options.workers)
    return standing.Shape.of(*sizes, registry=options.registry, disk=options.disk)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="lab", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb, purpose in VERBS.items():
        sub = verbs.add_parser(verb, help=purpose, description=purpose, epilog=_epilog(verb))
        sub.formatter_class = argparse.RawDescriptionHelpFormatter
        sub.add_argument("--name", default=standing.NAME, help="which lab, where several are up")
        _add_arguments(verb, sub)
    return parser


def _add_arguments(verb: str, sub: argparse.ArgumentParser) -> None:
    if verb in ("up", "keep"):
        sub.add_argument("--profile", choices=standing.PROFILES, default="default")
        sub.add_argument("--control-plane", type=int, help="number of control-plane nodes")
        sub.add_argument("--workers", type=int, help="number of workers")
        sub.add_argument("--registry", action="store_true", help="with a registry that holds a small release")
        sub.add_argument("--disk", type=int, default=0, metavar="MIB", help="size of each host's disk for bundles")
    elif verb == "run":
        sub.add_argument("command", nargs="+")
    elif verb == "play":
        sub.add_argument("playbook", help="one of the collection, such as update_site, or a file")
        sub.add_argument("words", nargs=argparse.REMAINDER, help="further words for ansible-playbook")
    elif verb == "publish":
        sub.add_argument("version", help="such as 4.21.5")
    elif verb == "break":
        sub.add_argument("place", help="a host, api or registry")
        sub.add_argument("fault")
    elif verb == "repair":
        sub.add_argument("place", nargs="?", default="", help="a host, api or registry; all without it")
    elif verb == "window":
        sub.add_argument("state", choices=plays.WINDOWS)


def _epilog(verb: str) -> str:
    if verb != "break":
        return ""
    lines = [f"  HOST {name:13} {fault.means}" for name, fault in NODE_FAULTS.items()]
    for place, faults in LAB_FAULTS.items():
        lines += [f"  {place:8} {name:9} {fault.means}" for name, fault in faults.items()]
    return "\n".join(["faults:", *lines])


if __name__ == "__main__":
    sys.exit(main())
