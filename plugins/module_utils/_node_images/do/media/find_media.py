# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bundles on the media of a host: where they are, and whether they are complete."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import typing as t
from collections.abc import Iterator, Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.connected_volumes import ConnectedVolumes
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError, explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mounts import read_mounts
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.media.media_lease import LEASE
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.media.media_mounts import (
    block_devices,
    mount_media,
    mounted_by_us,
    release_media,
    unmount_media,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.media import (
    BENEATH,
    is_below,
    places_to_look,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.missing_blobs import staging_state
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import INDEX_FILE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import read_index
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.vetted_digest import VettedDigest

DEEPEST = 2
"""Levels of folders of a medium in which a bundle may be."""

MOST_FOLDERS = 2000
MOST_INDEXES = 16
"""Indexes that are read of one medium, whose content is not trusted."""

_MARK = b'"FieldOpsBundle"'
"""What every index of a bundle has in it, and an index.json of something else, such as an OCI layout, has not."""


def media_report(
    host: Host,
    paths: Sequence[str] = (),
    wanted: VettedDigest | None = None,
    *,
    lifetime: int = LEASE,
    check_mode: bool = False,
) -> Result:
    """Mount removable media that are not mounted, and return the bundles on all media and in ``paths``.

    A medium without the ``wanted`` bundle, or without any, is unmounted again. A bundle that is damaged or incomplete
    is listed with its problem. Where the digest of the ``wanted`` index is known, no other index is parsed: of the
    others only their digests are returned. The host unmounts the others in ``lifetime`` seconds if no play does.
    """
    before = mounted_by_us(host)
    # What a killed run has left may be a drive that has been pulled since.
    kept = before if check_mode else release_media(host)
    devices = block_devices(host)
    left = mount_media(host, devices, lifetime, check_mode=check_mode)
    mount_points = [mount.mount_point for mount in read_mounts(host)]
    places = places_to_look(mount_points, devices, paths, [_followed(host, base) for base in BENEATH])
    bundles, not_read = _bundles(host, places, wanted)
    useless = (one for one in mounted_by_us(host) if one not in kept and not _is_wanted(one, bundles, wanted))
    unmount_media(host, tuple(useless))
    usable = sorted({one["index_digest"] for one in bundles if not one["problem"]})
    found = {"places": list(places), "bundles": bundles, "index_digests": usable, "not_read": not_read}
    return _result(before, mounted_by_us(host), {**found, "unmounted": left})


def unmounted_media(host: Host, *, check_mode: bool = False) -> Result:
    """Unmount what ``media_report`` has mounted; what a job still uses stays."""
    before = mounted_by_us(host)
    return _result(before, () if check_mode else release_media(host), {})


def _result(before: tuple[str, ...], after: tuple[str, ...], objects: dict[str, t.Any]) -> Result:
    changes = (("mount", set(after) - set(before)), ("unmount", set(before) - set(after)))
    actions = tuple({"action": action, "path": path} for action, paths in changes for path in sorted(paths))
    diff = {"before": {"mounted": sorted(before)}, "after": {"mounted": sorted(after)}}
    return Result(bool(actions), {**objects, "mounted": sorted(after)}, actions, diff if actions else None)


def _bundles(
    host: Host, places: Sequence[str], wanted: VettedDigest | None
) -> tuple[list[dict[str, t.Any]], list[str]]:
    """Return the bundles in ``places`` and folders whose index was not read."""
    bundles: dict[str, dict[str, t.Any]] = {}
    not_read: list[str] = []
    for place in places:
        folders = _folders(host.path(place))
        for folder in itertools.islice(folders, MOST_INDEXES):
            document = _bundle(host, BundleFolder(folder), wanted)
            bundles.setdefault(document["path"], document)
        not_read += [host.as_seen_by_host(folder) for folder in folders]
    return list(bundles.values()), not_read


def _is_wanted(place: str, bundles: Sequence[dict[str, t.Any]], wanted: VettedDigest | None) -> bool:
    """Whether the medium at ``place`` has the wanted bundle or a part of it, or any where none is known."""
    return any(
        (one["is_part"] or not one["problem"]) and (wanted is None or str(one["index_digest"]).startswith(str(wanted)))
        for one in bundles
        if one["path"] == place or is_below(one["path"], place)
    )


def _followed(host: Host, base: str) -> str:
    """Return where ``base`` leads on the host: on an ostree host /mnt is a link to var/mnt, and mounts are there."""
    try:
        target = host.root.joinpath(base[1:]).readlink()
    except OSError:
        return base
    return os.path.normpath(Path(base).parent / target)


def _folders(top: Path) -> Iterator[Path]:
    """Yield the folders below ``top`` that have an index; a medium that was removed in the meantime has none."""
    level, seen = [top], 0
    for _depth in range(DEEPEST + 1):
        below: list[Path] = []
        for folder in level:
            seen += 1
            with contextlib.suppress(FileAccessError), explained("list the directory", folder):
                if (folder / INDEX_FILE).is_file():
                    yield folder
                elif seen < MOST_FOLDERS:
                    below += [path for path in sorted(folder.iterdir()) if path.is_dir() and not path.is_symlink()]
        level = below


def _bundle(host: Host, folder: BundleFolder, wanted: VettedDigest | None) -> dict[str, t.Any]:
    path = host.as_seen_by_host(folder.path)
    document: dict[str, t.Any] = {"path": path, "index_digest": None, "is_part": False, "problem": ""}
    try:
        content = folder.index_bytes() or b""
        seen = Digest(hashlib.sha256(content).hexdigest())
        if wanted is not None and not wanted.matches(seen):
            return {**document, **_other(content, seen)}
        index = read_index(content)
        state = staging_state(index, index.images, *folder.sizes())
        volumes = ConnectedVolumes.of([folder], index)
    except FieldOpsError as error:
        return {**document, "problem": error.seen}
    return {
        **document,
        "version": index.version,
        "architecture": index.architecture.release,
        "index_digest": str(index.digest),
        "base": str(index.base) if index.base else None,
        "images": sum(image.is_image for image in index.images),
        "size": index.size,
        # A drive with the parity has no blobs of its own.
        "is_part": bool(state.missing) and (len(state.missing) < len(state.blobs) or volumes is not None),
        "volume": volumes.as_document() if volumes is not None else None,
        "problem": f"{len(state.missing)} of its {len(state.blobs)} blobs are missing" if state.missing else "",
    }


def _other(content: bytes, digest: Digest) -> dict[str, t.Any]:
    """Return what is reported of an index that is not the wanted one, without parsing it."""
    if _MARK not in content:
        return {"problem": "its index.json is not the index of a bundle"}
    return {"index_digest": str(digest), "version": "", "base": None}
