# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Catalogs and mirror sets of a bundle in a cluster with the definitions of OLM, and with the shipped rights alone."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog_objects import (
    catalog_sources,
    cluster_catalogs,
    mirror_sets,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import blobs_by_digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import DOCKER_MANIFEST
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import Json, as_user, task
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.crds import ROOT, install_manifests
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.go import module_directory
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    CONFIG,
    blob,
    image,
    sample_index,
)

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
NAMESPACE = "openshift-marketplace"
SUBSCRIPTIONS = "/apis/operators.coreos.com/v1alpha1/namespaces/openshift-marketplace/subscriptions"
CLUSTER_CATALOGS = "clustercatalogs.olm.operatorframework.io"
USER = "technician"


def of_earlier_bundle(found: Json) -> Json:
    """Return what another bundle has in place of ``found``."""
    return {**found, "metadata": {**found["metadata"], "name": "ocp-v4-0-art-dev-v4-20"}}


@pytest.fixture(scope="module")
def site() -> Iterator[ApiServer]:
    try:
        module = module_directory("github.com/operator-framework/api", "operator-registry")
    except LabError as error:
        pytest.skip(f"the definitions of OLM cannot be had: {error.line}")
    manifests = {
        f"{name}.operators.coreos.com": (module / "crds" / f"operators.coreos.com_{name}.yaml").read_bytes()
        for name in ("catalogsources", "subscriptions")
    }
    with ApiServer.start_openshift(users={USER: []}) as server:
        install_manifests(server.rest, manifests)
        if not server.rest.exists(f"/api/v1/namespaces/{NAMESPACE}"):
            server.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
        grant(server.rest, USER, "operator-catalogs.yml")
        yield server


@pytest.fixture
def olm_v1(site: ApiServer) -> Iterator[ApiServer]:
    """The same cluster, with OLM v1."""
    try:
        module = module_directory("github.com/operator-framework/operator-controller", "manifests")
    except LabError as error:
        pytest.skip(f"the definition of OLM v1 cannot be had: {error.line}")
    folder = module / "config/base/catalogd/crd/bases"
    manifest = (folder / "olm.operatorframework.io_clustercatalogs.yaml").read_bytes()
    install_manifests(site.rest, {CLUSTER_CATALOGS: manifest})
    yield site
    site.rest.delete(f"{ROOT}/{CLUSTER_CATALOGS}")
    wait_for(lambda: not site.rest.exists(f"{ROOT}/{CLUSTER_CATALOGS}"), 30)


def ensure(site: ApiServer, folder: Path, *words: str, objects: t.Sequence[Json] = OBJECTS, **options: t.Any) -> Json:
    asked = task(site, "operator_catalogs", **as_user(site, USER), objects=objects, **options)
    result: Json = run_play(folder, asked, *words).result
    return result


def present(site: ApiServer, objects: t.Sequence[Json] = OBJECTS) -> set[str]:
    return {one["kind"] for one in objects if site.rest.exists(site.rest.path_of(one))}


def every_state(site: ApiServer, folder: Path, objects: t.Sequence[Json]) -> None:
    """Apply and remove objects, each in check mode before and after; the order is that of CONTRIBUTING.md."""
    kinds = {one["kind"] for one in objects}
    first = f"{objects[0]['kind']} "
    for state, before, after in (("present", set(), kinds), ("absent", kinds, set())):
        tried = ensure(site, folder, "--check", "--diff", objects=objects, state=state)
        assert (tried["changed"], present(site, objects)) == (True, before)
        (shown,) = [one for one in tried["diff"]["before"] if one.startswith(first)]
        assert bool(tried["diff"]["before"][shown]) is (state == "absent")
        assert bool(tried["diff"]["after"][shown]) is (state == "present")
        done = ensure(site, folder, objects=objects, state=state)
        assert (done["changed"], present(site, objects)) == (True, after)
        assert [one.partition(" ")[0] for one in done["objects"]] == [one["kind"] for one in objects if after]
        for words in (("--check",), ()):
            again = ensure(site, folder, *words, objects=objects, state=state)
            assert (again["changed"], again["actions"]) == (False, [])


def test_objects_are_tried_applied_once_and_taken_away(site: ApiServer, tmp_path: Path) -> None:
    every_state(site, tmp_path, OBJECTS)


def test_the_catalogs_of_olm_v1_as_well(olm_v1: ApiServer, tmp_path: Path) -> None:
    every_state(olm_v1, tmp_path, cluster_catalogs(INDEX))


