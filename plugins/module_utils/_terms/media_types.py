# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Media types of what a registry holds, in the two families that OpenShift's releases mix."""

from __future__ import annotations

DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
DOCKER_LIST = "application/vnd.docker.distribution.manifest.list.v2+json"
OCI_MANIFEST = "application/vnd.oci.image.manifest.v1+json"
OCI_INDEX = "application/vnd.oci.image.index.v1+json"

IMAGE_MANIFESTS = frozenset({DOCKER_MANIFEST, OCI_MANIFEST})
"""Manifests of one image. Source: distribution ``docs/spec/manifest-v2-2.md``; OCI image specification."""

IMAGE_LISTS = frozenset({DOCKER_LIST, OCI_INDEX})
"""Manifests that list one image per architecture."""

COSIGN_PAYLOAD = "application/vnd.dev.cosign.simplesigning.v1+json"
"""Signed documents of cosign. Source: sigstore/cosign ``specs/SIGNATURE_SPEC.md``."""
