# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The systemd units of a node host, and which of Debian's it goes without."""

from __future__ import annotations

UNITS = {
    "lab-host.service": """\
[Unit]
Description=What a container lacks to be a kubelet's host, and the host's address
DefaultDependencies=no
After=systemd-tmpfiles-setup-dev.service
Before=sysinit.target crio.service kubelet.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/bin/python3 -IS /usr/libexec/lab/host_setup.py

[Install]
WantedBy=sysinit.target
""",
    "crio.service": """\
[Unit]
Description=Container Runtime Interface for OCI (CRI-O)
After=lab-host.service network.target

[Service]
Type=notify
ExecStart=/usr/bin/crio
ExecReload=/bin/kill -s HUP $MAINPID
KillMode=process
Restart=always
RestartSec=2
TimeoutStartSec=60

[Install]
WantedBy=multi-user.target
""",
    "kubelet.service": """\
[Unit]
Description=Kubernetes Kubelet
Wants=crio.service
After=crio.service

[Service]
EnvironmentFile=/etc/kubernetes/kubelet-env
ExecStartPre=/usr/bin/python3 -IS /usr/libexec/lab/await_network.py
ExecStart=/usr/bin/kubelet --config=/etc/kubernetes/kubelet.json --kubeconfig=/etc/kubernetes/kubeconfig \\
  --node-ip=${NODE_ADDRESS} --hostname-override=${NODE_NAME}
Restart=always
RestartSec=1

[Install]
WantedBy=multi-user.target
""",
}
WANTED_BY = {
    "lab-host.service": "sysinit.target",
    "crio.service": "multi-user.target",
    "kubelet.service": "multi-user.target",
}
MASKED = (
    *("apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer", "fstrim.timer"),
    *("console-getty.service", "getty@.service", "systemd-modules-load.service", "systemd-firstboot.service"),
    *("podman.service", "podman.socket", "podman-auto-update.timer", "podman-restart.service"),
    *("podman-clean-transient.service", "netavark-dhcp-proxy.service", "netavark-dhcp-proxy.socket"),
    *("systemd-networkd.service", "systemd-networkd.socket", "systemd-networkd-wait-online.service"),
    *("systemd-pstore.service", "sshd-keygen.service", "systemd-binfmt.service"),
)
