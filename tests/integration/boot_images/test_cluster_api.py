# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What machines of the Cluster API boot, read from a cluster that serves it. Its definitions here have no schema."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import BootImageRefusedError
from ansible_collections.fieldops.openshift.tests.integration.boot_images.sites import RIGHT, Site
from ansible_collections.fieldops.openshift.tests.integration.boot_images.test_rights import grant
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for

if t.TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, t.Any]
PUBLISHED = "ami-000a86fa0a0b76144"
NAMESPACE = "openshift-cluster-api"
MACHINES, INFRASTRUCTURE = "cluster.x-k8s.io", "infrastructure.cluster.x-k8s.io"
SERVED = (
    (MACHINES, "v1beta2", "MachineSet"),
    (MACHINES, "v1beta2", "MachineDeployment"),
    (INFRASTRUCTURE, "v1beta2", "AWSMachineTemplate"),
)
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def definition(group: str, version: str, kind: str) -> Json:
    plural = f"{kind.lower()}s"
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    served = {"name": version, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"kind": kind, "plural": plural, "singular": kind.lower(), "listKind": f"{kind}List"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {"group": group, "names": names, "scope": "Namespaced", "versions": [served]},
    }


def member(group: str, version: str, kind: str, name: str, spec: Json) -> Json:
    metadata = {"name": name, "namespace": NAMESPACE}
    return {"apiVersion": f"{group}/{version}", "kind": kind, "metadata": metadata, "spec": spec}


@pytest.fixture
def migrated(site: Site) -> Iterator[Site]:
    """A cluster that serves the Cluster API; its definitions are taken away again."""
    rest = site.rest
    rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    rest.apply_all(definition(*one) for one in SERVED)
    for group, version, kind in SERVED:
        path = f"/apis/{group}/{version}/namespaces/{NAMESPACE}/{kind.lower()}s"
        wait_for(lambda path=path: rest.exists(path))  # type: ignore[misc]
    yield site
    names = [f"{DEFINITIONS}/{kind.lower()}s.{group}" for group, _version, kind in SERVED]
    for name in names:
        rest.delete(name)
    # Their objects go first; until then the next test's would go too.
    wait_for(lambda: not any(map(rest.exists, names)))


def test_a_reader_sees_what_a_deployment_of_the_cluster_api_makes(migrated: Site) -> None:
    grant(migrated, "observer", "boot-image-reader.yml")
    for name, ami in (("new", RIGHT), ("old", PUBLISHED)):
        template = {"template": {"spec": {"ami": {"id": ami}}}}
        reference = {"infrastructureRef": {"kind": "AWSMachineTemplate", "name": f"{name}-1"}}
        made = {"replicas": 1, "template": {"spec": reference}}
        migrated.rest.apply(member(INFRASTRUCTURE, "v1beta2", "AWSMachineTemplate", f"{name}-1", template))
        migrated.rest.apply(member(MACHINES, "v1beta2", "MachineDeployment", f"site-{name}", made))
    found = migrated.look("observer")["cluster_api"]
    assert {one["name"]: one["standing"] for one in found} == {"site-new": "current", "site-old": "outdated"}


def add(site: Site, kind: str, name: str, ami: str) -> None:
    """Add an object with a template of its own."""
    owner = {"apiVersion": f"{MACHINES}/v1beta2", "kind": "Cluster", "name": "site", "uid": "0b8c", "controller": False}
    spec = {"template": {"spec": {"ami": {"id": ami}, "instanceType": "m6i.xlarge"}}}
    template = member(INFRASTRUCTURE, "v1beta2", "AWSMachineTemplate", f"{name}-1", spec)
    template["metadata"]["ownerReferences"] = [{**owner, "blockOwnerDeletion": True}]
    reference = {"apiGroup": INFRASTRUCTURE, "kind": "AWSMachineTemplate", "name": f"{name}-1"}
    made = {"replicas": 1, "template": {"spec": {"infrastructureRef": reference}}}
    site.rest.apply_all([template, member(MACHINES, "v1beta2", kind, name, made)])


def template_of(site: Site, name: str) -> Json:
    """Return the template that a MachineSet makes machines from."""
    found = site.rest.get(f"/apis/{MACHINES}/v1beta2/namespaces/{NAMESPACE}/machinesets/{name}")
    reference = found["spec"]["template"]["spec"]["infrastructureRef"]
    path = f"/apis/{INFRASTRUCTURE}/v1beta2/namespaces/{NAMESPACE}/awsmachinetemplates/{reference['name']}"
    template: Json = site.rest.get(path)
    return template


def test_a_machine_set_is_pointed_at_a_clone_and_back(migrated: Site) -> None:
    grant(migrated, "technician", "boot-image-reader.yml", "boot-image-manager.yml")
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


def test_what_would_replace_its_machines_is_left_alone(migrated: Site) -> None:
    add(migrated, "MachineDeployment", "site-b", PUBLISHED)
    left = migrated.change(cluster_api=True)
    assert [one["code"] for one in left.objects["cluster_api"]] == ["replaces_machines"]
    assert not left.changed


def test_a_template_that_is_gone_is_told(migrated: Site) -> None:
    add(migrated, "MachineSet", "site-c", PUBLISHED)
    migrated.change(cluster_api=True)
    migrated.rest.delete(f"/apis/{INFRASTRUCTURE}/v1beta2/namespaces/{NAMESPACE}/awsmachinetemplates/site-c-1")
    clone = template_of(migrated, "site-c")
    with pytest.raises(BootImageRefusedError, match="AWSMachineTemplate site-c-1 is not there"):
        migrated.change(cluster_api=True, state="reverted")
    assert template_of(migrated, "site-c") == clone


def test_where_it_is_not_served_there_is_nothing(site: Site) -> None:
    assert site.look()["cluster_api"] == []
    assert site.change(cluster_api=True).objects["cluster_api"] == []
