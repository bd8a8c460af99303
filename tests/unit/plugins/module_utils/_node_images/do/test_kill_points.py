# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A change of a node's files is killed at each point at which it changes one; run again, it ends as if undisturbed.

The points are enumerated by Python itself (audit events, and writes), so that new code has its points without a list.
CRI-O is a stand-in: its reload reads which images its configuration pins, as the real one does.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import sys
import typing as t
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.pins import pin_images
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import (
    create_folder,
    record_selection,
    remove_folder,
    staged_folders,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.stage_bundle import look_at
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.stage_job import stage_blobs
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.staging_order import (
    StagingOrder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.pins import effective
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.runtime_images import RuntimeImages
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.medium import Medium

KILLED = 137
EVENTS = frozenset({"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate"})
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
IMAGES = ["quay.io/a@sha256:1", "quay.io/b@sha256:2"]
PINNED, PROOFS = "/run/crio-pins", "proofs.json"


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

    def pin(self) -> None:
        pin_images.pin(self.host, IMAGES, exclusive=True, check_mode=False, deadline=self.deadline)

    def unpin(self) -> None:
        pin_images.unpin(self.host, None, check_mode=False, deadline=self.deadline)

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
        named = {name for name, path in kept.items() if path.is_dir() or path.name == PROOFS}
        return {name: None if name in named else path.read_bytes() for name, path in kept.items()}


CHANGES: dict[str, tuple[Callable[[Node], None], Callable[[Node], None]]] = {
    "stage a bundle": (lambda _node: None, Node.stage),
    "remove a bundle": (Node.stage, Node.remove),
    "pin images": (lambda _node: None, Node.pin),
    "remove pins": (Node.pin, Node.unpin),
}


@pytest.fixture(autouse=True)
def container_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    def reload(host: Host, _deadline: Deadline) -> None:
        write_file(host.path(PINNED), "\n".join(effective(pin_images.read_drop_ins(host))))

    def listed(host: Host, _deadline: Deadline) -> RuntimeImages:
        pinned = (read_file(host.path(PINNED)) or b"").decode().split()
        return RuntimeImages({name: name in pinned for name in IMAGES})

    monkeypatch.setattr(pin_images, "reload_runtime", reload)
    monkeypatch.setattr(pin_images, "runtime_images", listed)
    monkeypatch.setattr(pin_images, "_LOOK_AGAIN", 0.0)


class Points:
    """Counts what changes files, and kills the process before the point of number ``kill_at``."""

    def __init__(self, kill_at: int) -> None:
        self._kill_at = kill_at
        self.count = 0

    def install(self) -> None:
        sys.addaudithook(self._audit)
        write = os.write

        def counted(descriptor: int, content: t.Any) -> int:
            self._pass()
            return write(descriptor, content)

        os.write = counted  # the process ends with this change

    def end(self, told: int, status: int) -> t.NoReturn:
        passed = self.count
        self._kill_at = -1
        os.write(told, str(passed).encode())
        os._exit(status)

    def _audit(self, event: str, arguments: tuple[t.Any, ...]) -> None:
        if event in EVENTS or (event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING):
            self._pass()

    def _pass(self) -> None:
        if self.count == self._kill_at:
            os._exit(KILLED)
        self.count += 1


def run(change: Callable[[Node], None], node: Node, kill_at: int = -1) -> tuple[int, int]:
    """Make the change in a process of its own; return its status and how many points it has passed."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of the test runner are not in the child
        child = os.fork()
    if child == 0:
        points = Points(kill_at)
        status = 1
        try:
            points.install()
            change(node)
            status = 0
        finally:
            points.end(writing, status)
    os.close(writing)
    with open(reading, "rb") as told:  # noqa: PTH123 - a descriptor
        passed = int(told.read() or b"0")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), passed


def node_before(change: str, folder: Path, medium: Medium) -> Node:
    (folder / "etc/crio/crio.conf.d").mkdir(parents=True)
    (folder / "run").mkdir()
    shutil.copytree(medium.folder, folder / "media", copy_function=os.link)
    node = Node(Host(SystemClock(), folder), medium)
    CHANGES[change][0](node)
    return node


def points_of(change: str, tmp_path: Path, medium: Medium) -> tuple[int, dict[str, bytes | None]]:
    """Return how many points an undisturbed change passes, and the files that it leaves."""
    node = node_before(change, tmp_path / "undisturbed", medium)
    status, points = run(CHANGES[change][1], node)
    assert status == 0
    return points, node.files


def try_points(change: str, tmp_path: Path, medium: Medium, chosen: Callable[[int], t.Iterable[int]]) -> None:
    count, expected = points_of(change, tmp_path, medium)
    for point in chosen(count):
        node = node_before(change, tmp_path / f"killed-{point}", medium)
        assert run(CHANGES[change][1], node, kill_at=point)[0] == KILLED, f"it passed less than {point} points"
        assert run(CHANGES[change][1], node)[0] == 0, f"after a kill at point {point} it does not go on"
        assert node.files == expected, f"after a kill at point {point} of {count} the files are not those expected"


@pytest.mark.parametrize("change", CHANGES)
def test_some_points(change: str, tmp_path: Path, medium: Medium) -> None:
    sample = random.Random(change)  # noqa: S311 - nothing secret
    try_points(change, tmp_path, medium, lambda count: sample.sample(range(count), min(4, count)))


@pytest.mark.long
@pytest.mark.parametrize("change", CHANGES)
def test_every_point(change: str, tmp_path: Path, medium: Medium) -> None:
    try_points(change, tmp_path, medium, range)
