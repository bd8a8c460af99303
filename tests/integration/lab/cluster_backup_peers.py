# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A folder as a control-plane node, and on it the actor of cluster-backup.sh or upstream's own script.

FIELDOPS_CLUSTER_BACKUP names a folder with ``cluster-backup.sh`` and ``etcd-common-tools`` of the cluster-etcd-operator
(its bindata/etcd). They run as they are, but that the folder takes the place of /etc/kubernetes. What they ask is
played by two small programs: ``oc``, which knows of operators whether they are rolling out, and ``etcdctl``, which
saves a database and looks at what it has saved.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import typing as t
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.lab.actors.cluster_backup import SCRIPTS, SETTINGS, install, set_up

VARIABLE = "FIELDOPS_CLUSTER_BACKUP"
SCRIPT, TOOLS = "cluster-backup.sh", "etcd-common-tools"
STAMP = re.compile(r"\d{4}-\d{2}-\d{2}_\d{6}")
STATUS_OF_SNAPSHOT = re.compile(r'\{"hash":.*\}')
SECONDS = 60
OC = """#!{python}
import json, sys
said = json.load(open({settings!r}))
operator = sys.argv[3]
if operator in said["unknown"]:
    sys.exit("The connection to the server localhost:6443 was refused")
print("True" if operator in said["progressing"] else "False", end="")
"""
ETCDCTL = """#!{python}
import hashlib, json, os, sys
said, path = json.load(open({settings!r})), sys.argv[3]
if sys.argv[2] == "status":
    if said["damaged"]:
        sys.exit("Error: snapshot file integrity check failed. is it corrupted?")
    print(json.dumps({{"hash": 1, "revision": 7, "totalKey": 7, "totalSize": os.path.getsize(path)}}))
    sys.exit()
content = open(said["database"], "rb").read()
try:
    with open(path + ".part", "wb") as stream:
        os.fchmod(stream.fileno(), 0o600)
        stream.write(content[: len(content) // 2])
        stream.flush()
        if said["meet"]:
            open(said["meet"]).read()
        stream.write(content[len(content) // 2 :] + hashlib.sha256(content).digest())
except OSError as error:
    os.unlink(path + ".part")
    sys.exit(f"Error: {{error}}")
if said["etcdctl"]:
    os.unlink(path + ".part")
    print("Error: context deadline exceeded", file=sys.stderr)
    sys.exit(said["etcdctl"])
os.rename(path + ".part", path)
print("Snapshot saved at", path)
"""


@dataclass
class Ended:
    """How a run ended: its status, the lines that it printed, and what lies in the folder, each file with its mode.

    Times are TIME there, the folders NODE and FOLDER.
    """

    status: int
    lines: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)


class BackupNode:
    """A control-plane node whose root is a folder, and a folder for its backups."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.kubernetes = root / "etc/kubernetes"
        self.folder = root / "backups"
        self.program = install(root)
        self.settings = {**SETTINGS, "kubernetes": str(self.kubernetes)}
        self.settings["database"] = str(root / "var/lib/etcd/member/snap/db")

    def set_up(self, **settings: t.Any) -> None:
        """Say how what the script asks ends."""
        self.settings.update(settings)
        set_up(self.program, **self.settings)

    def command(self, *words: str) -> list[str]:
        """Return the command that runs the script with these arguments."""
        return [str(self.program), *words]

    def start(self, *words: str, wrapped: t.Sequence[str] = (), user: int | None = None) -> subprocess.Popen[str]:
        """Start the script, ``wrapped`` by another program."""
        path = f"{self.root / 'bin'}:/usr/bin:/bin:/usr/sbin:/sbin"
        return subprocess.Popen(
            [*wrapped, *self.command(*words)],
            env={"PATH": path, "LC_ALL": "C"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
            user=user,
        )

    def run(self, *words: str, wrapped: t.Sequence[str] = (), user: int | None = None) -> Ended:
        """Run the script to its end."""
        return self.ended(self.start(*words, wrapped=wrapped, user=user))

    def ended(self, process: subprocess.Popen[str]) -> Ended:
        """Wait for a run."""
        output, _unused = process.communicate(timeout=SECONDS)
        return Ended(process.returncode, [self.short(line) for line in output.splitlines()], self.files())

    def short(self, line: str) -> str:
        """Return a line without what differs from run to run."""
        named = line.replace(str(self.folder), "FOLDER").replace(str(self.kubernetes), "NODE")
        return STATUS_OF_SNAPSHOT.sub("{STATUS}", STAMP.sub("TIME", named))

    def files(self) -> dict[str, str]:
        """Return the files of the folder, each with its mode."""
        if not self.folder.is_dir():
            return {}
        found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in self.folder.iterdir()}
        return {STAMP.sub("TIME", name): f"{mode:o}" for name, mode in sorted(found.items())}

    def archived(self) -> list[str]:
        """Return which files lie in the archive of the resources."""
        (archive,) = self.folder.glob("static_kuberesources_*")
        with tarfile.open(archive) as opened:
            return sorted(one.name for one in opened.getmembers() if one.isfile())


class UpstreamNode(BackupNode):
    """The same with the script of the cluster-etcd-operator."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        given = os.environ.get(VARIABLE)
        if not given:
            pytest.skip(f"{VARIABLE} names no folder with {SCRIPT} and {TOOLS}")
        for name, place in ((SCRIPT, root / "upstream"), (TOOLS, self.kubernetes / SCRIPTS)):
            place.mkdir(exist_ok=True)
            text = Path(given, name).read_text().replace("/etc/kubernetes", str(self.kubernetes))
            (place / name).write_text(text)
        (root / "bin").mkdir()
        for name, source in (("oc", OC), ("etcdctl", ETCDCTL)):
            program = root / "bin" / name
            known = self.program.with_name("cluster-backup.json")
            program.write_text(source.format(python=sys.executable, settings=str(known)))
            program.chmod(0o755)
        self.set_up()

    def command(self, *words: str) -> list[str]:
        bash = shutil.which("bash")
        assert bash is not None
        return [bash, str(self.root / "upstream" / SCRIPT), *words]
