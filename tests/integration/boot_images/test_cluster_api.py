# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What machines of the Cluster API boot, read from a cluster that serves it."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import BootImageRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result
from ansible_collections.fieldops.openshift.tests.integration.boot_images.sites import RIGHT, VOUCHED, Site
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster_api import API, cluster_api, maker, template_path

Json = dict[str, t.Any]
PUBLISHED = "ami-000a86fa0a0b76144"


@pytest.fixture
def migrated(site: Site) -> Iterator[Site]:
    """A cluster that serves the Cluster API."""
    with cluster_api(site.rest):
        yield site


def test_a_reader_sees_what_a_deployment_of_the_cluster_api_makes(migrated: Site) -> None:
    grant(migrated.rest, "observer", "boot-image-reader.yml")
    for name, ami in (("new", RIGHT), ("old", PUBLISHED)):
        add(migrated, "MachineDeployment", f"site-{name}", ami)
    found = migrated.look("observer")["cluster_api"]
    assert {one["name"]: one["standing"] for one in found} == {"site-new": "current", "site-old": "outdated"}


def add(site: Site, kind: str, name: str, ami: str) -> None:
    """Add an object with a template of its own."""
    site.rest.apply_all(maker(kind, name, {"ami": {"id": ami}, "instanceType": "m6i.xlarge"}))


def template_of(site: Site, name: str, plural: str = "machinesets") -> Json:
    """Return the template that an object makes machines from."""
    reference = site.rest.get(f"{API}/{plural}/{name}")["spec"]["template"]["spec"]["infrastructureRef"]
    template: Json = site.rest.get(template_path(reference["name"]))
    return template


def test_a_machine_set_is_pointed_at_a_clone_and_back(migrated: Site) -> None:
    grant(migrated.rest, "technician", "boot-image-reader.yml", "boot-image-manager.yml")
    add(migrated, "MachineSet", "site-a", PUBLISHED)
    before = template_of(migrated, "site-a")
    with migrated.client("technician", dry_run=True) as client:
        tried = migrated.change(client=client, cluster_api=True)
    assert (tried.changed, template_of(migrated, "site-a")) == (True, before)
    with migrated.client("technician") as client:
        done = migrated.change(client=client, cluster_api=True)
    (shown,) = done.objects["cluster_api"]
    clone = template_of(migrated, "site-a")
    assert (shown["outcome"], shown["template"]) == ("updated", f"AWSMachineTemplate/{clone['metadata']['name']}")
    assert clone["spec"]["template"]["spec"] == {"ami": {"id": RIGHT}, "instanceType": "m6i.xlarge"}
    assert ["blockOwnerDeletion" in one for one in clone["metadata"]["ownerReferences"]] == [False]
    assert tried.objects["cluster_api"] == done.objects["cluster_api"]
    again = migrated.change(cluster_api=True)
    assert (again.changed, again.objects["cluster_api"][0]["outcome"]) == (False, "unchanged")
    back = migrated.change(cluster_api=True, state="reverted")
    assert (back.objects["cluster_api"][0]["outcome"], template_of(migrated, "site-a")) == ("reverted", before)
    assert not migrated.change(cluster_api=True, state="reverted").changed


def named(result: Result) -> dict[str, str]:
    """Return what became of each object."""
    return {one["name"]: one["outcome"] for one in result.objects["cluster_api"]}


def test_a_machine_deployment_is_pointed_at_a_clone_while_change_is_permitted(migrated: Site) -> None:
    grant(migrated.rest, "technician", "boot-image-reader.yml", "boot-image-manager.yml")
    add(migrated, "MachineDeployment", "site-b", PUBLISHED)
    migrated.guard.closed = True
    held = migrated.change(cluster_api=True)
    assert (held.changed, named(held), migrated.guard.asked) == (False, {"site-b": "restricted"}, ["worker"])
    migrated.guard.closed = False
    with migrated.client("technician") as client:
        done = migrated.change(client=client, cluster_api=True)
    assert (done.changed, named(done)) == (True, {"site-b": "updated"})
    clone = template_of(migrated, "site-b", "machinedeployments")
    assert clone["spec"]["template"]["spec"] == {"ami": {"id": RIGHT}, "instanceType": "m6i.xlarge"}
    migrated.guard.closed = True
    assert named(migrated.change(cluster_api=True, state="reverted")) == {"site-b": "restricted"}
    migrated.guard.closed = False
    assert named(migrated.change(cluster_api=True, state="reverted")) == {"site-b": "reverted"}
    before = template_of(migrated, "site-b", "machinedeployments")
    assert before["metadata"]["name"] == "site-b-1"


def test_a_guard_without_an_answer_is_a_failure_that_tells_what_was_changed(migrated: Site) -> None:
    add(migrated, "MachineSet", "site-h", PUBLISHED)
    add(migrated, "MachineDeployment", "site-i", PUBLISHED)
    migrated.guard.fault = FieldOpsError("read the windows", on="worker", seen="none is long enough", advice="x")
    with pytest.raises(BootImageRefusedError, match="read the windows: none is long enough") as failed:
        migrated.change(cluster_api=True)
    told = {one["name"]: one["outcome"] for one in failed.value.partial["cluster_api"]}
    assert told == {"site-h": "updated", "site-i": "failed"}


def test_machine_deployments_replace_machines_one_after_another(migrated: Site) -> None:
    for name in ("site-d", "site-e"):
        add(migrated, "MachineDeployment", name, PUBLISHED)
    add(migrated, "MachineSet", "site-f", PUBLISHED)
    first = migrated.change(cluster_api=True)
    assert named(first) == {"site-d": "updated", "site-e": "deferred", "site-f": "updated"}
    path = f"{API}/machinedeployments/site-d"
    under_way = {"observedGeneration": 2, "replicas": 1, "upToDateReplicas": 0}
    migrated.rest.merge(path, {"status": under_way})
    assert named(migrated.change(cluster_api=True)) == {
        "site-d": "unchanged",
        "site-e": "deferred",
        "site-f": "unchanged",
    }
    generation = migrated.rest.get(path)["metadata"]["generation"] + 1
    migrated.rest.merge(path, {"status": {"observedGeneration": generation, "replicas": 1, "upToDateReplicas": 1}})
    assert named(migrated.change(cluster_api=True))["site-e"] == "updated"


def test_they_wait_for_the_proof_of_canaries(migrated: Site) -> None:
    migrated.add("site-x", "site-y")
    add(migrated, "MachineSet", "site-g", PUBLISHED)
    first = migrated.change(cluster_api=True, canary=True, **VOUCHED)
    assert named(first) == {"site-g": "deferred"}
    assert first.objects["remaining"] == ["MachineSet/site-y", "MachineSet.cluster.x-k8s.io/site-g"]
    assert named(migrated.change(cluster_api=True, **VOUCHED)) == {"site-g": "updated"}


def test_a_template_that_is_gone_is_told(migrated: Site) -> None:
    add(migrated, "MachineSet", "site-c", PUBLISHED)
    migrated.change(cluster_api=True)
    migrated.rest.delete(template_path("site-c-1"))
    clone = template_of(migrated, "site-c")
    with pytest.raises(BootImageRefusedError, match="AWSMachineTemplate site-c-1 does not exist"):
        migrated.change(cluster_api=True, state="reverted")
    assert template_of(migrated, "site-c") == clone


def test_where_it_is_not_served_there_is_nothing(site: Site) -> None:
    assert site.look()["cluster_api"] == []
    assert site.change(cluster_api=True).objects["cluster_api"] == []
