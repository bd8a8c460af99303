# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The program rpm-ostree, for hosts of the lab: status, rebase, upgrade, rollback and the like, really deployed.

Copies coreos/rpm-ostree: the document of ``rpm-ostree status --json`` (rust/src/client.rs, src/daemon/
rpmostreed-deployment-utils.cxx), the verbs of src/app (rpmostree-builtin-rebase.cxx, -upgrade, -rollback, -cleanup,
-kargs, -uninstall: exit status 77 for nothing new, none for rebase) and its messages. Not copied: the content of
packages, the daemon and its transactions. It shares the staged deployment with bootc, as both share ostree's; see
``bootc_machine.py``, which it needs in its own folder. ``tests/integration/lab/test_rpm_ostree_conformance.py`` holds
it to the machine-config daemon's client.
"""

from __future__ import annotations

import argparse
import json
import sys
import typing as t
from datetime import datetime

if t.TYPE_CHECKING or __package__:
    from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_images import Images
    from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_machine import (
        ActorError,
        Deployment,
        Machine,
        Staged,
        origin_text,
        origin_value,
        reference_of,
    )
else:
    from bootc_images import Images
    from bootc_machine import (
        ActorError,
        Deployment,
        Machine,
        Staged,
        origin_text,
        origin_value,
        reference_of,
    )

UNCHANGED = 77
SINCE_REVISION = (2025, 7)
"""Since when a digest may stand beside the name of a container image (rpmostreed-transaction-types.cxx)."""
VERSION = "rpm-ostree:\n Version: '{}'\n Git: 0000\n Features:\n  - rust\n  - compose\n  - container\n"
"""YAML (src/app/libmain.cxx); by its features the machine-config daemon decides how to rebase."""
VERBS = ("status", "rebase", "upgrade", "rollback", "uninstall", "cleanup", "kargs")
Json = dict[str, t.Any]


class Program:
    """The verbs of rpm-ostree."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.images = Images(machine)

    @property
    def version(self) -> tuple[int, ...]:
        return tuple(int(part) for part in self.version_text.split("."))

    @property
    def version_text(self) -> str:
        return str(self.machine.config.get("rpm_ostree_version", "2026.5"))

    def document(self) -> Json:
        """Return the status document: the deployments in boot order, a staged one first."""
        booted = self._booted()
        staged = self.machine.staged()
        found = [self._entry(staged, booted)] if staged else []
        found += [self._entry(one, booted) for one in self.machine.deployments()]
        driver = self.machine.config.get("update_driver")
        return {"deployments": found, "transaction": None, "cached-update": None, "update-driver": driver}

    def _booted(self) -> Deployment:
        booted = self.machine.booted()
        if booted is None:
            raise ActorError("This system was not booted via libostree; cannot operate")
        return booted

    def _entry(self, one: Deployment | Staged, booted: Deployment) -> Json:
        refspec = origin_value(one.origin, "container-image-reference")
        record = self.machine.image(one.checksum) or {}
        found: Json = {
            "osname": one.stateroot,
            "checksum": one.checksum,
            "serial": one.serial,
            "id": f"{one.stateroot}-{one.checksum}.{one.serial}",
            "booted": isinstance(one, Deployment) and one.name == booted.name,
            "staged": isinstance(one, Staged),
            "pinned": False,
            "unlocked": "none",
            "version": record.get("version"),
            "timestamp": _epoch(record.get("timestamp")),
            "requested-packages": layered_packages(one.origin),
            "requested-local-packages": [],
            "requested-base-removals": [],
            "requested-base-local-replacements": [],
            "regenerate-initramfs": False,
        }
        if isinstance(one, Staged):
            found["finalization-locked"] = one.locked
        if refspec:
            found["container-image-reference"] = refspec
            found["container-image-reference-digest"] = record.get("digest")
        else:
            found["origin"] = "local"
        return found

    def status(self, options: argparse.Namespace) -> int:
        """Print the document."""
        document = self.document()
        names = [one.get("container-image-reference", "local") for one in document["deployments"]]
        text = "".join(f"  {name}\n" for name in names)
        sys.stdout.write(json.dumps(document, indent=2) if options.json else f"State: idle\nDeployments:\n{text}")
        return 0

    def rebase(self, options: argparse.Namespace) -> int:
        """Stage another image; the same one again is staged again."""
        self._require_driver(options)
        return self._stage(options.refspec, options.revision, locked=options.lock_finalization)

    def _require_driver(self, options: argparse.Namespace) -> None:
        driver = self.machine.config.get("update_driver")
        if driver and not options.bypass_driver:
            raise ActorError(
                f"Updates and deployments are driven by {driver}\n"
                "See man rpm-ostree for how to bypass it with --bypass-driver"
            )

    def _stage(self, refspec: str, revision: str | None, *, locked: bool) -> int:
        booted = self._booted()
        reference = reference_of(refspec)
        image, transport = reference["image"], reference["transport"]
        if self.machine.has_fault("switch"):
            raise ActorError("Pulling: registry.example: connection refused")
        if revision and self.version < SINCE_REVISION:
            raise ActorError("Cannot look up version while tracking a container image reference")
        pulled = f"{image}@{revision}" if revision else image
        commit, digest, _is_news = self.images.pull(pulled, transport)
        if revision and digest != revision:
            raise ActorError(f"Digest mismatch: expected {revision}, found {digest}")
        # What is layered stays, on top of the other image.
        origin = with_packages(origin_text(refspec), layered_packages(self._base().origin))
        staged = Staged(booted.stateroot, commit, list(booted.kargs), origin, locked)
        self.machine.stage(staged)
        sys.stdout.write("Staging deployment...done\n")
        return 0

    def upgrade(self, options: argparse.Namespace) -> int:
        """Stage what the tag names now."""
        self._require_driver(options)
        current = self.document()["deployments"][0]
        refspec = current.get("container-image-reference")
        if not refspec:
            raise ActorError("No upgrade source")
        reference = reference_of(refspec)
        digest, _config = self.images.digest(reference["image"], reference["transport"])
        if digest == current["container-image-reference-digest"]:
            sys.stdout.write("No upgrade available.\n")
            return UNCHANGED if options.unchanged_exit_77 else 0
        return self._stage(refspec, None, locked=False)

    def _base(self) -> Deployment | Staged:
        """Return the pending deployment, else the booted one, which changes start from (rpmostree-sysroot-upgrader)."""
        return self.machine.staged() or self.machine.deployments()[0]

    def uninstall(self, options: argparse.Namespace) -> int:
        """Stage the same image without some of the packages that are layered."""
        self._booted()
        base = self._base()
        present = layered_packages(base.origin)
        unknown = [name for name in options.package if name not in present]
        if unknown:
            raise ActorError(f"Package/capability '{unknown[0]}' is not currently requested")
        image = origin_text(origin_value(base.origin, "container-image-reference"))
        origin = with_packages(image, [name for name in present if name not in options.package])
        self.machine.stage(Staged(base.stateroot, base.checksum, list(base.kargs), origin))
        sys.stdout.write("Staging deployment...done\n")
        return 0

    def rollback(self, _options: argparse.Namespace) -> int:
        """Toggle between the booted and the other deployment."""
        self._booted()
        if len(self.machine.deployments()) < 2:
            raise ActorError("No rollback deployment found")
        self.machine.unstage()
        self.machine.swap()
        sys.stdout.write("Moving to be first deployment\n")
        return 0

    def cleanup(self, options: argparse.Namespace) -> int:
        """Remove what is staged (-p), or the rollback deployment (-r)."""
        if options.pending:
            self.machine.unstage()
        if options.pending and self.machine.is_rollback_queued():
            # Whatever boots before the booted deployment is pending (rpmostree_syscore_filter_deployments).
            self.machine.ostree("admin", "undeploy", "0")
        if options.rollback and len(self.machine.deployments()) > 1:
            self.machine.ostree("admin", "undeploy", "1")
        return 0

    def kargs(self, options: argparse.Namespace) -> int:
        """Print the kernel arguments of the next boot, or stage others."""
        self._booted()
        staged, base = self.machine.staged(), self._base()
        present = list(base.kargs)
        asked = (options.delete, options.delete_if_present, options.append, options.append_if_missing)
        if not any(asked):
            sys.stdout.write(" ".join(present) + "\n")
            return 0
        words = changed_arguments(present, options)
        if words == present:
            sys.stdout.write("No changes.\n")
            return UNCHANGED if options.unchanged_exit_77 else 0
        if self.machine.has_fault("kargs"):
            raise ActorError("Kernel arguments: Read-only file system")
        locked = bool(staged and staged.locked)
        self.machine.stage(Staged(base.stateroot, base.checksum, words, base.origin, locked))
        sys.stdout.write('Kernel arguments updated.\nRun "systemctl reboot" to start a reboot\n')
        return 0


