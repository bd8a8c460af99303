# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The program bootc, for hosts of the lab: it keeps bootc's contract and really deploys, with ostree.

Copies bootc-dev/bootc v1.16: crates/lib/src/spec.rs and docs/src/host-v1.schema.json (the status document; keys appear
with the version that brought them), cli.rs (switch_ostree, upgrade, rollback: order of the steps, messages, exit
status 0, 1 and 2), deploy.rs (stage, rollback, write_reboot_required), boundimage.rs and kargs.rs (what an image's
bound-images.d and kargs.d mean), crates/ostree-ext/src/globals.rs (which auth.json counts) and container_utils.rs.
From ostree it copies where a staged deployment lives: below /run until the shutdown, locked by
/run/ostree/staged-deployment-locked, lost by a power cut. Not copied: composefs, edit, install, the sysroot lock.

An image is pulled with the real skopeo, unpacked, committed and deployed with the real ostree. Where its label
``example.fieldops.base`` is ``booted``, its layers lie over the booted tree, so that it may be small.

It runs on the host as ``/usr/bin/bootc`` (see ``bootc_install.py``), with Python's standard library. What the lab says:

- ``FIELDOPS_ACTOR_SYSROOT`` (default /sysroot) is the sysroot, also a plain directory of ``ostree admin init-fs``.
- ``/run/fieldops-actor/booted`` holds ``CHECKSUM.SERIAL`` of the booted deployment; without it, the deployment whose
  directory is the root of the running system is the booted one. ``/run/ostree-booted`` must exist.
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
import subprocess
import sys
import typing as t

if t.TYPE_CHECKING or __package__:
    from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_document import StatusDocument
    from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_images import VERSION_LABEL, Images
    from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_machine import (
        ActorError,
        Deployment,
        Machine,
        Staged,
        origin_text,
        refspec_of,
    )
else:
    from bootc_document import StatusDocument
    from bootc_images import VERSION_LABEL, Images
    from bootc_machine import ActorError, Deployment, Machine, Staged, origin_text, refspec_of

FLAGS = {
    "--format-version": (0, 1, 14),
    "--soft-reboot": (1, 7, 0),
    "--download-only": (1, 12, 0),
    "--from-downloaded": (1, 12, 0),
}
"""Since when bootc knows them; clap ends with status 2 for others."""

TRANSPORTS = ("registry", "oci", "oci-archive", "docker-daemon", "containers-storage", "dir")

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
        if self.machine.has_fault("switch"):
            raise ActorError("Pulling: registry.example: connection refused")
        spec = self.known.document()["spec"]["image"]
        wanted: Json = {"image": options.target, "transport": options.transport}
        signature = "containerPolicy" if options.enforce_container_sigpolicy else None
        if signature:
            self._require_policy()
            wanted["signature"] = signature
        if spec == wanted:
            sys.stdout.write("Image specification is unchanged.\n")
        else:
            self._stage(options.target, options.transport, signature, booted)
        self._soften(options, booted)

    def _require_policy(self) -> None:
        policy = json.loads((self.machine.root / "etc/containers/policy.json").read_text())
        if policy.get("default") == [{"type": "insecureAcceptAnything"}]:
            raise ActorError("containers-policy.json specifies a default of `insecureAcceptAnything`; refusing usage")

    def _stage(self, image: str, transport: str, signature: str | None, booted: Deployment) -> None:
        commit, digest, fetched = self.images.pull(image, transport)
        if not fetched:
            sys.stdout.write(f"No changes in {image} => {digest}\n")
        old = set(self.machine.image_kargs(booted.checksum))
        new = self.machine.image_kargs(commit)
        kept = [word for word in booted.kargs if word not in old - set(new)]
        kargs = [*kept, *(word for word in new if word not in kept)]
        refspec = refspec_of(image, transport, signature)
        self.machine.stage(Staged(booted.stateroot, commit, kargs, origin_text(refspec)))
        # Upstream has staged by now, and does not take that back when one of these fails.
        for name in self.bound_images(commit):
            self.images.bind(name)
        self.machine.require_reboot(digest)
        version = (self.machine.image(commit) or {}).get("version")
        sys.stdout.write(f"Queued for next boot: {image}\n" + (f"  Version: {version}\n" if version else ""))
        sys.stdout.write(f"  Digest: {digest}\n")

    def bound_images(self, checksum: str) -> list[str]:
        """Return the images that an image's quadlet files name."""
        found = []
        for _name, target in self.machine.listing(checksum, "/usr/lib/bootc/bound-images.d"):
            lines = self.machine.content(checksum, target).splitlines()
            found += [line[len("Image=") :].strip() for line in lines if line.startswith("Image=")]
        return found

    def _soften(self, options: argparse.Namespace, booted: Deployment) -> None:
        staged = self.machine.staged()
        if options.soft_reboot and staged is not None:
            if self.known.can_soft_reboot(staged, booted):
                (self.machine.root / "run/nextroot").mkdir(exist_ok=True)
            elif options.soft_reboot == "required":
                raise ActorError("Soft reboot was required but staged deployment is not soft-reboot capable")
        if options.apply and staged is not None:
            subprocess.run(["systemctl", "reboot"], check=False)

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
        current = (document["status"]["staged"] or document["status"]["booted"])["image"]["imageDigest"]
        digest, config = self.images.digest(spec["image"], spec["transport"])
        if options.check:
            self._remember(spec, digest, config, news=digest != current)
        elif digest == current:
            self._already(options)
        else:
            self._stage(spec["image"], spec["transport"], _policy(spec), booted)
            self._lock_if(options)
        self._soften(options, booted)

    def _already(self, options: argparse.Namespace) -> None:
        staged = self.machine.staged()
        if staged is not None and staged.locked and not options.download_only:
            self.machine.unlock()
        sys.stdout.write("Staged update present, not changed\n" if staged else "No update available.\n")

    def _lock_if(self, options: argparse.Namespace) -> None:
        staged = self.machine.staged()
        if options.download_only and staged is not None:
            staged.locked = True
            self.machine.stage(staged)
            sys.stdout.write("Image downloaded, but will not be applied on reboot\n")

    def _unlock(self) -> None:
        staged = self.machine.staged()
        if staged is None:
            raise ActorError("No staged deployment found")
        said = "will now be applied on reboot" if staged.locked else "is already set to apply on reboot"
        self.machine.unlock()
        sys.stdout.write(f"Staged deployment {said}\n")

    def _remember(self, spec: Json, digest: str, config: Json, *, news: bool) -> None:
        labels = (config.get("config") or {}).get("Labels") or {}
        seen = {
            "image": spec,
            "version": labels.get(VERSION_LABEL),
            "timestamp": config.get("created"),
            "imageDigest": digest,
            "architecture": config.get("architecture"),
        }
        folder = self.machine.sysroot / "ostree/bootc"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "cached-update.json").write_text(json.dumps(seen))
        text = f"Update available for: {spec['image']}\n  Digest: {digest}\n" if news else ""
        sys.stdout.write(text or f"No changes in: {spec['image']}\n")

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
        if options.apply:
            subprocess.run(["systemctl", "reboot"], check=False)

    def internals(self, options: argparse.Namespace) -> None:
        """Deploy: what is staged, at the shutdown, or the first image of a host that was never booted."""
        if options.what == "install":
            commit, _digest, _fetched = self.images.pull(options.target, "registry")
            kargs = ["root=LABEL=root", *self.machine.image_kargs(commit)]
            origin = origin_text(refspec_of(options.target, "registry", None))
            self.machine.stage(Staged("default", commit, kargs, origin))
        self.machine.finalize()


