# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A template travels in a bundle and is imported with govc into vcsim, the simulator of vCenter's API."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import tarfile
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.boot_image_policy.boot_image_operator import (
    BootImageOperator,
)
from ansible_collections.fieldops.openshift.tests.integration.boot_image_policy.sites import (
    CONFIGURATION,
    MACHINE_SETS,
    Json,
    Site,
    entry,
)
from ansible_collections.fieldops.openshift.tests.integration.boot_image_policy.test_plays import Technician
from ansible_collections.fieldops.openshift.tests.integration.rights.job_account import JobAccount
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images, cluster
from ansible_collections.fieldops.openshift.tests.lab.seed.boot_images import CURRENT

IMAGES = "/api/v1/namespaces/openshift-machine-config-operator/configmaps/coreos-bootimages"
FOLDER = "/DC0/vm"
PLACE = {
    "datacenter": "DC0",
    "datastore": "/DC0/datastore/LocalDS_0",
    "folder": FOLDER,
    "resourcePool": "/DC0/host/DC0_C0/Resources",
}
DESCRIPTOR = """\
<?xml version="1.0"?>
<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:ovf="http://schemas.dmtf.org/ovf/envelope/1"
  xmlns:rasd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_ResourceAllocationSettingData"
  xmlns:vssd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_VirtualSystemSettingData">
  <References><File ovf:href="disk.vmdk" ovf:id="file1" ovf:size="9"/></References>
  <DiskSection><Info>disks</Info>
    <Disk ovf:capacity="16" ovf:capacityAllocationUnits="byte * 2^30" ovf:diskId="vmdisk1" ovf:fileRef="file1"
      ovf:format="http://www.vmware.com/interfaces/specifications/vmdk.html#streamOptimized"/>
  </DiskSection>
  <NetworkSection><Info>networks</Info>
    <Network ovf:name="VM Network"><Description>the network of the file</Description></Network>
  </NetworkSection>
  <VirtualSystem ovf:id="rhcos"><Info>a machine</Info><Name>rhcos</Name>
    <OperatingSystemSection ovf:id="80"><Info>kind</Info></OperatingSystemSection>
    <VirtualHardwareSection><Info>hardware</Info>
      <System><vssd:ElementName>Hardware</vssd:ElementName><vssd:InstanceID>0</vssd:InstanceID>
        <vssd:VirtualSystemIdentifier>rhcos</vssd:VirtualSystemIdentifier>
        <vssd:VirtualSystemType>vmx-15</vssd:VirtualSystemType></System>
      <Item><rasd:ElementName>cpu</rasd:ElementName><rasd:InstanceID>1</rasd:InstanceID>
        <rasd:ResourceType>3</rasd:ResourceType><rasd:VirtualQuantity>2</rasd:VirtualQuantity></Item>
      <Item><rasd:AllocationUnits>byte * 2^20</rasd:AllocationUnits><rasd:ElementName>memory</rasd:ElementName>
        <rasd:InstanceID>2</rasd:InstanceID><rasd:ResourceType>4</rasd:ResourceType>
        <rasd:VirtualQuantity>4096</rasd:VirtualQuantity></Item>
      <Item><rasd:Address>0</rasd:Address><rasd:ElementName>controller</rasd:ElementName>
        <rasd:InstanceID>3</rasd:InstanceID><rasd:ResourceSubType>VirtualSCSI</rasd:ResourceSubType>
        <rasd:ResourceType>6</rasd:ResourceType></Item>
      <Item><rasd:AddressOnParent>0</rasd:AddressOnParent><rasd:ElementName>disk</rasd:ElementName>
        <rasd:HostResource>ovf:/disk/vmdisk1</rasd:HostResource><rasd:InstanceID>4</rasd:InstanceID>
        <rasd:Parent>3</rasd:Parent><rasd:ResourceType>17</rasd:ResourceType></Item>
      <Item><rasd:AddressOnParent>7</rasd:AddressOnParent><rasd:Connection>VM Network</rasd:Connection>
        <rasd:ElementName>network</rasd:ElementName><rasd:InstanceID>5</rasd:InstanceID>
        <rasd:ResourceSubType>VmxNet3</rasd:ResourceSubType><rasd:ResourceType>10</rasd:ResourceType></Item>
    </VirtualHardwareSection>
  </VirtualSystem>
</Envelope>
"""


class Center:
    """The simulated vCenter."""

    def __init__(self, govc: Path, address: str) -> None:
        self.address = address
        self.govc = govc
        self.environment = {"GOVC_USERNAME": "user", "GOVC_PASSWORD": "pass", "GOVC_INSECURE": "true"}

    def ask(self, *words: str) -> str:
        """Return what govc prints."""
        environment = {**os.environ, **self.environment, "GOVC_URL": self.address, "GOVC_DATACENTER": "DC0"}
        done = subprocess.run([self.govc, *words], env=environment, capture_output=True, text=True, check=True)
        return done.stdout

    def machines(self) -> set[str]:
        """Return the names of machines and templates that are none of the simulator's own."""
        names = {line.rpartition("/")[2] for line in self.ask("find", "-type=m", FOLDER).splitlines()}
        return {name for name in names if not name.startswith("DC0_")}


