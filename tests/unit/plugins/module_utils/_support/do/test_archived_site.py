# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import gzip
import io
import json
import tarfile
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.archived_objects import (
    ArchivedListing,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import (
    FileContentError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.archived_site import read_archived_site
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CLUSTER_VERSION,
    CONFIG_MAP,
    MACHINE_CONFIG_POOL,
    NODE,
)

NODES = [{"metadata": {"name": "a"}}]
FITS = {"forecast": [], "progress": {"done": True}}
Parts = dict[str, tuple[str, t.Any]]


def write(folder: Path, parts: Parts) -> Path:
    """Write a support archive of ``parts``: state and content of each by name, in the order of a real one."""
    told = [{"name": name, "state": state, "reason": "because"} for name, (state, _content) in parts.items()]
    manifest = {"made": "2026-11-21T22:00:00Z", "server": "https://api.site.example:6443", "parts": told}
    path = folder / "site.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, content in (*((name, one) for name, (_state, one) in parts.items()), ("manifest.json", manifest)):
            if content is not None:
                text = json.dumps(content).encode() if not isinstance(content, bytes) else content
                member = tarfile.TarInfo(f"top/{name}")
                member.size = len(text)
                archive.addfile(member, io.BytesIO(text))
    return path


def by_kind(path: Path) -> dict[t.Any, ArchivedListing]:
    return {(one.kind, one.namespace): one for one in read_archived_site(path).listings}


def test_objects_forecasts_and_origin_are_read_and_nothing_else(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {
            "cluster/Node.json": ("collected", NODES),
            "cluster/default/Event.json": ("collected", [{}]),
            "nodes/a/forecast.json": ("collected", FITS),
            "nodes/a/journal/kernel.log": ("collected", b"no JSON"),
        },
    )
    found = read_archived_site(path)
    assert (found.made, found.server) == ("2026-11-21T22:00:00Z", "https://api.site.example:6443")
    assert [(one.kind, one.objects) for one in found.listings] == [(NODE, NODES)]
    assert found.forecasts == {"a": FITS}


def test_a_kind_that_is_absent_is_left_out_and_one_that_could_not_be_read_says_why(tmp_path: Path) -> None:
    found = by_kind(
        write(
            tmp_path,
            {
                "cluster/Node.json": ("cut", b"[{"),
                "cluster/MachineConfigPool.machineconfiguration.openshift.io.json": ("absent", None),
                "cluster/ClusterVersion.config.openshift.io.json": ("refused", None),
                "cluster/fieldops-openshift/ConfigMap.json": ("collected", []),
            },
        )
    )
    assert (MACHINE_CONFIG_POOL, None) not in found
    assert found[NODE, None].missing == "the archive does not contain it: because"
    assert found[CLUSTER_VERSION, None].missing == "the archive does not contain it: because"
    assert found[CONFIG_MAP, "fieldops-openshift"].missing == ""


@pytest.mark.parametrize(
    ("parts", "seen"),
    [
        (
            {"cluster": ("away", None), "nodes/a/forecast.json": ("collected", FITS)},
            "no objects of the API",
        ),
        ({"cluster/Node.json": ("collected", b"[{")}, "a part of it is no JSON document"),
    ],
    ids=["without an API", "damaged"],
)
def test_an_archive_that_cannot_be_used_is_refused(tmp_path: Path, parts: Parts, seen: str) -> None:
    with pytest.raises(FileContentError, match=seen):
        read_archived_site(write(tmp_path, parts))


@pytest.mark.parametrize("content", [b"none", gzip.compress(b"none")], ids=["another file", "no archive"])
def test_a_file_that_is_no_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "site.tar.gz"
    path.write_bytes(content)
    with pytest.raises(FileContentError, match="read the archive"):
        read_archived_site(path)


def test_a_path_without_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileContentError, match="there is no such file"):
        read_archived_site(tmp_path / "none.tar.gz")
