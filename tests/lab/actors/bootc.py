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

It runs on the host as ``/usr/bin/bootc`` (see ``install``), alone with Python's standard library. What the lab decides:

- ``FIELDOPS_ACTOR_SYSROOT`` (default /sysroot) is the sysroot, also a plain directory of ``ostree admin init-fs``.
- ``/run/fieldops-actor/booted`` holds ``CHECKSUM.SERIAL`` of the booted deployment; without it, the deployment whose
  directory is the root of the running system is the booted one. ``/run/ostree-booted`` must exist.
- ``/var/lib/fieldops-actor/config.json`` may hold ``version`` and ``faults``: ``bound_images`` (they cannot be pulled),
  ``finalize`` (nothing is deployed at the shutdown), ``spinner`` (text before the document), ``switch`` (fails early).
- A unit of the host runs ``bootc internals finalize-staged`` at its shutdown, as ostree-finalize-staged.service does.
- ``bootc internals install IMAGE`` deploys the first image of a sysroot that ``ostree admin init-fs`` and ``os-init
  default`` have made.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import typing as t
from dataclasses import asdict, dataclass, field
from pathlib import Path

FINALIZE_UNIT = """[Unit]
Description=Deploys what is staged when the host goes down (stands in for ostree-finalize-staged.service)
DefaultDependencies=no
RequiresMountsFor=/sysroot
Before=basic.target
After=local-fs.target

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/true
ExecStop=/usr/bin/bootc internals finalize-staged

[Install]
WantedBy=multi-user.target
"""

PROGRAMS = "usr/libexec/fieldops-actors"
OCI_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64", "ppc64le": "ppc64le", "s390x": "s390x"}
TRANSPORTS = ("registry", "oci", "oci-archive", "docker-daemon", "containers-storage", "dir")
BASE_LABEL = "example.fieldops.base"
VERSION_LABEL = "org.opencontainers.image.version"
KEY = "fieldops.image"

Json = dict[str, t.Any]


class ActorError(Exception):
    """What the program says on standard error before it ends with status 1."""


def install(root: Path, *, bootc: bool = True, rpm_ostree: bool = True, sysroot: str = "/sysroot") -> None:
    """Put the programs into the tree ``root``, with ``ostree`` in /usr/local/bin that knows their staged deployment."""
    folder = root / PROGRAMS
    folder.mkdir(parents=True, exist_ok=True)
    here = Path(__file__).parent
    for name in ("bootc.py", "rpm_ostree.py"):
        shutil.copy(here / name, folder / name)
    wanted = {"usr/bin/bootc": ("bootc.py", ""), "usr/bin/rpm-ostree": ("rpm_ostree.py", "")}
    chosen = {name: what for name, what in wanted.items() if (bootc if "bootc" in name else rpm_ostree)}
    for name, (program, words) in {**chosen, "usr/local/bin/ostree": ("bootc.py", " as-ostree")}.items():
        launcher = root / name
        launcher.parent.mkdir(parents=True, exist_ok=True)
        text = f'export FIELDOPS_ACTOR_SYSROOT={sysroot}\nexec /usr/bin/python3 /{PROGRAMS}/{program}{words} "$@"\n'
        launcher.write_text("#!/bin/sh\n" + text)
        launcher.chmod(0o755)


