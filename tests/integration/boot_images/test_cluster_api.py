# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What machines of the Cluster API boot, read from a cluster that serves it. Its definitions here have no schema."""

from __future__ import annotations

import typing as t

import pytest

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
    for group, _version, kind in SERVED:
        rest.delete(f"{DEFINITIONS}/{kind.lower()}s.{group}")


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


def test_where_it_is_not_served_there_is_nothing(site: Site) -> None:
    assert site.look()["cluster_api"] == []
