# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The program bootc, for hosts of the lab: it keeps bootc's contract and really deploys, with ostree.

Copies bootc-dev/bootc v1.16: crates/lib/src/spec.rs and docs/src/host-v1.schema.json (the status document; keys appear
with the version that brought them), cli.rs (switch_ostree, upgrade, rollback: order of the steps, messages, exit
status 0, 1 and 2), deploy.rs (stage, rollback, write_reboot_required), boundimage.rs and kargs.rs (what an image's
bound-images.d and kargs.d mean), crates/ostree-ext/src/globals.rs (which auth.json counts) and container_utils.rs.
From ostree it copies where a staged deployment lives: below /run until the shutdown, its lock inside, lost by a power
cut. Not copied: composefs but for what a soft reboot needs of it, edit, install, the sysroot lock, lines on layers.
``tests/integration/lab/test_bootc_conformance.py`` holds it to the real program.

An image is pulled with the real skopeo, unpacked, committed and deployed with the real ostree. Where its label
``example.fieldops.base`` is ``booted``, its layers lie over the booted tree, so that it may be small.

It runs on the host as ``/usr/bin/bootc`` (see ``bootc_install.py``), with Python's standard library. What the lab says:

- ``FIELDOPS_ACTOR_SYSROOT`` (default /sysroot) is the sysroot, also a plain directory of ``ostree admin init-fs``.
- ``/run/fieldops-actor/booted`` holds ``CHECKSUM.SERIAL`` of the booted deployment; without it, the deployment whose
  directory is the root of the running system is the booted one. ``/run/ostree-booted`` must exist.
- Where the root is mounted from ``composefs``, a soft reboot can be prepared: /run/nextroot is mounted then.
- ``/var/lib/fieldops-actor/config.json`` may hold ``version`` and ``faults``: ``bound_images`` (they cannot be pulled),
  ``finalize`` (nothing is deployed at the shutdown), ``spinner`` (text before the document), ``switch`` (fails early),
  ``kargs`` (rpm-ostree cannot set them).
- A unit of the host runs ``bootc internals finalize-staged`` at its shutdown, as ostree-finalize-staged.service does.
- ``bootc internals install IMAGE`` deploys the first image of a sysroot that ``ostree admin init-fs`` and ``os-init
  default`` have made.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import typing as t
from pathlib import PurePath

if t.TYPE_CHECKING or __package__:
    from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_document import StatusDocument
    from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_images import VERSION_LABEL, Images
    from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_machine import (
        ActorError,
        Deployment,
        Machine,
        Staged,
        origin_text,
        reference_of,
        refspec_of,
    )
else:
    from bootc_document import StatusDocument
    from bootc_images import VERSION_LABEL, Images
    from bootc_machine import ActorError, Deployment, Machine, Staged, origin_text, reference_of, refspec_of

FLAGS = {
    "--format-version": (0, 1, 14),
    "--soft-reboot": (1, 7, 0),
    "--download-only": (1, 12, 0),
    "--from-downloaded": (1, 12, 0),
    "loader-entries": (1, 15, 2),
}
"""Since when bootc knows them; clap ends with status 2 for others."""

SINCE_PULL = (1, 1, 6)
"""Since when ``internals ostree-container`` is there (pull request 886), as far as RHEL has it."""

SINCE_TAG_BESIDE_DIGEST = (1, 2, 0)
"""Since when it asks for NAME:TAG@DIGEST by the digest alone (deploy.rs, ImageReference::canonicalize)."""

TRANSPORTS = (
    "registry",
    "docker",
    "oci",
    "oci-archive",
    "docker-archive",
    "docker-daemon",
    "containers-storage",
    "dir",
)

Json = dict[str, t.Any]


