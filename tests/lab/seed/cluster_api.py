# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the Cluster API makes machines of, on a server that serves it. Its definitions here have no schema."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator

from ansible_collections.fieldops.openshift.tests.lab.crds import ROOT, install_manifests
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

NAMESPACE = "openshift-cluster-api"
MACHINES, INFRASTRUCTURE = "cluster.x-k8s.io", "infrastructure.cluster.x-k8s.io"
API = f"/apis/{MACHINES}/v1beta2/namespaces/{NAMESPACE}"
TEMPLATES = {"AWSMachineTemplate": "v1beta2", "GCPMachineTemplate": "v1beta1"}
SERVED = (
    (MACHINES, "v1beta2", "MachineSet"),
    (MACHINES, "v1beta2", "MachineDeployment"),
    *((INFRASTRUCTURE, version, kind) for kind, version in TEMPLATES.items()),
)


@contextlib.contextmanager
def cluster_api(rest: RestClient) -> Iterator[None]:
    """Serve it for as long as the context lasts; its objects go with it."""
    rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    wanted = {one["metadata"]["name"]: one for one in (_definition(*served) for served in SERVED)}
    install_manifests(rest, {name: json.dumps(one).encode() for name, one in wanted.items()})
    yield
    for name in wanted:
        rest.delete(f"{ROOT}/{name}")
    _wait_gone(rest, set(wanted))


def maker(kind: str, name: str, template: Json, kind_of_template: str = "AWSMachineTemplate") -> list[Json]:
    """Return what makes one machine, with a template of its own."""
    owner = {"apiVersion": f"{MACHINES}/v1beta2", "kind": "Cluster", "name": "site", "uid": "0b8c", "controller": False}
    made = _member(INFRASTRUCTURE, TEMPLATES[kind_of_template], kind_of_template, f"{name}-1")
    made["metadata"]["ownerReferences"] = [{**owner, "blockOwnerDeletion": True}]
    made["spec"] = {"template": {"spec": template}}
    reference = {"apiGroup": INFRASTRUCTURE, "kind": kind_of_template, "name": f"{name}-1"}
    spec = {"replicas": 1, "template": {"spec": {"infrastructureRef": reference}}}
    return [made, {**_member(MACHINES, "v1beta2", kind, name), "spec": spec}]


def template_path(name: str, kind: str = "AWSMachineTemplate") -> str:
    """Return the path of a template."""
    return f"/apis/{INFRASTRUCTURE}/{TEMPLATES[kind]}/namespaces/{NAMESPACE}/{kind.lower()}s/{name}"


def _wait_gone(rest: RestClient, names: set[str]) -> None:
    """Return when the definitions are gone; their objects go first, and until then the next test's would go too."""
    listed = rest.get(ROOT)
    left = names & {one["metadata"]["name"] for one in listed["items"]}
    events = rest.watch(ROOT, resourceVersion=listed["metadata"]["resourceVersion"])
    while left:
        event = next(events)
        left -= {event["object"]["metadata"]["name"]} if event["type"] == "DELETED" else set()
    events.close()  # type: ignore[attr-defined]


def _member(group: str, version: str, kind: str, name: str) -> Json:
    metadata = {"name": name, "namespace": NAMESPACE}
    return {"apiVersion": f"{group}/{version}", "kind": kind, "metadata": metadata}


def _definition(group: str, version: str, kind: str) -> Json:
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
