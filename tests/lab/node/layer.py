# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What all node hosts share above Debian's root: CRI-O, the kubelet, their configuration and units; cached."""

from __future__ import annotations

import json
import shutil
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab import cgroups
from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of
from ansible_collections.fieldops.openshift.tests.lab.clock import VARIABLE, preload
from ansible_collections.fieldops.openshift.tests.lab.debian import node_root
from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image
from ansible_collections.fieldops.openshift.tests.lab.node.units import MASKED, UNITS, WANTED_BY
from ansible_collections.fieldops.openshift.tests.lab.pinns import pinns

HERE = Path(__file__).parent
CLOCK = "usr/lib/lab/clock.so"
RUNTIME = HERE / "crun_without_resources.py"
CORE = "core:x:1000:1000:CoreOS Admin:/var/home/core:/bin/bash\n"  # the user of RHEL CoreOS
POLICY = {"default": [{"type": "insecureAcceptAnything"}]}

CRIO = """\
[crio.runtime]
cgroup_manager = "systemd"
conmon = "/usr/bin/conmon"
pinns_path = "/usr/bin/pinns"
default_runtime = "crun"
selinux = false
apparmor_profile = "unconfined"

[crio.runtime.runtimes.crun]
runtime_path = "{runtime}"
runtime_type = "oci"
runtime_root = "/run/crun"

[crio.image]
pause_image = "{pause}"
pause_command = "/bin/sleep 1000000"

[crio.network]
cni_default_network = "lab"
network_dir = "/etc/cni/net.d"
plugin_dirs = ["/usr/lib/cni"]
"""
STORAGE = """\
[storage]
driver = "overlay"
graphroot = "/var/lib/containers/storage"
runroot = "/run/containers/storage"
"""
SSHD = """\
PermitRootLogin no
PasswordAuthentication no
HostKey /etc/ssh/ssh_host_ed25519_key
UseDNS no
"""


def node_layer() -> Path:
    """Return the directory of the layer."""
    programs = {f"usr/bin/{name}": program(name) for name in ("crio", "crictl", "kubelet")}
    programs |= {"usr/bin/pinns": pinns(), CLOCK: preload()}
    texts = _texts()
    scripts = [HERE / name for name in ("host_setup.py", "await_network.py")]
    key = key_of(
        [*map(str, programs.values()), json.dumps(texts), repr(WANTED_BY), repr(MASKED), CORE, *scripts, RUNTIME]
    )

    def build(directory: Path) -> None:
        for name, source in programs.items():
            _install(source, directory / name)
        for source in scripts:
            _install(source, directory / "usr/libexec/lab" / source.name)
        runtime = directory / "usr/libexec/lab/crun"
        runtime.write_text(f"#!/usr/bin/python3 -IS\n{RUNTIME.read_text()}")
        runtime.chmod(0o755)
        for name, text in texts.items():
            target = directory / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        (directory / "etc/sudoers.d/core").chmod(0o440)
        _enable(directory / "etc/systemd/system")
        for name in ("var/log/journal", "var/home/core", "var/lib/fieldops", "etc/kubernetes/manifests"):
            (directory / name).mkdir(parents=True, exist_ok=True)
        shutil.chown(directory / "var/home/core", 1000, 1000)

    return cached("node-layer", key, build)


def _texts() -> dict[str, str]:
    runtime = "/usr/bin/crun" if cgroups.has_controllers() else "/usr/libexec/lab/crun"
    accounts = {
        f"etc/{name}": (node_root() / "etc" / name).read_text() + line
        for name, line in (("passwd", CORE), ("group", "core:x:1000:\n"), ("shadow", "core:*:20000:0:99999:7:::\n"))
    }
    return {
        **{f"etc/systemd/system/{name}": text for name, text in UNITS.items()},
        **accounts,
        "etc/crio/crio.conf.d/00-lab.conf": CRIO.format(runtime=runtime, pause=pause_image().name),
        "etc/containers/storage.conf": STORAGE,
        "etc/systemd/system.conf.d/lab.conf": f"[Manager]\nDefaultEnvironment={VARIABLE}=/etc/lab/clock\n",
        "etc/containers/policy.json": json.dumps(POLICY),
        "etc/crictl.yaml": "runtime-endpoint: unix:///var/run/crio/crio.sock\n",
        "etc/ssh/sshd_config": SSHD + "Subsystem sftp internal-sftp\n",
        "etc/sudoers.d/core": "core ALL=(ALL) NOPASSWD: ALL\n",
    }


def _install(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755)


def _enable(units: Path) -> None:
    for name, target in WANTED_BY.items():
        wants = units / f"{target}.wants"
        wants.mkdir(exist_ok=True)
        (wants / name).symlink_to(f"../{name}")
    for name in MASKED:
        (units / name).symlink_to("/dev/null")


def as_json(document: dict[str, t.Any]) -> str:
    """Return a configuration document; the kubelet and CNI read JSON."""
    return json.dumps(document, indent=1)