class Program:
    """The verbs of bootc."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.images = Images(machine)
        self.known = StatusDocument(machine)

    def status(self, options: argparse.Namespace) -> None:
        """Print the status document, or say that there is none to speak of."""
        if options.format_version not in (None, 0, 1):
            raise ActorError(f"Unsupported format version: {options.format_version}")
        if self.machine.has_fault("spinner") and self.machine.version < (1, 12, 1):
            sys.stdout.write("Waiting for sysroot lock...\n")
        document = self.known.document()
        if options.booted:
            document["status"].update(staged=None, rollback=None)
        if options.json or options.format == "json":
            sys.stdout.write(json.dumps(document, sort_keys=True, separators=(",", ":")))
        else:
            sys.stdout.write(json.dumps(document, indent=1) + "\n")

    def switch(self, options: argparse.Namespace) -> None:
        """Stage another image."""
        booted = self.machine.require_booted()
        spec = self.known.document()["spec"]["image"]
        if options.transport not in TRANSPORTS:
            raise ActorError(f"Invalid transport: {options.transport}")
        wanted: Json = {"image": options.target, "transport": options.transport}
        if options.enforce_container_sigpolicy:
            wanted["signature"] = "containerPolicy"
        if spec == wanted:
            sys.stdout.write("Image specification is unchanged.\n")
        else:
            self._stage(wanted, booted)
            self._soften(options, booted)

    def _require_policy(self) -> None:
        policy = json.loads((self.machine.root / "etc/containers/policy.json").read_text())
        if policy.get("default") == [{"type": "insecureAcceptAnything"}]:
            said = "containers-policy.json specifies a default of `insecureAcceptAnything`; refusing usage"
            raise ActorError(f"Fetching manifest: {said}")

    def _stage(self, wanted: Json, booted: Deployment, *, locked: bool = False) -> None:
        commit, digest = self._pull(wanted)
        old = set(self.machine.image_kargs(booted.checksum))
        new = self.machine.image_kargs(commit)
        kept = [word for word in booted.kargs if word not in old - set(new)]
        kargs = [*kept, *(word for word in new if word not in kept)]
        refspec = refspec_of(wanted["image"], wanted["transport"], _policy(wanted))
        self.machine.stage(Staged(booted.stateroot, commit, kargs, origin_text(refspec), locked, own=booted.own))
        # Upstream has staged by now, and does not take that back when one of these fails.
        self._bind(commit)
        self.images.prune()
        self.machine.require_reboot(digest)
        version = (self.machine.image(commit) or {}).get("version")
        sys.stdout.write(f"Queued for next boot: {wanted['image']}\n" + (f"  Version: {version}\n" if version else ""))
        sys.stdout.write(f"  Digest: {digest}\n")

    def _pull(self, wanted: Json) -> tuple[str, str]:
        image = wanted["image"]
        try:
            if self.machine.has_fault("switch"):
                raise ActorError("Fetching manifest: failed to invoke method OpenImage: connection refused")
            if _policy(wanted):
                self._require_policy()
            name, at, _digest = image.partition("@")
            if at and ":" in name.rpartition("/")[2] and self.machine.version < SINCE_TAG_BESIDE_DIGEST:
                said = "Docker references with both a tag and digest are currently not supported"
                raise ActorError(f"Fetching manifest: failed to invoke method OpenImage: {said}")
            commit, digest, is_news = self.images.pull(image, wanted["transport"])
        except ActorError as error:
            raise ActorError(f"Preparing import: {error}") from error
        if not is_news:
            sys.stdout.write(f"No changes in {image} => {digest}\n")
        return commit, digest

    def _bind(self, commit: str) -> None:
        try:
            names = self.bound_images(commit)
            for name in names:
                self.images.bind(name)
        except ActorError as error:
            raise ActorError(f"Staging: {error}") from error
        if names:
            sys.stdout.write(f"Bound images stored: {len(names)}\n")

    def bound_images(self, checksum: str) -> list[str]:
        """Return the images that an image's quadlet files name."""
        found = []
        for name, target in self.machine.listing(checksum, "/usr/lib/bootc/bound-images.d"):
            if target == name:
                raise ActorError(f"Querying bound images: Querying bound images: Not a symlink: {PurePath(name).name}")
            lines = self.machine.content(checksum, target).splitlines()
            found += [line[len("Image=") :].strip() for line in lines if line.startswith("Image=")]
        return found

    def _soften(self, options: argparse.Namespace, booted: Deployment) -> None:
        staged = self.machine.staged()
        if options.soft_reboot and staged is not None:
            self._prepare_soft_reboot(options.soft_reboot, "Staged", staged, booted, "Handling staged soft reboot: ")
        if options.apply and staged is not None:
            subprocess.run(["systemctl", "reboot"], check=False)

    def _prepare_soft_reboot(
        self, request: str, which: str, target: Deployment | Staged, booted: Deployment, context: str = ""
    ) -> None:
        """Prepare it; where that fails upstream has staged or queued already, and does not take it back."""
        context += "Handling soft reboot: "
        if not self.known.can_soft_reboot(target, booted):
            if request == "required":
                said = f"Soft reboot was required but {which.lower()} deployment is not soft-reboot capable"
                raise ActorError(context + said)
            return
        sys.stdout.write(f"{which} deployment is soft-reboot capable, preparing for soft-reboot...\n")
        if not self.machine.prepare_soft_reboot():
            sys.stderr.write("error: soft reboot not supported without composefs\n")
            raise ActorError(
                f"{context}Soft reboot {which.lower()} deployment: Preparing soft reboot: Failed to prepare "
                "soft-reboot: Preparing /run/nextroot for a soft-reboot: Child process exited with code 1"
            )

    def upgrade(self, options: argparse.Namespace) -> None:
        """Look for what the tag names now, and stage it."""
        booted = self.machine.require_booted()
        if options.from_downloaded:
            self._unlock()
            return
        document = self.known.document()
        spec = document["spec"]["image"]
        if any(one and one["incompatible"] for one in (document["status"]["booted"], document["status"]["staged"])):
            raise ActorError(
                "Deployment contains local rpm-ostree modifications; cannot upgrade via bootc. "
                "You can run `rpm-ostree reset` to undo the modifications."
            )
        if spec is None:
            raise ActorError("No image source specified")
        is_news = self._look_for_update(document, options)
        if options.check:
            return
        if is_news:
            self._stage(spec, booted, locked=options.download_only)
        else:
            self._already(spec, options)
        self._soften(options, booted)

    def _look_for_update(self, document: Json, options: argparse.Namespace) -> bool:
        """Look, keep what was found with the commit that it would replace, and return whether it is another one."""
        spec = document["spec"]["image"]
        current = document["status"]["staged"] or document["status"]["booted"]
        digest, config = self.images.digest(spec["image"], spec["transport"])
        labels = (config.get("config") or {}).get("Labels") or {}
        version, is_news = labels.get(VERSION_LABEL), bool(digest != current["image"]["imageDigest"])
        update = {"version": version, "timestamp": config.get("created"), "imageDigest": digest}
        update["architecture"] = config.get("architecture")
        self.known.keep_update(current["ostree"]["checksum"], update if is_news else None)
        if options.check:
            name = f"docker://{spec['image']}" if spec["transport"] == "registry" else spec["image"]
            found = f"Update available for: {name}\n  Version: {version}\n  Digest: {digest}\n"
            sys.stdout.write(found if is_news else f"No changes in: {name}\n")
        return is_news

    def _already(self, spec: Json, options: argparse.Namespace) -> None:
        self._pull(spec)
        staged = self.machine.staged()
        if staged is not None and staged.locked and not options.download_only:
            self.machine.unlock(staged)
        sys.stdout.write("Staged update present, not changed\n" if staged else "No update available.\n")

    def _unlock(self) -> None:
        staged = self.machine.staged()
        if staged is None:
            raise ActorError("No staged deployment found")
        said = "will now be applied on reboot" if staged.locked else "is already set to apply on reboot"
        self.machine.unlock(staged)
        sys.stdout.write(f"Staged deployment {said}\n")

    def rollback(self, options: argparse.Namespace) -> None:
        """Toggle between the booted and the rollback deployment."""
        booted = self.machine.require_booted()
        target = self.machine.rollback()
        if target is None:
            raise ActorError("No rollback available")
        image = self.known.entry(target, booted)["image"]
        if image is None:
            raise ActorError("Rollback is not container image based")
        was_queued = self.machine.is_rollback_queued()
        if was_queued:
            sys.stdout.write("notice: Reverting queued rollback state\n")
        self.machine.unstage()
        self.machine.swap()
        self.machine.require_reboot(image["imageDigest"])
        sys.stdout.write(f"Next boot: {'current' if was_queued else 'rollback'} deployment\n")
        if options.soft_reboot and not was_queued:
            self._prepare_soft_reboot(options.soft_reboot, "Rollback", target, booted)
        if options.apply:
            subprocess.run(["systemctl", "reboot"], check=False)

    def loader_entries(self, options: argparse.Namespace) -> None:
        """Stage what is staged, or else what is booted, with the kernel arguments of a source (loader_entries.rs)."""
        booted = self.machine.require_booted()
        base = self.machine.staged() or booted
        former, wanted = base.own.split(), (options.options or "").split()
        words = [*(word for word in base.kargs if word not in former), *wanted]
        if (words, former) != (list(base.kargs), wanted):
            own = " ".join(wanted)
            self.machine.stage(Staged(booted.stateroot, base.checksum, words, base.origin, own=own))

    def internals(self, options: argparse.Namespace) -> None:
        """Deploy what is staged, at the shutdown, or the first image of a host that was never booted; or only pull."""
        if options.what == "ostree-container":
            _image, _pull, *_options, repository, refspec = options.words
            if os.statvfs(repository).f_flag & os.ST_RDONLY:
                raise ActorError("Importing: Cannot write to repository: Read-only file system")
            wanted = reference_of(refspec)
            commit, _digest, _is_news = self.images.pull(wanted["image"], wanted["transport"])
            sys.stdout.write(f"Wrote: {refspec} => {commit}\n")
            return
        if options.what == "install":
            (target,) = options.words
            commit, _digest, _fetched = self.images.pull(target, "registry")
            kargs = ["root=LABEL=root", *self.machine.image_kargs(commit)]
            origin = origin_text(refspec_of(target, "registry", None))
            self.machine.stage(Staged("default", commit, kargs, origin))
        self.machine.finalize()


