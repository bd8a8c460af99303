# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The wheels of a kit, pinned: which file with which digest is installed by which Python on which machine."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

KIND = "FieldOpsKit"
SCHEMA_VERSION = 1


@dataclass(frozen=True, order=True)
class KitTarget:
    """A CPython such as ``3.12`` on Linux of an architecture such as ``x86_64``."""

    python: str
    machine: str

    def __str__(self) -> str:
        return f"{self.python}-{self.machine}"

    @classmethod
    def parse(cls, text: str) -> KitTarget:
        """Return the target that ``str`` has written as ``text``."""
        python, _dash, machine = text.partition("-")
        return cls(python, machine)

    @property
    def minor(self) -> int:
        """Return the second part of the version, by which targets are ordered."""
        return int(self.python.partition(".")[2])


@dataclass(frozen=True)
class LockedWheel:
    """A wheel: ``sha256`` is in hexadecimal digits, ``targets`` install it."""

    name: str
    version: str
    file: str
    sha256: str
    targets: tuple[KitTarget, ...]


@dataclass(frozen=True)
class KitLock:
    """All wheels of a kit, made for ``requirements`` on ``targets``."""

    requirements: tuple[str, ...]
    targets: tuple[KitTarget, ...]
    wheels: tuple[LockedWheel, ...]

    def of(self, target: KitTarget) -> list[LockedWheel]:
        """Return the wheels that a target installs."""
        return [wheel for wheel in self.wheels if target in wheel.targets]

    def is_for(self, requirements: Iterable[str], targets: Iterable[KitTarget]) -> bool:
        """Whether it was made for the same."""
        return (self.requirements, self.targets) == (tuple(requirements), tuple(targets))

    def as_document(self) -> dict[str, t.Any]:
        """Return the JSON document of the lock."""
        return {
            "kind": KIND,
            "schemaVersion": SCHEMA_VERSION,
            "requirements": list(self.requirements),
            "targets": [str(target) for target in self.targets],
            "wheels": [
                {
                    "name": wheel.name,
                    "version": wheel.version,
                    "file": wheel.file,
                    "sha256": wheel.sha256,
                    "targets": [str(target) for target in wheel.targets],
                }
                for wheel in sorted(self.wheels, key=lambda wheel: wheel.file)
            ],
        }

    @classmethod
    def from_document(cls, document: t.Any) -> KitLock:
        """Return the lock in ``document``; raise InvalidInputError for anything else."""
        try:
            if (document["kind"], document["schemaVersion"]) != (KIND, SCHEMA_VERSION):
                raise ValueError(f"its kind is {document['kind']!r}, version {document['schemaVersion']!r}")
            return cls(
                tuple(map(str, document["requirements"])),
                _targets(document["targets"]),
                tuple(_wheel(each) for each in document["wheels"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidInputError(
                "read the lock of a kit",
                on="kit.json",
                seen=f"{type(error).__name__}: {error}",
                advice="Use a kit of this version of the collection, or build it again in an empty folder.",
            ) from error


def pip_requirements(wheels: Iterable[LockedWheel]) -> str:
    """Return the wheels as pip reads them with ``--require-hashes``."""
    return "".join(f"{wheel.name}=={wheel.version} --hash=sha256:{wheel.sha256}\n" for wheel in wheels)


def _targets(texts: Iterable[str]) -> tuple[KitTarget, ...]:
    return tuple(KitTarget.parse(text) for text in texts)


def _wheel(document: t.Any) -> LockedWheel:
    name, version, file, sha256 = (str(document[key]) for key in ("name", "version", "file", "sha256"))
    if "/" in file or not file.endswith(".whl"):
        raise ValueError(f"{file!r} is not the name of a wheel")
    return LockedWheel(name, version, file, sha256, _targets(document["targets"]))
