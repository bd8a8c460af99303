# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The actor of cluster-backup.sh and upstream's script (FIELDOPS_CLUSTER_BACKUP) on the same nodes."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import typing as t
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.cluster_backup_peers import (
    BackupNode,
    Ended,
    UpstreamNode,
)
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.actors.cluster_backup import (
    CERTIFICATES,
    COMMON,
    KUBECONFIG,
    RESOURCES,
    SCRIPTS,
)

Change = Callable[[BackupNode], object]

NOBODY = 65534
USAGE = "Path to backup dir required: ./cluster-backup.sh [--force] <path-to-backup-dir>"
NO_MEMBER = (
    "required dependencies not found, please ensure this script is run on a node with a functional etcd static pod"
)
OF_POD, OF_NODE = f"NODE/static-pod-certs/{CERTIFICATES}", f"NODE/{COMMON}/{CERTIFICATES}"
LOOKS_ELSEWHERE = f"Certificate {OF_POD} is missing. Checking in different directory"
CERTIFIED = [LOOKS_ELSEWHERE, f"Certificate {OF_NODE} found!"]
FOUND = [f"found latest {one}: NODE/static-pod-resources/{one}-pod-7" for one in RESOURCES]
INSTALLED = "etcdctl is already installed"
BEFORE_SNAPSHOT = [*CERTIFIED, *FOUND, INSTALLED]
SAVED = "Snapshot saved at FOLDER/snapshot_TIME.db"
BOTH = {"snapshot_TIME.db": "600", "static_kuberesources_TIME.tar.gz": "600"}
WHOLE = Ended(
    0, [*BEFORE_SNAPSHOT, SAVED, "{STATUS}", "snapshot db and kube resources are successfully saved to FOLDER"], BOTH
)
PROGRESSING = (
    "Currently the {} operator is progressing. A reliable backup requires that a rollout is not in progress.  Aborting!"
)
NOT_CHECKED = (
    "Could not find the status of the {}. Check if the API server is running. Pass the --force flag to skip checks."
)
DAMAGED = "Backup integrity verification failed. Backup appears corrupted. Aborting!"


@dataclass(frozen=True)
class Case:
    """What is done to the node before, how what the script asks ends, its arguments, and how it ends."""

    name: str
    ends: Ended
    change: Change = lambda _node: None
    settings: dict[str, t.Any] = field(default_factory=dict)
    words: tuple[str, ...] = ("FOLDER",)


def gone(path: str) -> Change:
    """Let a file or folder not be there."""

    def change(node: BackupNode) -> None:
        there = node.kubernetes / path
        shutil.rmtree(there) if there.is_dir() else there.unlink()

    return change


def written(path: str, text: str) -> Change:
    """Let a file hold this."""

    def change(node: BackupNode) -> None:
        there = node.root / path
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_text(text)

    return change


def dirty(text: str) -> str:
    """Return what a forced run says in place of this."""
    return text.replace("TIME", "TIME__POSSIBLY_DIRTY__")


