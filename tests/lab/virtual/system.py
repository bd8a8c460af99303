# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The operating system of virtual machines: Debian unstable as an image of bootc has it, with kernel and initramfs.

It is the first layer of all images; what differs from lab to lab lies in /var/lib/lab, on the disk.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of
from ansible_collections.fieldops.openshift.tests.lab.debian import run_in_root, suite_root
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.registry.content import Blob, BlobPool
from ansible_collections.fieldops.openshift.tests.lab.registry.gzip_stream import GzipStream
from ansible_collections.fieldops.openshift.tests.lab.registry.lab_registry import ADDRESS, PORT
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Layer
from ansible_collections.fieldops.openshift.tests.lab.ssh import USER

SUITE = "sid"
PACKAGES = (
    *("systemd", "systemd-sysv", "dbus", "udev", "kmod", "util-linux", "mount", "procps", "iproute2", "sudo"),
    *("openssh-server", "python3", "ostree", "ostree-boot", "skopeo", "podman", "crun"),
    *("linux-image-cloud-amd64", "dracut-core", "e2fsprogs"),
)
REPOSITORY = f"{ADDRESS}:{PORT}/example/os"
CHUNK = 1 << 20
REPORT = Path(__file__).with_name("report_node.py")
INITRAMFS = ("dracut", "--force", "--no-hostonly", "--gzip", "--add=ostree", "--add-drivers=erofs overlay loop")
COMPILE = ("python3", "-m", "compileall", "-q", "-f", "--invalidation-mode=unchecked-hash", "-s/mnt/tree", "-p/")
TO_VAR = ("home", "opt", "srv", "mnt")
EMPTIED = ("boot", "dev", "media", "proc", "run", "sys", "tmp", "var")
UNUSED = ("usr/include", "usr/lib/cni", "usr/share/doc", "usr/share/gir-1.0", "usr/share/locale")
MASKED = (
    *("systemd-firstboot.service", "systemd-homed.service", "systemd-networkd-wait-online.service"),
    *("ldconfig.service", "systemd-hwdb-update.service", "systemd-update-done.service", "sshd-keygen.service"),
    *("podman.service", "podman.socket", "podman-auto-update.timer", "podman-restart.service"),
    *("apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "man-db.timer", "e2scrub_all.timer"),
)
ENABLED = ("ssh.service", "systemd-networkd.service", "lab-node.service")
NODE_UNIT = """\
[Unit]
After=network.target
StartLimitIntervalSec=0
[Service]
ExecStart=/usr/bin/python3 -I /usr/lib/lab/report_node.py
Restart=always
RestartSec=2
"""
FILES = {
    "etc/hosts": "127.0.0.1 localhost\n",
    "etc/hostname": "virtual\n",
    "etc/machine-id": "",
    "etc/resolv.conf": "",
    "etc/containers/policy.json": '{"default": [{"type": "insecureAcceptAnything"}]}\n',
    "etc/containers/registries.conf.d/lab.conf": f'[[registry]]\nlocation = "{ADDRESS}:{PORT}"\ninsecure = true\n',
    "etc/ssh/sshd_config.d/lab.conf": "HostKey /var/lib/lab/ssh_host_ed25519_key\n"
    "AuthorizedKeysFile /var/lib/lab/authorized_keys\nUseDNS no\nUsePAM no\n",
    f"etc/sudoers.d/{USER}": f"{USER} ALL=(ALL) NOPASSWD: ALL\n",
    # Of QEMU's network for one guest.
    "usr/lib/systemd/network/10-lab.network": "[Match]\nType=ether\n[Network]\nAddress=10.0.2.15/24\n"
    "Gateway=10.0.2.2\nLinkLocalAddressing=no\nIPv6AcceptRA=no\n",
    "usr/lib/systemd/system/lab-node.service": NODE_UNIT,
    "usr/lib/systemd/system/bootc-fetch-apply-updates.timer": "[Timer]\nOnBootSec=1000h\n",
    "usr/lib/systemd/system/bootc-fetch-apply-updates.service": "[Service]\nType=oneshot\nExecStart=/bin/true\n",
    "usr/lib/tmpfiles.d/lab.conf": "d /var/roothome 0700 root root -\nd /var/lib 0755 root root -\n"
    f"d /var/log 0755 root root -\nd /var/home 0755 root root -\nd /var/home/{USER} 0700 {USER} {USER} -\n",
}


def system_root() -> Path:
    """Return the tree of packages, unchanged; ostree and skopeo run in it where a disk is made."""
    return suite_root(SUITE, PACKAGES)


def base_layer() -> tuple[Path, Layer]:
    """Return the pool that holds the layer of the operating system, and the layer; built once and cached."""
    key = key_of([str(system_root()), Path(__file__), REPORT])
    entry = cached("virtual-system", key, _build)
    sizes = json.loads((entry / "layer.json").read_text())
    blob, tar = (Blob(Digest(one["hex"]), one["size"]) for one in sizes)
    return entry / "pool", Layer(blob, tar)


def _build(directory: Path) -> None:
    tree = directory / "tree"
    _run(["cp", "-a", system_root(), tree])
    version = next((tree / "usr/lib/modules").iterdir()).name
    run_in_root(
        [*INITRAMFS, "--kver", version, "/mnt/initramfs.img"],
        writable={directory: "/mnt"},
        readable={},
        root=system_root(),
    )
    modules = tree / "usr/lib/modules" / version
    shutil.move(tree / f"boot/vmlinuz-{version}", modules / "vmlinuz")
    shutil.move(directory / "initramfs.img", modules)
    _arrange(tree)
    _configure(tree)
    # ostree sets the time of each file to 0, so that Python, which compares times, would compile all of them again at
    # each start (ostreedev/ostree#1469).
    libraries = [f"/mnt/{path.relative_to(directory)}" for path in sorted((tree / "usr/lib").glob("python3*"))]
    run_in_root([*COMPILE, *libraries], writable={directory: "/mnt"}, readable={}, root=system_root())
    layer = _packed(tree, BlobPool(directory / "pool"))
    sizes = [{"hex": one.digest.hex, "size": one.size} for one in (layer.blob, layer.tar)]
    (directory / "layer.json").write_text(json.dumps(sizes))
    shutil.rmtree(tree)


def _arrange(tree: Path) -> None:
    """Give the tree the form that ostree deploys: what is written later lies in /var or in memory."""
    for name in UNUSED:
        shutil.rmtree(tree / name, ignore_errors=True)
    for name in (*EMPTIED, *TO_VAR, "root"):
        shutil.rmtree(tree / name, ignore_errors=True)
    for name in EMPTIED:
        (tree / name).mkdir()
    (tree / "tmp").chmod(0o1777)
    for name in TO_VAR:
        (tree / name).symlink_to(f"var/{name}")
    (tree / "root").symlink_to("var/roothome")
    (tree / "sysroot").mkdir()
    (tree / "ostree").symlink_to("sysroot/ostree")
    for link in (*tree.glob("vmlinuz*"), *tree.glob("initrd*")):
        link.unlink()


def _configure(tree: Path) -> None:
    for name, content in FILES.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).unlink(missing_ok=True)
        (tree / name).write_text(content)
    (tree / f"etc/sudoers.d/{USER}").chmod(0o440)
    lines = {
        "passwd": f"{USER}:x:1000:1000::/var/home/{USER}:/bin/bash\n",
        "group": f"{USER}:x:1000:\n",
        "shadow": f"{USER}:*:20000:0:99999:7:::\n",
    }
    for name, line in lines.items():
        with (tree / "etc" / name).open("a") as file:
            file.write(line)
    for key in (tree / "etc/ssh").glob("ssh_host_*"):
        key.unlink()
    (tree / "usr/lib/lab").mkdir()
    shutil.copy(REPORT, tree / "usr/lib/lab")
    units = tree / "etc/systemd/system"
    for name in MASKED:
        (units / name).unlink(missing_ok=True)
        (units / name).symlink_to("/dev/null")
    wants = units / "multi-user.target.wants"
    wants.mkdir(exist_ok=True)
    for name in ENABLED:
        (wants / name).unlink(missing_ok=True)
        (wants / name).symlink_to(f"/usr/lib/systemd/system/{name}")


def _packed(tree: Path, pool: BlobPool) -> Layer:
    names = sorted(path.name for path in tree.iterdir())
    command = ["tar", "--directory", str(tree), "--sort=name", "--numeric-owner", "--create", *names]
    with pool.receive() as part, subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        stream = GzipStream(part)
        output = t.cast("t.BinaryIO", process.stdout)
        while chunk := output.read(CHUNK):
            stream.write(chunk)
        packed, plain = stream.finish()
        if process.wait():
            raise LabError("pack the system", on=str(tree), seen=f"exit status {process.returncode}", advice="See tar.")
        part.close_as(packed.digest)
    return Layer(packed, plain)


def _run(command: list[str | Path]) -> None:
    subprocess.run(command, check=True)
