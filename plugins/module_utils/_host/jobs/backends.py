# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The interface of a method to run a job outside this process, and how all of them start Python."""

from __future__ import annotations

import os
import sys
import typing as t
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs import child
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.directory import JobDirectory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.io_limits import IoLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import JobRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._host.locks import FileLock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError

_Seen = t.TypeVar("_Seen")

POLL_SECONDS = 0.05
"""Seconds between the first checks of a wait."""

LOOKS = 20
"""A check comes after this part of the time that the wait has taken so far."""

ENTRY = f"""
import os, sys, types
directory, lock, detach, *roots = sys.argv[1:]
if detach == "detach":
    if os.fork():
        os._exit(0)
    os.setsid()
package = types.ModuleType("ansible_collections")
package.__path__ = [os.path.join(root, "ansible_collections") for root in roots]
sys.modules["ansible_collections"] = package
sys.path[:0] = roots
from {child.__name__} import main
main(directory, lock)
"""
"""The program of a job's interpreter. The package is created manually because a regular package of that name elsewhere,
such as the one that the ansible distribution installs, would hide the collections below ``roots``."""


@dataclass(frozen=True)
class Launch:
    """All that a backend needs to start a run: ``life`` is the job's lock, already held.

    ``limits`` are kept where systemd runs the job.
    """

    job: JobDirectory
    request: JobRequest
    roots: tuple[Path, ...]
    handover: child.Handover
    life: FileLock
    limits: IoLimits | None = None


@dataclass(frozen=True)
class Observation:
    """What a backend sees of a run whose life lock is free: whether it is still alive."""

    is_alive: bool
    seen: str = ""


class JobBackend(t.Protocol):
    """A method to run a job so that it outlives this process and everything that is killed with it."""

    name: str

    def unit(self, request: JobRequest) -> str | None:
        """Return the name of the unit that a run of ``request`` gets, None where there are no units."""

    def launch(self, launch: Launch, *, deadline: Deadline) -> None:
        """Start the run; it may not have started when this returns."""

    def observe(self, job: JobDirectory, status: JobStatus, *, deadline: Deadline) -> Observation:
        """Look at the run of ``status``."""

    def stop(self, job: JobDirectory, status: JobStatus, *, grace: float, deadline: Deadline) -> bool:
        """Send SIGTERM to all processes of the run, kill them after ``grace`` seconds; return whether all are gone."""

    def forget(self, status: JobStatus, *, deadline: Deadline) -> None:
        """Remove what is kept of a run outside its directory; called for ended runs, any number of times."""


def child_argv(launch: Launch, *, lock: str, detach: bool) -> list[str]:
    """Return the command that starts the job's interpreter, isolated from PYTHON* variables and the user's site."""
    if not sys.executable:
        raise MissingRequirementError(
            "start a job",
            on="this host",
            seen="Python does not know its own path",
            advice="Set ansible_python_interpreter.",
        )
    how = "detach" if detach else "stay"
    return [sys.executable, "-I", "-c", ENTRY, os.fspath(launch.job.path), lock, how, *map(os.fspath, launch.roots)]


def watch(look: Callable[[], _Seen], is_enough: Callable[[_Seen], bool], deadline: Deadline) -> _Seen:
    """Return what ``look`` sees as soon as it ``is_enough``, or what it saw last at ``deadline``.

    The longer it takes, the less often it looks: on a slow host, looking slows down the work that is watched.
    """
    began = deadline.elapsed
    while True:
        seen = look()
        if is_enough(seen) or deadline.expired:
            return seen
        deadline.pause(max(POLL_SECONDS, (deadline.elapsed - began) / LOOKS))


def wait_until(condition: Callable[[], bool], deadline: Deadline) -> bool:
    """Return whether ``condition`` came true before ``deadline``."""
    return watch(condition, bool, deadline)
