# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The ConfigMap through which a cluster finds the release's signatures without asking an outside server.

Source: openshift/library-go ``pkg/verify/store/configmap``; openshift/oc ``pkg/cli/admin/release/mirror.go``.
"""

from __future__ import annotations

import base64
import typing as t
from collections.abc import Callable

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledRelease,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import PART_OF, PART_OF_LABEL

NAMESPACE = "openshift-config-managed"
SIGNATURES_LABEL = "release.openshift.io/verification-signatures"


def signature_config_map(
    index: BundleIndex, read_blob: Callable[[Digest], bytes], bundled: BundledRelease | None = None
) -> dict[str, t.Any] | None:
    """Return the ConfigMap with the GPG signatures of a release, by default of the target; None if it has none.

    It has to be applied before ``ClusterVersion.spec.desiredUpdate`` names the release: then neither a signature store
    nor ``force`` is needed. ``read_blob`` returns the verified bytes of a blob.
    """
    release = (bundled or index.target).image.digest
    blobs = [one.blobs[0] for one in index.signatures if one.kind == "gpg" and one.image == release]
    if release is None or not blobs:
        return None
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {
            "name": f"sha256-{release.hex}",
            "namespace": NAMESPACE,
            "labels": {SIGNATURES_LABEL: "", PART_OF_LABEL: PART_OF},
        },
        "binaryData": {
            f"sha256-{release.hex}-{number}": base64.b64encode(read_blob(digest)).decode("ascii")
            for number, digest in enumerate(blobs, 1)
        },
    }
