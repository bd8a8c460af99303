# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""MachineSets and MachineDeployments of the Cluster API: which image their machines boot, by their template.

A template cannot be changed; another image takes another template (``template_clones.py``). Source:
machine-config-operator, docs/BootImageCAPIDesign.md; cluster-api, api/core/v1beta2; cluster-api-provider-aws, -azure,
-gcp and -vsphere, their machine templates.
"""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import MalformedError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import (
    Document,
    mapping_at,
    text_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import Verdict, left_alone
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind

CLUSTER_API_NAMESPACE = "openshift-cluster-api"
CLUSTER_API_VERSIONS = ("v1beta2", "v1beta1")
"""The newer one first; what is read here is the same in both."""
_MACHINE_DEPLOYMENT = "MachineDeployment"
_INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io"
TEMPLATES = {
    "AWS": ObjectKind(f"{_INFRASTRUCTURE}/v1beta2", "AWSMachineTemplate"),
    "Azure": ObjectKind(f"{_INFRASTRUCTURE}/v1beta1", "AzureMachineTemplate"),
    "GCP": ObjectKind(f"{_INFRASTRUCTURE}/v1beta1", "GCPMachineTemplate"),
    "VSphere": ObjectKind(f"{_INFRASTRUCTURE}/v1beta1", "VSphereMachineTemplate"),
}


def cluster_api_kinds(version: str) -> tuple[ObjectKind, ObjectKind]:
    """Return what makes machines, in one version of the API."""
    first, second = (ObjectKind(f"cluster.x-k8s.io/{version}", kind) for kind in (_MACHINE_DEPLOYMENT, "MachineSet"))
    return first, second


@dataclass(frozen=True)
class ClusterApiResource:
    """One of them with the template that it names; ``machine`` is that template as a specification of the Machine API.

    ``machine`` is None, and ``flaw`` says why, where the image is unknown.
    """

    kind: str
    name: str
    template: str
    replicas: int | None
    found: Document
    machine: Mapping[str, t.Any] | None
    flaw: str = ""


def resources_of(
    platform: str, infrastructure: Document, found: Iterable[Document], templates: Iterable[Document], mirrors: set[str]
) -> list[ClusterApiResource]:
    """Return those that make machines by themselves.

    A MachineSet of a MachineDeployment is left out, and what only mirrors a MachineSet of the Machine API, ``mirrors``.
    """
    known = {text_at(one, "metadata", "name"): one for one in templates}
    return [
        _resource(platform, infrastructure, one, known)
        for one in found
        if not _is_owned(one)
        and not (text_at(one, "kind") == "MachineSet" and text_at(one, "metadata", "name") in mirrors)
    ]


def cluster_api_data(
    one: ClusterApiResource, judge: Callable[[Document, Mapping[str, t.Any]], Verdict]
) -> dict[str, t.Any]:
    """Return it as results show it; ``judge`` is what judges an object with a specification of the Machine API."""
    verdict = left_alone("unknown_image", one.flaw) if one.machine is None else judge(one.found, one.machine)
    return {
        "kind": one.kind,
        "name": one.name,
        "template": one.template,
        "replicas": one.replicas,
        "standing": verdict.standing,
        "code": verdict.code,
        "reason": verdict.reason,
        "current": {"image": verdict.current.reference, "release": verdict.current.release},
        "target": {"image": verdict.target.reference, "release": verdict.target.release},
    }


def _resource(
    platform: str, infrastructure: Document, found: Document, templates: Mapping[str, Document]
) -> ClusterApiResource:
    reference = mapping_at(found, "spec", "template", "spec", "infrastructureRef")
    kind, name = text_at(reference, "kind"), text_at(reference, "name")
    machine: Mapping[str, t.Any] | None = None
    flaw = f"{kind} {name} does not exist" if platform in TEMPLATES else f"templates on {platform} are not supported"
    if name in templates and platform in TEMPLATES and kind == TEMPLATES[platform].kind:
        try:
            spec = mapping_at(templates[name], "spec", "template", "spec")
            machine, flaw = _MACHINES[platform](spec, infrastructure), ""
        except MalformedError as error:
            flaw = f"{kind} {name}: {error.on} is {error.seen}"
    replicas = mapping_at(found, "spec").get("replicas")
    return ClusterApiResource(
        text_at(found, "kind"),
        text_at(found, "metadata", "name"),
        f"{kind}/{name}",
        replicas if isinstance(replicas, int) else None,
        found,
        machine,
        flaw,
    )


def _is_owned(found: Document) -> bool:
    owners: Sequence[t.Any] = mapping_at(found, "metadata").get("ownerReferences") or []
    return any(text_at(one, "kind") == _MACHINE_DEPLOYMENT for one in owners)


def _aws(spec: Document, infrastructure: Document) -> dict[str, t.Any]:
    region = text_at(infrastructure, "status", "platformStatus", "aws", "region")
    return {"ami": dict(mapping_at(spec, "ami")), "placement": {"region": region}}


def _azure(spec: Document, _infrastructure: Document) -> dict[str, t.Any]:
    listed = mapping_at(spec, "image", "marketplace")
    kind = "MarketplaceWithPlan" if listed.get("thirdPartyImage") else "MarketplaceNoPlan"
    image = {part: text_at(listed, part) for part in ("publisher", "offer", "sku", "version")}
    uploaded = text_at(spec, "image", "id")
    security = {"settings": {"securityType": text_at(spec, "securityProfile", "securityType")}}
    return {"image": {**image, "resourceID": uploaded, "type": "" if uploaded else kind}, "securityProfile": security}


def _gcp(spec: Document, _infrastructure: Document) -> dict[str, t.Any]:
    image = text_at(spec, "image")
    return {"disks": [{"boot": True, "image": image[max(0, image.find("projects/")) :]}]}


def _vsphere(spec: Document, _infrastructure: Document) -> dict[str, t.Any]:
    return {"template": text_at(spec, "template")}


_MACHINES: Mapping[str, Callable[[Document, Document], dict[str, t.Any]]] = {
    "AWS": _aws,
    "Azure": _azure,
    "GCP": _gcp,
    "VSphere": _vsphere,
}
