# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Media types of what a registry holds, in the two families that OpenShift's releases mix."""

from __future__ import annotations

import re

MEDIA_TYPE = re.compile(r"[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}", re.ASCII)
"""A media type without parameters. Source: RFC 6838, section 4.2."""

DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
DOCKER_LIST = "application/vnd.docker.distribution.manifest.list.v2+json"
OCI_MANIFEST = "application/vnd.oci.image.manifest.v1+json"
OCI_INDEX = "application/vnd.oci.image.index.v1+json"

IMAGE_MANIFESTS = frozenset({DOCKER_MANIFEST, OCI_MANIFEST})
"""Manifests of one image. Source: distribution ``docs/spec/manifest-v2-2.md``; OCI image specification."""

IMAGE_LISTS = frozenset({DOCKER_LIST, OCI_INDEX})
"""Manifests that list one image per architecture."""

IMAGE_CONFIGS = frozenset(
    {"application/vnd.oci.image.config.v1+json", "application/vnd.docker.container.image.v1+json"}
)
"""Configs of images; manifests with another config are of something else."""

LAYERS = frozenset(
    {
        "application/vnd.oci.image.layer.v1.tar",
        "application/vnd.oci.image.layer.v1.tar+gzip",
        "application/vnd.oci.image.layer.v1.tar+zstd",
        "application/vnd.docker.image.rootfs.diff.tar",
        "application/vnd.docker.image.rootfs.diff.tar.gzip",
        "application/vnd.docker.image.rootfs.diff.tar.zstd",
    }
)
"""Layers that a node can unpack. Source: OCI image specification ``layer.md``; containers/image ``manifest/oci.go``."""

FOREIGN_LAYERS = ("application/vnd.oci.image.layer.nondistributable.", "application/vnd.docker.image.rootfs.foreign.")
"""How the media types of layers begin whose bytes are not in the registry of the image."""

COSIGN_PAYLOAD = "application/vnd.dev.cosign.simplesigning.v1+json"
"""Signed documents of cosign. Source: sigstore/cosign ``specs/SIGNATURE_SPEC.md``."""
