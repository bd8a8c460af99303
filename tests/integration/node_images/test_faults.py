# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What goes wrong on nodes: power, sources, CRI-O. Each is told, and run again the work ends well."""

from __future__ import annotations

import shutil
import typing as t
from collections.abc import Callable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.http_source import served
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    BUNDLES,
    JOBS,
    OURS,
    Controller,
    listed,
    wait_for,
)
from ansible_collections.fieldops.openshift.tests.integration.node_images.one_node import (
    KEEP,
    Node,
    failed,
    succeeded,
)
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost

pytestmark = pytest.mark.long


@pytest.fixture
def node(lab: Lab, host: NodeHost, bundle: WrittenBundle, controller: Controller) -> Node:
    return Node(lab, host, bundle, controller)


@pytest.fixture(params=["power lost", "reboot"])
def go_down(lab: Lab, node: Node, request: pytest.FixtureRequest) -> Callable[[], None]:
    """What takes the host down, in either way, and returns when it is back."""

    def down() -> None:
        if request.param == "reboot":
            lab.reboot(node.host.name)
        else:
            node.host.lose_power()
            node.host.power_on()
        lab.wait_ready([node.host.name])

    return down


def test_a_host_that_goes_down_while_staging(go_down: Callable[[], None], node: Node) -> None:
    succeeded(node.stage(wait=False))
    go_down()
    assert succeeded(node.stage()).result["bundle"]["complete"]


def test_a_host_that_goes_down_while_loading(go_down: Callable[[], None], node: Node) -> None:
    succeeded(node.stage())
    node.serve_staged()
    succeeded(node.load(wait=False))
    wait_for(lambda: bool(set(node.bundle.names) & set(listed(node.host))), "one image is loaded")
    go_down()
    done = succeeded(node.load())
    assert done.result["lacking"] == []
    assert node.has_everything()


def test_a_host_that_goes_down_while_pinning(go_down: Callable[[], None], node: Node) -> None:
    node.has_images()
    digest = str(node.bundle.index.digest)
    play = node.controller.start(
        node.controller.written("crio_pinned_images", node.host.name, index_digest=digest), "-T", "10"
    )
    wait_for(lambda: node.host.run("sh", "-c", f"ls {OURS} 2>/dev/null || true") != "", "the list is written")
    go_down()
    node.controller.finish(play)
    succeeded(node.pin())
    assert dict.fromkeys(node.bundle.names, True).items() <= listed(node.host).items()


def test_a_host_that_goes_down_while_a_bundle_is_removed(go_down: Callable[[], None], node: Node) -> None:
    succeeded(node.stage())
    blobs = f"{BUNDLES}/{node.bundle.index.folder_name}/blobs/sha256"
    whole = node.host.run("find", blobs, "-type", "f").splitlines()
    given = {"index_digest": str(node.bundle.index.digest), "state": "absent"}
    play = node.controller.start(node.controller.written("node_bundle", node.host.name, **given), "-T", "10")
    left = f"find {blobs} -type f 2>/dev/null || true"
    wait_for(lambda: len(node.host.run("sh", "-c", left).splitlines()) < len(whole), "the first blob is gone")
    go_down()
    node.controller.finish(play)
    succeeded(node.stage(state="absent"))
    assert node.host.run("ls", BUNDLES) == ""
    assert succeeded(node.stage()).result["bundle"]["complete"]


def test_crio_that_is_down_is_waited_for(node: Node) -> None:
    succeeded(node.stage())
    node.serve_staged()
    node.host.run("systemctl", "stop", "crio")
    try:
        told = failed(node.load(wait=False), "container_runtime")
        assert "inactive" in told["msg"]
        given = {"index_digest": str(node.bundle.index.digest), "wait": True, **KEEP}
        play = node.controller.start(node.controller.written("node_images", node.host.name, **given))
    finally:
        node.host.run("systemctl", "start", "crio")
    assert node.controller.finish(play).rc == 0
    assert node.has_everything()


@pytest.mark.parametrize("part", ["layer", "manifest"])
def test_bytes_that_a_disk_lost_are_found_removed_and_fetched_again(node: Node, part: str) -> None:
    succeeded(node.stage())
    node.serve_staged()
    image = next(image for image in node.bundle.index.images if image.component == "etcd")
    lost = image.content[-1] if part == "layer" else image.manifests[0]
    blob = f"{BUNDLES}/{node.bundle.index.folder_name}/blobs/sha256/{lost.hex}"
    node.host.run("sh", "-c", f"printf x | dd of={blob} bs=1 seek=40 conv=notrunc 2>/dev/null")
    told = failed(node.load(images=["etcd"]), "wrong_content")
    assert lost.hex in told["msg"]
    assert str(image.name) not in listed(node.host)
    assert succeeded(node.stage()).result["received"]["received_blobs"] == 1
    succeeded(node.load())


def test_a_removal_that_was_cut_short_is_found_and_goes_on(node: Node) -> None:
    succeeded(node.stage())
    blobs = f"{BUNDLES}/{node.bundle.index.folder_name}/blobs/sha256"
    # A mount in it cannot be removed, and stands for whatever ends the work in the middle.
    node.host.run("sh", "-c", f"mkdir {blobs}/zz; mount -t tmpfs tmpfs {blobs}/zz")
    try:
        failed(node.stage(state="absent"), "file_access")
    finally:
        node.host.run("umount", f"{blobs}/zz")
    seen = node.controller.task(node.host.name, "node_info", gather=["bundles"]).result["bundles"]
    assert [one["release"] for one in seen] == [str(node.bundle.index.release)]
    succeeded(node.stage(state="absent"))
    assert node.host.run("ls", BUNDLES) == ""


