# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Nodes with little room, which are full before or while the work goes on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.http_source import served
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    BUNDLES,
    Controller,
    upper,
    wait_for,
)
from ansible_collections.fieldops.openshift.tests.integration.node_images.one_node import Node, failed, succeeded
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost

pytestmark = pytest.mark.long

MIB = 1 << 20


def test_what_does_not_fit_is_refused_with_numbers_and_nothing_is_written(
    lab: Lab, bundle: WrittenBundle, controller: Controller, fresh_node: Callable[..., NodeHost]
) -> None:
    node = Node(lab, fresh_node(sizes={"/var/lib/fieldops": 4 * MIB}), bundle, controller)
    told = failed(node.stage(), "not_enough_space")
    (small,) = [one for one in told["forecast"] if one["lacking"]]
    assert small["path"] == "/var/lib/fieldops"
    assert small["needed"] >= bundle.index.size
    assert "B are lacking" in told["msg"]
    assert node.host.run("sh", "-c", f"ls {BUNDLES} 2>/dev/null || true") == ""


def test_what_would_make_the_kubelet_remove_images_is_refused_and_who_keeps_less_is_warned(
    lab: Lab, bundle: WrittenBundle, controller: Controller, fresh_node: Callable[..., NodeHost]
) -> None:
    node = Node(lab, fresh_node(sizes={"/var/lib/containers": 512 * MIB}), bundle, controller)
    configuration = upper(node.host) / "etc/kubernetes/kubelet.conf"
    configuration.parent.mkdir(parents=True, exist_ok=True)
    configuration.write_text("kind: KubeletConfiguration\nimageGCHighThresholdPercent: 2\n")
    told = failed(node.stage(keep_free_percent=None), "not_enough_space")
    (strict,) = [one for one in told["forecast"] if one["image_gc"]]
    assert strict["path"].startswith("/var/lib/containers")
    assert strict["lacking"] > 0
    assert (strict["image_gc"]["threshold"], strict["reserve"]) == (2, -(-strict["total"] * 99 // 100))
    assert (
        "removes images at 2 % disk usage (imageGCHighThresholdPercent in /etc/kubernetes/kubelet.conf)" in told["msg"]
    )
    assert node.host.run("sh", "-c", f"ls {BUNDLES} 2>/dev/null || true") == ""
    begun = succeeded(node.stage(wait=False))
    assert [one["image_gc"]["removes_images"] for one in begun.result["forecast"] if one["image_gc"]] == [True]
    assert "as keep_free_percent allows" in " ".join(begun.output.split())
    succeeded(node.stage())


def test_what_would_make_the_kubelet_evict_pods_is_refused_and_who_keeps_less_is_warned(
    lab: Lab, bundle: WrittenBundle, controller: Controller, fresh_node: Callable[..., NodeHost]
) -> None:
    node = Node(lab, fresh_node(sizes={"/var/lib/containers": 512 * MIB}), bundle, controller)
    configuration = upper(node.host) / "etc/kubernetes/kubelet.conf"
    configuration.parent.mkdir(parents=True, exist_ok=True)
    configuration.write_text("kind: KubeletConfiguration\nevictionHard:\n  imagefs.available: 505Mi\n")
    told = failed(node.stage(keep_free_percent=None), "not_enough_space")
    (strict,) = [one for one in told["forecast"] if one["evictions"]]
    assert strict["path"].startswith("/var/lib/containers")
    assert (strict["reserve"], strict["lacking"] > 0) == (505 * MIB, True)
    assert "evicts pods below 505Mi free (evictionHard, imagefs.available in /etc/kubernetes/kubelet" in told["msg"]
    begun = succeeded(node.stage(wait=False))
    assert [one["evicts_pods"] for one in begun.result["forecast"] if one["evictions"]] == [True]
    assert "as keep_free_percent allows" in " ".join(begun.output.split())


def test_a_disk_that_fills_up_meanwhile_ends_it_and_room_lets_it_go_on(
    lab: Lab,
    large_bundle: WrittenBundle,
    controller: Controller,
    fresh_node: Callable[..., NodeHost],
) -> None:
    host = fresh_node(sizes={"/var/lib/fieldops": 160 * MIB})
    node = Node(lab, host, large_bundle, controller)
    with served(lab, large_bundle.folder) as url, lab.faults.slow_link(host.name, 80_000_000):
        source = {"src": "", "sources": [{"url": url}], "keep_free_percent": 0}
        succeeded(node.stage(wait=False, **source))
        wait_for(lambda: "part" in host.run("sh", "-c", f"ls {BUNDLES}/*/blobs/sha256"), "a blob is being received")
        with lab.faults.full_disk(host.name, "/var/lib/fieldops"):
            told = failed(node.stage(**source), "disk_full")
            assert "its file system is full" in told["msg"]
    succeeded(node.stage(keep_free_percent=0))


def test_a_storage_that_fills_up_meanwhile_ends_it_and_room_lets_it_go_on(
    lab: Lab, large_bundle: WrittenBundle, controller: Controller, fresh_node: Callable[..., NodeHost]
) -> None:
    host = fresh_node(sizes={"/var/lib/containers": 512 * MIB})
    node = Node(lab, host, large_bundle, controller)
    succeeded(node.stage())
    node.serve_staged()
    succeeded(node.load(wait=False))
    host.run("systemctl", "kill", "--signal=STOP", "fieldops-load-*")
    with lab.faults.full_disk(host.name, "/var/lib/containers"):
        host.run("systemctl", "kill", "--signal=CONT", "fieldops-load-*")
        told = failed(node.load(), "not_enough_space")
        assert "no space left on device" in told["msg"]
    succeeded(node.load())
    assert node.has_everything()
