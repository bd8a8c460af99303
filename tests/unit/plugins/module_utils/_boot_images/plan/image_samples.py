# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Samples for the decisions: streams as two generations of installers wrote them, resources, and what judges them."""

from __future__ import annotations

import json
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.architecture_of import (
    ClusterArchitecture,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.assessment import Site
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.cloud_images import cloud_images
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    MachineResource,
    resource_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.every_platform import judge
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.site_images import site_images
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.streams import Stream, read_streams
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import Sources, Verdict
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture

Json = dict[str, t.Any]
REGION = "eu-central-1"
RELEASE = "9.8.20260428-0"
OLD_RELEASE = "410.84.202210040010-0"
AMI, OLD_AMI, LICENSED_AMI = "ami-0aaaaaaaaaaaaaaa1", "ami-0bbbbbbbbbbbbbbb2", "ami-0cccccccccccccccc3"


def artifact(name: str, form: str, release: str = RELEASE) -> Json:
    location = f"https://images.example/{release}/{name}.{form}"
    return {"release": release, "formats": {form: {"disk": {"location": location, "sha256": "e3b0c442"}}}}


def plan(sku: str, offer: str = "rh-ocp-worker", publisher: str = "redhat", version: str = "9.8.20260428") -> Json:
    return {"publisher": publisher, "offer": offer, "sku": sku, "version": version}


def azure_marketplace() -> Json:
    """Return variants and generations as the stream of 4.22 has them: EMEA's come from another publisher."""
    free = {
        "hyperVGen1": plan("aro_98", "aro4", "azureopenshift"),
        "hyperVGen2": plan("98-v2", "aro4", "azureopenshift"),
    }
    paid = {}
    for variant in ("ocp", "opp", "oke"):
        for suffix, publisher in (("", "redhat"), ("-emea", "redhat-limited")):
            offer = f"rh-{variant}-worker"
            paid[f"{variant}{suffix}"] = {
                "hyperVGen1": plan(f"{offer}-gen1", offer, publisher),
                "hyperVGen2": plan(offer, offer, publisher),
            }
    return {"no-purchase-plan": free, **paid}


def stream_document(name: str = "rhel-9", release: str = RELEASE) -> Json:
    """Return a stream as the installers of 4.22 and later write it."""
    forms = {"ibmcloud": "qcow2.gz", "nutanix": "qcow2", "openstack": "qcow2.gz", "vmware": "ova", "aws": "vmdk.gz"}
    power = {"bucket": "rhcos-powervs-images-lon", "object": "rhcos.ova.gz", "url": "https://cos.example/rhcos.ova.gz"}
    arm = plan("98-arm", "aro4", "azureopenshift")
    return {
        "stream": name,
        "architectures": {
            "x86_64": {
                "artifacts": {platform: artifact(platform, form, release) for platform, form in forms.items()},
                "images": {
                    "aws": {"regions": {REGION: {"release": release, "image": AMI}}},
                    "gcp": {"release": release, "project": "rhcos-cloud", "name": "rhcos-9-8-20260428-0-gcp-x86-64"},
                },
                "rhel-coreos-extensions": {
                    "aws-winli": {"regions": {REGION: {"release": release, "image": LICENSED_AMI}}},
                    "marketplace": {"azure": azure_marketplace()},
                },
            },
            "aarch64": {
                "artifacts": {"openstack": artifact("openstack", "qcow2.gz", release)},
                "images": {},
                "rhel-coreos-extensions": {
                    "marketplace": {"azure": {"no-purchase-plan": {"hyperVGen2": arm}}},
                },
            },
            "ppc64le": {"images": {"powervs": {"regions": {"lon": {"release": release, **power}}}}},
        },
    }


def old_stream_document() -> Json:
    """Return a stream as the installer of 4.10 wrote it: one architecture more or less, no marketplace."""
    return {
        "stream": "rhcos-4.10",
        "metadata": {"last-modified": "2022-10-05T14:12:53Z", "generator": "plume cosa2stream 0.14.0"},
        "architectures": {
            "x86_64": {
                "artifacts": {"vmware": artifact("vmware", "ova", OLD_RELEASE)},
                "images": {
                    "aws": {"regions": {REGION: {"release": OLD_RELEASE, "image": OLD_AMI}}},
                    "gcp": {
                        "release": OLD_RELEASE,
                        "project": "rhcos-cloud",
                        "name": "rhcos-410-84-202210040010-0-gcp",
                    },
                },
            }
        },
    }


def config_map(document: Json | None = None, **content: str) -> Json:
    return {"data": {"stream": json.dumps(document or stream_document()), **content}}


def machine_set(provider: object, *, kind: str = "MachineSet", name: str = "site-a", **parts: t.Any) -> MachineResource:
    """Return a resource; ``parts`` are merged into ``metadata``, ``spec`` and ``status`` of the object."""
    inner: Json = {"metadata": parts.get("template", {}), "spec": {"providerSpec": {"value": provider}}}
    template = inner if kind == "MachineSet" else {"machines_v1beta1_machine_openshift_io": inner}
    return resource_of(
        {
            "kind": kind,
            "metadata": {"name": name, **parts.get("metadata", {})},
            "spec": {"template": template, **parts.get("spec", {})},
            "status": parts.get("status", {}),
        }
    )


def sources(provider: object, **known: t.Any) -> Sources:
    """Return what a platform judges by; ``known`` are its parts, as the options of the modules have them."""
    resource = machine_set(provider)
    return Sources(
        resource=resource,
        provider=resource.provider or {},
        stream=Stream(known.get("name", "rhel-9"), known.get("stream", stream_document())),
        architecture=Architecture.parse(known.get("architecture", "x86_64")),
        cloud=cloud_images(known.get("cloud", [])),
        site=site_images(known.get("site", [])),
        infrastructure=known.get("infrastructure", {}),
        vouched=known.get("vouched", {}),
    )


def judged(platform: str, provider: object, **known: t.Any) -> Verdict:
    """Return the verdict of a platform."""
    return judge(platform, sources(provider, **known))


def site(platform: str = "AWS", **parts: t.Any) -> Site:
    """Return a cluster on 4.22 whose control plane is x86_64."""
    known = {"streams": read_streams(config_map()), "version": "4.22.5"}
    architecture = ClusterArchitecture(Architecture.parse("x86_64"))
    return Site(**{"platform": platform, "architecture": architecture, **known, **parts})