def test_catalogs_of_an_earlier_bundle_are_removed_on_request(olm_v1: ApiServer, tmp_path: Path) -> None:
    objects = [*catalog_sources(INDEX), *cluster_catalogs(INDEX)]
    earlier = [of_earlier_bundle(one) for one in objects]
    of_others = {**earlier[1], "metadata": {"name": "openshift-redhat-operators"}}
    ensure(olm_v1, tmp_path, objects=earlier)
    olm_v1.rest.apply(of_others)
    assert ensure(olm_v1, tmp_path, objects=objects)["changed"] is True
    assert len(present(olm_v1, earlier)) == 2, "without prune, they stay"
    tried = ensure(olm_v1, tmp_path, "--check", objects=objects, prune=True)
    assert (tried["changed"], len(present(olm_v1, earlier))) == (True, 2)
    pruned = ensure(olm_v1, tmp_path, objects=objects, prune=True)
    assert (pruned["changed"], pruned["in_use"], present(olm_v1, earlier)) == (True, [], set())
    removed = {one["name"] for one in pruned["actions"] if one["verb"] == "delete"}
    assert removed == {one["metadata"]["name"] for one in earlier}
    assert olm_v1.rest.exists(olm_v1.rest.path_of(of_others))
    assert ensure(olm_v1, tmp_path, objects=objects, prune=True)["changed"] is False
    ensure(olm_v1, tmp_path, objects=objects, state="absent")
    olm_v1.rest.delete(olm_v1.rest.path_of(of_others))


def test_a_catalog_that_a_subscription_names_is_kept(site: ApiServer, tmp_path: Path) -> None:
    objects = catalog_sources(INDEX)
    earlier = of_earlier_bundle(objects[0])
    ensure(site, tmp_path, objects=[earlier])
    source = {"source": earlier["metadata"]["name"], "sourceNamespace": NAMESPACE, "name": "gateway"}
    subscription = {
        "apiVersion": "operators.coreos.com/v1alpha1",
        "kind": "Subscription",
        "metadata": {"name": "gateway", "namespace": NAMESPACE},
        "spec": source,
    }
    site.rest.apply(subscription)
    kept = ensure(site, tmp_path, objects=objects, prune=True)
    assert kept["in_use"] == [f"CatalogSource {NAMESPACE}/ocp-v4-0-art-dev-v4-20"]
    assert present(site, [earlier]) == {"CatalogSource"}
    site.rest.delete(f"{SUBSCRIPTIONS}/gateway")
    assert ensure(site, tmp_path, objects=objects, prune=True)["in_use"] == []
    assert present(site, [earlier]) == set()
    ensure(site, tmp_path, objects=objects, state="absent")


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


KINDS = {"catalog_sources": catalog_sources(INDEX), "cluster_catalogs": cluster_catalogs(INDEX)}


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A folder with the index of a bundle."""
    folder = tmp_path / "bundle"
    folder.mkdir()
    (folder / "index.json").write_bytes(INDEX.as_bytes())
    return folder


def apply(site: ApiServer, bundle: Path, *words: str, **settings: t.Any) -> int:
    """Run the role and return how many of its tasks changed something."""
    given = {"bundle": str(bundle), "folder": str(bundle.parent / "objects"), **settings}
    role = {
        "ansible.builtin.include_role": {"name": "fieldops.openshift.apply_catalogs"},
        "vars": {f"apply_catalogs_{name}": value for name, value in given.items()},
    }
    run = run_play(bundle.parent, role, *words, K8S_AUTH_KUBECONFIG=str(site.kubeconfig))
    return int(run.output.rpartition("changed=")[2].split()[0])


def test_a_role_applies_them_once_and_removes_them(olm_v1: ApiServer, bundle: Path, kind: str) -> None:
    objects = KINDS[kind]
    (bundle.parent / "objects").mkdir()
    assert apply(olm_v1, bundle, "--check", "--diff", kind=kind) == 2, "the file and the object"
    assert (present(olm_v1, objects), list((bundle.parent / "objects").iterdir())) == (set(), [])
    assert apply(olm_v1, bundle, kind=kind) == 2
    (file,) = (bundle.parent / "objects").iterdir()
    assert yaml.safe_load(file.read_text()) == objects[0]
    assert present(olm_v1, objects) == {objects[0]["kind"]}
    earlier = of_earlier_bundle(objects[0])
    olm_v1.rest.apply(earlier)
    assert [apply(olm_v1, bundle, kind=kind, prune=prune) for prune in (False, True)] == [0, 1]
    assert present(olm_v1, [earlier]) == set()
    assert apply(olm_v1, bundle, kind=kind, state="absent") == 1
    assert present(olm_v1, objects) == set()


def test_a_role_writes_files_only(site: ApiServer, bundle: Path) -> None:
    (bundle.parent / "objects").mkdir()
    assert apply(site, bundle, state="written", mirror_registry="registry.site.example:8443/mirror") == 1
    written = [yaml.safe_load(file.read_text()) for file in sorted((bundle.parent / "objects").iterdir())]
    assert written == OBJECTS
    assert present(site) == set()
