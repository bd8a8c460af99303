# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bundles on the media of a host: where they lie, and whether they are whole."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError, explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mounts import read_mounts
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.media import (
    Device,
    devices_of,
    places_to_look,
    unmounted,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.missing_blobs import staging_state
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import INDEX_FILE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import read_index
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    FieldOpsError,
    MissingRequirementError,
)

if t.TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host

DEEPEST = 2
"""Levels of folders of a medium in which a bundle may lie."""

MOST_FOLDERS = 2000
MOST_INDEXES = 16
"""Indexes that are read of one medium: anyone may have written it."""

_MARK = b'"FieldOpsBundle"'
"""What every index of a bundle has in it, and an index.json of something else, such as an OCI layout, has not."""

_COLUMNS = "PATH,FSTYPE,LABEL,SIZE,RM,HOTPLUG,MOUNTPOINT"
_STEP_SECONDS = 60.0


def media_report(host: Host, params: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return the bundles on all media and in ``media_paths``, and removable devices that are not mounted.

    A bundle that is damaged or not whole is listed with its problem. Where the ``index_digest`` of the wanted one is
    known, no other index is parsed: of the others only their digests are told.
    """
    wanted = Digest.parse(params["index_digest"]) if params["index_digest"] else None
    devices = _devices(host)
    places = places_to_look([mount.mount_point for mount in read_mounts(host)], devices, params["media_paths"])
    bundles: dict[str, dict[str, t.Any]] = {}
    not_read: list[str] = []
    for place in places:
        folders = _folders(host.path(place))
        for folder in itertools.islice(folders, MOST_INDEXES):
            document = _bundle(host, BundleFolder(folder), wanted)
            bundles.setdefault(document["path"], document)
        not_read += [host.as_seen_by_host(folder) for folder in folders]
    usable = sorted({one["index_digest"] for one in bundles.values() if not one["problem"]})
    return {
        "places": list(places),
        "bundles": list(bundles.values()),
        "index_digests": usable,
        "not_read": not_read,
        "unmounted": [device.as_document() for device in unmounted(devices)],
    }


def _devices(host: Host) -> tuple[Device, ...]:
    asked = ["lsblk", "--json", "--bytes", "--output", _COLUMNS]
    try:
        return devices_of(host.run(asked, deadline=Deadline(_STEP_SECONDS, host.clock)).json())
    except (CommandError, MissingRequirementError):
        # A host without block devices of its own, such as a container, still has mount points.
        return ()


def _folders(top: Path) -> Iterator[Path]:
    """Yield the folders below ``top`` that have an index; a medium that was pulled meanwhile has none."""
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


def _bundle(host: Host, folder: BundleFolder, wanted: Digest | None) -> dict[str, t.Any]:
    document: dict[str, t.Any] = {"path": host.as_seen_by_host(folder.path), "index_digest": None, "problem": ""}
    try:
        content = folder.index_bytes() or b""
        seen = Digest(hashlib.sha256(content).hexdigest())
        if wanted is not None and seen != wanted:
            return {**document, **_other(content, seen)}
        index = read_index(content)
        state = staging_state(index, index.images, *folder.sizes())
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
        "problem": f"{len(state.missing)} of its {len(state.blobs)} blobs are missing" if state.missing else "",
    }


def _other(content: bytes, digest: Digest) -> dict[str, t.Any]:
    """Return what is told of an index that is not the wanted one, without parsing it."""
    if _MARK not in content:
        return {"problem": "its index.json is not the index of a bundle"}
    return {"index_digest": str(digest), "version": "", "base": None}
