# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The wheels of a kit: downloaded with pip for each Python and architecture, pinned by their digests."""

from __future__ import annotations

import re
import sys
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import KitError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.kit.kit_folder import sha256_of
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_lock import (
    KitLock,
    KitTarget,
    LockedWheel,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_requirements import (
    Requested,
    WheelMetadata,
    requested,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.copies import copy_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.scratch import scratch_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock, ProgressReporter

SECONDS = 1800.0
"""For one download: a slow network is no reason to fail, an endless one is."""
GLIBC = range(5, 29)
"""Wheels for glibc 2.5 to 2.28, that of RHEL 8: a laptop has this or a later one (PEP 600)."""
_ROUNDS = 20
_METADATA = re.compile(r"[^/]+\.dist-info/METADATA")


class WheelStore:
    """The wheels in ``folder``, downloaded by pip of the Python that runs this; ``settings`` are its variables."""

    def __init__(self, folder: Path, settings: Mapping[str, str], clock: Clock) -> None:
        self._folder = folder
        self._settings = settings
        self._host = Host(clock)

    def resolve(self, requirements: Sequence[str], targets: Sequence[KitTarget], progress: ProgressReporter) -> KitLock:
        """Download the newest wheels that fulfil ``requirements`` on each of ``targets``, and return their lock.

        Raises KitError where no set of wheels is found, and what ``Host.run`` raises.
        """
        found: dict[str, LockedWheel] = {}
        for number, target in enumerate(targets):
            progress.report(f"downloading wheels for Python {target.python} on {target.machine}")
            progress.report(done=number, total=len(targets), unit="platforms")
            for wheel in self._resolve_one(requirements, target):
                known = found.get(wheel.file, replace(wheel, targets=()))
                found[wheel.file] = replace(known, targets=(*known.targets, target))
        return KitLock(tuple(requirements), tuple(targets), tuple(found[name] for name in sorted(found)))

    def restore(self, lock: KitLock) -> list[str]:
        """Download what of ``lock`` is missing or damaged, and return the names; raise KitError for other bytes."""
        gone = [wheel for wheel in lock.wheels if not self._has(wheel)]
        for wheel in gone:
            remove_file(self._folder / wheel.file)
            self._download([f"{wheel.name}=={wheel.version}"], wheel.targets[0], self._folder)
            if not self._has(wheel):
                raise KitError(
                    "restore a wheel of the kit",
                    on=wheel.file,
                    seen="the package index has no file of this name with the pinned digest",
                    advice="Restore the file from a copy of the kit, or build the kit with refreshed wheels.",
                )
        return [wheel.file for wheel in gone]

    def _has(self, wheel: LockedWheel) -> bool:
        path = self._folder / wheel.file
        return path.exists() and sha256_of(path) == wheel.sha256

    def _resolve_one(self, requirements: Sequence[str], target: KitTarget) -> list[LockedWheel]:
        wheels: dict[str, tuple[Path, WheelMetadata]] = {}
        fetched: Requested = {}
        for _round in range(_ROUNDS):
            wanted = requested(requirements, {name: known for name, (_path, known) in wheels.items()}, target)
            changed = {name: one for name, one in wanted.items() if _specifier(fetched, name) != one[0]}
            if not changed:
                return [_locked(path, known, target) for name, (path, known) in wheels.items() if name in wanted]
            paths = self._fetch([f"{name}{specifier}" for name, (specifier, _extras) in changed.items()], target)
            wheels.update({known.name: (path, known) for path, known in map(_read, paths)})
            fetched = {**fetched, **changed}
        raise KitError(
            "find wheels that fit together",
            on=f"Python {target.python} on {target.machine}",
            seen=f"the requirements of {', '.join(sorted(changed))} changed with each of {_ROUNDS} downloads",
            advice="Narrow the requirement of one of these packages.",
        )

    def _fetch(self, packages: Sequence[str], target: KitTarget) -> list[Path]:
        """Download packages without what they require into the folder, and return their wheels."""
        with scratch_directory() as scratch:
            self._download(packages, target, scratch)
            found = sorted(scratch.glob("*.whl"))
            for wheel in found:
                copy_file(wheel, self._folder / wheel.name)
        return [self._folder / wheel.name for wheel in found]

    def _download(self, packages: Sequence[str], target: KitTarget, folder: Path) -> None:
        words = ["--only-binary", ":all:", "--no-deps", "--implementation", "cp", "--python-version", target.python]
        words += [word for name in _platforms(target.machine) for word in ("--platform", name)]
        self._host.run(
            [
                sys.executable,
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-input",
                *words,
                "--dest",
                str(folder),
                *packages,
            ],
            deadline=Deadline(SECONDS, self._host.clock),
            env=self._settings,
        )


def pip_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables with which a user has configured pip: package index, credentials, certificates."""
    return {name: value for name, value in environment.items() if name.startswith("PIP_")}


def _platforms(machine: str) -> list[str]:
    """Return the names of platforms whose wheels run on ``machine``; pip adds those of older names itself."""
    return [*(f"manylinux_2_{minor}_{machine}" for minor in reversed(GLIBC)), f"manylinux2014_{machine}"]


def _specifier(known: Requested, name: str) -> str | None:
    return known[name][0] if name in known else None


def _read(path: Path) -> tuple[Path, WheelMetadata]:
    """Return a wheel with what it says of itself; raise KitError for a damaged one."""
    try:
        with zipfile.ZipFile(path) as archive:
            (name,) = (each for each in archive.namelist() if _METADATA.fullmatch(each))
            return path, WheelMetadata.parse(archive.read(name).decode())
    except (zipfile.BadZipFile, ValueError) as error:
        raise KitError(
            "read a wheel",
            on=str(path),
            seen=str(error) or "it has no metadata",
            advice="Remove the file and build the kit again.",
        ) from error


def _locked(path: Path, known: WheelMetadata, target: KitTarget) -> LockedWheel:
    return LockedWheel(known.name, known.version, path.name, sha256_of(path), (target,))
