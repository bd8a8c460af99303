# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The script with which OpenShift backs up etcd, on a host without OpenShift: ``cluster-backup.sh``.

It says, refuses and writes what the script of the cluster-etcd-operator does (bindata/etcd/cluster-backup.sh, as of
commit 28fcb043): only as root, into a folder that it makes, first the resources, then the snapshot, which is ``.part``
until it is whole. It ends with status 1 where it refuses, otherwise with that of the program that failed, both files
removed then (its trap on ERR). What it has written before it refuses stays, as there: a trap on ERR sees no ``exit``.

Its limits: no etcd, no API and no image is asked. Which operators are rolling out, and how etcdctl ends, stands in a
file beside it; the snapshot is the database of the host with its checksum, as a member of etcd sends it (etcd's
server/etcdserver/api/v3rpc/maintenance.go). Older releases know no ``--force`` and look at no operator, as at commit
25cfa4c1: ``"looks": false``.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tarfile
import time
import typing as t
from pathlib import Path

DATABASE_SIZE = 1 << 20
RESOURCES = ("kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd")
BESIDE = "cluster-backup.json"
LAUNCHER = '#!/bin/sh\nexec /usr/bin/python3 "$(dirname "$(realpath "$0")")/cluster_backup.py" "$@"\n'
SETTINGS: dict[str, t.Any] = {
    "kubernetes": "/etc/kubernetes",
    "database": "/var/lib/etcd/member/snap/db",
    "looks": True,
    "progressing": [],
    "unknown": [],
    "etcdctl": 0,
    "meet": None,
}
"""``meet`` is a named pipe that it opens while half of the snapshot is written, as one does who waits for it."""


class Script:
    """One run of it."""

    def __init__(self, folder: str, settings: t.Mapping[str, t.Any]) -> None:
        self._settings = settings
        self._kubernetes = Path(settings["kubernetes"])
        stamp = time.strftime("%Y-%m-%d_%H%M%S")
        self._folder = Path(folder)
        self._archive = self._folder / f"static_kuberesources_{stamp}.tar.gz"
        self._snapshot = self._folder / f"snapshot_{stamp}.db"

    def run(self) -> None:
        """Make the backup."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._require_dependencies()
        self._back_up_resources()
        self._save_snapshot()
        say(f"snapshot db and kube resources are successfully saved to {self._folder}")

    def _require_dependencies(self) -> None:
        if not (self._kubernetes / "static-pod-resources/etcd-certs/configmaps/etcd-scripts/etcd.env").is_file():
            refuse(
                "required dependencies not found, please ensure this script is run on a node with a functional etcd "
                "static pod"
            )

    def _back_up_resources(self) -> None:
        found = []
        for resource in RESOURCES:
            if not (self._kubernetes / f"manifests/{resource}-pod.yaml").is_file():
                refuse(f"error finding manifests for the {resource} pod. please check if it is running.")
            if self._settings["looks"]:
                self._look_at(resource)
            (latest,) = (self._kubernetes / "static-pod-resources").glob(f"{resource}-pod-*")
            say(f"found latest {resource}: {latest}")
            found.append(latest)
        with tarfile.open(self._archive, "w:gz") as archive:
            for each in found:
                archive.add(each, each.relative_to(self._kubernetes))
        self._archive.chmod(0o600)

    def _look_at(self, operator: str) -> None:
        if operator in self._settings["unknown"]:
            refuse(
                f"Could not find the status of the {operator}. Check if the API server is running. "
                "Pass the --force flag to skip checks."
            )
        if operator in self._settings["progressing"]:
            refuse(
                f"Currently the {operator} operator is progressing. "
                "A reliable backup requires that a rollout is not in progress.  Aborting!"
            )

    def _save_snapshot(self) -> None:
        part = self._snapshot.with_name(f"{self._snapshot.name}.part")
        content = Path(self._settings["database"]).read_bytes()
        with part.open("wb") as stream:
            os.fchmod(stream.fileno(), 0o600)
            stream.write(content[: len(content) // 2])
            stream.flush()
            if self._settings["meet"]:
                Path(self._settings["meet"]).read_text()
            stream.write(content[len(content) // 2 :] + hashlib.sha256(content).digest())
        if self._settings["etcdctl"]:
            print("Error: context deadline exceeded", file=sys.stderr)
            # etcdctl takes its own file away, the trap of the script the other one.
            part.unlink()
            self._archive.unlink()
            sys.exit(self._settings["etcdctl"])
        part.rename(self._snapshot)
        say(f"Snapshot saved at {self._snapshot}")


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


def refuse(line: str) -> t.NoReturn:
    """End as the script does where it does not go on."""
    say(line)
    sys.exit(1)


def install(root: Path, *, inside: bool = False, kubernetes: str = "/etc/kubernetes", **settings: t.Any) -> Path:
    """Put the script onto the host with this root, and what it needs of a control-plane node; return where it lies.

    ``inside`` says that it will run with that root for its own, ``kubernetes`` what it takes for /etc/kubernetes.
    """
    etc, data = root / kubernetes.lstrip("/"), root / "var/lib/etcd/member/snap/db"
    for resource in RESOURCES:
        pod = etc / f"static-pod-resources/{resource}-pod-7"
        pod.mkdir(parents=True, exist_ok=True)
        (pod / "pod.yaml").write_text(f"kind: Pod  # {resource}\n")
        (etc / "manifests").mkdir(exist_ok=True)
        (etc / f"manifests/{resource}-pod.yaml").write_text(f"kind: Pod  # {resource}\n")
    scripts = etc / "static-pod-resources/etcd-certs/configmaps/etcd-scripts"
    scripts.mkdir(parents=True, exist_ok=True)
    (scripts / "etcd.env").write_text("export ETCDCTL_API=3\n")
    data.parent.mkdir(parents=True, exist_ok=True)
    data.write_bytes(bytes(DATABASE_SIZE))
    script = root / "usr/local/bin/cluster-backup.sh"
    script.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(__file__, script.with_name("cluster_backup.py"))
    script.write_text(LAUNCHER)
    script.chmod(0o755)
    places = {"kubernetes": kubernetes} if inside else {"kubernetes": str(etc), "database": str(data)}
    set_up(script, **places, **settings)
    return script


def set_up(script: Path, **settings: t.Any) -> None:
    """Say how the script that lies there is to end, all at once: it may be about to be run."""
    written = script.with_name(f"{BESIDE}.new")
    written.write_text(json.dumps(settings))
    written.replace(script.with_name(BESIDE))


def main(words: t.Sequence[str]) -> None:
    """Do what the script does with these arguments."""
    if os.geteuid():
        refuse("This script must be run as root")
    if not words or not words[0] or Path(words[0]).is_file():
        refuse("Path to backup dir required: ./cluster-backup.sh [--force] <path-to-backup-dir>")
    settings = json.loads(Path(__file__).with_name(BESIDE).read_text())
    Script(words[0], {**SETTINGS, **settings}).run()


if __name__ == "__main__":
    main(sys.argv[1:])
