# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The kit of this checkout, for laptops at sites: its archive and documentation, with the playbook create_kit."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from .archive import build_archive
from .collection_tree import collection_tree, search_path
from .virtual_environments import virtual_environment
from .workplace import GateError, Workplace, call

USAGE = 'make kit KIT=/media/usb/kit, with VARS="@file" for variables such as site_signing_key'


def build_kit(place: Workplace, words: list[str]) -> int:
    """Build a kit in the folder that is the first word; a second one sets further variables of the site."""
    if not words or len(words) > 2 or not words[0]:
        raise GateError(f"the folder of the kit is missing: {USAGE}")
    environment = virtual_environment(place, "lint")
    tree = collection_tree(place)
    with tempfile.TemporaryDirectory() as scratch:
        variables = kit_variables(Path(words[0]).absolute(), build_archive(place, Path(scratch)), place.cache / "docs")
        call(
            ["ansible-playbook", "fieldops.openshift.create_kit", "-e", json.dumps(variables)]
            + [word for more in words[1:] for word in ("-e", more)],
            env={
                "PATH": os.pathsep.join([str(environment / "bin"), os.environ["PATH"]]),
                "ANSIBLE_COLLECTIONS_PATH": str(search_path(tree)),
                "ANSIBLE_CONFIG": str(tree / "docs" / "examples" / "ansible.cfg"),
            },
            live="",
        )
    return 0


def kit_variables(folder: Path, archive: Path, site: Path) -> dict[str, str]:
    """Return the variables of create_kit; the documentation site is included where "make docs" has built it."""
    variables = {"site_kit": str(folder), "site_kit_collection": str(archive)}
    pages = site / "html"
    if (pages / "index.html").exists():
        variables["site_kit_documentation"] = str(pages)
    return variables
