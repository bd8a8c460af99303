# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The script with which OpenShift backs up etcd, on a host without OpenShift: ``cluster-backup.sh``.

It says, refuses and writes what the scripts of the cluster-etcd-operator do: bindata/etcd/cluster-backup.sh as of
commit 28fcb043 (usage, source_required_dependency, backup_latest_kube_static_resources,
check_if_operator_is_progressing, its trap on ERR) and bindata/etcd/etcd-common-tools as of 61a1532b (dl_etcdctl on a
node that has etcdctl already, check_snapshot_status). tests/integration/lab/test_cluster_backup_conformance.py holds it
to them, where they are given.
A refusal has status 1 and leaves what was written before, for a trap on ERR sees no ``exit``; a program that fails ends
the script with its own status, and both files are removed then.

Its limits: no etcd, no API and no image is asked. Which operators are rolling out, and how etcdctl ends, stands in a
file beside it; the snapshot is the database of the host with its checksum, as a member of etcd sends it (etcd's
server/etcdserver/api/v3rpc/maintenance.go), and ``.part`` until it is whole (client/v3/snapshot/v3_snapshot.go). Older
releases look at no operator, as at commit 25cfa4c1: ``"looks": false``; what else they say differently is not copied.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
import tarfile
import time
import typing as t
from pathlib import Path

DATABASE_SIZE = 1 << 20
RESOURCES = ("kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd")
BESIDE = "cluster-backup.json"
COMMON, CERTIFICATES = "static-pod-resources/etcd-certs", "configmaps/etcd-all-bundles/server-ca-bundle.crt"
SCRIPTS = f"{COMMON}/configmaps/etcd-scripts"
KUBECONFIG = "static-pod-resources/kube-apiserver-certs/secrets/node-kubeconfigs/localhost.kubeconfig"
REVISION = 7
LAUNCHER = '#!/bin/sh\nexec /usr/bin/python3 "$(dirname "$(realpath "$0")")/cluster_backup.py" "$@"\n'
SETTINGS: dict[str, t.Any] = {
    "kubernetes": "/etc/kubernetes",
    "database": "/var/lib/etcd/member/snap/db",
    "looks": True,
    "progressing": [],
    "unknown": [],
    "etcdctl": 0,
    "damaged": False,
    "meet": None,
}
"""``etcdctl`` is the status with which a snapshot ends, ``damaged`` what a look at it finds; ``meet`` is a named pipe
that it opens while half of the snapshot is written, as one does who waits for it."""