def test_images_that_are_not_staged_are_not_loaded(node: Node) -> None:
    failed(node.load(), "not_staged")


def test_a_bundle_that_the_node_does_not_serve_is_not_loaded(node: Node) -> None:
    succeeded(node.stage())
    told = failed(node.load(), "image_source")
    assert "serve_images" in told["error"]["advice"]


def test_a_repository_that_a_later_bundle_brings_is_not_pulled_past_the_image_source(
    lab: Lab, node: Node, large_bundle: WrittenBundle
) -> None:
    """CRI-O is not sent to the image source for it until the role has run again, and would ask its registry."""
    succeeded(node.stage())
    node.serve_staged()
    later = Node(lab, node.host, large_bundle, node.controller)
    succeeded(later.stage())
    told = failed(later.load(), "image_source")
    assert "zz-fieldops-image-source.conf" in told["error"]["on"]
    assert not set(large_bundle.names) & set(listed(node.host))
    later.serve_staged()
    succeeded(later.load())


def test_a_drive_with_another_bundle_is_refused(node: Node) -> None:
    told = failed(node.stage(index_digest=f"sha256:{'0' * 64}"), "wrong_content")
    assert "not the vetted" in told["msg"]


def test_a_drive_that_is_removed_is_named_and_connected_again_it_goes_on(node: Node) -> None:
    place = "/run/media/drive"
    node.host.run("mkdir", "-p", place)
    node.host.run("mount", "--bind", node.medium, place)
    succeeded(node.stage(src=place, images=["etcd"]))
    node.host.run("umount", "--lazy", place)
    told = failed(node.stage(src=place), "no_source")
    assert place in told["msg"]
    node.host.run("mount", "--bind", node.medium, place)
    try:
        assert succeeded(node.stage(src=place)).result["bundle"]["complete"]
    finally:
        node.host.run("umount", "--lazy", place)


def test_a_peer_that_serves_wrong_bytes_is_found_out_and_another_one_serves(
    lab: Lab, node: Node, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong"
    shutil.copytree(node.bundle.folder, wrong)
    blob = max((wrong / "blobs/sha256").iterdir(), key=lambda path: path.stat().st_size)
    blob.write_bytes(b"x" * blob.stat().st_size)
    with served(lab, wrong) as bad, served(lab, node.bundle.folder, port=9401) as good:
        told = failed(node.stage(src="", sources=[{"url": bad}]), "no_source")
        assert bad in told["msg"]
        assert blob.name not in node.host.run("sh", "-c", f"ls {BUNDLES}/*/blobs/sha256").split()
        done = succeeded(node.stage(src="", sources=[{"url": bad}, {"url": good}]))
    assert done.result["bundle"]["complete"]


def test_two_plays_at_once_end_well_and_do_the_work_once(
    lab: Lab, node: Node, tmp_path_factory: pytest.TempPathFactory
) -> None:
    variables: dict[str, t.Any] = {
        "site_nodes": [node.host.name],
        "site_bundle_digest": str(node.bundle.index.digest),
        "site_bundle_src_by_node": {node.host.name: node.medium},
        "site_keep_free_percent": 1,
    }
    both = [Controller(lab, tmp_path_factory.mktemp("controller")) for _number in range(2)]
    plays = [one.start("fieldops.openshift.stage_bundle", **variables) for one in both]
    for one, play in zip(both, plays):
        succeeded(one.finish(play))
    assert dict.fromkeys(node.bundle.names, True).items() <= listed(node.host).items()
    assert node.host.run("ls", "-A", JOBS) == ""


def test_a_full_place_for_spooled_layers_is_seen_beforehand(node: Node) -> None:
    node.host.run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "/var/tmp")
    try:
        told = failed(node.stage(), "not_enough_space")
    finally:
        node.host.run("umount", "/var/tmp")
    (small,) = [one for one in told["forecast"] if one["lacking"]]
    assert (small["path"], [need["purpose"] for need in small["needs"]]) == (
        "/var/tmp",
        ["layers while they are loaded"],
    )
    succeeded(node.stage())


def test_a_source_that_vanishes_is_named_and_another_one_goes_on(
    lab: Lab, large_bundle: WrittenBundle, host: NodeHost, controller: Controller
) -> None:
    node = Node(lab, host, large_bundle, controller)
    with lab.faults.slow_link(host.name, 80_000_000):
        with served(lab, large_bundle.folder) as url:
            source = {"src": "", "sources": [{"url": url}], "stall_timeout": 3}
            succeeded(node.stage(wait=False, **source))
            wait_for(lambda: "part" in host.run("sh", "-c", f"ls {BUNDLES}/*/blobs/sha256"), "a blob is being received")
        told = failed(node.stage(**source), "no_source")
        assert url in told["msg"]
    done = succeeded(node.stage())
    assert done.result["bundle"]["complete"]
    assert set(done.result["received"]["by_source"]) == {node.medium}
