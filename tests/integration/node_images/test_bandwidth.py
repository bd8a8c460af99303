# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Limits of the disk: systemd knows them for the unit of a job, and the kernel keeps them where it can."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.systemd import SHARES, SLICE
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import Controller, wait_for
from ansible_collections.fieldops.openshift.tests.integration.node_images.one_node import Node, succeeded
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost

pytestmark = pytest.mark.long

CONTROLLERS = "/sys/fs/cgroup/cgroup.controllers"
LIMIT = 6
"""Megabytes a second: the bundle then takes about ten seconds."""


@pytest.fixture
def node(lab: Lab, large_bundle: WrittenBundle, host: NodeHost, controller: Controller) -> Node:
    return Node(lab, host, large_bundle, controller)


def test_systemd_knows_the_limits_of_a_job(node: Node) -> None:
    """A blob is missing on the drive, so that the job waits for a server that may have it."""
    largest = max(node.bundle.index.blobs.values(), key=lambda blob: blob.size)
    node.host.run("rm", f"{node.medium}/blobs/sha256/{largest.digest.hex}")
    waiting: dict[str, t.Any] = {
        "wait": False,
        "sources": [{"url": "https://127.0.0.1:9"}],
        "read_bandwidth": 3,
        "write_bandwidth": LIMIT,
    }
    succeeded(node.stage(**waiting))
    unit = succeeded(node.stage(**waiting)).result["job"]["unit"]
    for name, limit in (("IOReadBandwidthMax", 3), ("IOWriteBandwidthMax", LIMIT)):
        assert node.host.run("systemctl", "show", unit, "--value", f"--property={name}").split() == [
            "/var/lib/fieldops",
            str(limit * 1_000_000),
        ]
    assert node.host.run("systemctl", "show", unit, "--value", "--property=Slice").strip() == SLICE
    for name, weight in (share.split("=") for share in SHARES):
        assert node.host.run("systemctl", "show", SLICE, "--value", f"--property={name}").strip() == weight
    digest = str(node.bundle.index.digest)
    succeeded(node.controller.task(node.host.name, "node_bundle", index_digest=digest, state="absent"))
    wait_for(lambda: "running" not in node.host.run("systemctl", "show", unit, "--property=SubState"), "it has ended")


@pytest.fixture
def limiting(node: Node) -> Node:
    """The host, if its kernel can limit what a control group reads and writes."""
    seen = node.host.run("sh", "-c", f"cat {CONTROLLERS} 2>/dev/null || true").split()
    if "io" not in seen:
        pytest.skip(
            "The control groups of lab hosts have no controller io on this machine"
            f" ({CONTROLLERS}: {' '.join(seen) or 'none'}), so that systemd cannot set io.max. Nodes with cgroup v2"
            " have it."
        )
    return node


@pytest.mark.parametrize("option", ["read_bandwidth", "write_bandwidth"])
def test_a_job_stays_within_its_limit_and_uses_it(limiting: Node, option: str) -> None:
    limiting.host.run("sh", "-c", "echo 3 > /proc/sys/vm/drop_caches || true")
    received = succeeded(limiting.stage(**{option: LIMIT})).result["received"]
    assert received["received_size"] / received["seconds"] == pytest.approx(LIMIT * 1_000_000, rel=0.2)
