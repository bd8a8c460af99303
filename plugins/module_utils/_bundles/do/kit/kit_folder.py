# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The folder of a kit: its content, its checksums, and the verification that it is unchanged."""

from __future__ import annotations

import hashlib
import re
import stat
import typing as t
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import (
    SignatureError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.gpgv import Gpgv
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.trusted_keys import (
    TrustedKeys,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_lock import KitLock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.copies import files_below
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file, read_json
from ansible_collections.fieldops.openshift.plugins.module_utils._host.regular_file import open_regular
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import (
    DamagedBundleError,
    WrongContentError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import CHECKSUM_FILE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

LOCK = "kit.json"
INSTALLER = "install.pyz"
WHEELS = "wheels"
PAGES = "documentation"
EXECUTION_ENVIRONMENT = "execution-environment.tar"
SIGNATURE = f"{CHECKSUM_FILE}.asc"
ARCHIVE = re.compile(r"fieldops-openshift-[0-9A-Za-z.+-]+\.tar\.gz", re.ASCII)
_LINE = re.compile(r"([0-9a-f]{64})  (.+)", re.ASCII)
_BLOCK = 1024 * 1024
_SHOWN = 5


@dataclass(frozen=True)
class KitFolder:
    """The directory at ``path``. Its content is not trusted before it was ``proved``."""

    path: Path

    @property
    def sums_path(self) -> Path:
        """Return where the checksums are."""
        return self.path / CHECKSUM_FILE

    def sums_bytes(self) -> bytes | None:
        """Return the bytes of the checksums, None where there are none: a kit has them when it is complete."""
        return read_file(self.sums_path)

    def signature(self) -> bytes | None:
        """Return the signature of the checksums, None where there is none."""
        return read_file(self.path / SIGNATURE)

    def lock(self) -> KitLock | None:
        """Return the pinned wheels, None where there are none."""
        document = read_json(self.path / LOCK)
        return None if document is None else KitLock.from_document(document)

    def names(self) -> Iterator[str]:
        """Yield the paths of all files that belong into the checksums, directories excepted."""
        yield from (name for name in files_below(self.path) if name not in (CHECKSUM_FILE, SIGNATURE))

    @property
    def digest(self) -> str | None:
        """Return what identifies the kit, the digest of its checksums; None where it has none."""
        content = self.sums_bytes()
        return None if content is None else f"sha256:{hashlib.sha256(content).hexdigest()}"

    def state(self) -> dict[str, t.Any]:
        """Return what a build can change: ``damaged`` are files that are missing or other than their checksum says."""
        content = self.sums_bytes()
        expected = parsed_sums(content, self.path) if content is not None else {}
        present = self.sums() if content is not None else {}
        damaged = sorted(name for name, one in expected.items() if present.get(name) != one)
        return {"digest": self.digest, "signed": self.signature() is not None, "damaged": damaged}

    def sums(self) -> dict[str, str]:
        """Return the digest of each file as it is now, by path, in hexadecimal digits."""
        return {name: sha256_of(self.path / name) for name in sorted(self.names())}

    def proved(self, digest: Digest | None, keys: TrustedKeys, clock: Clock) -> dict[str, str]:
        """Return the checksums by path, after all files were found to have them and no other file is there.

        The checksums themselves must have ``digest``, and a signature by one of ``keys``, where these are given.
        Raises WrongContentError, SignatureError, DamagedBundleError.
        """
        content = self.sums_bytes()
        if content is None:
            raise _damaged(self.path, f"it has no {CHECKSUM_FILE}")
        _require_digest(self.path, content, digest)
        if keys:
            self._require_signature(content, keys, clock)
        expected = parsed_sums(content, self.path)
        problems = list(_problems(expected, self))
        if problems:
            raise _damaged(self.path, _shortened(problems))
        return expected

    def _require_signature(self, content: bytes, keys: TrustedKeys, clock: Clock) -> None:
        signature = self.signature()
        verdict = Gpgv(keys.ring, clock).verify_detached(content, signature) if keys.ring and signature else None
        problem = verdict.problem if verdict else "it is not signed" if keys.ring else "no OpenPGP key was given"
        if problem:
            raise SignatureError(
                "accept the kit",
                on=str(self.path),
                seen=f"the signature of its {CHECKSUM_FILE} is not valid: {problem}",
                advice="Use the kit of the site, or the key that signed it. Nothing was installed.",
            )


def sums_text(sums: Mapping[str, str]) -> bytes:
    """Return checksums as sha256sum(1) reads them."""
    return "".join(f"{sums[name]}  {name}\n" for name in sorted(sums)).encode()


def parsed_sums(content: bytes, path: Path) -> dict[str, str]:
    """Return the checksums in ``content`` by path; raise DamagedBundleError for anything else."""
    found: dict[str, str] = {}
    for line in content.decode(errors="replace").splitlines():
        match = _LINE.fullmatch(line)
        if match is None or ".." in Path(match[2]).parts or Path(match[2]).is_absolute() or match[2] in found:
            raise _damaged(path, f"a line of {CHECKSUM_FILE} is no checksum: {line[:100]!r}")
        found[match[2]] = match[1]
    return found


def sha256_of(path: Path) -> str:
    """Return the digest of the regular file ``path`` in hexadecimal digits."""
    digest = hashlib.sha256()
    with open_regular(path) as stream, explained("read the file", path):
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _problems(expected: Mapping[str, str], folder: KitFolder) -> Iterator[str]:
    present = set(folder.names())
    yield from (f"{name} is missing" for name in sorted(expected.keys() - present))
    yield from (f"{name} does not belong to it" for name in sorted(present - expected.keys()))
    for name in sorted(present & expected.keys()):
        if not stat.S_ISREG((folder.path / name).lstat().st_mode):
            yield f"{name} is not a regular file"
        elif sha256_of(folder.path / name) != expected[name]:
            yield f"{name} is damaged"


def _require_digest(path: Path, content: bytes, digest: Digest | None) -> None:
    seen = hashlib.sha256(content).hexdigest()
    if digest is not None and digest.hex != seen:
        raise WrongContentError(
            "accept the kit",
            on=str(path),
            seen=f"its digest is sha256:{seen}, not {digest}",
            advice="Use the kit that has the digest which you received. Nothing was installed.",
        )


def _shortened(problems: list[str]) -> str:
    rest = len(problems) - _SHOWN
    return "; ".join(problems[:_SHOWN]) + (f"; and {rest} more" if rest > 0 else "")


def _damaged(path: Path, seen: str) -> DamagedBundleError:
    return DamagedBundleError(
        "accept the kit",
        on=str(path),
        seen=seen,
        advice="Copy the kit again, or build it again in this folder. Nothing was installed.",
    )
