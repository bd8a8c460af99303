# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a lab is made of, built before it starts: programs, the hosts' file systems, the cluster's database."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.debian import node_root, require_packages, require_root
from ansible_collections.fieldops.openshift.tests.lab.go import OF_ONE_TEST, SOURCES, program
from ansible_collections.fieldops.openshift.tests.lab.node.control_plane_layer import control_plane_layer
from ansible_collections.fieldops.openshift.tests.lab.node.host import DiskTemplate
from ansible_collections.fieldops.openshift.tests.lab.node.images import LoadableImage, container_storage
from ansible_collections.fieldops.openshift.tests.lab.node.layer import node_layer
from ansible_collections.fieldops.openshift.tests.lab.openshift_database import openshift_database

HOST_PROGRAMS = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "crio", "crictl")
LANES = 2


def prepare(
    *, hosted: bool = False, programs: Iterable[str] = (), images: Sequence[LoadableImage] = ()
) -> tuple[DiskTemplate, Path]:
    """Build what is not in the cache yet; return what hosts' disks are made of and the cluster's database.

    ``programs`` are others that will be needed: what is built beside the rest costs less than what is waited for later.
    ``images`` are what hosts hold from the start.
    """
    require_root()
    require_packages()
    with ThreadPoolExecutor(1) as pool:
        root = pool.submit(node_root)
        build_programs([*programs, *HOST_PROGRAMS])
        root.result()
    if hosted:
        control_plane_layer()
    return DiskTemplate([node_layer(), node_root()], container_storage(images)), openshift_database()


def build_programs(names: Sequence[str]) -> None:
    """Build programs that are not in the cache yet, all that the lab itself needs where none is named.

    Those of one Go module compile mostly the same, so they come one after another; side by side go modules, of which
    one downloads or links while the other compiles.
    """
    modules: dict[str, list[str]] = {}
    for name in names or [name for name in SOURCES if name not in OF_ONE_TEST]:
        modules.setdefault(SOURCES[name].module, []).append(name)

    def build(module: str) -> None:
        for name in modules[module]:
            program(name)

    with ThreadPoolExecutor(LANES) as pool:
        list(pool.map(build, modules))
