# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Files of catalogs, out of layers: what is read of them, and what is written for the packages that were chosen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents import catalog_files
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.catalog_files import CatalogFiles
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_choice import (
    ChosenPackage,
    PackageRequest,
    choose_package,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundles.do.layers import tar_of
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundles.plan.catalog_samples import (
    bundle,
    channel,
    entry,
    package,
)

DOCUMENTS = [package(), channel(entry("1.0.0")), {**bundle("1.0.0"), "number": 7}, package("acm")]
JSON = "\n".join(json.dumps(one, indent=1) for one in DOCUMENTS).encode()
YAML = [json.dumps(one).encode() for one in DOCUMENTS]


def files_of(folder: Path, *entries: tuple[str, bytes]) -> CatalogFiles:
    (folder / "layer").write_bytes(tar_of(*entries))
    (folder / "scratch").mkdir()
    return CatalogFiles.out_of([folder / "layer"], ("configs",), folder / "scratch", on="catalog")


def chosen(files: CatalogFiles) -> dict[str, ChosenPackage]:
    return {"odf": choose_package(files.records(frozenset({"odf"})), PackageRequest("odf"), [])}


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param([("configs/odf/catalog.json", JSON)], id="JSON"),
        pytest.param([("configs/odf/catalog.yaml", b"\n---\n".join(YAML))], id="YAML"),
        pytest.param([("configs/b.json", YAML[0]), ("configs/a.yml", b"\n---\n".join(YAML[1:]))], id="several files"),
        pytest.param([("configs/odf/catalog.json", JSON), ("configs/odf/README.md", b"{")], id="others beside them"),
    ],
)
def test_what_was_chosen_is_written_in_the_same_form(tmp_path: Path, entries: list[tuple[str, bytes]]) -> None:
    files = files_of(tmp_path, *entries)
    (content,) = files.filtered(chosen(files)).values()
    assert [json.loads(line) for line in content.splitlines()] == DOCUMENTS[:3]


def test_files_without_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog_files, "LARGEST_FILES", len(JSON) - 1)
    with pytest.raises(PayloadError, match="the files of its catalog are larger"):
        files_of(tmp_path, ("configs/a.json", JSON))


def test_too_many_chosen_versions_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = files_of(tmp_path, ("configs/a.json", JSON))
    monkeypatch.setattr(catalog_files, "LARGEST_FILTERED", 100)
    with pytest.raises(PayloadError, match="the chosen versions take more than 100 bytes"):
        files.filtered(chosen(files))
