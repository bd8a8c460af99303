# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The archive of this collection for a kit: a file that was built, or made again of the files that were installed."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import KitError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file

LARGEST = 256 * 1024 * 1024
_MANIFEST, _FILES = "MANIFEST.json", "FILES.json"


@dataclass(frozen=True)
class CollectionArchive:
    """The bytes of the archive; ``requirements`` is the text of its ``requirements.txt``."""

    content: bytes
    version: str
    requirements: str

    @property
    def file_name(self) -> str:
        """Return the name that ansible-galaxy gives the archive."""
        return f"fieldops-openshift-{self.version}.tar.gz"

    @classmethod
    def of(cls, path: Path) -> CollectionArchive:
        """Return the archive at ``path``, or that of the collection installed in the folder ``path``.

        Raises KitError for anything else, and for an installed file that was changed.
        """
        content = _packed(path) if path.is_dir() else read_file(path, limit=LARGEST)
        if content is None:
            raise _refusal(path, "there is no such file")
        try:
            with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as archive:
                info = json.loads(_member(archive, _MANIFEST))["collection_info"]
                requirements = _member(archive, "requirements.txt").decode()
        except (tarfile.TarError, KeyError, ValueError, EOFError, OSError) as error:
            raise _refusal(path, f"it is not the archive of a collection ({error})") from error
        if (info["namespace"], info["name"]) != ("fieldops", "openshift"):
            raise _refusal(path, f"it is the collection {info['namespace']}.{info['name']}")
        return cls(content, str(info["version"]), requirements)


def _member(archive: tarfile.TarFile, name: str) -> bytes:
    stream = archive.extractfile(name)
    if stream is None:
        raise ValueError(f"{name} is no file")
    return stream.read()


def _packed(folder: Path) -> bytes:
    """Return the archive of an installed collection: the files that its own lists name, with the digests in them."""
    manifest = read_file(folder / _MANIFEST)
    if manifest is None:
        raise _refusal(folder, "it is no installed collection: it has no MANIFEST.json")
    listed = json.loads(_verified(folder, _FILES, json.loads(manifest)["file_manifest_file"]["chksum_sha256"]))
    result = io.BytesIO()
    # Without times, so that the same collection always makes the same archive.
    with gzip.GzipFile(fileobj=result, mode="wb", mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        _add(archive, _MANIFEST, manifest)
        _add(archive, _FILES, _verified(folder, _FILES, None))
        for entry in listed["files"]:
            if entry["name"] != ".":
                content = None if entry["ftype"] == "dir" else _verified(folder, entry["name"], entry["chksum_sha256"])
                _add(archive, entry["name"], content)
    return result.getvalue()


def _add(archive: tarfile.TarFile, name: str, content: bytes | None) -> None:
    """Add a file; without ``content`` it is a directory."""
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode = (tarfile.REGTYPE, 0o644) if content is not None else (tarfile.DIRTYPE, 0o755)
    entry.size = len(content or b"")
    archive.addfile(entry, io.BytesIO(content or b""))


def _verified(folder: Path, name: str, digest: str | None) -> bytes:
    # The digest proves the content, whether or not the file is a link within the collection.
    content = read_file((folder / name).resolve(), limit=LARGEST)
    if content is None:
        raise _refusal(folder, f"its file {name} is missing")
    if digest is not None and hashlib.sha256(content).hexdigest() != digest:
        raise _refusal(folder, f"its file {name} was changed after the installation")
    return content


def _refusal(path: Path, seen: str) -> KitError:
    return KitError(
        "read the collection for the kit",
        on=str(path),
        seen=seen,
        advice="Build the archive of the collection with ansible-galaxy collection build, and specify it.",
    )
