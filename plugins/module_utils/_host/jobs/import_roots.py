# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where Python code is, so that a job can import it again after the process that requested it has ended.

A module runs from an AnsiballZ archive that is deleted when the module exits (ansible-core
``_internal/_ansiballz/_wrapper.py``): a job that lives longer needs a copy of its own.
"""

from __future__ import annotations

import importlib
import sys
import typing as t
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_private_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


def function_name(function: Callable[..., t.Any]) -> str:
    """Return "module:name" by which ``function`` is imported; raises InvalidInputError when it cannot be."""
    module, name = function.__module__, function.__qualname__
    found: t.Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    if module == "__main__" or found is not function:
        raise InvalidInputError(
            "start a job",
            on=f"the function {module}:{name}",
            seen="other processes cannot import it by this name",
            advice="Pass a function that is defined at the top of a module other than the main one.",
        )
    return f"{module}:{name}"


def import_root(module_name: str) -> Path:
    """Return the directory or archive from which the module ``module_name`` is imported."""
    found = importlib.import_module(module_name).__file__ or ""
    root = Path(found)
    for _part in module_name.split("."):
        root = root.parent
    return root.parent if Path(found).name == "__init__.py" else root


def kept_roots(modules: Iterable[str], directory: Path) -> tuple[Path, ...]:
    """Return import roots for ``modules`` that last as long as ``directory``.

    A root that is an archive is copied into ``directory``; a directory tree is used where it is.
    Raises FileAccessError, DiskFullError.
    """
    roots = dict.fromkeys(import_root(name) for name in modules)
    return tuple(_kept(root, directory, number) for number, root in enumerate(roots))


def extra_import_path() -> tuple[str, ...]:
    """Return the directories from which this process imports, for libraries that a new interpreter would not find."""
    return tuple(entry for entry in sys.path if Path(entry).is_absolute() and Path(entry).is_dir())


def _kept(root: Path, directory: Path, number: int) -> Path:
    if root.is_dir():
        return root
    copy = directory / f"code-{number}.zip"
    with explained("copy the program of the job", root):
        if not zipfile.is_zipfile(root):
            raise FileNotFoundError(2, "No such file or directory")
        content = root.read_bytes()
    ensure_private_directory(directory)
    write_file(copy, content, mode=0o600)
    return copy
