# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The real skopeo, for tests."""

from __future__ import annotations

import json
import os
import subprocess
import typing as t
from collections.abc import Sequence
from pathlib import Path

ACCEPT_ANYTHING = {"default": [{"type": "insecureAcceptAnything"}]}


class Skopeo:
    """Runs skopeo with configuration files of its own, so that nothing of the machine's is read."""

    def __init__(self, directory: Path, command: Sequence[str | Path]) -> None:
        self.command = command
        self.directory = directory
        directory.mkdir()
        self.policy(ACCEPT_ANYTHING)
        self.rules("")
        (directory / "registries.d").mkdir()
        (directory / "home").mkdir()

    def policy(self, document: dict[str, t.Any]) -> None:
        """Set what is accepted (containers-policy.json(5))."""
        (self.directory / "policy.json").write_text(json.dumps(document))

    def rules(self, registries_conf: str) -> None:
        """Set where names lead (containers-registries.conf(5))."""
        (self.directory / "registries.conf").write_text(registries_conf)

    def run(self, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run it, however it ends."""
        here = self.directory
        options: list[str | Path] = ["--policy", here / "policy.json", "--registries-conf", here / "registries.conf"]
        options += ["--registries.d", here / "registries.d", "--tmpdir", here]
        return subprocess.run(
            [*self.command, *options, *map(str, arguments)],
            env={"PATH": os.environ["PATH"], "HOME": str(here / "home"), **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def ok(self, *arguments: object, **environment: str) -> str:
        """Return what it prints when it succeeds, as it must."""
        done = self.run(*arguments, **environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def failure(self, *arguments: object, **environment: str) -> str:
        """Return what it complains of when it fails, as it must."""
        done = self.run(*arguments, **environment)
        assert done.returncode != 0, done.stdout
        return done.stderr
