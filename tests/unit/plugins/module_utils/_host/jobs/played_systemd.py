# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A small actor for systemd where it is not process 1: real processes, and the answers that systemd 252 gave.

It copies: ``systemd-run`` looks up the program, expands "$$", and starts the command with the given environment and
standard input; a collected unit is unknown once it has ended; stop sends SIGTERM to all processes of the unit.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import typing as t
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError, CommandResult
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host


@dataclass
class PlayedUnit:
    argv: list[str]
    options: dict[str, list[str]]

    def __post_init__(self) -> None:
        stdin = self.properties.get("StandardInput", "file:/dev/null").partition(":")[2]
        variables = dict(pair.split("=", 1) for pair in self.options.get("--setenv", []))
        with Path(stdin).open("rb") as source:
            self.process = subprocess.Popen(
                [word.replace("$$", "$") for word in self.argv],
                stdin=source,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={"PATH": os.environ["PATH"], **variables},
                cwd=self.properties.get("WorkingDirectory", "/"),
                start_new_session=True,
            )

    @property
    def properties(self) -> dict[str, str]:
        return dict(pair.split("=", 1) for pair in self.options.get("--property", []))

    def kill(self, number: int) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)

    def shown(self) -> str:
        if self.process.poll() is None:
            return "LoadState=loaded\nActiveState=active\n"
        return "LoadState=not-found\nActiveState=inactive\n"


@dataclass(frozen=True)
class SystemdHost(Host):
    """A host on which systemd is in charge, whose /run is a directory of the test."""

    run_directory: Path = Path("/nonexistent")
    units: dict[str, PlayedUnit] = field(default_factory=dict)
    calls: list[list[str]] = field(default_factory=list)

    def path(self, absolute: str | PurePosixPath) -> Path:
        below = PurePosixPath(absolute)
        inside_run = below.parts[:2] == ("/", "run")
        return self.run_directory.joinpath(*below.parts[2:]) if inside_run else super().path(absolute)

    def run(self, argv: Sequence[str], *, ok: Sequence[int] | None = (0,), **given: t.Any) -> CommandResult:
        self.calls.append(list(argv))
        played = {"systemd-run": self._systemd_run, "systemctl": self._systemctl}
        if argv[0] not in played:
            return super().run(argv, ok=ok, **given)
        rc, stdout, stderr = played[argv[0]](list(argv[1:]))
        result = CommandResult(tuple(argv), rc, stdout, stderr, 0.0)
        if ok is not None and rc not in ok:
            raise CommandError(result)
        return result

    def end(self) -> None:
        for unit in self.units.values():
            unit.kill(signal.SIGKILL)
            unit.process.wait()

    def _systemd_run(self, words: list[str]) -> tuple[int, str, str]:
        separator = words.index("--")
        options: dict[str, list[str]] = {}
        for word in words[:separator]:
            name, _equals, value = word.partition("=")
            options.setdefault(name, []).append(value)
        argv = words[separator + 1 :]
        if shutil.which(argv[0]) is None:
            return 1, "", f"Failed to find executable {argv[0]}: No such file or directory\n"
        self.units[options["--unit"][0]] = PlayedUnit(argv, options)
        return 0, "", ""

    def _systemctl(self, words: list[str]) -> tuple[int, str, str]:
        verb = words[0]
        unit = next((self.units[word] for word in words if word in self.units), None)
        if unit is None:
            missing = "LoadState=not-found\nActiveState=inactive\n"
            return (0, missing, "") if verb == "show" else (5, "", "not loaded")
        if verb == "stop":
            unit.kill(signal.SIGTERM)
        if verb == "kill":
            unit.kill(signal.SIGKILL)
        return 0, unit.shown() if verb == "show" else "", ""
