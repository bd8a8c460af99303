# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a control-plane host has besides: etcd and kube-apiserver with their units; cached."""

from __future__ import annotations

import shutil
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of
from ansible_collections.fieldops.openshift.tests.lab.go import program

PROGRAMS = ("etcd", "kube-apiserver")
FILES = "/etc/kubernetes/control-plane"
UNITS = {
    "etcd.service": f"""\
[Unit]
Description=etcd member
After=lab-host.service

[Service]
ExecStart=/usr/bin/etcd --config-file={FILES}/etcd.json
Restart=always
RestartSec=1
TimeoutStopSec=3

[Install]
WantedBy=multi-user.target
""",
    "kube-apiserver.service": f"""\
[Unit]
Description=Kubernetes API server
After=lab-host.service etcd.service

[Service]
EnvironmentFile={FILES}/kube-apiserver.env
ExecStart=/usr/bin/kube-apiserver $FLAGS
Restart=always
RestartSec=1
TimeoutStopSec=3

[Install]
WantedBy=multi-user.target
""",
}


def control_plane_layer() -> Path:
    """Return the directory of the layer."""
    programs = {name: program(name) for name in PROGRAMS}

    def build(directory: Path) -> None:
        binaries, units = directory / "usr/bin", directory / "etc/systemd/system"
        wants = units / "multi-user.target.wants"
        for made in (binaries, wants):
            made.mkdir(parents=True)
        for name, source in programs.items():
            shutil.copyfile(source, binaries / name)
            (binaries / name).chmod(0o755)
        for name, text in UNITS.items():
            (units / name).write_text(text)
            (wants / name).symlink_to(f"../{name}")

    return cached("control-plane-layer", key_of([*map(str, programs.values()), *UNITS.values()]), build)
