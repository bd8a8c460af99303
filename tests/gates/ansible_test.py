# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""ansible-test without a container engine and without its download of pip's installer."""

from __future__ import annotations

import os
from pathlib import Path

from .archive import installed_tree
from .collection_tree import collection_tree, search_path
from .interpreters import find_interpreter
from .virtual_environments import GATES_PYTHON, virtual_environment
from .workplace import Workplace, call

_GET_PIP_NAMES = ("get_pip_23_1_2.py", "get_pip_25_2.py")
_SUPPORTED_ON_NODES = ("3.9", "3.11", "3.13")


def sanity(place: Workplace, core: str, *words: str, installed: bool = False) -> str:
    """Run sanity tests of ansible-core ``core`` on the tree, or on what of it is ``installed``.

    ``words`` choose tests and what they read; without them all read everything. There is no ignore file.
    """
    environment = virtual_environment(place, f"sanity-{core}")
    tree = installed_tree(place) if installed else collection_tree(place)
    _offer_pip_installer()
    path = os.pathsep.join([str(environment / "bin"), *_folders_of_other_interpreters(), os.environ["PATH"]])
    return call(
        ["ansible-test", "sanity", "--local", "--requirements", "--python", GATES_PYTHON, "--color", "no", *words],
        cwd=tree,
        env={"PATH": path, "ANSIBLE_COLLECTIONS_PATH": str(search_path(tree))},
        log=place.cache / "logs" / f"sanity-{core}.log",
    )


def _offer_pip_installer() -> None:
    """Put a stand-in where ansible-test itself says that the file may be put by hand, unless there is one."""
    folder = Path.home() / ".ansible" / "test" / "cache"
    folder.mkdir(parents=True, exist_ok=True)
    stand_in = Path(__file__).with_name("pip_installer_stand_in.py").read_text()
    for name in _GET_PIP_NAMES:
        if not (folder / name).exists():
            (folder / name).write_text(stand_in)


def _folders_of_other_interpreters() -> list[str]:
    found = (find_interpreter(version) for version in _SUPPORTED_ON_NODES)
    return [str(path.parent) for path in found if path]