def _policy(spec: Json) -> str | None:
    return "containerPolicy" if spec.get("signature") == "containerPolicy" else None


def as_ostree(words: list[str]) -> int:
    """Be ostree, which knows of what is staged: it is deployment 0 to ``ostree admin undeploy``."""
    machine = Machine()
    staged = machine.unstage() if words == ["admin", "undeploy", "0"] else None
    if staged is not None:
        sys.stdout.write(f"Deleted deployment {staged.checksum}.{staged.serial}\n")
        return 0
    return subprocess.run(["/usr/bin/ostree", *words], check=False, env=machine.ostree_environment()).returncode


class _Words(argparse.ArgumentParser):
    """Understands words as clap does: what it refuses ends with status 2."""

    def error(self, message: str) -> t.NoReturn:
        self.exit(2, f"error: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Words("bootc", allow_abbrev=False)
    parser.add_argument("-V", "--version", action="store_true")
    verbs = parser.add_subparsers(dest="verb")
    status = verbs.add_parser("status", allow_abbrev=False)
    status.add_argument("--format", choices=["humanreadable", "yaml", "json"])
    status.add_argument("--format-version", type=int)
    status.add_argument("--json", action="store_true")
    status.add_argument("--booted", action="store_true")
    switch, rollback = (verbs.add_parser(name, allow_abbrev=False) for name in ("switch", "rollback"))
    upgrade = verbs.add_parser("upgrade", aliases=["update"], allow_abbrev=False)
    for one in (switch, upgrade, rollback):
        one.add_argument("--apply", action="store_true")
        one.add_argument("--soft-reboot", choices=["required", "auto"])
    for one in (switch, upgrade):
        one.add_argument("--quiet", action="store_true")
    switch.add_argument("--transport", default="registry")
    switch.add_argument("--enforce-container-sigpolicy", action="store_true")
    switch.add_argument("--retain", action="store_true")
    switch.add_argument("target")
    for name in ("--check", "--download-only", "--from-downloaded"):
        upgrade.add_argument(name, action="store_true")
    entries = verbs.add_parser("loader-entries").add_subparsers(dest="what", required=True)
    source = entries.add_parser("set-options-for-source", allow_abbrev=False)
    source.add_argument("--source", choices=["fieldops"], required=True)
    source.add_argument("--options")
    internals = verbs.add_parser("internals")
    internals.add_argument("what", choices=["finalize-staged", "install", "ostree-container"])
    internals.add_argument("words", nargs=argparse.REMAINDER)
    return parser


CONFLICTS = (
    *(("check", name) for name in ("apply", "soft_reboot", "download_only", "from_downloaded")),
    *(("download_only", name) for name in ("apply", "from_downloaded")),
)
"""Arguments of upgrade that exclude each other (cli.rs, UpgradeOpts)."""


def _refusal(options: argparse.Namespace, words: list[str], version: tuple[int, ...]) -> str:
    """Return what is said of words that this version does not take, "" where it takes them."""
    unknown = [flag for flag, since in FLAGS.items() if version < since and flag in " ".join(words)]
    unknown += ["ostree-container"] if version < SINCE_PULL and "ostree-container" in words else []
    if unknown:
        return f"unexpected argument '{unknown[0]}' found"
    for one, other in CONFLICTS:
        if getattr(options, one, None) and getattr(options, other, None):
            return f"the argument '--{one.replace('_', '-')}' cannot be used with '--{other.replace('_', '-')}'"
    return "" if options.verb else "no subcommand"


CONTEXTS = {
    "switch": "Switching: Switching (ostree): ",
    "upgrade": "Upgrading: ",
    "update": "Upgrading: ",
    "rollback": "Rollback: Rollback (ostree): ",
    "status": "Status: ",
}
"""What stands before an error: anyhow's contexts of the functions that it came through."""


def main(words: list[str]) -> int:
    """Be bootc."""
    if words[:1] == ["as-ostree"]:
        return as_ostree(words[1:])
    options = _parser().parse_args(words)
    machine = Machine()
    program = Program(machine)
    if options.version:
        sys.stdout.write(f"bootc {'.'.join(map(str, machine.version))}\n")
        return 0
    refusal = _refusal(options, words, machine.version)
    if refusal:
        sys.stderr.write(f"error: {refusal}\n")
        return 2
    try:
        getattr(program, "upgrade" if options.verb == "update" else options.verb.replace("-", "_"))(options)
    except ActorError as error:
        sys.stderr.write(f"error: {CONTEXTS.get(options.verb, '')}{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
