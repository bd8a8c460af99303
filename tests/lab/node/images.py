# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The images that a fresh node holds: one small image, under a name of OpenShift's payload, as pause and as workload.

It lies in the node's storage from the start, under its digest; releases with the machine-config operator have it as
their component pod, as those of OpenShift do. A lab can give its hosts more images.
"""

from __future__ import annotations

import shutil
import typing as t
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab import oci
from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of
from ansible_collections.fieldops.openshift.tests.lab.debian import node_root, run_in_root

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost

REPOSITORY = "quay.io/openshift-release-dev/ocp-v4.0-art-dev"
REFERENCE = "image"
APPLETS = ("sh", "sleep", "cat", "echo", "true", "false", "ls", "wget", "httpd", "nslookup", "date", "env", "touch")


@dataclass(frozen=True)
class LoadableImage:
    """An image as ``repository@sha256:...`` and the OCI layout that holds it under the reference ``REFERENCE``."""

    name: str
    layout: Path

    def load(self, host: NodeHost) -> None:
        """Bring the image into the CRI-O storage of a running host."""
        place = "/var/lib/fieldops/lab-image"
        target = host.directory / "fieldops" / "lab-image"
        shutil.copytree(self.layout, target)
        host.run(*_copy(f"oci:{place}:{REFERENCE}", self.name))
        shutil.rmtree(target)


def pause_image() -> LoadableImage:
    """Return the image that pods of the lab run: a static busybox; cached."""

    def build(directory: Path) -> None:
        binary = (node_root() / "usr/bin/busybox").read_bytes()
        layer = oci.layer({"bin/busybox": binary}, {f"bin/{applet}": "busybox" for applet in APPLETS})
        digest = oci.Layout(directory / "layout").add_image(REFERENCE, [layer], ["/bin/sleep", "1000000"])
        (directory / "name").write_text(f"{REPOSITORY}@{digest}")

    entry = cached("pause-image", key_of([str(node_root()), *APPLETS]), build)
    return LoadableImage((entry / "name").read_text(), entry / "layout")


def container_storage(further: Sequence[LoadableImage] = ()) -> Path:
    """Return a directory that is a node's ``/var/lib/containers`` when it is new, with ``further`` images; cached."""
    images = (pause_image(), *further)

    def build(directory: Path) -> None:
        for one in images:
            copy = _copy(f"oci:/mnt:{REFERENCE}", one.name)
            run_in_root(copy, writable={directory: "/var/lib/containers"}, readable={one.layout: "/mnt"})

    return cached("container-storage", key_of([one.name for one in images]), build)


def _copy(source: str, name: str) -> Sequence[str]:
    store = "[overlay@/var/lib/containers/storage+/run/containers/storage]"
    return [
        "skopeo",
        "--insecure-policy",
        "copy",
        "--quiet",
        "--preserve-digests",
        source,
        f"containers-storage:{store}{name}",
    ]
