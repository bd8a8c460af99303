# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A node host: a machine of its own as far as it and its cluster can tell, with a kubelet on it."""

from __future__ import annotations

import json
import shutil
import subprocess
import typing as t
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab import cgroups, kubeconfig
from ansible_collections.fieldops.openshift.tests.lab.api_access import ApiAccess
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError, last_lines
from ansible_collections.fieldops.openshift.tests.lab.network import BRIDGE, GATEWAY, POD_NETWORKS, PREFIX, LabNetwork
from ansible_collections.fieldops.openshift.tests.lab.node.layer import CLOCK, as_json
from ansible_collections.fieldops.openshift.tests.lab.seed.nodes import node_name
from ansible_collections.fieldops.openshift.tests.lab.workspace import LEASH, LeashedProcess, Workspace, write_private

FIRMWARE = Path(__file__).with_name("firmware.py")
DISKS = {"/var/lib/containers": "containers", "/var/lib/fieldops": "fieldops"}
ADDRESSES = {"master": (10, 49), "worker": (50, 254)}  # the last octets that a role has


@dataclass(frozen=True)
class HostIdentity:
    """A host's role (``master``, ``worker``) and number; its name and addresses follow from them."""

    role: str
    number: int

    @property
    def name(self) -> str:
        """``master-0``, ``worker-1``."""
        return node_name(self.role, self.number)

    @property
    def last_octet(self) -> int:
        """What tells this host's networks from others'."""
        first, last = ADDRESSES[self.role]
        if first + self.number > last:
            seen = f"{last - first + 1} hosts of this role have had one"
            raise LabError("find an address", on=self.name, seen=seen, advice="Start another lab.")
        return first + self.number

    @property
    def address(self) -> str:
        """The host's address in the lab."""
        return f"{PREFIX}.{self.last_octet}"

    @property
    def pod_network(self) -> str:
        """The range of the addresses of its pods."""
        return f"10.85.{self.last_octet}.0/24"


@dataclass(frozen=True)
class DiskTemplate:
    """What a new host's disk is made of.

    ``layers`` are the read-only directories below its own files, topmost first; ``storage`` is its container storage.
    ``sizes`` makes ``/var/lib/containers`` or ``/var/lib/fieldops`` a file system of so many bytes, which can be full;
    else it is the machine's own.
    """

    layers: Sequence[Path]
    storage: Path
    sizes: Mapping[str, int] = field(default_factory=dict)


