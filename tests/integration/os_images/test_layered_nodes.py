# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A pool goes over to an image that is built in the cluster, while packages are layered on the host of one node."""

from __future__ import annotations

import json
import subprocess
import sys
import typing as t
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.image_mode.building import (
    PART,
    PUSH,
    BuildingSite,
    furnish,
)
from ansible_collections.fieldops.openshift.tests.integration.os_images.image_host import ImageHost
from ansible_collections.fieldops.openshift.tests.integration.play_processes import BINARIES
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

PLAY_SECONDS = 400


@pytest.fixture
def site() -> Iterator[BuildingSite]:
    with ApiServer.start_openshift() as server:
        furnish(server.rest)
        yield BuildingSite(server)


@pytest.fixture
def layered(boot: Callable[..., ImageHost]) -> ImageHost:
    """A host on which somebody has layered two packages, one of them in the Containerfile as well."""
    host = boot("rpm-ostree")
    for path in (host.folder / "sysroot/ostree/deploy/default/deploy").glob("*.origin"):
        path.write_text(f"{path.read_text()}[packages]\nrequested=tcpdump;strace;\n")
    return host


def play(site: BuildingSite, host: ImageHost, folder: Path, layered: str) -> subprocess.CompletedProcess[str]:
    """Run the playbook; worker-0 is the host, worker-1 this machine, which boots no image."""
    wrapper = folder / "python"
    wrapper.write_text(f'#!/bin/sh\nexec {" ".join(host.entrance())} /usr/bin/python3 "$@"\n')
    wrapper.chmod(0o755)
    interpreters = {"worker-0": str(wrapper), "worker-1": sys.executable}
    nodes = {
        name: {"ansible_connection": "local", "ansible_python_interpreter": path} for name, path in interpreters.items()
    }
    (folder / "nodes.json").write_text(json.dumps({"all": {"hosts": nodes}}))
    known: dict[str, t.Any] = {
        "site_image_mode_pool": "worker",
        "site_push_spec": PUSH,
        "site_push_secret": "os-image-push",
    }
    known |= {"site_containerfile": PART, "site_layered_packages": layered, "ansible_become": False}
    known["site_change_stanza"] = {"strategy": "Permissive"}
    words = ["-i", str(folder / "nodes.json"), "fieldops.openshift.apply_image_mode", "-e", json.dumps(known)]
    environment = {"K8S_AUTH_KUBECONFIG": str(site.server.kubeconfig), "ANSIBLE_PIPELINING": "true"}
    return subprocess.run(
        [BINARIES / "ansible-playbook", *words],
        env=environment_for(folder, environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=PLAY_SECONDS,
    )


def test_nothing_is_ordered_while_the_image_lacks_what_is_layered(
    site: BuildingSite, layered: ImageHost, tmp_path: Path
) -> None:
    with site.operator():
        refused = play(site, layered, tmp_path, "refused")
        assert refused.returncode != 0, refused.stdout
        assert "does not contain packages that are layered on nodes: strace." in refused.stdout
        assert site.order() is None
        done = play(site, layered, tmp_path, "named")
    assert done.returncode == 0, done.stdout
    assert "Layered on worker-0: tcpdump, strace" in done.stdout
    assert site.images() == site.registry
