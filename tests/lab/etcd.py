# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lab's database: one etcd member, reached through a socket in a private directory."""

from __future__ import annotations

import shutil
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.lab.workspace import LeashedProcess, Workspace

NOWHERE = "http://127.0.0.1:0"  # a single member has no peers: any free port


class Etcd:
    """A running etcd whose data lies in the workspace."""

    def __init__(self, workspace: Workspace, template: Path | None = None) -> None:
        self.data = workspace.directory / "etcd"
        self.url = f"unix://{workspace.directory}/etcd.sock"
        if template:
            shutil.copytree(template, self.data)
        self._workspace = workspace
        self.process = self.start()

    def start(self) -> LeashedProcess:
        """Start the server; an API server that connects too early tries again by itself."""
        command: list[str | Path] = [
            program("etcd"),
            "--name=lab",
            f"--data-dir={self.data}",
            "--log-level=warn",
            "--unsafe-no-fsync",
        ]
        command += [f"--listen-client-urls={self.url}", f"--advertise-client-urls={NOWHERE}"]
        command += [f"--listen-peer-urls={NOWHERE}", f"--initial-advertise-peer-urls={NOWHERE}"]
        command += [f"--initial-cluster=lab={NOWHERE}"]
        self.process = self._workspace.start("etcd", command)
        return self.process