def _policy(spec: Json) -> str | None:
    return "containerPolicy" if spec.get("signature") == "containerPolicy" else None


def as_ostree(words: list[str]) -> int:
    """Be ostree, which knows of what is staged: it is deployment 0 to ``ostree admin undeploy``."""
    machine = Machine()
    if words == ["admin", "undeploy", "0"] and machine.unstage():
        sys.stdout.write("Deleted deployment\n")
        return 0
    return subprocess.run(["/usr/bin/ostree", *words], check=False, env=machine.ostree_environment()).returncode


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("bootc")
    parser.add_argument("--version", action="store_true")
    verbs = parser.add_subparsers(dest="verb")
    status = verbs.add_parser("status")
    status.add_argument("--format", choices=["humanreadable", "yaml", "json"])
    status.add_argument("--format-version", type=int)
    status.add_argument("--json", action="store_true")
    status.add_argument("--booted", action="store_true")
    switch, rollback = verbs.add_parser("switch"), verbs.add_parser("rollback")
    upgrade = verbs.add_parser("upgrade", aliases=["update"])
    for one in (switch, upgrade, rollback):
        one.add_argument("--apply", action="store_true")
        one.add_argument("--soft-reboot", choices=["required", "auto"])
        one.add_argument("--quiet", action="store_true")
    switch.add_argument("--transport", choices=TRANSPORTS, default="registry")
    switch.add_argument("--enforce-container-sigpolicy", action="store_true")
    switch.add_argument("--retain", action="store_true")
    switch.add_argument("target")
    for name in ("--check", "--download-only", "--from-downloaded"):
        upgrade.add_argument(name, action="store_true")
    internals = verbs.add_parser("internals")
    internals.add_argument("what", choices=["finalize-staged", "install"])
    internals.add_argument("target", nargs="?")
    return parser


def main(words: list[str]) -> int:
    """Be bootc."""
    if words[:1] == ["as-ostree"]:
        return as_ostree(words[1:])
    options = _parser().parse_args(words)
    machine = Machine()
    program = Program(machine)
    verbs = {
        "status": program.status,
        "switch": program.switch,
        "upgrade": program.upgrade,
        "update": program.upgrade,
        "rollback": program.rollback,
        "internals": program.internals,
    }
    if options.version or options.verb is None:
        sys.stdout.write(f"bootc {'.'.join(map(str, machine.version))}\n")
        return 0
    unknown = [flag for flag, since in FLAGS.items() if machine.version < since and flag in " ".join(words)]
    if unknown:
        sys.stderr.write(f"error: unexpected argument '{unknown[0]}' found\n")
        return 2
    try:
        verbs[options.verb](options)
    except ActorError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