@dataclass(frozen=True)
class Deployment:
    """One deployment on the disk; ``kargs`` are its kernel arguments but ``ostree=``."""

    stateroot: str
    checksum: str
    serial: int
    kargs: tuple[str, ...]
    origin: str

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
    live: list[str] = field(default_factory=list)


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
        self._lock = self.root / "run/ostree/staged-deployment-locked"
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
            one = Deployment(place.parent.parent.name, checksum, int(serial), kargs, text)
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
        if not self._staged.exists():
            return None
        found = Staged(**json.loads(self._staged.read_text()))
        found.locked = self._lock.exists()
        return found

    def stage(self, one: Staged) -> None:
        """Keep what is to be deployed; what was staged before is forgotten without a word, as upstream."""
        self._staged.parent.mkdir(parents=True, exist_ok=True)
        temporary = self._staged.with_suffix(".tmp")
        temporary.write_text(json.dumps(asdict(one)))
        if one.locked:
            self._lock.touch()
        else:
            self._lock.unlink(missing_ok=True)
        temporary.replace(self._staged)
        self.touched()

    def unstage(self) -> bool:
        was = self._staged.exists()
        self._staged.unlink(missing_ok=True)
        self._lock.unlink(missing_ok=True)
        self.touched()
        return was

    def unlock(self) -> None:
        self._lock.unlink(missing_ok=True)

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
        with tempfile.NamedTemporaryFile("w", suffix=".origin") as origin:
            origin.write(staged.origin)
            origin.flush()
            words = [f"--karg-append={word}" for word in staged.kargs]
            options = (f"--os={staged.stateroot}", f"--origin-file={origin.name}", "--karg-none")
            self.ostree("admin", "deploy", *options, *words, staged.checksum)
        self.unstage()

    def swap(self) -> None:
        """Let the second deployment boot next."""
        self.ostree("admin", "set-default", "1")
        self.touched()

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
        import tomllib

        found: list[str] = []
        for name, _target in self.listing(checksum, "/usr/lib/bootc/kargs.d"):
            table = tomllib.loads(self.content(checksum, name))
            if platform.machine() in table.get("match-architectures", [platform.machine()]):
                found += table.get("kargs", [])
        return found

    def require_reboot(self, digest: str) -> None:
        if self.version >= (1, 9, 0):
            (self.root / "run/reboot-required").write_text(f"bootc: Reboot required for image: {digest}\n")


class Images:
    """Pulls images and makes commits of them."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def pull(self, image: str, transport: str) -> tuple[str, str, bool]:
        """Return commit and digest of an image, and whether it had to be fetched."""
        source = _skopeo_source(image, transport)
        digest = self._digest(source)
        branch = f"ostree/container/image/sha256_3A_{digest.partition(':')[2]}"
        repo = f"--repo={self._machine.repo}"
        known = self._machine.ostree(repo, "rev-parse", branch, check=False).strip()
        if known:
            return known, digest, False
        spool = self._machine.sysroot / "ostree/bootc"
        spool.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=spool, prefix=".pull-") as folder:
            self._skopeo("copy", "--quiet", source, f"dir:{folder}/image")
            return self._commit(Path(folder), branch, digest), digest, True

    def digest(self, image: str, transport: str) -> tuple[str, Json]:
        """Return digest and configuration of an image without fetching it."""
        source = _skopeo_source(image, transport)
        return self._digest(source), json.loads(self._skopeo("inspect", "--config", source))

    def bind(self, name: str) -> None:
        """Fetch a logically bound image into bootc's own storage (its list has the form of containers/storage)."""
        if self._machine.has_fault("bound_images"):
            raise ActorError(f"Fetching bound image {name}: reading manifest: connection refused")
        digest = self._digest(f"docker://{name}")
        folder = self._machine.storage / "overlay-images" / digest.partition(":")[2]
        if not folder.exists():
            self._skopeo("copy", "--quiet", f"docker://{name}", f"dir:{folder}.part")
            Path(f"{folder}.part").rename(folder)
        index = folder.parent / "images.json"
        known = json.loads(index.read_text()) if index.exists() else []
        rest = [one for one in known if name not in one["names"]]
        entry = {"id": folder.name, "digest": digest, "names": [name], "created": "2026-11-01T00:00:00Z"}
        index.write_text(json.dumps([*rest, entry]))

    def _digest(self, source: str) -> str:
        raw = self._skopeo("inspect", "--raw", source)
        document = json.loads(raw)
        wanted = OCI_ARCHITECTURES.get(platform.machine(), platform.machine())
        for one in document.get("manifests", []):
            if one.get("platform", {}).get("architecture") == wanted:
                return str(one["digest"])
        return f"sha256:{hashlib.sha256(raw.encode()).hexdigest()}"

    def _commit(self, folder: Path, branch: str, digest: str) -> str:
        manifest = json.loads((folder / "image/manifest.json").read_text())
        config = json.loads((folder / "image" / manifest["config"]["digest"].partition(":")[2]).read_text())
        tree = folder / "tree"
        for layer in manifest["layers"]:
            unpack(folder / "image" / layer["digest"].partition(":")[2], tree)
        labels = (config.get("config") or {}).get("Labels") or {}
        below = []
        booted = self._machine.booted()
        if labels.get(BASE_LABEL) == "booted" and booted is not None:
            below = [f"--tree=ref={booted.checksum}"]
        else:
            complete(tree, digest)
        if (tree / "etc").is_dir():
            (tree / "usr").mkdir(exist_ok=True)
            (tree / "etc").rename(tree / "usr/etc")
        record = {
            "digest": digest,
            "version": labels.get(VERSION_LABEL),
            "timestamp": config.get("created"),
            "architecture": config.get("architecture"),
        }
        keys = [f"--add-metadata-string={KEY}={json.dumps(record)}"]
        keys += [f"--add-metadata-string=ostree.manifest-digest={digest}"]
        repo = f"--repo={self._machine.repo}"
        said = self._machine.ostree(repo, "commit", f"--branch={branch}", *keys, *below, f"--tree=dir={tree}")
        return said.strip().splitlines()[-1]

    def _skopeo(self, *words: str) -> str:
        ended = subprocess.run(
            ["skopeo", words[0], *self._auth(), *words[1:]], capture_output=True, text=True, check=False
        )
        if ended.returncode:
            raise ActorError(f"Pulling: {ended.stderr.strip()}")
        return ended.stdout

    def _auth(self) -> list[str]:
        for name in ("run/ostree/auth.json", "etc/ostree/auth.json", "usr/lib/ostree/auth.json"):
            if (self._machine.root / name).exists():
                return [f"--authfile={self._machine.root / name}"]
        empty = self._machine.root / "run/fieldops-actor/empty-auth.json"
        empty.parent.mkdir(parents=True, exist_ok=True)
        empty.write_text("{}")
        return [f"--authfile={empty}"]


