# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a bundle carries what new machines boot: as an OCI artifact of a name that no registry has."""

from __future__ import annotations

BOOT_ARTIFACTS = "boot-images.fieldops.invalid"
"""Host of the names of these artifacts; the rest is the platform, as streams name it. Source: RFC 2606."""

BOOT_ARTIFACT_TYPE = "application/vnd.fieldops.boot-images.v1"
TITLE = "org.opencontainers.image.title"
"""Annotation of a layer: the name of the file. Source: OCI image specification, ``annotations.md``."""
