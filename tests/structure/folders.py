# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Checks of every file, with one test for each folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.structure.source_tree import SourceFile


def each_folder(files: Iterable[SourceFile]) -> pytest.MarkDecorator:
    """Parametrize a test with the ``sources`` of each folder: one test for each of thousands of files takes minutes."""
    folders: dict[str, list[SourceFile]] = {}
    for source in files:
        folders.setdefault("/".join(Path(source.name).parent.parts[:3]), []).append(source)
    return pytest.mark.parametrize("sources", [pytest.param(found, id=name) for name, found in folders.items()])


def found_in_each(sources: Iterable[SourceFile], check: Callable[[SourceFile], object]) -> dict[str, object]:
    """Return what ``check`` finds in files, by their names, without those in which it finds nothing."""
    return {source.name: found for source in sources if (found := check(source))}
