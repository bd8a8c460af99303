# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""An image of the bundle as skopeo reads it: a folder of links into the one pool of blobs.

The ``dir:`` transport alone keeps Docker v2s2 manifests and their digests as they are (``oci:`` converts them).
Source: containers/image, ``directory/directory_transport.go`` for the names of the files.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BLOB_FOLDER

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundledImage
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

VIEW_FOLDER = "views"
VERSION_FILE = "version"
VERSION = "Directory Transport Version: 1.1\n"

POLICY = {"default": [{"type": "reject"}], "transports": {"dir": {"": [{"type": "insecureAcceptAnything"}]}}}
"""The signature policy under which images are loaded: from local folders only.

Their trust is the vetted digest of the index, which reaches every byte; the host's own policy is about registries.
Source: containers-policy.json(5).
"""


def view_links(image: BundledImage) -> dict[str, str]:
    """Return the links of the image's view, names to targets relative to it.

    A manifest list has the manifests of its instances beside it; the digests of those that do not travel are missed
    only if skopeo wants an architecture that is not in the bundle.
    """
    first, *instances = image.manifests
    return {
        "manifest.json": _target(first),
        **{f"{digest.hex}.manifest.json": _target(digest) for digest in instances},
        **{digest.hex: _target(digest) for digest in image.content},
    }


def copy_command(view: str, image: BundledImage, policy: str) -> Sequence[str]:
    """Return the command that loads the image from its ``view`` under its own name; a wrong digest is fatal to it."""
    flags = ("--policy", policy, "copy", "--quiet", "--preserve-digests")
    return ("skopeo", *flags, f"dir:{view}", f"containers-storage:{image.name}")


def _target(digest: Digest) -> str:
    return f"../../{BLOB_FOLDER}/{digest.hex}"
