# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""MachineSets and ControlPlaneMachineSets of all platforms for upstream's controller of boot images and our own plan.

``differs`` says why the two come to another image. What ends upstream's process is no row: no ``userDataSecret``, and
on Google's cloud an architecture that the stream lacks (nil pointers in platform_helpers.go).
"""

from __future__ import annotations

import copy
import typing as t
from dataclasses import dataclass, field, replace

from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images

Json = dict[str, t.Any]
PUBLISHED = "ami-000a86fa0a0b76144"
"""One of Red Hat's in the operator's own list: it replaces no others."""
CURRENT_AMI = boot_images.ami(boot_images.CURRENT)
OLD_IMAGE, CURRENT_IMAGE = (
    f"projects/rhcos-cloud/global/images/{boot_images.gcp_name(release)}"
    for release in (boot_images.OLD, boot_images.CURRENT)
)
OLD_STUB = "old-user-data"
"""A Secret with the stub of an installer before 4.6."""
OTHERS = "projects/site/global/images/own"
LATER = "the pinned operator is of July 2025, later ones do it"
NOT_OURS = "whoever owns it would undo the change, which upstream does not look at"


@dataclass(frozen=True)
class Row:
    """A MachineSet: what is merged into its parts, and why the two differ.

    Where there is a ``plane``, which is merged into its spec, our plan is for a ControlPlaneMachineSet.
    """

    provider: Json = field(default_factory=dict)
    labels: Json = field(default_factory=dict)
    annotations: Json = field(default_factory=dict)
    template: Json = field(default_factory=dict)
    owner: str = ""
    differs: str = ""
    plane: Json | None = None

    def machine_set(self, platform: str, name: str) -> Json:
        """Return the object."""
        made = copy.deepcopy(boot_images.machine_set(platform, name))
        metadata, template = made["metadata"], made["spec"]["template"]
        metadata["labels"] = {**metadata["labels"], **self.labels}
        metadata["annotations"] = self.annotations
        template["metadata"]["labels"] = {**template["metadata"]["labels"], **self.template}
        template["spec"]["providerSpec"]["value"].update(self.provider)
        if self.owner:
            owner = {"apiVersion": "v1", "kind": self.owner, "name": "x", "uid": "7f9cf2a5-2f5c-4f43-8e12-3f2f1b1b7c11"}
            metadata["ownerReferences"] = [owner]
        return made

    def control_plane_machine_set(self, platform: str) -> Json:
        """Return the ControlPlaneMachineSet with the same template, of which a cluster has one."""
        made = self.machine_set(platform, "cluster")
        template = made["spec"]["template"]
        roles = dict.fromkeys(("machine-role", "machine-type"), "master")
        labels = {"machine.openshift.io/cluster-api-cluster": boot_images.CLUSTER}
        labels.update({f"machine.openshift.io/cluster-api-{key}": role for key, role in roles.items()})
        template["metadata"]["labels"].update(labels)
        form = "machines_v1beta1_machine_openshift_io"
        spec = {"replicas": 3, "selector": {"matchLabels": labels}, "template": {"machineType": form, form: template}}
        kinds = {"apiVersion": "machine.openshift.io/v1", "kind": "ControlPlaneMachineSet"}
        return {**made, **kinds, "spec": {**spec, **(self.plane or {})}}


ARCH = "capacity.cluster-autoscaler.kubernetes.io/labels"
OS_ID = "machine.openshift.io/os-id"
STREAM = "machineconfiguration.openshift.io/osstream"
HIVE = {"hive.openshift.io/managed": "true"}


def ami(identity: str, region: str = "eu-central-1") -> Json:
    return {"ami": {"id": identity}, "placement": {"region": region}}


def disks(*images: str, boot: bool = True) -> Json:
    return {"disks": [{"boot": boot, "image": image, "sizeGb": 128} for image in images]}


ON_AWS = {
    "published": Row(ami(PUBLISHED)),
    "current": Row(ami(CURRENT_AMI)),
    "unknown": Row(ami("ami-0123456789abcdef0")),
    "by-filters": Row({"ami": {"filters": [{"name": "name", "values": ["rhcos"]}]}}),
    "by-arn": Row({"ami": {"arn": "arn:aws:ec2:eu-central-1::image/x"}}),
    "region-not-listed": Row(ami(PUBLISHED, "mars-1")),
    "owned": Row(ami(PUBLISHED), owner="ConfigMap"),
    "windows": Row(ami(PUBLISHED), template={OS_ID: "Windows"}),
    "amd64": Row(ami(PUBLISHED), annotations={ARCH: "kubernetes.io/arch=amd64"}),
    "arch-not-listed": Row(ami(PUBLISHED), annotations={ARCH: "kubernetes.io/arch=arm64"}),
    "arch-unknown": Row(ami(PUBLISHED), annotations={ARCH: "kubernetes.io/arch=riscv64"}),
    "arch-in-a-list": Row(
        ami(PUBLISHED),
        annotations={ARCH: "kubernetes.io/arch=amd64,site=a"},
        differs="upstream takes all that follows for the architecture and gives up with an error",
    ),
    "hive": Row(ami(PUBLISHED), labels=HIVE, differs=NOT_OURS),
    "stream-not-listed": Row(ami(PUBLISHED), labels={STREAM: "rhel-11"}, differs=f"it names a stream: {LATER}"),
}
ON_GCP = {
    "old": Row(disks(OLD_IMAGE)),
    "old-stub": Row({**disks(OLD_IMAGE), "userDataSecret": {"name": OLD_STUB}}),
    "current": Row(disks(CURRENT_IMAGE)),
    "own": Row(disks(OTHERS)),
    "no-image": Row(disks("")),
    "data-disk": Row(disks(OLD_IMAGE, boot=False)),
    "two-boot-disks": Row(disks(OLD_IMAGE, CURRENT_IMAGE)),
    "one-own-of-two": Row(disks(OLD_IMAGE, OTHERS)),
    "owned": Row(disks(OLD_IMAGE), owner="ConfigMap"),
    "windows": Row(disks(OLD_IMAGE), template={OS_ID: "Windows"}),
    "hive": Row(disks(OLD_IMAGE), labels=HIVE, differs=NOT_OURS),
    "similar-prefix": Row(
        disks("projects/rhcos-cloud/global/images-of-others/x"),
        differs="upstream's prefix has no slash at its end; that is no image of Red Hat's",
    ),
}
REPLACING = {"state": "Active", "strategy": {"type": "RollingUpdate"}}
UNHURRIED = {
    "plane-on-delete": Row(ami(PUBLISHED), plane={"state": "Active", "strategy": {"type": "OnDelete"}}),
    "plane-inactive": Row(ami(PUBLISHED), plane={"state": "Inactive"}),
}
OF_ANNOTATION = ("amd64", "arch-not-listed", "arch-unknown", "arch-in-a-list")
"""The architecture of a ControlPlaneMachineSet is that of the control plane; upstream reads no annotation of it."""


def planes(rows: dict[str, Row]) -> dict[str, Row]:
    """Return the rows of MachineSets for ControlPlaneMachineSets."""
    return {f"plane-{name}": replace(row, plane=REPLACING) for name, row in rows.items() if name not in OF_ANNOTATION}


ELSEWHERE = {
    "Azure": ("azure", Row(differs=LATER)),
    "BareMetal": (
        "baremetal",
        Row({"image": {"url": "http://x/y.qcow2", "checksum": "z"}}, differs="upstream never changes it; documented"),
    ),
    "VSphere": ("vsphere", Row()),
    "Nutanix": ("nutanix", Row()),
    "OpenStack": ("openstack", Row()),
    "IBMCloud": ("ibmcloud", Row()),
}
ROWS: dict[str, dict[str, tuple[str, Row]]] = {
    "AWS": {name: ("aws", row) for name, row in {**ON_AWS, **planes(ON_AWS), **UNHURRIED}.items()},
    "GCP": {name: ("gcp", row) for name, row in {**ON_GCP, **planes(ON_GCP)}.items()},
    **{
        platform: {
            "plain": (form, row),
            "plane": (form, replace(row, plane=REPLACING, differs=LATER if platform == "Azure" else "")),
        }
        for platform, (form, row) in ELSEWHERE.items()
    },
}
