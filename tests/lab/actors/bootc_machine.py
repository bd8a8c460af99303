# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The host that the actors bootc and rpm-ostree work on: its sysroot, its deployments, and what is staged.

Copied from ostree: where a staged deployment lives (below /run until the shutdown, its lock inside, lost by a power
cut), how serials are counted (ostree-sysroot-deploy.c, allocate_deployserial), that a soft reboot takes composefs
(ostree-soft-reboot.c), entries of the boot loader, and origin files as ostree-ext writes them. Not copied: that a
deployment keeps at the shutdown the serial it was staged with where it replaced a staged one of the same commit; of
the file of what is staged only kernel arguments are there. It
runs on hosts of the lab beside ``bootc.py``, with Python's standard library alone.
"""

from __future__ import annotations

import ast
import itertools
import json
import os
import platform
import subprocess
import tempfile
import typing as t
from dataclasses import asdict, dataclass
from pathlib import Path

KEY = "fieldops.image"
"""Under which a commit keeps what was known of its image."""

OWN_KEY = "x-options-source-fieldops"
"""Where an entry of the boot loader keeps the kernel arguments of this collection (bootc, loader_entries.rs)."""

Json = dict[str, t.Any]


class ActorError(Exception):
    """What the program says on standard error before it ends with status 1."""


@dataclass(frozen=True)
class Deployment:
    """One deployment on the disk; ``kargs`` are its kernel arguments but ``ostree=``, ``own`` those of one source."""

    stateroot: str
    checksum: str
    serial: int
    kargs: tuple[str, ...]
    origin: str
    own: str = ""

    @property
    def name(self) -> str:
        return f"{self.checksum}.{self.serial}"


@dataclass
class Staged:
    """What is to be deployed at the shutdown."""

    stateroot: str
    checksum: str
    kargs: list[str]
    origin: str
    locked: bool = False
    serial: int = 0
    own: str = ""

    def as_variant(self) -> bytes:
        """Return what is said of its kernel arguments in ostree's file of it, in the encoding of a GVariant."""
        words = [word.encode() + b"\0" for word in self.kargs]
        ends = list(itertools.accumulate(map(len, words)))
        width = 1 if sum(map(len, words)) + len(words) < 256 else 2
        array = b"".join([*words, *(end.to_bytes(width, "little") for end in ends)])
        own = f"{OWN_KEY}\0{self.own}\0".encode() if self.own else b""
        return b"kargs\0\0\0" + array + b"\0as\x06" + own


def origin_text(refspec: str | None) -> str:
    """Return an origin file as ostree-ext writes it."""
    return f"[origin]\ncontainer-image-reference={refspec}\n" if refspec else "[origin]\nrefspec=local\n"


def origin_value(origin: str, key: str) -> str | None:
    """Return the value of ``key`` in an origin file."""
    for line in origin.splitlines():
        name, equals, value = line.partition("=")
        if equals and name.strip() == key:
            return value.strip()
    return None


def has_local_changes(origin: str) -> bool:
    """Whether rpm-ostree has layered packages or overrides (``incompatible`` in the status document)."""
    return any(f"[{group}]" in origin for group in ("rpmostree", "packages", "overrides", "modules"))


def refspec_of(image: str, transport: str, signature: str | None) -> str:
    """Return the origin's reference of an image, as ostree-ext's OstreeImageReference writes it."""
    verified = signature == "containerPolicy"
    if transport == "registry":
        return f"{'ostree-image-signed:registry' if verified else 'ostree-unverified-registry'}:{image}"
    return f"{'ostree-image-signed' if verified else 'ostree-unverified-image'}:{transport}:{image}"


def reference_of(refspec: str) -> Json:
    """Return the ImageReference document of an origin's reference."""
    scheme, _colon, rest = refspec.partition(":")
    signature: t.Any = "containerPolicy" if scheme == "ostree-image-signed" else None
    if scheme in ("ostree-remote-registry", "ostree-remote-image"):
        remote, _colon, rest = rest.partition(":")
        signature = {"ostreeRemote": remote}
    if scheme in ("ostree-unverified-registry", "ostree-remote-registry"):
        transport, image = "registry", rest
    else:
        transport, _colon, image = rest.partition(":")
    transport = "registry" if transport == "docker" else transport
    image = image.removeprefix("//")
    found: Json = {"image": image, "transport": transport}
    return {**found, "signature": signature} if signature else found


