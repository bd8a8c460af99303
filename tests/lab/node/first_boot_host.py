# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A host in its first boot: it has what the machine-config server gave it, no way out, and is no node before it pulled.

What stands in for RHEL CoreOS: Ignition itself, which writes files and units (``ignition/internal/exec/stages/files``);
coreos-update-ca-trust.service of fedora-coreos-config, with update-ca-trust of ca-certificates; the order in which
upstream's kubelet.service starts, which here follows machine-config-daemon-pull.service itself. The kubelet asks for
its certificates with the token that the machine-config server provided, with the flags of upstream's
``templates/worker/01-worker-kubelet/_base/units/kubelet.service.yaml``. The labels that only OpenShift's kubelet may
give to its node are given beforehand.
"""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterable
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.api_access import ApiAccess
from ansible_collections.fieldops.openshift.tests.lab.machine_config.reading import files_of, units_of
from ansible_collections.fieldops.openshift.tests.lab.node.host import DiskTemplate, HostIdentity, NodeHost
from ansible_collections.fieldops.openshift.tests.lab.node.layer import as_json
from ansible_collections.fieldops.openshift.tests.lab.node.units import UNITS
from ansible_collections.fieldops.openshift.tests.lab.rest import Json

PLACE = "/etc/systemd/system"
PULL = "machine-config-daemon-pull.service"
UPDATE_CA_TRUST = """\
#!/bin/sh
mkdir -p /etc/ssl/certs
cat /etc/pki/ca-trust/source/anchors/* > /etc/ssl/certs/ca-certificates.crt
"""
BLACK_HOLE = (
    "ip link add hole type veth peer name hole-end && ip link set hole-end up && "
    "ip link set hole arp off up && ip route add default dev hole"
)
"""A default route into a cable that ends nowhere, on which no address is asked for either: packets vanish."""
OWN_UNITS = {
    "coreos-update-ca-trust.service": """\
[Unit]
DefaultDependencies=no
After=lab-host.service
Before=sysinit.target
ConditionDirectoryNotEmpty=/etc/pki/ca-trust/source/anchors/

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/bin/update-ca-trust
""",
    "lab-black-hole.service": f"""\
[Unit]
Description=A network that swallows all that is not for the site, names included
DefaultDependencies=no
After=lab-host.service
Before=sysinit.target

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c "{BLACK_HOLE}"
ExecStart=/bin/sh -c "echo 'nameserver 203.0.113.53' > /etc/resolv.conf && touch /run/ostree-booted"
""",
}
CRIO_LOGINS = '[crio.image]\nglobal_auth_file = "/var/lib/kubelet/config.json"\n'
"""As in the machine-config operator's ``templates/worker/01-worker-container-runtime/_base/files/crio.yaml``."""
LAB_START = UNITS["kubelet.service"].partition("ExecStart=")[2].partition("\nRestart=")[0]
BOOTSTRAP = "--bootstrap-kubeconfig=/etc/kubernetes/kubeconfig --kubeconfig=/var/lib/kubelet/kubeconfig"
START = LAB_START.replace("--kubeconfig=/etc/kubernetes/kubeconfig", BOOTSTRAP)
FIRST_START = f"""\
[Unit]
Requires={PULL}
After={PULL}

[Service]
ExecStart=
ExecStart={START}
"""


def lay_update_ca_trust(host: NodeHost) -> None:
    """Give a host the program by which RHEL takes authorities into its trust."""
    _write_program(host, "/usr/bin/update-ca-trust", UPDATE_CA_TRUST)


class FirstBootHost(NodeHost):
    """Set ``ignition`` to what the machine-config server serves before one is made."""

    ignition: t.ClassVar[Json] = {}

    def install(self, disk: DiskTemplate, server: ApiAccess, public_key: str, others: Iterable[HostIdentity]) -> None:
        """Write the disk as Ignition leaves it."""
        super().install(disk, server, public_key, others)
        for file in files_of({"spec": {"config": self.ignition}}):
            self.write(file.path, file.content.decode())
            self._path(file.path).chmod(file.mode)
        for path, text in units_of(self.ignition):
            self.write(path, text)
        lay_update_ca_trust(self)
        for name, text in OWN_UNITS.items():
            self.write(f"{PLACE}/{name}", text)
            self._want(name, "sysinit.target")
        self.write(f"{PLACE}/kubelet.service.d/first-boot.conf", FIRST_START)
        self.write("/etc/crio/crio.conf.d/01-logins.conf", CRIO_LOGINS)

    def _write_kubelet(self, upper: Path, server: ApiAccess) -> None:
        super()._write_kubelet(upper, server)
        place = upper / "etc/kubernetes"
        for name in ("kubeconfig", "pki/tls.crt", "pki/tls.key"):
            (place / name).unlink()
        settings = json.loads((place / "kubelet.json").read_text())
        del settings["tlsCertFile"], settings["tlsPrivateKeyFile"]
        asking = {"rotateCertificates": True, "serverTLSBootstrap": True}
        (place / "kubelet.json").write_text(as_json({**settings, **asking}))

    def _want(self, name: str, target: str) -> None:
        folder = self._path(f"{PLACE}/{target}.wants")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(f"{PLACE}/{name}")

    def _path(self, path: str) -> t.Any:
        return self.directory / "upper" / path.lstrip("/")


def _write_program(host: NodeHost, path: str, text: str) -> None:
    host.write(path, text)
    if host.is_on:
        host.run("chmod", "755", path)
    else:
        (host.directory / "upper" / path.lstrip("/")).chmod(0o755)