class Script:
    """One run of it, with ``--force`` a ``dirty`` one."""

    def __init__(self, folder: str, settings: t.Mapping[str, t.Any], *, dirty: bool) -> None:
        self._settings, self._looks = settings, settings["looks"] and not dirty
        self._kubernetes = Path(settings["kubernetes"])
        stamp = time.strftime("%Y-%m-%d_%H%M%S") + ("__POSSIBLY_DIRTY__" if dirty else "")
        self._folder = Path(folder)
        self._archive = self._folder / f"static_kuberesources_{stamp}.tar.gz"
        self._snapshot = self._folder / f"snapshot_{stamp}.db"

    def run(self) -> None:
        """Make the backup; what fails in between takes both files away."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            fail(1, f"mkdir: {error}")
        self._require_dependencies()
        self._require_certificate()
        self._archive_resources(self._latest_resources())
        say("etcdctl is already installed")
        self._save_snapshot()
        self._check_snapshot()
        say(f"snapshot db and kube resources are successfully saved to {self._folder}")

    def _require_dependencies(self) -> None:
        for name in ("etcd.env", "etcd-common-tools"):
            if not (self._kubernetes / SCRIPTS / name).is_file():
                refuse(
                    "required dependencies not found, please ensure this script is run on a node with a functional "
                    "etcd static pod"
                )

    def _require_certificate(self) -> None:
        """Those of the pod are not there outside of it."""
        of_pod = self._kubernetes / "static-pod-certs" / CERTIFICATES
        if of_pod.is_file():
            return
        say(f"Certificate {of_pod} is missing. Checking in different directory")
        of_node = self._kubernetes / COMMON / CERTIFICATES
        if not of_node.is_file():
            refuse(f"Certificate {of_node} is also missing in the second directory. Exiting!")
        say(f"Certificate {of_node} found!")

    def _latest_resources(self) -> list[str]:
        """Return the folders of what runs, as the manifests name them."""
        found = []
        for resource in RESOURCES:
            manifest = self._kubernetes / f"manifests/{resource}-pod.yaml"
            if not manifest.is_file():
                refuse(f"error finding manifests for the {resource} pod. please check if it is running.")
            named = re.search(rf"{self._kubernetes}/(static-pod-resources/{resource}-pod-[0-9]*)", manifest.read_text())
            if not named:
                refuse(f"error finding static-pod-resources for the {resource} pod. please check if it is running.")
            if self._looks:
                self._look_at(resource)
            say(f"found latest {resource}: {named[0]}")
            found.append(named[1])
        return found

    def _look_at(self, operator: str) -> None:
        if not (self._kubernetes / KUBECONFIG).is_file():
            refuse("Valid kubeconfig is not found in kube-apiserver-certs. Exiting!")
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

    def _archive_resources(self, latest: t.Sequence[str]) -> None:
        try:
            with tarfile.open(self._archive, "w:gz") as archive:
                for each in latest:
                    archive.add(self._kubernetes / each, each)
        except OSError as error:
            self._give_up(2, f"tar: {error}")
        self._archive.chmod(0o600)

    def _save_snapshot(self) -> None:
        part = self._snapshot.with_name(f"{self._snapshot.name}.part")
        try:
            self._write_snapshot(part)
        except OSError as error:
            part.unlink()
            self._give_up(1, f"Error: {error}")
        if self._settings["etcdctl"]:
            # etcdctl takes its own file away, the trap of the script the other one.
            part.unlink()
            self._give_up(self._settings["etcdctl"], "Error: context deadline exceeded")
        part.rename(self._snapshot)
        say(f"Snapshot saved at {self._snapshot}")

    def _write_snapshot(self, part: Path) -> None:
        content = Path(self._settings["database"]).read_bytes()
        with part.open("wb") as stream:
            os.fchmod(stream.fileno(), 0o600)
            stream.write(content[: len(content) // 2])
            stream.flush()
            if self._settings["meet"]:
                Path(self._settings["meet"]).read_text()
            stream.write(content[len(content) // 2 :] + hashlib.sha256(content).digest())

    def _check_snapshot(self) -> None:
        if self._settings["damaged"]:
            say("Backup integrity verification failed. Backup appears corrupted. Aborting!")
            self._give_up(1, "Error: snapshot file integrity check failed. is it corrupted?")
        say(json.dumps({"hash": 1, "revision": 7, "totalKey": 7, "totalSize": self._snapshot.stat().st_size}))

    def _give_up(self, status: int, line: str) -> t.NoReturn:
        for path in (self._archive, self._snapshot):
            path.unlink(missing_ok=True)
        fail(status, line)


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


def refuse(line: str) -> t.NoReturn:
    """End as the script does where it does not go on."""
    say(line)
    sys.exit(1)


def fail(status: int, line: str) -> t.NoReturn:
    """End as the script does where a program has failed, which says why."""
    print(line, file=sys.stderr)
    sys.exit(status)


def install(root: Path, *, inside: bool = False, kubernetes: str = "/etc/kubernetes", **settings: t.Any) -> Path:
    """Put the script onto the host with this root, and what it needs of a control-plane node; return where it lies.

    ``inside`` says that it will run with that root for its own, ``kubernetes`` what it takes for /etc/kubernetes.
    """
    etc, data = root / kubernetes.lstrip("/"), root / "var/lib/etcd/member/snap/db"
    seen = kubernetes if inside else str(etc)
    for resource in RESOURCES:
        pod = f"static-pod-resources/{resource}-pod-{REVISION}"
        write(etc / pod / "pod.yaml", f"kind: Pod  # {resource}\n")
        write(etc / f"manifests/{resource}-pod.yaml", f"kind: Pod\nspec: {{path: {seen}/{pod}}}\n")
    pod_certificate = f"{seen}/static-pod-certs/{CERTIFICATES}"
    write(etc / SCRIPTS / "etcd.env", f"export ETCDCTL_API=3\nexport ETCDCTL_CACERT={pod_certificate}\n")
    write(etc / SCRIPTS / "etcd-common-tools", "# what dl_etcdctl and check_snapshot_status do is done here\n")
    write(etc / COMMON / CERTIFICATES, "-----BEGIN CERTIFICATE-----\n")
    write(etc / KUBECONFIG, "kind: Config\n")
    data.parent.mkdir(parents=True, exist_ok=True)
    data.write_bytes(bytes(DATABASE_SIZE))
    script = root / "usr/local/bin/cluster-backup.sh"
    script.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(__file__, script.with_name("cluster_backup.py"))
    script.write_text(LAUNCHER)
    script.chmod(0o755)
    places = {"kubernetes": seen, **({} if inside else {"database": str(data)})}
    set_up(script, **places, **settings)
    return script


def write(path: Path, text: str) -> None:
    """Write a file, with the folders that it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def set_up(script: Path, **settings: t.Any) -> None:
    """Say how the script that lies there is to end, all at once: it may be about to be run."""
    written = script.with_name(f"{BESIDE}.new")
    written.write_text(json.dumps(settings))
    written.replace(script.with_name(BESIDE))


def main(words: t.Sequence[str]) -> None:
    """Do what the script does with these arguments."""
    if os.geteuid():
        refuse("This script must be run as root")
    dirty = words[:1] == ["--force"]
    words = words[1:] if dirty else words
    if not words or not words[0] or Path(words[0]).is_file():
        refuse("Path to backup dir required: ./cluster-backup.sh [--force] <path-to-backup-dir>")
    settings = json.loads(Path(__file__).with_name(BESIDE).read_text())
    Script(words[0], {**SETTINGS, **settings}, dirty=dirty).run()


if __name__ == "__main__":
    main(sys.argv[1:])
