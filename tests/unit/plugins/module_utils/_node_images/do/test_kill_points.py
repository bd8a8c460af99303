# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A change of a node's files is killed at each point at which it changes one; run again, it ends as if undisturbed.

CRI-O, systemd and curl are stand-ins, whose state counts as files of the node: it holds what runs with which content,
and how often each image was pulled.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import typing as t
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host import mounts
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.pins import pin_images
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import (
    create_folder,
    record_selection,
    remove_folder,
    staged_folders,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.pull_job import pull_images
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.stage_bundle import look_at
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.stage_job import stage_blobs
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.staging_order import (
    StagingOrder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores import slots
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.configure import (
    ensure_configured,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.files import StoreFiles
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.job import bring_store
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.remove import ensure_removed
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.request import StoreRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.step import StoreWork
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.image_source import ensure_source
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    STORE_MEDIA_TYPES,
    BundledStore,
    blobs_by_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import (
    blob_of,
    write_folder,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.medium import Medium
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._node_images.do import kill_points
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._node_images.do.played_programs import (
    STATE,
    host_run,
    mounts_of,
)

PROOFS = "proofs.json"
FOLDERS = ("etc/crio/crio.conf.d", "etc/systemd/system", "etc/kubernetes/manifests", "etc/containers", "run")
PORT, OTHER_PORT = 5100, 5200


class Quiet:
    """Progress of a job that is not watched."""

    def report(self, *_words: object, **_given: object) -> None: ...


@dataclass(frozen=True)
class Node:
    """A host below a temporary folder, and the medium that is connected to it."""

    host: Host
    medium: Medium

    def stage(self) -> None:
        order = StagingOrder(self.medium.index.digest, src="/media")
        staging = look_at(self.host, order, self.deadline)
        create_folder(staging.folder, staging.content)
        record_selection(staging.folder, [])
        stage_blobs(host_root=str(self.host.root), order=order.arguments(), patience=0.2, progress=Quiet())

    def remove(self) -> None:
        for folder in staged_folders(self.host):
            remove_folder(folder)

    def serve(self, port: int = PORT, state: str = "present") -> None:
        wanted = {"state": state, "port": port, "block_registries": "always", "other_machines": None}
        ensure_source(self.host, wanted, check_mode=False)

    def load(self) -> None:
        titles = dict.fromkeys(self.images, "")
        staged = str(self.medium.index.digest)
        pull_images(host_root=str(self.host.root), staged=staged, images=titles, parallel=1, progress=Quiet())

    def pin(self) -> None:
        pin_images.pin(self.host, self.images, exclusive=True, check_mode=False, deadline=self.deadline)

    def unpin(self) -> None:
        pin_images.unpin(self.host, None, check_mode=False, deadline=self.deadline)

    def list_slots(self) -> None:
        ensure_configured(self.host, pool="worker", check_mode=False, deadline=self.deadline)

    def mount(self) -> None:
        """Do what the job does that the module starts, then what the module does once it has ended."""
        request = StoreRequest(StagingOrder(self.medium.index.digest, src="/media"))
        files = StoreFiles.of(self.host, request.order, self.deadline)
        create_folder(files.folder, files.content)
        (store,) = self.medium.index.stores
        given = {**request.arguments(), "store": str(store.digest)}
        bring_store(host_root=str(self.host.root), progress=Quiet(), **given)
        assert StoreWork(self.host, request, self.deadline).step(check_mode=False).objects["decision"] == "store"

    def unmount(self) -> None:
        ensure_removed(self.host, self.medium.index.digest, check_mode=False, deadline=self.deadline)

    @property
    def images(self) -> list[str]:
        return [str(image.name) for image in self.medium.index.images]

    @property
    def deadline(self) -> Deadline:
        return Deadline(30, self.host.clock)

    @property
    def files(self) -> dict[str, bytes | None]:
        """All files by name, without the medium, and what a file that was being written has left."""
        found = {str(path.relative_to(self.host.root)): path for path in self.host.root.rglob("*")}
        left = re.compile(r"media.*|.*/\.fieldops-[0-9a-f]{16}\.tmp")
        kept = {name: path for name, path in found.items() if not left.fullmatch(name)}
        # Proofs hold the times of the files that were read.
        named = {name for name, path in kept.items() if not path.is_file() or path.name == PROOFS}
        return {name: None if name in named else without_units(path) for name, path in kept.items()}


def without_units(path: Path) -> bytes:
    """Return what the file holds; systemd forgets by itself a unit that does not run and has no file any more."""
    content = path.read_bytes()
    if path.name != Path(STATE).name:
        return content
    state = {name: value for name, value in json.loads(content).items() if name != "units"}
    return json.dumps(state).encode()


Steps = tuple[Callable[[Node], None], ...]
LOADED: Steps = (Node.stage, Node.serve, Node.load)
MOUNTED: Steps = (Node.list_slots, Node.mount)
CHANGES: dict[str, tuple[Steps, Callable[[Node], None]]] = {
    "stage a bundle": ((), Node.stage),
    "remove a bundle": ((Node.stage,), Node.remove),
    "serve images": ((Node.stage,), Node.serve),
    "serve images at another port": ((Node.stage, Node.serve), partial(Node.serve, port=OTHER_PORT)),
    "serve no images": ((Node.stage, Node.serve), partial(Node.serve, state="absent")),
    "load images": ((Node.stage, Node.serve), Node.load),
    "pin images": (LOADED, Node.pin),
    "remove pins": ((*LOADED, Node.pin), Node.unpin),
    "list the slots of image stores": ((), Node.list_slots),
    "mount an image store": ((Node.list_slots,), Node.mount),
    "remove an image store": (MOUNTED, Node.unmount),
}


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have stand-ins do what the programs of the node do."""
    monkeypatch.setattr(Host, "run", host_run)
    for module in (slots, mounts):
        monkeypatch.setattr(module, "read_mounts", mounts_of)
    monkeypatch.setattr(pin_images, "_LOOK_AGAIN", 0.0)


@pytest.fixture(scope="module")
def loaded_medium(medium: Medium, tmp_path_factory: pytest.TempPathFactory) -> Medium:
    """The bundle of the medium with an image store of its images."""
    file = blob_of(b"a file system" * 300, STORE_MEDIA_TYPES["squashfs"])
    images = tuple(str(image.name) for image in medium.index.images)
    store = BundledStore(file.digest, "squashfs", "zstd", 14000, images)
    index = replace(medium.index, blobs=blobs_by_digest(*medium.index.blobs.values(), file), stores=(store,))
    stored = {**medium.stored, file.digest: b"a file system" * 300}
    folder = write_folder(tmp_path_factory.mktemp("loaded") / "bundle", index, stored)
    return Medium(folder, index, stored, medium.large)


def node_before(change: str, folder: Path, medium: Medium) -> Node:
    for name in FOLDERS:
        (folder / name).mkdir(parents=True)
    shutil.copytree(medium.folder, folder / "media", copy_function=os.link)
    node = Node(Host(SystemClock(), folder), medium)
    for step in CHANGES[change][0]:
        step(node)
    return node


def points_of(change: str, tmp_path: Path, medium: Medium) -> tuple[int, dict[str, bytes | None]]:
    """Return how many points an undisturbed change passes, and the files that it leaves."""
    node = node_before(change, tmp_path / "undisturbed", medium)
    status, points = kill_points.run(partial(CHANGES[change][1], node))
    assert status == 0
    return points, node.files


def try_points(change: str, tmp_path: Path, medium: Medium, chosen: Callable[[int], t.Iterable[int]]) -> None:
    count, expected = points_of(change, tmp_path, medium)
    print(f"{change}: {count} points")
    for point in chosen(count):
        node = node_before(change, tmp_path / f"killed-{point}", medium)
        work = partial(CHANGES[change][1], node)
        assert kill_points.run(work, point)[0] == kill_points.KILLED, f"it passed less than {point} points"
        assert kill_points.run(work)[0] == 0, f"after a kill at point {point} it does not go on"
        assert node.files == expected, f"after a kill at point {point} of {count} the files are not those expected"


@pytest.mark.parametrize("change", CHANGES)
def test_some_points(change: str, tmp_path: Path, loaded_medium: Medium) -> None:
    sample = random.Random(change)  # noqa: S311 - nothing secret
    try_points(change, tmp_path, loaded_medium, lambda count: sample.sample(range(count), min(4, count)))


@pytest.mark.long
@pytest.mark.parametrize("change", CHANGES)
def test_every_point(change: str, tmp_path: Path, loaded_medium: Medium) -> None:
    try_points(change, tmp_path, loaded_medium, range)
