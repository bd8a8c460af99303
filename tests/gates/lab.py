# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lab under the gates' interpreter: its programs built in sight, and its commands."""

from __future__ import annotations

from .collection_tree import collection_tree, search_path
from .interpreters import interpreter
from .virtual_environments import GATES_PYTHON
from .workplace import GateError, Workplace, call, fail

_LAB = "ansible_collections.fieldops.openshift.tests.lab"
_BUILD_ALL = f"from {_LAB}.go import SOURCES, program\nfor name in SOURCES:\n    program(name)\n"


def build_lab(place: Workplace) -> str:
    """Build every program of the lab that is not in the cache yet."""
    return _python(place, "-c", _BUILD_ALL)


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
