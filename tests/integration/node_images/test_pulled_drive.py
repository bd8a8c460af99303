# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A USB drive that is removed while it is read: a mounted device that from one place on answers with I/O errors."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import PREFIX_STEP, Blob
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import BUNDLES, Controller, listed
from ansible_collections.fieldops.openshift.tests.integration.node_images.one_node import Node, failed, succeeded
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost

pytestmark = pytest.mark.long

MIB, BLOCK = 1 << 20, 4096
DEVICE, PLACE = "/dev/usb-drive", "/run/media/drive"
PLAYBOOK = "fieldops.openshift.stage_bundle"


def written(bundle: WrittenBundle, image: Path) -> Path:
    """Write a file system with the bundle."""
    options = ["-t", "ext4", "-b", str(BLOCK), "-O", "^has_journal"]
    subprocess.run(["mke2fs", "-q", *options, "-d", bundle.folder, image, "96M"], check=True, timeout=60)
    return image


def place_of(blob: Blob, at: int, image: Path) -> int:
    """Return where byte ``at`` of a blob lies in the image of a file system."""
    words = ["debugfs", "-R", f"blocks /blobs/sha256/{blob.digest.hex}", str(image)]
    listed = subprocess.run(words, check=True, capture_output=True, text=True, timeout=30).stdout
    return int(listed.split()[at // BLOCK]) * BLOCK


@contextlib.contextmanager
def plugged_in(host: NodeHost, image: Path) -> Iterator[None]:
    """Give the host a device with the content of ``image``, mounted."""
    words = ["losetup", "--find", "--show", "--read-only", str(image)]
    device = subprocess.run(words, check=True, capture_output=True, text=True, timeout=30).stdout.strip()
    try:
        host.run("mkdir", "-p", PLACE)
        host.run("mknod", DEVICE, "b", "7", device.removeprefix("/dev/loop"))
        host.run("mount", "-o", "ro", DEVICE, PLACE)
        yield
    finally:
        host.run("sh", "-c", f"umount --lazy {PLACE}; rm -f {DEVICE}")
        subprocess.run(["losetup", "--detach", device], check=True, timeout=30)


@contextlib.contextmanager
def removed_in_the_middle(host: NodeHost, bundle: WrittenBundle, image: Path) -> Iterator[None]:
    """Give the host a drive with the bundle that fails in the middle of its largest blob."""
    largest = max(bundle.index.blobs.values(), key=lambda blob: blob.size)
    with plugged_in(host, written(bundle, image)):
        # Names and the index are in memory then, as in the middle of the work; behind the end there is nothing to read.
        host.run("sh", "-c", f"ls -lR {PLACE} >/dev/null; cat {PLACE}/index.json >/dev/null")
        os.truncate(image, place_of(largest, 2 * PREFIX_STEP + MIB, image))
        yield


def test_its_folder_is_named_and_plugged_in_again_it_goes_on_where_it_was(
    lab: Lab, large_bundle: WrittenBundle, host: NodeHost, controller: Controller, tmp_path: Path
) -> None:
    node = Node(lab, host, large_bundle, controller)
    with removed_in_the_middle(host, large_bundle, tmp_path / "removed.img"):
        told = failed(node.stage(src=PLACE, stall_timeout=3), "no_source")
    assert f"{PLACE}: " in told["msg"]
    assert "the disk reported an I/O error" in told["msg"]
    with plugged_in(host, written(large_bundle, tmp_path / "whole.img")):
        done = succeeded(node.stage(src=PLACE))
    assert done.result["bundle"]["complete"]
    assert done.result["received"]["received_size"] < large_bundle.index.size - 2 * PREFIX_STEP


def received(host: NodeHost) -> set[str]:
    """Return the complete blobs of the host, each with the number of its file."""
    listed_files = host.run("sh", "-c", f"ls --inode {BUNDLES}/*/blobs/sha256 2>/dev/null || true").splitlines()
    return {line for line in listed_files if not line.endswith(".part")}


def test_the_playbook_ends_with_that_and_goes_on_when_it_runs_again(
    large_bundle: WrittenBundle, host: NodeHost, controller: Controller, tmp_path: Path
) -> None:
    given = {
        "site_nodes": [host.name],
        "site_bundle_digest": str(large_bundle.index.digest),
        "site_keep_free_percent": 1,
    }
    with removed_in_the_middle(host, large_bundle, tmp_path / "removed.img"):
        ended = controller.play(PLAYBOOK, **given)
    assert ended.rc == 2, ended.output
    told = " ".join(ended.output.split())
    assert f"{PLACE}: " in told
    assert "I/O error" in told
    assert "Connect the drive again" in told
    assert "Start loading" not in told, "nothing is loaded from an incomplete bundle"
    before = received(host)
    assert before
    with plugged_in(host, written(large_bundle, tmp_path / "whole.img")):
        succeeded(controller.play(PLAYBOOK, **given))
    assert before < received(host), "what was received is not received again"
    assert dict.fromkeys(large_bundle.names, True).items() <= listed(host).items()
