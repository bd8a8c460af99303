# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lab under the gates' interpreter: its programs built in sight, and its commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .collection_tree import collection_tree, search_path
from .interpreters import interpreter
from .virtual_environments import GATES_PYTHON
from .workplace import GateError, Workplace, call, fail

if TYPE_CHECKING:
    from collections.abc import Sequence

_LAB = "ansible_collections.fieldops.openshift.tests.lab"
_BUILD = f"import sys; from {_LAB}.go import SOURCES, program; [program(name) for name in sys.argv[1:] or SOURCES]"


def build_lab(place: Workplace, names: Sequence[str] = ()) -> str:
    """Build the programs of the lab that are not in the cache yet, all of them unless ``names`` are given."""
    return _python(place, "-c", _BUILD, *names)


def run_lab(place: Workplace, words: list[str]) -> int:
    """Run a command of the lab and return an exit status."""
    try:
        _python(place, "-m", _LAB, *words)
    except GateError as error:
        fail(str(error))
        return 1
    return 0


def _python(place: Workplace, *words: str) -> str:
    above = str(search_path(collection_tree(place)))
    return call([interpreter(GATES_PYTHON), *words], env={"PYTHONPATH": above}, live=True)