CASES = [
    Case("into a new folder", WHOLE),
    Case(
        "into a folder that is there",
        Ended(0, WHOLE.lines, {"other": "644", **BOTH}),
        written("backups/other", "kept"),
    ),
    Case(
        "a later revision lies there that does not run",
        WHOLE,
        written("etc/kubernetes/static-pod-resources/etcd-pod-8/pod.yaml", "kind: Pod"),
    ),
    Case("no folder given", Ended(1, [USAGE]), words=()),
    Case("an empty name", Ended(1, [USAGE]), words=("",)),
    Case("a forced one without a folder", Ended(1, [USAGE]), words=("--force",)),
    Case("a file of that name", Ended(1, [USAGE]), written("backups", "a file")),
    Case("a folder that cannot be made", Ended(1), written("file", ""), words=("ROOT/file/backups",)),
    Case("no environment of etcd", Ended(1, [NO_MEMBER]), gone(f"{SCRIPTS}/etcd.env")),
    Case("no tools of etcd", Ended(1, [NO_MEMBER]), gone(f"{SCRIPTS}/etcd-common-tools")),
    Case(
        "the pod's certificates are there",
        Ended(0, WHOLE.lines[2:], BOTH),
        written(f"etc/kubernetes/static-pod-certs/{CERTIFICATES}", "of the pod"),
    ),
    Case(
        "no certificates",
        Ended(1, [LOOKS_ELSEWHERE, f"Certificate {OF_NODE} is also missing in the second directory. Exiting!"]),
        gone(f"{COMMON}/{CERTIFICATES}"),
    ),
    Case(
        "no manifest of a pod",
        Ended(
            1,
            [
                *CERTIFIED,
                *FOUND[:2],
                "error finding manifests for the kube-scheduler pod. please check if it is running.",
            ],
        ),
        gone("manifests/kube-scheduler-pod.yaml"),
    ),
    Case(
        "a manifest that names no revision",
        Ended(
            1,
            [
                *CERTIFIED,
                *FOUND[:3],
                "error finding static-pod-resources for the etcd pod. please check if it is running.",
            ],
        ),
        written("etc/kubernetes/manifests/etcd-pod.yaml", "kind: Pod"),
    ),
    Case("no folder of a revision", Ended(2, [*CERTIFIED, *FOUND]), gone("static-pod-resources/kube-scheduler-pod-7")),
    Case(
        "no kubeconfig",
        Ended(1, [*CERTIFIED, "Valid kubeconfig is not found in kube-apiserver-certs. Exiting!"]),
        gone(KUBECONFIG),
    ),
    Case(
        "an operator rolls out",
        Ended(1, [*CERTIFIED, *FOUND[:3], PROGRESSING.format("etcd")]),
        settings={"progressing": ["etcd"]},
    ),
    Case(
        "no API",
        Ended(1, [*CERTIFIED, NOT_CHECKED.format("kube-apiserver")]),
        settings={"unknown": ["kube-apiserver"]},
    ),
    Case(
        "forced while an operator rolls out",
        Ended(0, [dirty(one) for one in WHOLE.lines], {dirty(name): mode for name, mode in BOTH.items()}),
        settings={"progressing": ["etcd"]},
        words=("--force", "FOLDER"),
    ),
    Case(
        "forced without a kubeconfig",
        Ended(0, [dirty(one) for one in WHOLE.lines], {dirty(name): mode for name, mode in BOTH.items()}),
        gone(KUBECONFIG),
        words=("--force", "FOLDER"),
    ),
    Case("no snapshot", Ended(1, BEFORE_SNAPSHOT), settings={"etcdctl": 1}),
    Case("another status of etcdctl", Ended(4, BEFORE_SNAPSHOT), settings={"etcdctl": 4}),
    Case("a damaged snapshot", Ended(1, [*BEFORE_SNAPSHOT, SAVED, DAMAGED]), settings={"damaged": True}),
]


@pytest.fixture(params=[BackupNode, UpstreamNode], ids=["actor", "upstream"])
def node(request: pytest.FixtureRequest) -> Iterator[BackupNode]:
    """A node in a folder that any user may enter."""
    if os.geteuid():
        pytest.skip("the script runs as root only")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield request.param(Path(folder))


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_it_says_and_leaves_this(node: BackupNode, case: Case) -> None:
    case.change(node)
    node.set_up(**case.settings)
    words = [word.replace("FOLDER", str(node.folder)).replace("ROOT", str(node.root)) for word in case.words]
    assert node.run(*words) == case.ends


def test_the_archive_holds_what_runs(node: BackupNode) -> None:
    written("etc/kubernetes/static-pod-resources/etcd-pod-8/pod.yaml", "kind: Pod")(node)
    node.run(str(node.folder))
    assert node.archived() == sorted(f"static-pod-resources/{one}-pod-7/pod.yaml" for one in RESOURCES)


@pytest.mark.parametrize(
    ("resources", "status", "lines"),
    [
        pytest.param(200_000, 2, [*CERTIFIED, *FOUND], id="for the archive"),
        pytest.param(0, 1, BEFORE_SNAPSHOT, id="for the snapshot"),
    ],
)
def test_without_room_nothing_is_left(node: BackupNode, resources: int, status: int, lines: list[str]) -> None:
    """The folder is a file system of 64 KiB, seen by the run alone, which says at its end what lies there."""
    (node.kubernetes / "static-pod-resources/etcd-pod-7/large").write_bytes(os.urandom(resources))
    node.folder.mkdir()
    mounted = f'mount -t tmpfs -o size=64k tmpfs "{node.folder}" || exit 99; "$@"; ended=$?; '
    shown = f'ls -A "{node.folder}"; exit $ended'
    ended = node.run(str(node.folder), wrapped=["unshare", "--mount", "sh", "-c", mounted + shown, "sh"])
    assert ended == Ended(status, lines)


def test_who_is_not_root_is_refused(node: BackupNode) -> None:
    assert node.run(str(node.folder), user=NOBODY) == Ended(1, ["This script must be run as root"])


def test_a_run_that_is_killed_leaves_a_snapshot_that_is_no_whole_one(node: BackupNode) -> None:
    pipe = node.root / "pipe"
    os.mkfifo(pipe)
    node.set_up(meet=str(pipe))
    process = node.start(str(node.folder))
    half = {"snapshot_TIME.db.part": "600", "static_kuberesources_TIME.tar.gz": "600"}
    wait_for(lambda: node.files() == half or process.poll() is not None, 30)
    os.killpg(process.pid, signal.SIGKILL)
    assert node.ended(process) == Ended(-signal.SIGKILL, BEFORE_SNAPSHOT, half)
