# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The release of the benchmarks: 44 components, 3.2 GB; all images but the OS images share two base layers."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec

SPEC = ReleaseSpec(
    components=44,
    platform_components=8,
    base_layers=(96 * MIB, 32 * MIB),
    own_layers=(56 * MIB,),
    os_layers=(192 * MIB, 192 * MIB),
    compressible=0.1,
)


def large_release(directory: Path, spec: ReleaseSpec = SPEC) -> Release:
    """Generate the release; its blobs lie in ``directory``."""
    return ReleaseFactory(directory).release(spec)
