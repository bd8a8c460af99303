# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What new machines boot: the stream in ``coreos-bootimages``, MachineSets of several platforms, their user data.

Source: installer, data/data/coreos and hack/build-coreos-manifest.go; machine-config-operator,
pkg/controller/bootimage. Images and accounts are made up, in the form that the real ones have.
"""

from __future__ import annotations

import hashlib
import json
import typing as t

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.lab.rest import Json

MACHINE_API = "openshift-machine-api"
MACHINE_CONFIG = "openshift-machine-config-operator"
OLD = "418.94.202501221327-0"
CURRENT = "9.6.20260112-0"
NEXT = "10.2.20260701-0"
CLUSTER = "lab-x7k2p"
ARTIFACTS = {
    "aws": "vmdk.gz",
    "azure": "vhd.gz",
    "gcp": "tar.gz",
    "ibmcloud": "qcow2.gz",
    "metal": "iso",
    "nutanix": "qcow2",
    "openstack": "qcow2.gz",
    "qemu": "qcow2.gz",
    "vmware": "ova",
}


def namespaces() -> list[Json]:
    """Return the namespaces that the other objects are in."""
    names = (MACHINE_API, MACHINE_CONFIG)
    return [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in names]


def stream(release: str = CURRENT, name: str = "rhel-9") -> Json:
    """Return a stream document of one architecture, x86_64."""
    gallery = {"publisher": "azureopenshift", "offer": "aro4", "sku": "aro_418", "version": "418.94.20250122"}
    azure = {"no-purchase-plan": {"hyperVGen1": gallery, "hyperVGen2": {**gallery, "sku": "418-v2"}}}
    return {
        "stream": name,
        "architectures": {
            "x86_64": {
                "artifacts": {name: _artifact(name, suffix, release) for name, suffix in ARTIFACTS.items()},
                "images": {
                    "aws": {"regions": {"eu-central-1": {"release": release, "image": ami(release)}}},
                    "gcp": {"release": release, "project": "rhcos-cloud", "name": gcp_name(release)},
                },
                "rhel-coreos-extensions": {"marketplace": {"azure": azure}},
            }
        },
    }


def coreos_bootimages(version: str = "4.21.3", release: str = CURRENT, *, several: bool = False) -> Json:
    """Return the ConfigMap that says which images new machines of a cluster of ``version`` should boot.

    With ``several`` it also lists the streams by name, as newer installers do.
    """
    content = {"stream": json.dumps(stream(release)), "releaseVersion": version, "MCOReleaseImageVersion": version}
    if several:
        content["streams"] = json.dumps({"rhel-9": stream(release), "rhel-10": stream(NEXT, "rhel-10")})
    metadata = {"name": "coreos-bootimages", "namespace": MACHINE_CONFIG}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": content}


def machine_configuration(**spec: t.Any) -> Json:
    """Return the MachineConfiguration by which an administrator says which boot images the operator manages.

    ``spec`` holds fields such as ``managedBootImages``, as ``managed_boot_images`` returns it.
    """
    return {
        "apiVersion": "operator.openshift.io/v1",
        "kind": "MachineConfiguration",
        "metadata": {"name": "cluster"},
        "spec": {"managementState": "Managed", "logLevel": "Normal", "operatorLogLevel": "Normal", **spec},
    }


def managed_boot_images(mode: str = "All") -> Json:
    """Return the field that hands the boot images of MachineSets over to the operator: ``All`` of them or ``None``."""
    manager = {"resource": "machinesets", "apiGroup": "machine.openshift.io", "selection": {"mode": mode}}
    return {"machineManagers": [manager]}


def machine_set(platform: str, name: str = "", *, release: str = OLD, replicas: int = 0) -> Json:
    """Return a MachineSet of ``platform``, one of those in ``_provider``, whose machines boot ``release``."""
    name = name or f"{CLUSTER}-worker-{platform}"
    labels = {"machine.openshift.io/cluster-api-cluster": CLUSTER, "machine.openshift.io/cluster-api-machineset": name}
    provider = {**_provider(platform, release), "userDataSecret": {"name": "worker-user-data"}}
    return {
        "apiVersion": "machine.openshift.io/v1beta1",
        "kind": "MachineSet",
        "metadata": {"name": name, "namespace": MACHINE_API, "labels": labels},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"providerSpec": {"value": provider}}},
        },
    }


def user_data(ignition: str = "2.2.0", name: str = "worker-user-data") -> Json:
    """Return the stub Ignition configuration that machines boot with, as the installer of an old cluster wrote it."""
    source = "https://api-int.lab.example:22623/config/worker"
    old = {"config": {"append": [{"source": source}]}, "version": ignition}
    new = {"config": {"merge": [{"source": source}]}, "version": ignition}
    stub = {"ignition": old if ignition.startswith("2.") else new}
    metadata = {"name": name, "namespace": MACHINE_API}
    content = {"userData": json.dumps(stub), "disableTemplating": "true"}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": content}


def ami(release: str) -> str:
    """Return a made-up AMI of a release, always the same."""
    return f"ami-{hashlib.sha256(release.encode()).hexdigest()[:17]}"


def gcp_name(release: str) -> str:
    """Return the name of a release's image in Google's cloud."""
    return f"rhcos-{release.replace('.', '-')}-gcp-x86-64"


def _provider(platform: str, release: str) -> Json:
    image = f"projects/rhcos-cloud/global/images/{gcp_name(release)}"
    group = f"/resourceGroups/{CLUSTER}-rg/providers/Microsoft.Compute/galleries/g/images/{CLUSTER}-gen2/versions/1.0"
    region, workspace = {"region": "eu-central-1"}, {"folder": "/dc/vm"}
    forms: dict[str, Json] = {
        "aws": {
            "kind": "AWSMachineProviderConfig",
            "ami": {"id": ami(release)},
            "placement": region,
        },
        "azure": {"kind": "AzureMachineProviderSpec", "image": {"resourceID": group}, "location": "westeurope"},
        "gcp": {"kind": "GCPMachineProviderSpec", "disks": [{"boot": True, "image": image, "sizeGb": 128}]},
        "vsphere": {
            "kind": "VSphereMachineProviderSpec",
            "template": f"{CLUSTER}-rhcos",
            "workspace": workspace,
        },
        "baremetal": {"kind": "BareMetalMachineProviderSpec", "image": {"url": "", "checksum": ""}},
        "ibmcloud": {"kind": "IBMCloudMachineProviderSpec", "image": f"{CLUSTER}-rhcos"},
        "nutanix": {
            "kind": "NutanixMachineProviderConfig",
            "image": {"type": "name", "name": f"{CLUSTER}-rhcos"},
        },
        "openstack": {"kind": "OpenstackProviderSpec", "image": f"{CLUSTER}-rhcos"},
    }
    return {"apiVersion": "machine.openshift.io/v1beta1", **forms[platform]}


def _artifact(name: str, suffix: str, release: str) -> Json:
    location = f"https://images.lab.example/rhcos/{release}/rhcos-{release}-{name}.x86_64.{suffix}"
    digest = hashlib.sha256(location.encode()).hexdigest()
    return {"release": release, "formats": {suffix: {"disk": {"location": location, "sha256": digest}}}}