class Machine:
    """The host, seen by its sysroot and a few files."""

    def __init__(self) -> None:
        self.sysroot = Path(os.environ.get("FIELDOPS_ACTOR_SYSROOT", "/sysroot"))
        self.root = Path(os.environ.get("FIELDOPS_ACTOR_ROOT", "/"))
        self.repo = self.sysroot / "ostree/repo"
        self.storage = self.sysroot / "ostree/bootc/storage"
        self._staged = self.root / "run/ostree/fieldops-staged.json"
        self._variant = self.root / "run/ostree/staged-deployment"
        config = self.root / "var/lib/fieldops-actor/config.json"
        self.config: Json = json.loads(config.read_text()) if config.exists() else {}

    @property
    def version(self) -> tuple[int, ...]:
        return tuple(int(part) for part in self.config.get("version", "1.16.9").split("."))

    def has_fault(self, name: str) -> bool:
        return name in self.config.get("faults", [])

    def ostree(self, *words: str | Path, check: bool = True) -> str:
        """Run the real ostree on this sysroot and return what it prints."""
        ended = subprocess.run(
            [self.config.get("ostree", "/usr/bin/ostree"), *map(str, words)],
            capture_output=True,
            text=True,
            check=False,
            env=self.ostree_environment(),
        )
        if check and ended.returncode:
            raise ActorError(f"ostree {words[0]}: {ended.stderr.strip()}")
        return ended.stdout

    def ostree_environment(self) -> dict[str, str]:
        """Return what ostree is to know; without the second word its directories could not be removed after a test."""
        return {**os.environ, "OSTREE_SYSROOT": str(self.sysroot), "OSTREE_SYSROOT_DEBUG": "mutable-deployments"}

    def deployments(self) -> list[Deployment]:
        """Return the deployments in boot order, as the entries of the boot loader have them."""
        found = []
        for path in (self.sysroot / "boot/loader/entries").glob("*.conf"):
            lines = dict(line.split(" ", 1) for line in path.read_text().splitlines() if " " in line)
            words = lines.get("options", "").split()
            link = next(word[len("ostree=/") :] for word in words if word.startswith("ostree="))
            place = (self.sysroot / link).resolve()
            checksum, _dot, serial = place.name.rpartition(".")
            origin = place.parent / f"{place.name}.origin"
            kargs = tuple(word for word in words if not word.startswith("ostree="))
            text = origin.read_text() if origin.exists() else ""
            one = Deployment(place.parent.parent.name, checksum, int(serial), kargs, text, lines.get(OWN_KEY, ""))
            found.append((int(lines.get("version", "0")), one))
        return [one for _version, one in sorted(found, key=lambda pair: -pair[0])]

    def directory(self, one: Deployment) -> Path:
        return self.sysroot / "ostree/deploy" / one.stateroot / "deploy" / one.name

    def booted(self) -> Deployment | None:
        """Return the booted deployment, None on a host that was not booted from one."""
        if not (self.root / "run/ostree-booted").exists():
            return None
        named = self.root / "run/fieldops-actor/booted"
        name = named.read_text().strip() if named.exists() else ""
        return next((one for one in self.deployments() if (one.name == name if name else self._is_root(one))), None)

    def _is_root(self, one: Deployment) -> bool:
        place, root = self.directory(one), self.root
        return place.exists() and os.path.samestat(place.stat(), root.stat())

    def require_booted(self) -> Deployment:
        """Return the booted deployment; the errors are those of bootc."""
        if os.geteuid() != 0:
            raise ActorError("This command must be executed as the root user")
        if self.looks_like_container():
            raise ActorError("Detected container; this command requires a booted host system.")
        found = self.booted()
        if found is None:
            raise ActorError("System not booted via bootc")
        return found

    def looks_like_container(self) -> bool:
        return bool(
            os.environ.get("container")  # noqa: SIM112 (its name is that)
            or (self.root / "run/.containerenv").exists()
            or (self.root / ".dockerenv").exists()
        )

    def rollback(self) -> Deployment | None:
        """Return the first deployment that is not the booted one, of the same stateroot."""
        booted = self.require_booted()
        others = [one for one in self.deployments() if one.stateroot == booted.stateroot and one.name != booted.name]
        return others[0] if others else None

    def is_rollback_queued(self) -> bool:
        order = [one.name for one in self.deployments()]
        booted = self.booted()
        return booted is not None and order.index(booted.name) != 0

    def staged(self) -> Staged | None:
        return Staged(**json.loads(self._staged.read_text())) if self._staged.exists() else None

    def stage(self, one: Staged) -> None:
        """Keep what is to be deployed; what was staged before is forgotten without a word, as upstream."""
        known = self.known()
        one.serial = max((each.serial + 1 for each in known if each.checksum == one.checksum), default=0)
        self._keep(one)

    def known(self) -> list[Deployment | Staged]:
        """Return all deployments, what is staged included."""
        staged = self.staged()
        return [*self.deployments(), *([staged] if staged else [])]

    def _keep(self, one: Staged) -> None:
        self._staged.parent.mkdir(parents=True, exist_ok=True)
        temporary = self._staged.with_suffix(".tmp")
        temporary.write_text(json.dumps(asdict(one)))
        temporary.replace(self._staged)
        self._variant.write_bytes(one.as_variant())
        self.touched()

    def unstage(self) -> Staged | None:
        was = self.staged()
        self._staged.unlink(missing_ok=True)
        self._variant.unlink(missing_ok=True)
        self.touched()
        return was

    def unlock(self, one: Staged) -> None:
        one.locked = False
        self._keep(one)

    def touched(self) -> None:
        """Let those who watch /ostree/bootc know (bootc-status-updated.path)."""
        (self.sysroot / "ostree/bootc").mkdir(parents=True, exist_ok=True)
        os.utime(self.sysroot / "ostree/bootc")

    def finalize(self) -> None:
        """Deploy what is staged, as ostree-finalize-staged.service does at the shutdown."""
        staged = self.staged()
        if staged is None or staged.locked:
            return
        if self.has_fault("finalize"):
            raise ActorError("Finalizing deployment: No space left on device")
        if self.is_rollback_queued():
            # The booted deployment stays, whatever else was to boot next.
            self.ostree("admin", "set-default", "1")
        with tempfile.NamedTemporaryFile("w", suffix=".origin") as origin:
            origin.write(staged.origin)
            origin.flush()
            words = [f"--karg-append={word}" for word in staged.kargs]
            options = (f"--os={staged.stateroot}", f"--origin-file={origin.name}", "--karg-none")
            self.ostree("admin", "deploy", *options, *words, staged.checksum)
        self._keep_own(staged.own)
        self.unstage()

    def _keep_own(self, own: str) -> None:
        """Write into the newest entry what ostree 2026.1 would keep there."""
        texts = {path: path.read_text() for path in (self.sysroot / "boot/loader/entries").glob("*.conf")}
        newest = max(texts, key=lambda path: int(texts[path].partition("\nversion ")[2].split()[0]))
        lines = [line for line in texts[newest].splitlines() if not line.startswith(OWN_KEY)]
        newest.write_text("\n".join([*lines, *([f"{OWN_KEY} {own}"] if own else []), ""]))

    def swap(self) -> None:
        """Let the second deployment boot next."""
        self.ostree("admin", "set-default", "1")
        self.touched()

    def prepare_soft_reboot(self) -> bool:
        """Mount the root that a soft reboot goes on with; False where the present one is not of composefs."""
        mounts = [line.split(" - ") for line in (self.root / "proc/self/mountinfo").read_text().splitlines()]
        roots = [after.split()[1] for before, after in mounts if before.split()[4] == "/"]
        if roots[-1:] != ["composefs"]:
            return False
        following = self.root / "run/nextroot"
        following.mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "composefs", str(following)], check=True)
        return True

    def image(self, checksum: str) -> Json | None:
        """Return what was recorded of the image that the commit ``checksum`` was made from."""
        said = self.ostree(f"--repo={self.repo}", "show", f"--print-metadata-key={KEY}", checksum, check=False).strip()
        return t.cast("Json", json.loads(ast.literal_eval(said))) if said else None

    def listing(self, checksum: str, folder: str) -> list[tuple[str, str]]:
        """Return names and targets of what lies in ``folder`` of a commit; the target of a file is itself."""
        said = self.ostree(f"--repo={self.repo}", "ls", checksum, folder, check=False)
        paths = [line.split(None, 4)[4] for line in said.splitlines() if line[:1] in "l-"]
        pairs = [path.partition(" -> ") for path in paths]
        return sorted((name, target or name) for name, _arrow, target in pairs)

    def content(self, checksum: str, path: str) -> str:
        return self.ostree(f"--repo={self.repo}", "cat", checksum, path)

    def image_kargs(self, checksum: str) -> list[str]:
        """Return what the image's /usr/lib/bootc/kargs.d asks for on this architecture."""
        import tomllib  # type: ignore[import-not-found]

        found: list[str] = []
        for name, _target in self.listing(checksum, "/usr/lib/bootc/kargs.d"):
            table = tomllib.loads(self.content(checksum, name))
            if platform.machine() in table.get("match-architectures", [platform.machine()]):
                found += table.get("kargs", [])
        return found

    def require_reboot(self, digest: str) -> None:
        if self.version >= (1, 9, 0):
            (self.root / "run/reboot-required").write_text(f"bootc: Reboot required for image: {digest}")
