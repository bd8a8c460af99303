# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a kit becomes on a laptop: a virtual environment, the collection and a configuration in one folder.

``installed.json`` is written last and removed first: without it, whatever else is there is made again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import typing as t
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import KitError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.kit.kit_folder import (
    ARCHIVE,
    LOCK,
    WHEELS,
    KitFolder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_lock import (
    KitLock,
    pip_requirements,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_python import Interpreter
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandResult
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory, remove_tree
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import (
    read_file,
    read_json,
    remove_file,
    write_file,
    write_json,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import RUN_MARKER, Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.locks import locked
from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import kill_marked_processes
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import WrongContentError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

SECONDS = 1800.0
_ENDING_SECONDS = 30.0
STAMP, MARK, CONFIGURATION, INVENTORY = "installed.json", ".kit.lock", "ansible.cfg", "site.cluster_nodes.yml"
EXAMPLES = "ansible_collections/fieldops/openshift/docs/examples"
OWN_DEFAULTS = f"[defaults]\ncollections_path = collections\ninventory = {INVENTORY}\n"
_LARGEST = 1024 * 1024 * 1024
_PROOF = ("fieldops.openshift.update_site", "--syntax-check", "-i", "localhost,")
"""What an installation has to be able to do."""


@dataclass(frozen=True)
class Installation:
    """The installation in ``folder`` of a kit whose files were found to have the digests ``sums``."""

    kit: KitFolder
    sums: Mapping[str, str]
    folder: Path
    clock: Clock

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keep the folder to this process; raise KitError for a folder that holds something else."""
        mark = self.folder / MARK
        if not self.folder.exists():
            ensure_directory(self.folder)
        with explained("list the directory", self.folder):
            is_foreign = not mark.exists() and any(self.folder.iterdir())
        if is_foreign:
            raise KitError(
                "install the kit",
                on=str(self.folder),
                seen="the folder contains files of something else",
                advice="Specify a new folder. Nothing was installed.",
            )
        with locked(mark, Deadline(0, self.clock)):
            # What an installer that was killed has started may still write to the folder.
            kill_marked_processes(self._mark(), Deadline(_ENDING_SECONDS, self.clock))
            yield

    def verified_lock(self) -> t.Any:
        """Return the document of the pinned wheels."""
        return json.loads(self._verified(LOCK))

    def is_complete(self, python: Interpreter) -> bool:
        """Whether all of this kit is installed with ``python``, and works."""
        if read_json(self.folder / STAMP) != self._stamp(python):
            return False
        try:
            self._prove()
        except FieldOpsError:
            return False
        return True

    def install(self, python: Interpreter, lock: KitLock) -> None:
        """Install all of the kit; what an earlier installation left is replaced, the configuration excepted."""
        remove_file(self.folder / STAMP)
        for name in ("venv", "collections", "bootstrap"):
            remove_tree(self.folder / name)
        ensure_directory(self.folder / "bootstrap")
        self._make_environment(python, lock)
        self._install_collection()
        self._prove()
        remove_tree(self.folder / "bootstrap")
        write_json(self.folder / STAMP, self._stamp(python))

    def _make_environment(self, python: Interpreter, lock: KitLock) -> None:
        """Make the virtual environment with pip out of its own wheel: not every laptop has ensurepip."""
        wheels = lock.of(python.target)
        pip = self._copied(f"{WHEELS}/{next(wheel.file for wheel in wheels if wheel.name == 'pip')}")
        requirements = self.folder / "bootstrap" / "requirements.txt"
        write_file(requirements, pip_requirements(wheels))
        self._run([python.path, "-m", "venv", "--without-pip", str(self.folder / "venv")])
        words = ["--isolated", "--no-input", "--disable-pip-version-check", "--no-cache-dir", "--quiet"]
        words += ["--no-index", "--find-links", str(self.kit.path / WHEELS), "--only-binary", ":all:"]
        self._run(
            [self._program("python"), str(pip / "pip"), "install", *words, "--require-hashes", "-r", str(requirements)]
        )

    def _install_collection(self) -> None:
        archive = self._copied(next(name for name in self.sums if ARCHIVE.fullmatch(name)))
        collections = self.folder / "collections"
        options = ["--offline", "--no-deps", "--force", "--collections-path", str(collections)]
        self._run([self._program("ansible-galaxy"), "collection", "install", str(archive), *options])
        for name in (CONFIGURATION, INVENTORY):
            if not (self.folder / name).exists():
                shipped = (read_file(collections / EXAMPLES / name) or b"").decode()
                write_file(self.folder / name, shipped.replace("[defaults]\n", OWN_DEFAULTS, 1))

    def _prove(self) -> None:
        self._run([self._program("ansible-playbook"), *_PROOF])

    def _stamp(self, python: Interpreter) -> dict[str, str]:
        kit = hashlib.sha256(json.dumps(dict(self.sums), sort_keys=True).encode()).hexdigest()
        return {"kit": kit, "python": python.path, "version": python.version}

    def _mark(self) -> str:
        return f"kit-{hashlib.sha256(str(self.folder).encode()).hexdigest()[:16]}"

    def _program(self, name: str) -> str:
        return str(self.folder / "venv" / "bin" / name)

    def _run(self, argv: list[str]) -> CommandResult:
        environment = {
            "ANSIBLE_CONFIG": str(self.folder / CONFIGURATION),
            "ANSIBLE_COLLECTIONS_PATH": str(self.folder / "collections"),
            "ANSIBLE_HOME": str(self.folder / ".ansible"),
            "PIP_CONFIG_FILE": "/dev/null",
            RUN_MARKER: self._mark(),
        }
        return Host(self.clock).run(argv, deadline=Deadline(SECONDS, self.clock), env=environment)

    def _copied(self, name: str) -> Path:
        """Return a copy of a file of the kit: what is executed or unpacked has to be what was verified."""
        path = self.folder / "bootstrap" / Path(name).name
        write_file(path, self._verified(name), durable=False)
        return path

    def _verified(self, name: str) -> bytes:
        content = read_file(self.kit.path / name, limit=_LARGEST)
        if content is None or hashlib.sha256(content).hexdigest() != self.sums.get(name):
            raise WrongContentError(
                "read the kit",
                on=str(self.kit.path / name),
                seen="the file changed after it was verified",
                advice="Check the drive, and run the same command again.",
            )
        return content
