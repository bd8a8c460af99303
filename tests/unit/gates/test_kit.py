# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What make kit includes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.gates.kit import build_kit, kit_variables
from ansible_collections.fieldops.openshift.tests.gates.workplace import GateError, Workplace

ARCHIVE = Path("/archive.tar.gz")


def test_the_documentation_site_is_included_where_it_was_built(tmp_path: Path) -> None:
    without = kit_variables(Path("/media/usb/kit"), ARCHIVE, tmp_path)
    assert without == {"site_kit": "/media/usb/kit", "site_kit_collection": "/archive.tar.gz"}
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "index.html").touch()
    with_pages = kit_variables(Path("/media/usb/kit"), ARCHIVE, tmp_path)
    assert with_pages == {**without, "site_kit_documentation": str(tmp_path / "html")}


@pytest.mark.parametrize("words", [[], [""], ["kit", "-e", "more"]])
def test_without_a_folder_it_is_said_how_to_name_one(words: list[str], tmp_path: Path) -> None:
    with pytest.raises(GateError, match="make kit KIT="):
        build_kit(Workplace(tmp_path, tmp_path), words)