def _skopeo_source(image: str, transport: str) -> str:
    if transport == "registry":
        name, at, digest = image.partition("@")
        # skopeo refuses a tag beside a digest; bootc pulls by the digest alone.
        head, colon, tag = name.rpartition(":")
        return f"docker://{head if at and colon and '/' not in tag else name}{at}{digest}"
    return f"{transport}:{image}"


def unpack(layer: Path, tree: Path) -> None:
    """Unpack one layer over ``tree``, with the whiteouts of the OCI image specification."""
    tree.mkdir(exist_ok=True)
    with tarfile.open(layer) as archive:
        for member in archive:
            name = Path(member.name.lstrip("./"))
            if name.name == ".wh..wh..opq":
                shutil.rmtree(tree / name.parent, ignore_errors=True)
            elif name.name.startswith(".wh."):
                gone = tree / name.parent / name.name[len(".wh.") :]
                shutil.rmtree(gone, ignore_errors=True)
                gone.unlink(missing_ok=True)
            else:
                trusted = {"filter": "fully_trusted"} if hasattr(tarfile, "fully_trusted_filter") else {}
                archive.extract(member, tree, **trusted)  # type: ignore[arg-type]


def complete(tree: Path, digest: str) -> None:
    """Give a small tree what every OSTree deployment has; a kernel that is missing is the image's own."""
    for name in ("usr/lib", "sysroot", "boot", "var"):
        (tree / name).mkdir(parents=True, exist_ok=True)
    if not (tree / "ostree").is_symlink():
        (tree / "ostree").symlink_to("sysroot/ostree")
    if not any((tree / "usr/lib/modules").glob("*/vmlinuz")):
        modules = tree / "usr/lib/modules" / f"6.12.0-{digest[7:15]}"
        modules.mkdir(parents=True)
        (modules / "vmlinuz").write_text(f"kernel of {digest}\n")
        (modules / "initramfs.img").write_text(f"initramfs of {digest}\n")
    if not (tree / "etc").exists() and not (tree / "usr/etc").exists():
        (tree / "usr/etc").mkdir(parents=True)


