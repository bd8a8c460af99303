# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The images of each staged bundle that the image source of a node serves: requested as a client does."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import staged_folders
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.plan.mirror_files import (
    MirrorSettings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.plan.source_units import SERVICE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundledImage
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

_LIMIT = 4 * MIB


def served_bundles(host: Host, settings: MirrorSettings, deadline: Deadline, *, is_on: bool) -> dict[str, t.Any]:
    """Return each bundle with the images that clients do not get, and the blobs that were found damaged."""
    bundles: list[dict[str, t.Any]] = []
    for folder in staged_folders(host):
        try:
            index = folder.require_index()
        except FieldOpsError as error:
            bundles.append({"folder": host.as_seen_by_host(folder.path), "index_digest": None, "problem": error.seen})
            continue
        images = [image for image in index.images if image.is_image]
        lacking = lacking_images(host, settings, images, deadline) if is_on else [str(image.name) for image in images]
        bundles.append(
            {
                "folder": host.as_seen_by_host(folder.path),
                "index_digest": str(index.digest),
                "release": str(index.release),
                "images": len(images),
                "servable": len(images) - len(lacking),
                "lacking": lacking,
                "problem": "",
            }
        )
    return {"bundles": bundles, "damaged": _damaged(host, deadline)}


def is_listening(host: Host, deadline: Deadline, enabled: Sequence[str]) -> bool:
    """Whether all of these units of the image source are active."""
    return all(
        host.run(["systemctl", "is-active", "--quiet", unit], deadline=deadline, ok=None).rc == 0 for unit in enabled
    )


def lacking_images(
    host: Host, settings: MirrorSettings, images: Sequence[BundledImage], deadline: Deadline
) -> list[str]:
    """Return the names of those ``images`` that are not available to a client, by one run of curl."""
    lines = ["silent", "head", "max-time = 300", 'noproxy = "*"', 'write-out = "%{http_code}\\n"']
    for image in images:
        repository = image.name.name.partition("/")[2]
        url = f"http://{settings.location}/v2/{repository}/manifests/{image.name.digest}"
        lines += [f'url = "{url}"', 'output = "/dev/null"']
    asked = host.run(["curl", "--config", "-"], deadline=deadline, stdin="\n".join(lines).encode(), ok=None)
    codes = asked.stdout.split()
    codes += ["000"] * (len(images) - len(codes))
    return [str(image.name) for image, code in zip(images, codes) if code != "200"]


def _damaged(host: Host, deadline: Deadline) -> list[str]:
    """Return the digests of damaged blobs, as the server has reported to systemd."""
    asked = ["systemctl", "show", SERVICE, "--property=StatusText", "--value"]
    text = host.run(asked, deadline=deadline, limit=_LIMIT).stdout.strip()
    try:
        told = json.loads(text) if text.startswith("{") else {}
    except ValueError:
        return []
    return [str(one) for one in told.get("damaged", [])]
