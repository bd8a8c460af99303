# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Images for the actors bootc and rpm-ostree: pulled with the real skopeo, committed with the real ostree.

Copied from bootc: which auth.json counts (crates/ostree-ext/src/globals.rs), which images are refused and what is said
of it (container/store.rs, prepare_internal), under which names images are kept and when they are pruned (store.rs,
deploy.rs: a name with tag and digest is kept without the tag, and therefore pruned at once), where bound images go
(boundimage.rs). Not copied: layers; what is said of them.
It runs on hosts of the lab beside ``bootc.py``, with Python's standard library alone.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
import shutil
import subprocess
import tarfile
import tempfile
import typing as t
from pathlib import Path

if t.TYPE_CHECKING or __package__:
    from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_machine import (
        KEY,
        ActorError,
        Machine,
        origin_value,
        reference_of,
    )
else:
    from bootc_machine import KEY, ActorError, Machine, origin_value, reference_of

OCI_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64", "ppc64le": "ppc64le", "s390x": "s390x"}
BASE_LABEL = "example.fieldops.base"
VERSION_LABEL = "org.opencontainers.image.version"
IMAGES, COMMITS = "ostree/container/image", "fieldops/image"

Json = dict[str, t.Any]


class Images:
    """Pulls images and makes commits of them."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def pull(self, image: str, transport: str) -> tuple[str, str, bool]:
        """Return commit and digest of an image, and whether its name meant another one, or none, until now.

        No registry is asked for what was pulled by its own digest.
        """
        source = _skopeo_source(image, transport)
        asked, known = image.partition("@")[2], self._revision(f"{IMAGES}/{_escaped(source)}")
        if asked and known and (self._machine.image(known) or {}).get("digest") == asked:
            return known, asked, False
        digest, config = self.digest(image, transport)
        if not {"containers.bootc", "ostree.bootable"} & {*_labels(config)}:
            raise ActorError("Fetching manifest: Target image does not have ostree.bootable label")
        name, branch = f"{IMAGES}/{_escaped(source)}", f"{COMMITS}/{digest.partition(':')[2]}"
        known = self._revision(branch)
        if known and self._revision(name) == known:
            return known, digest, False
        commit = known or self._fetch(source, branch, digest, config)
        self._machine.ostree(self._repo, "refs", "--force", f"--create={name}", commit)
        return commit, digest, True

    @property
    def _repo(self) -> str:
        return f"--repo={self._machine.repo}"

    def _revision(self, ref: str) -> str:
        return self._machine.ostree(self._repo, "rev-parse", ref, check=False).strip()

    def _fetch(self, source: str, branch: str, digest: str, config: Json) -> str:
        spool = self._machine.sysroot / "ostree/bootc"
        spool.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=spool, prefix=".pull-") as folder:
            self._skopeo("copy", "--quiet", source, f"dir:{folder}/image")
            return self._commit(Path(folder), branch, digest, config)

    def prune(self) -> None:
        """Forget the names that no deployment has in its origin, and the content that none is made of."""
        kept = self._machine.known()
        named = {origin_value(one.origin, "container-image-reference") for one in kept}
        sources = {f"{ref['transport']}:{ref['image']}" for ref in map(reference_of, filter(None, named))}
        names = {f"{IMAGES}/{_escaped(one.replace('registry:', 'docker://', 1))}" for one in sources}
        checksums = {one.checksum for one in kept}
        for ref in self._machine.ostree(self._repo, "refs").split():
            if (ref.startswith(IMAGES) and ref not in names) or (
                ref.startswith(COMMITS) and self._revision(ref) not in checksums
            ):
                self._machine.ostree(self._repo, "refs", "--delete", ref)

    def digest(self, image: str, transport: str) -> tuple[str, Json]:
        """Return digest and configuration of an image without fetching it, the one of a list for this architecture."""
        source = _skopeo_source(image, transport)
        digest, config = self._digest(source), json.loads(self._skopeo("inspect", "--config", source))
        wanted = OCI_ARCHITECTURES.get(platform.machine(), platform.machine())
        if config.get("architecture") != wanted:
            found = config.get("architecture")
            raise ActorError(f"Fetching manifest: Image has architecture {found}; expected {wanted}")
        return digest, config

    def bind(self, name: str) -> None:
        """Fetch a logically bound image into bootc's own storage (its list has the form of containers/storage)."""
        if self._machine.has_fault("bound_images"):
            raise ActorError(f"Fetching bound image {name}: reading manifest: connection refused")
        digest = self._digest(f"docker://{name}")
        folder = self._machine.storage / "overlay-images" / digest.partition(":")[2]
        folder.parent.mkdir(parents=True, exist_ok=True)
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

    def _commit(self, folder: Path, branch: str, digest: str, config: Json) -> str:
        manifest = json.loads((folder / "image/manifest.json").read_text())
        tree = folder / "tree"
        for layer in manifest["layers"]:
            unpack(folder / "image" / layer["digest"].partition(":")[2], tree)
        labels = _labels(config)
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
        said = self._machine.ostree(self._repo, "commit", f"--branch={branch}", *keys, *below, f"--tree=dir={tree}")
        return said.strip().splitlines()[-1]

    def _skopeo(self, *words: str) -> str:
        ended = subprocess.run(
            ["skopeo", words[0], *self._auth(), *words[1:]], capture_output=True, text=True, check=False
        )
        if ended.returncode:
            said = ended.stderr.strip()
            raise ActorError(f"Fetching manifest: failed to invoke method OpenImage: {said}")
        return ended.stdout

    def _auth(self) -> list[str]:
        for name in ("run/ostree/auth.json", "etc/ostree/auth.json", "usr/lib/ostree/auth.json"):
            if (self._machine.root / name).exists():
                return [f"--authfile={self._machine.root / name}"]
        empty = self._machine.root / "run/fieldops-actor/empty-auth.json"
        empty.parent.mkdir(parents=True, exist_ok=True)
        empty.write_text("{}")
        return [f"--authfile={empty}"]


def _labels(config: Json) -> Json:
    return (config.get("config") or {}).get("Labels") or {}


def _escaped(source: str) -> str:
    """Return a source as the name of a ref (ostree-ext, refescape.rs)."""
    return re.sub(r"//|[^0-9A-Za-z/]", lambda found: "".join(f"_{ord(one):02X}_" for one in found[0]), source)


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