class Program:
    """The verbs of bootc."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.images = Images(machine)

    def document(self) -> Json:
        """Return the status document, keys as ``version`` has them."""
        machine = self.machine
        spec: Json = {"image": None, "bootOrder": "default"}
        status: Json = {"staged": None, "booted": None, "rollback": None, "rollbackQueued": False, "type": None}
        booted = None if machine.looks_like_container() else machine.booted()
        if booted is not None:
            self._fill(spec, status, booted)
        if machine.version >= (1, 9, 0):
            status["usrOverlay"] = None
        if machine.version >= (1, 15, 0):
            status["readOnly"] = False
        names = {"apiVersion": "org.containers.bootc/v1", "kind": "BootcHost", "metadata": {"name": "host"}}
        return {**names, "spec": spec, "status": status}

    def _fill(self, spec: Json, status: Json, booted: Deployment) -> None:
        staged, queued = self.machine.staged(), self.machine.is_rollback_queued()
        others = [one for one in self.machine.deployments() if one.name != booted.name]
        same = [one for one in others if one.stateroot == booted.stateroot]
        status["booted"] = self.entry(booted, booted)
        status["staged"] = self.entry(staged, booted) if staged else None
        status["rollback"] = self.entry(same[0], booted) if same else None
        status["rollbackQueued"] = queued
        rest = [self.entry(one, booted) for one in others if one not in same[:1]]
        if rest and self.machine.version >= (1, 3, 0):
            status["otherDeployments"] = rest
        source = status["staged"] or status["booted"]
        spec["image"] = source["image"] and source["image"]["image"]
        spec["bootOrder"] = "rollback" if queued else "default"
        status["type"] = "bootcHost" if status["booted"]["image"] else None

    def entry(self, one: Deployment | Staged, booted: Deployment) -> Json:
        """Return the BootEntry of a deployment."""
        incompatible = has_local_changes(one.origin)
        refspec = origin_value(one.origin, "container-image-reference")
        record = self.machine.image(one.checksum) if refspec and not incompatible else None
        image = None
        if refspec and record:
            image = {
                "image": reference_of(refspec),
                "version": record["version"],
                "timestamp": record["timestamp"],
                "imageDigest": record["digest"],
                "architecture": record["architecture"],
            }
        serial = one.serial if isinstance(one, Deployment) else 0
        found: Json = {
            "image": image,
            "cachedUpdate": self._cached(one, booted),
            "incompatible": incompatible,
            "pinned": False,
            "store": "ostreeContainer" if image else None,
            "ostree": {"stateroot": one.stateroot, "checksum": one.checksum, "deploySerial": serial},
            "composefs": None,
        }
        if self.machine.version >= (1, 7, 0):
            found["softRebootCapable"] = self._can_soft_reboot(one, booted)
        if self.machine.version >= (1, 12, 0):
            found["downloadOnly"] = isinstance(one, Staged) and one.locked
        return found

    def _cached(self, one: Deployment | Staged, booted: Deployment) -> Json | None:
        seen = self.machine.sysroot / "ostree/bootc/cached-update.json"
        if isinstance(one, Staged) or one.name != booted.name or not seen.exists():
            return None
        return t.cast("Json", json.loads(seen.read_text()))

    def _can_soft_reboot(self, one: Deployment | Staged, booted: Deployment) -> bool:
        if isinstance(one, Deployment) and one.name == booted.name:
            return False
        repo = f"--repo={self.machine.repo}"
        kernels = [
            self.machine.ostree(repo, "ls", "-R", "-C", checksum, "/usr/lib/modules", check=False)
            for checksum in (one.checksum, booted.checksum)
        ]
        return kernels[0] == kernels[1] and sorted(one.kargs) == sorted(booted.kargs)

    def status(self, options: argparse.Namespace) -> None:
        """Print the status document, or say that there is none to speak of."""
        if options.format_version not in (None, 0, 1):
            raise ActorError(f"Unsupported format version: {options.format_version}")
        if self.machine.has_fault("spinner") and self.machine.version < (1, 12, 1):
            sys.stdout.write("Waiting for sysroot lock...\n")
        document = self.document()
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
        spec = self.document()["spec"]["image"]
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
            if self._can_soft_reboot(staged, booted):
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
        document = self.document()
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
        image = self.entry(target, booted)["image"]
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
    try:
        verbs[options.verb](options)
    except ActorError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
