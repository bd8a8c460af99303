# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""What goes wrong with bundles, beyond what the doors report."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest


class BundleError(FieldOpsError):
    """A bundle cannot be built, read or changed as asked for."""

    kind = "bundle"


class PayloadError(BundleError):
    """An image or a document inside it is not what its format demands."""

    kind = "payload"


class SignatureError(BundleError):
    """A signature is missing, of nobody who is trusted, or about something else."""

    kind = "signature"


class DamagedBundleError(BundleError):
    """Bytes of a bundle are missing or not those that its index names."""

    kind = "damaged_bundle"


class BlobError(BundleError):
    """One blob could not be had; its ``kind`` is that of the cause, and ``partial`` names the image and the blob."""

    def __init__(self, cause: FieldOpsError, *, image: str, digest: Digest, size: int) -> None:
        super().__init__(
            f"fetch the blob {digest} of {size} bytes",
            on=image,
            seen=f"{cause.attempted} on {cause.on}: {cause.seen}",
            advice=cause.advice,
            partial={**cause.partial, "image": image, "blob": str(digest)},
            transient=cause.transient,
        )
        self.kind = cause.kind
