# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The search for containers that are pulled always, in layers that hold this and that."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.sources.pull_policies import (
    MOST_FOUND,
    always_pulled_in,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundles.do.layers import Entry, layer


def deployment(name: str, count: int = 1) -> bytes:
    containers = [{"name": f"c{n}", "image": "quay.io/a/b:1", "imagePullPolicy": "Always"} for n in range(count)]
    spec = {"template": {"spec": {"containers": containers}}}
    return json.dumps({"kind": "Deployment", "metadata": {"name": name, "namespace": "ns"}, "spec": spec}).encode()


def found_in(tmp_path: Path, *entries: Entry) -> list[dict[str, str]]:
    return always_pulled_in([layer(tmp_path / "layer", *entries)], on="release")


@pytest.mark.parametrize(
    ("name", "names"),
    [
        pytest.param("release-manifests/a.yaml", ["web"], id="manifest of the release"),
        pytest.param("manifests/a.yml", ["web"], id="manifest of the version operator"),
        pytest.param("manifests/a.json", ["web"], id="JSON"),
        pytest.param("manifests/deep/a.yaml", ["web"], id="in a folder"),
        pytest.param("manifests/a.txt", [], id="no manifest"),
        pytest.param("etc/a.yaml", [], id="elsewhere"),
    ],
)
def test_manifests_are_searched(tmp_path: Path, name: str, names: list[str]) -> None:
    found = found_in(tmp_path, (name, b"kind: Other\n---\n" + deployment("web")))
    assert [(one["file"], one["name"], one["container"]) for one in found] == [(name, one, "c0") for one in names]


def test_a_manifest_of_any_length_is_searched(tmp_path: Path) -> None:
    documents = b"\n---\n".join([*[b"text: " + b"x" * 900_000] * 4, deployment("web")])
    assert [one["name"] for one in found_in(tmp_path, ("manifests/a.yaml", documents))] == ["web"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"a: &a [Always]\nb: *a", "anchor or an alias", id="alias"),
        pytest.param(b"a: [Always", "expected", id="cut"),
        pytest.param(b"a: 1\na: Always", "occurs twice", id="key twice"),
    ],
)
def test_a_manifest_that_cannot_be_read_is_told_and_the_others_are_searched(
    tmp_path: Path, content: bytes, said: str
) -> None:
    found = found_in(tmp_path, ("manifests/a.yaml", content), ("manifests/b.yaml", deployment("web")))
    assert [(one["file"], one["name"]) for one in found] == [("manifests/a.yaml", ""), ("manifests/b.yaml", "web")]
    assert said in found[0]["problem"]
    assert "problem" not in found[1]


def test_there_is_an_end_to_what_is_found(tmp_path: Path) -> None:
    entries: list[t.Any] = [(f"manifests/{number}.yaml", deployment("web", 400)) for number in range(4)]
    assert len(found_in(tmp_path, *entries)) == MOST_FOUND