def changed_arguments(present: list[str], options: argparse.Namespace) -> list[str]:
    """Return kernel arguments after a change: first what goes, then what comes (rpmostreed-transaction-types.cxx).

    ``--delete`` of what is not there is an error (libostree, ostree_kernel_args_delete); ``--append`` may repeat.
    """
    words = list(present)
    for word in options.delete:
        if word not in words:
            raise ActorError(f"No karg '{word}' found")
        words.remove(word)
    words = [*(word for word in words if word not in options.delete_if_present), *options.append]
    return [*words, *(word for word in options.append_if_missing if word not in words)]


def layered_packages(origin: str) -> list[str]:
    """Return what the group ``packages`` of an origin file requests (rust/src/origin.rs)."""
    _before, found, rest = origin.partition("[packages]\n")
    return [name for name in (origin_value(rest, "requested") or "").split(";") if name] if found else []


def with_packages(origin: str, packages: list[str]) -> str:
    """Return an origin file that requests ``packages``."""
    return f"{origin}[packages]\nrequested={';'.join(packages)};\n" if packages else origin


def _epoch(timestamp: str | None) -> int:
    return int(datetime.fromisoformat(timestamp.replace("Z", "+00:00")).timestamp()) if timestamp else 0


class _Words(argparse.ArgumentParser):
    """Refuses words as GLib's option parser and src/app/libmain.cxx do."""

    def parse_args(self, args: t.Any = None, namespace: t.Any = None) -> t.Any:
        found, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self.error(f"Unknown option {unknown[0]}")
        return found

    def error(self, message: str) -> t.NoReturn:
        self.exit(1, f"error: {message}\n")


