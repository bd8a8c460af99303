# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A program for a node as one file that any user may read, since a service has no part in the archive of a module."""

from __future__ import annotations

import io
import sys
import typing as t
import zipfile
from pathlib import PurePosixPath

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

_MAIN = """\
import os, sys, types
package = types.ModuleType("ansible_collections")
package.__path__ = [os.path.join(sys.argv[0], "ansible_collections")]
sys.modules["ansible_collections"] = package
from {module} import {name}
{name}()
"""
"""What the interpreter runs when it is given the archive. See ENTRY in _host/jobs/backends.py."""

_ROOM = __name__.rpartition("_node_images.")[0]
_PARTS = ("_terms.", "_net.", "_host.", "_bundle_files.", "_node_images.")


def node_program(entry: Callable[[], object]) -> bytes:
    """Return a zip archive that calls ``entry``, with every module of this collection that it may import.

    Start it with the archive as the argument of Python.
    """
    sources = {f"{name.replace('.', '/')}.py": _source(name, module) for name, module in _modules()}
    # An archive has packages only where it says so.
    packages = {
        f"{folder}/__init__.py": "" for path in sources for folder in PurePosixPath(path).parents if folder.name
    }
    main = {"__main__.py": _MAIN.format(module=entry.__module__, name=entry.__name__)}
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path, source in sorted({**sources, **packages, **main}.items()):
            file.writestr(zipfile.ZipInfo(path), source)
    return archive.getvalue()


def _modules() -> list[tuple[str, ModuleType]]:
    wanted = ((name, module) for name, module in sys.modules.items() if name.startswith(_ROOM))
    return [
        (name, module)
        for name, module in wanted
        if name[len(_ROOM) :].startswith(_PARTS) and not hasattr(module, "__path__")
    ]


def _source(name: str, module: ModuleType) -> str:
    loader: t.Any = module.__spec__.loader if module.__spec__ else None
    return str(loader.get_source(name))