@pytest.fixture(scope="module")
def center() -> Iterator[Center]:
    """A vCenter with one datacenter."""
    try:
        govc, vcsim = program("govc"), program("vcsim")
    except LabError as error:
        pytest.skip(f"vcsim cannot be had: {error.line}")
    with subprocess.Popen([vcsim, "-l", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True) as process:
        try:
            # export GOVC_URL=https://user:pass@127.0.0.1:PORT/sdk GOVC_SIM_PID=...
            said = t.cast("t.TextIO", process.stdout).readline()
            yield Center(govc, said.partition("@")[2].partition("/")[0])
        finally:
            process.kill()


def packed(folder: Path) -> tuple[Path, str]:
    """Write the template into a bundle; return the bundle's folder, and the digest."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, content in {"rhcos.ovf": DESCRIPTOR.encode(), "disk.vmdk": b"a disk of"}.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    digest = hashlib.sha256(stream.getvalue()).hexdigest()
    file = folder / "blobs/sha256" / digest
    file.parent.mkdir(parents=True)
    file.write_bytes(stream.getvalue())
    return folder, digest


@pytest.fixture
def bundle(site: Site, tmp_path: Path, center: Center) -> Iterator[Path]:
    """A site whose MachineSets are on vSphere, and a bundle with the template that its release lists."""
    folder, digest = packed(tmp_path / "bundle")
    site.rest.apply(cluster.infrastructure("VSphere"))
    site.rest.merge(CONFIGURATION, {"spec": {"managedBootImages": {"machineManagers": [entry("None")]}}})
    before = site.rest.get(IMAGES)["data"]["stream"]
    stream = json.loads(before)
    stream["architectures"]["x86_64"]["artifacts"]["vmware"]["formats"]["ova"]["disk"]["sha256"] = digest
    site.rest.merge(IMAGES, {"data": {"stream": json.dumps(stream)}})
    for name, network in (("site-v", "VM Network"), ("site-w", "VM Network"), ("site-x", "DC0_DVPG0")):
        site.rest.apply(machine_set(name, center, network))
    yield folder
    site.rest.merge(IMAGES, {"data": {"stream": before}})


def machine_set(name: str, center: Center, network: str) -> Json:
    found = boot_images.machine_set("vsphere", name)
    place = {"workspace": {**PLACE, "server": center.address}, "network": {"devices": [{"networkName": network}]}}
    found["spec"]["template"]["spec"]["providerSpec"]["value"].update(place)
    return found


def templates(site: Site) -> dict[str, str]:
    """Return the template of each MachineSet."""
    return {
        one["metadata"]["name"]: one["spec"]["template"]["spec"]["providerSpec"]["value"]["template"]
        for one in site.rest.get(MACHINE_SETS)["items"]
    }


@pytest.fixture
def technician(
    site: Site, center: Center, account: JobAccount, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Technician:
    """A technician with govc, and with the credentials of the vCenter in the environment."""
    for name, value in {**center.environment, "PATH": f"{center.govc.parent}:{os.environ['PATH']}"}.items():
        monkeypatch.setenv(name, value)
    return Technician(site, tmp_path, account)


def test_a_template_is_imported_from_a_bundle_into_each_workspace(
    site: Site, bundle: Path, center: Center, technician: Technician
) -> None:
    with BootImageOperator(site.rest):
        technician.run("fieldops.openshift.update_boot_images", site_boot_image_bundle=str(bundle))
        again = technician.run("fieldops.openshift.update_boot_images", site_boot_image_bundle=str(bundle))
    found = templates(site)
    assert found["site-v"] == found["site-w"] != found["site-x"]
    assert center.machines() == set(found.values())
    assert all(name.startswith(f"rhcos-{CURRENT}-") for name in found.values())
    told = json.loads(center.ask("vm.info", "-json", f"{FOLDER}/{found['site-x']}"))["virtualMachines"][0]
    assert told["config"]["template"] is True
    (card,) = [one for one in told["config"]["hardware"]["device"] if "macAddress" in one]
    assert "port" in card["backing"]
    assert "changed=0" in again


def test_what_an_interrupted_import_left_is_replaced(
    site: Site, bundle: Path, center: Center, technician: Technician
) -> None:
    for name in center.machines():
        center.ask("object.rename", f"{FOLDER}/{name}", f"{name}-partial")
    left = center.machines()
    assert left, "the templates of the test before"
    with BootImageOperator(site.rest):
        technician.run("fieldops.openshift.update_boot_images", site_boot_image_bundle=str(bundle))
    assert center.machines() == set(templates(site).values())
    assert not left & center.machines()
