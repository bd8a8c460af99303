# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Catalogs and mirror sets of a bundle in a cluster with the definitions of OLM."""

from __future__ import annotations

import typing as t

import pytest
import yaml

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.catalog_objects import (
    catalog_sources,
    cluster_catalogs,
    mirror_sets,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import blobs_by_digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import DOCKER_MANIFEST
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import Json, task
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.crds import install_manifests
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.go import module_directory
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    CONFIG,
    blob,
    image,
    sample_index,
)

if t.TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PLAIN = sample_index()
CATALOG = image("catalog", "catalog", "base", tag="v4.21")
INDEX = sample_index(
    images=(*PLAIN.images, CATALOG),
    blobs=blobs_by_digest(
        *PLAIN.blobs.values(),
        blob("catalog/manifest", 700, DOCKER_MANIFEST),
        blob("catalog/config", 300, CONFIG),
    ),
)
OBJECTS = [*catalog_sources(INDEX), *mirror_sets(INDEX, "registry.site.example:8443/mirror")]
DEFINITION = "catalogsources.operators.coreos.com"
NAMESPACE = "openshift-marketplace"


@pytest.fixture(scope="module")
def site() -> Iterator[ApiServer]:
    try:
        module = module_directory("github.com/operator-framework/api", "operator-registry")
    except LabError as error:
        pytest.skip(f"the definitions of OLM cannot be had: {error.line}")
    manifest = (module / "crds" / "operators.coreos.com_catalogsources.yaml").read_bytes()
    with ApiServer.start_openshift() as server:
        install_manifests(server.rest, {DEFINITION: manifest})
        if not server.rest.exists(f"/api/v1/namespaces/{NAMESPACE}"):
            server.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
        yield server


def ensure(site: ApiServer, folder: Path, *, check_mode: bool = False, **options: t.Any) -> Json:
    asked = {**task(site, "operator_catalogs", **{"objects": OBJECTS, **options}), "check_mode": check_mode}
    result: Json = run_play(folder, asked).result
    return result


def present(site: ApiServer) -> set[str]:
    return {one["kind"] for one in OBJECTS if site.rest.exists(site.rest.path_of(one))}


def test_objects_are_tried_applied_once_and_taken_away(site: ApiServer, tmp_path: Path) -> None:
    kinds = {"CatalogSource", "ImageDigestMirrorSet"}
    tried = ensure(site, tmp_path, check_mode=True)
    assert (tried["changed"], present(site)) == (True, set())
    applied = ensure(site, tmp_path)
    assert (applied["changed"], present(site)) == (True, kinds)
    assert applied["objects"][0] == f"CatalogSource {NAMESPACE}/ocp-v4-0-art-dev-v4-21"
    for check_mode in (True, False):
        again = ensure(site, tmp_path, check_mode=check_mode)
        assert (again["changed"], again["actions"]) == (False, [])
    assert ensure(site, tmp_path, state="absent", check_mode=True)["changed"] is True
    assert present(site) == kinds
    gone = ensure(site, tmp_path, state="absent")
    assert (gone["changed"], gone["objects"], present(site)) == (True, [], set())
    assert ensure(site, tmp_path, state="absent")["changed"] is False


def test_the_cluster_keeps_every_field(site: ApiServer, tmp_path: Path) -> None:
    ensure(site, tmp_path)
    for wanted in OBJECTS:
        assert site.rest.get(site.rest.path_of(wanted))["spec"] == wanted["spec"]
    ensure(site, tmp_path, state="absent")


@pytest.mark.parametrize("state", ["present", "absent"])
def test_an_object_of_others_is_left_alone(site: ApiServer, tmp_path: Path, state: str) -> None:
    other = {**OBJECTS[0], "metadata": {**OBJECTS[0]["metadata"], "labels": {}}}
    site.rest.apply(other)
    try:
        result = ensure(site, tmp_path, state=state)
        assert result["failed"] is True
        assert "has no label app.kubernetes.io/part-of=fieldops-openshift" in result["msg"]
        assert present(site) == {"CatalogSource"}
    finally:
        site.rest.delete(site.rest.path_of(other))


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "x"}}, "not a named object of one of the kinds"),
        ({**OBJECTS[0], "metadata": {}}, "not a named object of one of the kinds"),
        (cluster_catalogs(INDEX)[0], "does not serve ClusterCatalog"),
    ],
    ids=["another kind", "without a name", "not served"],
)
def test_other_objects_are_refused_before_anything_is_written(
    site: ApiServer, tmp_path: Path, found: Json, said: str
) -> None:
    result = ensure(site, tmp_path, objects=[*OBJECTS, found])
    assert result["failed"] is True
    assert said in result["msg"]
    assert present(site) == set()


@pytest.mark.parametrize(("state", "kinds"), [("written", set()), ("present", {"CatalogSource"})])
def test_a_role_writes_files_and_applies_them(site: ApiServer, tmp_path: Path, state: str, kinds: set[str]) -> None:
    for name in ("bundle", "objects"):
        (tmp_path / name).mkdir()
    (tmp_path / "bundle" / "index.json").write_bytes(INDEX.as_bytes())
    settings = {"bundle": str(tmp_path / "bundle"), "folder": str(tmp_path / "objects"), "state": state}
    role = {
        "ansible.builtin.include_role": {"name": "fieldops.openshift.apply_catalogs"},
        "vars": {f"apply_catalogs_{name}": value for name, value in settings.items()},
    }
    run_play(tmp_path, role, K8S_AUTH_KUBECONFIG=str(site.kubeconfig))
    (file,) = (tmp_path / "objects").iterdir()
    assert yaml.safe_load(file.read_text()) == OBJECTS[0]
    assert present(site) == kinds
    ensure(site, tmp_path, state="absent")