class NodeHost:
    """One host and its firmware; off until ``power_on``."""

    firmware = FIRMWARE

    def __init__(self, identity: HostIdentity, workspace: Workspace, network: LabNetwork) -> None:
        self.identity = identity
        self.name = identity.name
        self.address = identity.address
        self.directory = workspace.directory / "nodes" / self.name
        self.group = f"{workspace.directory.name}-{self.name}"
        self._workspace = workspace
        self._network = network
        self._process: LeashedProcess | None = None

    def install(self, disk: DiskTemplate, server: ApiAccess, public_key: str, others: Iterable[HostIdentity]) -> None:
        """Write the host's disk: its identity above the shared layers, its container storage from the template."""
        upper = self.directory / "upper"
        for name in ("etc/kubernetes/pki", "etc/lab", "etc/cni/net.d", "etc/ssh", "var/home/core/.ssh", "var/lib/dbus"):
            (upper / name).mkdir(parents=True, exist_ok=True)
        self._write_disks(disk)
        self._write_identity(upper, others)
        self._write_access(upper, public_key)
        self._write_kubelet(upper, server)
        settings: dict[str, t.Any] = {"name": self.name, "bridge": BRIDGE, "clock": str(self._workspace.clock.file)}
        settings |= {"layers": [str(layer) for layer in disk.layers]}
        settings["disks"] = {name: path for path, name in DISKS.items()}
        settings["cgroups"] = [str(group) for group in cgroups.create(self.group)]
        (self.directory / "firmware.json").write_text(json.dumps(settings))
        if self._workspace.clock.is_moved:
            self.follow_clock()
        self._network.route(self.identity.pod_network, self.address)

    def power_on(self) -> None:
        """Switch the host on; returns at once."""
        own = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        program = [*LEASH[:-1], str(self.firmware), str(self.directory)]
        command = [*self._network.prefix, "unshare", *own, *program]
        self._process = self._workspace.start(f"firmware-{self.name}", command)

    @property
    def is_on(self) -> bool:
        """Whether the host has been switched on and has not switched itself off."""
        return self._process is not None and self._process.is_running

    @property
    def process(self) -> LeashedProcess:
        """The host's firmware."""
        assert self._process, f"{self.name} has never been on"
        return self._process

    def lose_power(self) -> None:
        """Cut the power: every process of the host is gone at once, its disk stays as it is."""
        self.process.kill()
        cgroups.wait_empty(self.group)

    @property
    def public_host_key(self) -> Path:
        """The file by which its ssh server is known."""
        return self.directory / "upper/etc/ssh/ssh_host_ed25519_key.pub"

    @property
    def console(self) -> str:
        """The last lines that the host's init wrote to its console."""
        return last_lines(self.directory / "console.log", 40)

    @property
    def last_words(self) -> str:
        """What the journal of a host says of its node's services, or the console where it has none."""
        try:
            return self.run("journalctl", "--no-pager", "--lines=12", "--unit=crio", "--unit=kubelet")
        except LabError:
            return self.console

    @property
    def boots(self) -> int:
        """How often the host has ended a run: reboots and power-offs."""
        events = self.directory / "events"
        return len(events.read_text().splitlines()) if events.exists() else 0

    def run(self, *command: str, check: bool = True) -> str:
        """Run a command on the host as root, from outside, and return its output."""
        entered = ["nsenter", "--target", str(self._init()), "--all", "--", *command]
        done = subprocess.run(entered, capture_output=True, text=True, check=False)
        if check and done.returncode:
            seen = f"exit status {done.returncode}: {done.stderr or done.stdout}"
            raise LabError(f"run {command[0]}", on=self.name, seen=seen, advice="Look at the host's journal.")
        return done.stdout

    def write(self, path: str, content: str) -> None:
        """Write a file on the host's disk, as if it had been there all along; the host may be on or off."""
        target = self.directory / "upper" / path.lstrip("/")
        for place, name in DISKS.items():
            if path.startswith(f"{place}/"):
                target = self.directory / name / path.removeprefix(f"{place}/")
        if self.is_on:
            target = Path(f"/proc/{self._init()}/root") / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)

    def has_own_disk(self, path: str) -> bool:
        """Whether a path of ``DISKS`` is a file system of a given size, which can be full."""
        return path in DISKS and (self.directory / f"{DISKS[path]}.img").exists()

    def follow_clock(self) -> None:
        """Let what starts on the host from now on follow the lab's clock, as CRI-O and kubelet always do."""
        self.write("/etc/ld.so.preload", f"/{CLOCK}\n")

    def plug(self, connected: bool) -> None:
        """Connect or pull the host's network cable."""
        self._network.ip("link", "set", f"vb-{self.name}", "up" if connected else "down")

    def limit_link(self, bits_per_second: int | None) -> None:
        """Make the host's link slow in both directions, or take the limit away."""
        outside, inside = f"vb-{self.name}", ("nsenter", "--target", str(self._init()), "--net", "tc")
        for program, device in (((*self._network.prefix, "tc"), outside), (inside, "host0")):
            command = [*program, "qdisc", "replace" if bits_per_second else "delete", "dev", device, "root"]
            if bits_per_second:
                # Of a fast link, packets as the sender made them pass; into single ones the kernel takes half a core.
                burst = max(64 * 1024, bits_per_second // 800)
                command += ["tbf", "rate", f"{bits_per_second}bit", "burst", f"{burst}b", "latency", "400ms"]
            subprocess.run(command, check=True)

    def _init(self) -> int:
        """Return the host's process 1 as this machine numbers it: the innermost of the firmware's descendants."""
        for pid in _descendants(self.process.pid):
            levels = _namespace_pids(pid)
            if len(levels) == _LEVELS and levels[-1] == 1:
                return pid
        raise LabError("find the init process", on=self.name, seen=self.console, advice="Is the host on?")

    def _write_disks(self, disk: DiskTemplate) -> None:
        """Write what the host has on disks of its own; what is in its container storage is the template's."""
        for path, name in DISKS.items():
            content = disk.storage if name == "containers" else None
            directory, size = self.directory / name, disk.sizes.get(path, 0)
            if size:
                _make_file_system(directory.with_suffix(".img"), size, content)
            elif content:
                shutil.copytree(content, directory, symlinks=True)

    def _write_identity(self, upper: Path, others: Iterable[HostIdentity]) -> None:
        everybody = [*others]
        names = "".join(f"{host.address} {host.name}\n" for host in everybody)
        (upper / "etc/hosts").write_text(
            f"127.0.0.1 localhost\n{PREFIX}.1 api.lab.example api-int.lab.example\n{names}"
        )
        (upper / "etc/hostname").write_text(f"{self.name}\n")
        machine_id = uuid.uuid4().hex
        (upper / "etc/machine-id").write_text(f"{machine_id}\n")
        (upper / "var/lib/dbus/machine-id").write_text(f"{machine_id}\n")
        settings = {"address": self.address, "routes": {POD_NETWORKS: GATEWAY}}
        (upper / "etc/lab/host.json").write_text(as_json(settings))

    def _write_access(self, upper: Path, public_key: str) -> None:
        keys = upper / "var/home/core/.ssh/authorized_keys"
        keys.write_text(f"{public_key}\n")
        for path in (keys.parent.parent, keys.parent, keys):
            shutil.chown(path, 1000, 1000)
            path.chmod(0o600 if path == keys else 0o700)
        host_key = upper / "etc/ssh/ssh_host_ed25519_key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", self.name, "-f", host_key], check=True)

    def _write_kubelet(self, upper: Path, server: ApiAccess) -> None:
        pki = upper / "etc/kubernetes/pki"
        client = server.authority.issue(f"node-{self.name}", f"system:node:{self.name}", groups=["system:nodes"])
        serving = server.authority.issue(f"serving-{self.name}", self.name, hosts=[self.address, self.name])
        kubeconfig.with_certificate(upper / "etc/kubernetes/kubeconfig", server.inner_url, server.ca_file, client)
        for source, name in ((server.ca_file, "ca.crt"), (serving.certificate, "tls.crt"), (serving.key, "tls.key")):
            write_private(pki / name, source.read_text())
        (upper / "etc/kubernetes/kubelet.json").write_text(as_json(_kubelet_configuration()))
        environment = f"NODE_NAME={self.name}\nNODE_ADDRESS={self.address}\n"
        (upper / "etc/kubernetes/kubelet-env").write_text(environment)
        (upper / "etc/cni/net.d/10-lab.conflist").write_text(as_json(_cni(self.identity.pod_network)))