def parser() -> argparse.ArgumentParser:
    """Return what understands the words that rpm-ostree does (src/app/rpmostree-builtin-*.cxx)."""
    made = _Words("rpm-ostree", allow_abbrev=False)
    made.add_argument("--version", action="store_true")
    verbs = made.add_subparsers(dest="verb")
    verbs.add_parser("status").add_argument("--json", action="store_true")
    rebase, upgrade = verbs.add_parser("rebase"), verbs.add_parser("upgrade")
    for one in (rebase, upgrade):
        one.add_argument("--bypass-driver", action="store_true")
        one.add_argument("--unchanged-exit-77", action="store_true")
    rebase.add_argument("--experimental", action="store_true")
    rebase.add_argument("--lock-finalization", action="store_true")
    rebase.add_argument("refspec")
    rebase.add_argument("revision", nargs="?")
    verbs.add_parser("rollback")
    verbs.add_parser("uninstall").add_argument("package", nargs="+")
    cleanup = verbs.add_parser("cleanup")
    cleanup.add_argument("-p", "--pending", action="store_true")
    cleanup.add_argument("-r", "--rollback", action="store_true")
    kargs = verbs.add_parser("kargs")
    for name in ("--append", "--append-if-missing", "--delete", "--delete-if-present"):
        kargs.add_argument(name, action="append", default=[])
    kargs.add_argument("--unchanged-exit-77", action="store_true")
    return made


def main(words: list[str]) -> int:
    """Be rpm-ostree."""
    verbs = [word for word in words if not word.startswith("-")]
    if "--version" not in words and (not verbs or verbs[0] not in VERBS):
        said = f"Unknown command '{verbs[0]}'" if verbs else "No command specified"
        sys.stderr.write(f"error: {said}\n")
        return 1
    options = parser().parse_args(words)
    machine = Machine()
    program = Program(machine)
    if options.version:
        sys.stdout.write(VERSION.format(program.version_text))
        return 0
    try:
        return int(getattr(program, options.verb)(options))
    except ActorError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
