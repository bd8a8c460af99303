# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The event source for bundles: one event for each bundle that appears, and none for anything else."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.extensions.eda.plugins.event_source.bundle_media import (
    LARGEST_INDEX,
    bundles_in,
    main,
)

INDEX = json.dumps({"kind": "FieldOpsBundle", "releases": [{"version": "4.21.5"}]})


def plug_in(media: Path, name: str = "usb", index: str = INDEX) -> Path:
    folder = media / name
    folder.mkdir(parents=True)
    (folder / "index.json").write_text(index)
    return folder


def test_a_bundle_has_its_path_and_digest(tmp_path: Path) -> None:
    folder = str(plug_in(tmp_path))
    bundle = bundles_in([f"{tmp_path}/*"], {})[folder]
    digest = f"sha256:{hashlib.sha256(INDEX.encode()).hexdigest()}"
    assert (bundle["path"], bundle["digest"]) == (folder, digest)


@pytest.mark.parametrize(
    "index",
    ["", "{", "[]", "[" * 9999, '{"kind": "Other"}', '{"schemaVersion": 2, "manifests": []}', "\udcff"],
    ids=range(7),
)
def test_what_is_no_bundle_is_left_out(tmp_path: Path, index: str) -> None:
    folder = tmp_path / "usb"
    folder.mkdir()
    (folder / "index.json").write_bytes(index.encode(errors="surrogateescape"))
    assert bundles_in([f"{tmp_path}/*"], {}) == {}


def test_an_index_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with (plug_in(tmp_path) / "index.json").open("r+b") as index:
        index.truncate(LARGEST_INDEX + 1)
    assert bundles_in([f"{tmp_path}/*"], {}) == {}


def test_a_folder_without_an_index_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    assert bundles_in([f"{tmp_path}/*", f"{tmp_path}/absent/*"], {}) == {}


async def events_of(media: Path, *changes: t.Callable[[], object]) -> list[str]:
    """Return the paths of the events while the media change, each change once the one before was seen."""
    queue: asyncio.Queue[t.Any] = asyncio.Queue()
    source = asyncio.create_task(main(queue, {"paths": [f"{media}/*"], "delay": 0.01}))
    seen = []
    for change in changes:
        change()
        seen.append((await asyncio.wait_for(queue.get(), 20))["bundle"]["path"])
    source.cancel()
    return [Path(path).name for path in seen]


def test_each_bundle_that_appears_is_an_event(tmp_path: Path) -> None:
    def swap() -> None:
        shutil.rmtree(tmp_path / "usb")
        plug_in(tmp_path, "usb", INDEX.replace("4.21.5", "4.21.6"))

    found = asyncio.run(events_of(tmp_path, lambda: plug_in(tmp_path), lambda: plug_in(tmp_path, "other"), swap))
    assert found == ["usb", "other", "usb"]
