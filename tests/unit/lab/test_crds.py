# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which of OpenShift's definitions a self-managed cluster of feature set Default has."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.lab import crds

SELF_MANAGED = 'include.release.openshift.io/self-managed-high-availability: "true"'


def header(name: str, *annotations: str) -> str:
    lines = "".join(f"    {one}\n" for one in annotations)
    return f"apiVersion: v1\nkind: X\nmetadata:\n  annotations:\n{lines}  name: {name}"


@pytest.mark.parametrize(
    ("annotations", "included"),
    [
        pytest.param([SELF_MANAGED], True, id="every feature set"),
        pytest.param([SELF_MANAGED, "release.openshift.io/feature-set: Default"], True, id="Default"),
        pytest.param([SELF_MANAGED, "release.openshift.io/feature-set: OKD,Default"], True, id="Default among others"),
        pytest.param(
            [SELF_MANAGED, "release.openshift.io/feature-set: TechPreviewNoUpgrade"], False, id="tech preview"
        ),
        pytest.param([SELF_MANAGED, "release.openshift.io/feature-gate: NotYet"], False, id="behind a gate"),
        pytest.param(['include.release.openshift.io/ibm-cloud-managed: "true"'], False, id="hosted only"),
    ],
)
def test_annotations_decide(annotations: list[str], included: bool) -> None:
    assert crds.is_included(header("a.example", *annotations)) is included


def test_the_most_stable_version_of_a_definition_is_taken(tmp_path: Path) -> None:
    for version in ("v1alpha1", "v1", "v1beta1"):
        directory = tmp_path / "machine" / version / "zz_generated.crd-manifests"
        directory.mkdir(parents=True)
        (directory / "same.yaml").write_text(f"{header('machines.example', SELF_MANAGED)}\nspec: {{}}\n")
    assert [(one.name, one.file.parent.parent.name) for one in crds.definitions(tmp_path)] == [
        ("machines.example", "v1")
    ]


def test_examples_are_left_out(tmp_path: Path) -> None:
    directory = tmp_path / "example" / "v1" / "zz_generated.crd-manifests"
    directory.mkdir(parents=True)
    (directory / "x.yaml").write_text(f"{header('stable.example', SELF_MANAGED)}\nspec: {{}}\n")
    assert crds.definitions(tmp_path) == []


def test_hypershifts_definitions_are_those_without_a_gate_and_without_the_mark_of_one(tmp_path: Path) -> None:
    folder = tmp_path / "hypershift/v1beta1/zz_generated.featuregated-crd-manifests/nodepools.hypershift.openshift.io"
    folder.mkdir(parents=True)
    mark = 'feature-gate.release.openshift.io/: "true"'
    (folder / "AAA_ungated.yaml").write_text(f"{header('nodepools.hypershift.openshift.io', mark)}\nspec: {{}}\n")
    (folder / "OpenStack.yaml").write_text(f"{header('nodepools.hypershift.openshift.io')}\nspec: {{}}\n")
    (found,) = crds.hypershift_definitions(tmp_path)
    assert found.name == "nodepools.hypershift.openshift.io"
    assert b"feature-gate" not in found.manifest
    assert b"name: nodepools.hypershift.openshift.io" in found.manifest