_LEVELS = 3  # process namespaces around a host's init: the machine's, the firmware's, the host's


_SPARE_DISK = {
    "evictionHard": {
        "memory.available": "100Mi",
        **dict.fromkeys(("nodefs.available", "nodefs.inodesFree", "imagefs.available"), "1%"),
    },
    "imageGCHighThresholdPercent": 99,
    "imageGCLowThresholdPercent": 98,
}
"""Most hosts share the disk of the machine, which may be fuller than kubelets accept: they would remove images."""


def _kubelet_configuration() -> dict[str, t.Any]:
    limits = cgroups.has_controllers()
    return {
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "authentication": {
            "anonymous": {"enabled": False},
            "x509": {"clientCAFile": "/etc/kubernetes/pki/ca.crt"},
            "webhook": {"enabled": True},
        },
        "authorization": {"mode": "Webhook"},
        "cgroupDriver": "systemd",
        "cgroupsPerQOS": limits,
        "enforceNodeAllocatable": ["pods"] if limits else ["none"],
        **_SPARE_DISK,
        "containerRuntimeEndpoint": "unix:///var/run/crio/crio.sock",
        "failSwapOn": False,
        "localStorageCapacityIsolation": True,
        "nodeStatusUpdateFrequency": "2s",
        "nodeStatusReportFrequency": "10s",
        "serializeImagePulls": False,
        "shutdownGracePeriod": "5s",
        "staticPodPath": "/etc/kubernetes/manifests",
        "tlsCertFile": "/etc/kubernetes/pki/tls.crt",
        "tlsPrivateKeyFile": "/etc/kubernetes/pki/tls.key",
    }


def _cni(network: str) -> dict[str, t.Any]:
    addresses = {"type": "host-local", "ranges": [[{"subnet": network}]], "routes": [{"dst": "0.0.0.0/0"}]}
    bridge = {"type": "bridge", "bridge": "cni0", "isGateway": True, "ipMasq": False, "ipam": addresses}
    return {"cniVersion": "1.0.0", "name": "lab", "plugins": [bridge]}


def _make_file_system(image: Path, size: int, content: Path | None) -> None:
    with image.open("wb") as file:
        file.truncate(size)
    filling = ["-d", str(content)] if content else []
    command = ["mkfs.ext4", "-q", "-m", "0", *filling, str(image)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError("make a disk", on=f"{image.name} of {size} bytes", seen=done.stderr, advice="Make it larger.")


def _descendants(pid: int) -> list[int]:
    found: list[int] = []
    waiting = [pid]
    while waiting:
        try:
            text = "".join(path.read_text() for path in Path(f"/proc/{waiting.pop()}/task").glob("*/children"))
        except (FileNotFoundError, ProcessLookupError):
            continue
        children = [int(word) for word in text.split()]
        found += children
        waiting += children
    return found


def _namespace_pids(pid: int) -> list[int]:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return next([int(word) for word in line.split()[1:]] for line in status.splitlines() if line.startswith("NSpid:"))
