# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The checkout as Ansible wants to find a collection: below ansible_collections/fieldops/openshift."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from .workplace import Workplace, call


def collection_tree(place: Workplace) -> Path:
    """Copy what git tracks or would track into the cache and return the copy's root, a git repository of its own.

    A copy rather than a link: ansible-test resolves links and then refuses the path.
    """
    root = place.tree / "ansible_collections" / "fieldops" / "openshift"
    with place.lock(f"tree-{place.tree.parent.name}-{place.tree.name}"):
        root.mkdir(parents=True, exist_ok=True)
        wanted = _listed(place.checkout)
        _remove_stale(root, wanted)
        for name in wanted:
            _copy(place.checkout / name, root / name)
        if not (root / ".git").exists():
            call(["git", "init", "--quiet", root])
        call(["git", "-C", root, "add", "--all"])
    return root


def search_path(tree: Path) -> Path:
    """Return the folder above ``ansible_collections``, for PYTHONPATH and ANSIBLE_COLLECTIONS_PATH."""
    return tree.parents[2]


def _listed(checkout: Path) -> set[Path]:
    found = subprocess.run(
        ["git", "-C", str(checkout), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        check=True,
    )
    names = (Path(name) for name in found.stdout.decode().split("\0") if name)
    return {name for name in names if (checkout / name).exists()}


def _remove_stale(root: Path, wanted: set[Path]) -> None:
    for path in sorted(root.rglob("*"), reverse=True):
        inside = path.relative_to(root)
        if inside.parts[0] == ".git" or inside in wanted:
            continue
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                path.rmdir()
        else:
            path.unlink()


def _copy(source: Path, target: Path) -> None:
    kept = target.exists() and not target.is_symlink()
    if (
        kept
        and target.stat().st_mtime_ns == source.stat().st_mtime_ns
        and target.stat().st_size == source.stat().st_size
    ):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)
