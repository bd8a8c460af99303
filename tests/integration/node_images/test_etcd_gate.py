# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A bundle on a host that runs etcd: the job reads the metrics of the real member, and keeps to its limits."""

from __future__ import annotations

import os
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.http_source import served
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    Controller,
    plug_in,
    upper,
    wait_for,
)
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab

pytestmark = [pytest.mark.long, pytest.mark.skipif(os.geteuid() != 0, reason="node hosts need root")]

NODE = "master-0"
CERTIFICATES = "/etc/kubernetes/static-pod-resources/etcd-certs"


@pytest.fixture(scope="module")
def single() -> Iterator[Lab]:
    with Lab(control_plane=1, workers=0, hosted=True) as lab:
        yield lab


def staged(lab: Lab, folder: Path, bundle: WrittenBundle, **options: t.Any) -> dict[str, t.Any]:
    """Stage the bundle, and return what the job has done and seen."""
    medium = plug_in(lab, NODE, bundle)
    order = {"index_digest": str(bundle.index.digest), "src": medium, "keep_free_percent": 1, "wait": True}
    ended = Controller(lab, folder).task(NODE, "node_bundle", **order, **options)
    assert ended.rc == 0, ended.output
    lab.hosts[NODE].run("sh", "-c", "rm -rf /var/lib/fieldops/*")
    received: dict[str, t.Any] = ended.result["received"]
    return received


def test_the_member_is_watched_to_the_end(single: Lab, tmp_path: Path, bundle: WrittenBundle) -> None:
    etcd = staged(single, tmp_path, bundle, etcd_fsync_limit=5000)["etcd"]
    assert (etcd["limit_ms"], etcd["problem"], etcd["paused_seconds"]) == (5000.0, "", 0.0)


def test_it_pauses_while_flushes_are_slow(single: Lab, tmp_path: Path, large_bundle: WrittenBundle) -> None:
    """A limit of 1 ms is the lowest that there is: no disk on which etcd should run keeps to it."""
    controller, host = Controller(single, tmp_path), single.hosts[NODE]
    named = {"index_digest": str(large_bundle.index.digest)}
    with served(single, large_bundle.folder) as url, single.faults.slow_link(NODE, 24_000_000):
        order = {**named, "sources": [{"url": url}], "keep_free_percent": 1, "etcd_fsync_limit": 1}
        begun = controller.task(NODE, "node_bundle", **order)
        assert begun.rc == 0, begun.output
        said = "paused: the fsync latency of etcd is"
        wait_for(lambda: said in host.run("sh", "-c", "cat /var/lib/fieldops/jobs/stage-*/status.json"), "it pauses")
        ended = controller.task(NODE, "node_bundle", **named, state="absent")
    assert ended.rc == 0, ended.output


def test_a_job_with_limits_stages_all(single: Lab, tmp_path: Path, bundle: WrittenBundle) -> None:
    received = staged(single, tmp_path, bundle, etcd_fsync_limit=0, read_bandwidth=500, write_bandwidth=500)
    assert received["received_size"] == bundle.index.size
    assert "etcd" not in received


def test_a_member_that_refuses_the_question_holds_nothing_up(
    single: Lab, tmp_path: Path, bundle: WrittenBundle
) -> None:
    certificates = upper(single.hosts[NODE]) / CERTIFICATES.lstrip("/")
    (authority,) = certificates.glob("configmaps/*/*.crt")
    known = authority.read_bytes()
    authority.write_text("no certificate")
    try:
        received = staged(single, tmp_path, bundle)
    finally:
        authority.write_bytes(known)
    assert received["etcd"]["problem"] != ""
    assert received["received_size"] == bundle.index.size
