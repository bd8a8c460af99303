# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The image of the machine-config operator's programs, and one that stands for kube-rbac-proxy beside them."""

from __future__ import annotations

import tempfile
import typing as t
from collections.abc import Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab import oci
from ansible_collections.fieldops.openshift.tests.lab.api_access import SECURE_PORT
from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of
from ansible_collections.fieldops.openshift.tests.lab.debian import node_root
from ansible_collections.fieldops.openshift.tests.lab.go import OPERATOR_PROGRAMS, program
from ansible_collections.fieldops.openshift.tests.lab.machine_config.templates import templates
from ansible_collections.fieldops.openshift.tests.lab.network import GATEWAY
from ansible_collections.fieldops.openshift.tests.lab.node.images import REFERENCE, REPOSITORY, LoadableImage

DAEMON = "machine-config-daemon"
APPLETS = ("sh", "sleep", "mount", "umount", "chroot", "cat", "ls")
SYSTEM = 'NAME="Red Hat Enterprise Linux"\nID="rhel"\nVERSION_ID="9.6"\nPLATFORM_ID="platform:el9"\n'
"""What the daemon compares with the host's before it enters the host (pkg/daemon, ReexecuteForTargetRoot)."""
WRAPPER = f"""\
#!/bin/sh
export KUBERNETES_SERVICE_HOST={GATEWAY} KUBERNETES_SERVICE_PORT={SECURE_PORT}
exec /usr/libexec/{{name}} "$@"
"""
"""The lab has no service network: programs in pods reach the API under its own address."""
PATH = "/usr/bin:/bin:/usr/sbin:/sbin"  # also on the host, which the daemon enters


def operator_image(further: Sequence[str] = ()) -> LoadableImage:
    """Return the image with all four programs and the lab's templates, with ``further`` of upstream's; cached."""
    binaries = {name: program(name) for name in OPERATOR_PROGRAMS}
    carried = templates(further)
    settings = {f"etc/mcc/templates/{one.relative_to(carried)}": one for one in carried.rglob("*.yaml")}

    def layers() -> list[bytes]:
        shell = oci.layer(_shell(), {**_applets(), "var/run": "/run"})
        others = {f"usr/libexec/{name}": path.read_bytes() for name, path in binaries.items() if name != DAEMON}
        daemon = {f"usr/bin/{DAEMON}": binaries[DAEMON].read_bytes()}
        small = {f"usr/bin/{name}": WRAPPER.format(name=name).encode() for name in binaries if name != DAEMON}
        small |= {name: SYSTEM.encode() for name in ("etc/os-release", "usr/lib/os-release")}
        small |= {f"{place}/.keep": b"" for place in ("tmp", "run/secrets", "rootfs", "var/tmp")}
        small |= {name: path.read_bytes() for name, path in settings.items()}
        return [shell, oci.layer(others), oci.layer(daemon), oci.layer(small)]

    parts = [
        *map(str, binaries.values()),
        str(carried),
        repr((SYSTEM, WRAPPER, APPLETS)),
        str(node_root()),
    ]
    return _image("machine-config-image", parts, layers, ["/usr/bin/machine-config-operator"])


def proxy_image() -> LoadableImage:
    """Return an image whose container takes any arguments, does nothing and stays; cached."""

    def layers() -> list[bytes]:
        return [oci.layer(_shell(), _applets())]

    waiting = ["/bin/sh", "-c", "exec sleep 1000000"]
    return _image("proxy-image", [str(node_root()), repr((APPLETS, waiting))], layers, waiting)


def _image(name: str, parts: list[str], layers: t.Callable[[], list[bytes]], entrypoint: list[str]) -> LoadableImage:
    def build(directory: Path) -> None:
        with tempfile.TemporaryDirectory(dir=directory) as scratch:
            layout = oci.Layout(Path(scratch) / "layout")
            settings = {"Entrypoint": entrypoint, "Env": [f"PATH={PATH}"]}
            digest = layout.add_image(REFERENCE, layers(), settings=settings)
            layout.directory.rename(directory / "layout")
        (directory / "name").write_text(f"{REPOSITORY}@{digest}")

    entry = cached(name, key_of([*parts, *entrypoint, PATH]), build)
    return LoadableImage((entry / "name").read_text(), entry / "layout")


def _shell() -> dict[str, bytes]:
    return {"bin/busybox": (node_root() / "usr/bin/busybox").read_bytes()}


def _applets() -> dict[str, str]:
    return {f"bin/{applet}": "busybox" for applet in APPLETS}
