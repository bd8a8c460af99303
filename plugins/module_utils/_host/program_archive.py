# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A program as one file that any user may read, for machines and services that have nothing of this collection."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import typing as t
import zipfile
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

_MAIN = """\
import os, sys, types
{before}package = types.ModuleType("ansible_collections")
package.__path__ = [os.path.join(sys.argv[0], "ansible_collections")]
sys.modules["ansible_collections"] = package
from {module} import {name}
{name}()
"""
"""What the interpreter runs when it is given the archive. See ENTRY in _host/jobs/backends.py."""

_COLLECTION = __name__.partition("module_utils.")[0]


def program_archive(entry: Callable[[], object], *, before: str = "") -> bytes:
    """Return a zip archive that calls ``entry``, with every module of this collection that it may import.

    Start it with the archive as the argument of Python. ``before`` are lines that run first; ``os`` and ``sys`` are
    imported. The same code makes the same bytes.
    """
    sources = {f"{name.replace('.', '/')}.py": source for name, source in _sources(entry.__module__).items()}
    # An archive has packages only where it says so.
    packages = {
        f"{folder}/__init__.py": "" for path in sources for folder in PurePosixPath(path).parents if folder.name
    }
    main = {"__main__.py": _MAIN.format(before=before, module=entry.__module__, name=entry.__name__)}
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path, source in sorted({**sources, **packages, **main}.items()):
            file.writestr(zipfile.ZipInfo(path), source)
    return archive.getvalue()


def _sources(first: str) -> dict[str, str]:
    """Return the modules that ``first`` leads to, itself included, by name."""
    found: dict[str, str] = {}
    waiting = [first]
    while waiting:
        name = waiting.pop()
        source = _source(name) if name not in found else None
        if source is not None:
            found[name] = source
            waiting.extend(_imported(ast.parse(source)))
    return found


def _source(name: str) -> str | None:
    """Return the source of a module; None for a package and for a name that is no module."""
    spec = None
    with contextlib.suppress(ModuleNotFoundError):
        spec = importlib.util.find_spec(name)
    if spec is None or spec.submodule_search_locations is not None:
        return None
    loader: t.Any = spec.loader
    source: str | bytes = loader.get_source(name)
    # The loader of ansible-core returns bytes, unlike those of Python.
    return source.decode() if isinstance(source, bytes) else source


def _imported(node: ast.AST) -> Iterator[str]:
    """Yield what may be a module of this collection among the imports at run time."""
    if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_COLLECTION):
        yield str(node.module)
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    parts = ast.iter_child_nodes(node)
    if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
        parts = iter(node.orelse)
    for part in parts:
        yield from _imported(part)
