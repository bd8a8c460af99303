# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The two releases of the stage: one that its cluster is installed from, and one that it is to come to."""

from __future__ import annotations

import json
import typing as t
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import KIB
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.registry.server import PULL_SECRET
from ansible_collections.fieldops.openshift.tests.lab.registry.version_operator_payload import VersionOperatorSpec
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import RUN_LEVELS

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
    from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release

INSTALLED, NEXT = "4.21.3", "4.21.4"
PARALLEL = 4


def publish_releases(lab: Lab) -> tuple[Release, Release]:
    """Put both into the lab's registry, the next one signed by the key that the installed one trusts; return them."""
    registry = lab.registry
    told = VersionOperatorSpec(json.dumps(registry.signer.verification()), RUN_LEVELS)
    made = [registry.factory.release(_spec(version, told)) for version in (INSTALLED, NEXT)]
    registry.publish(*made)
    installed, later = made
    registry.signer.sign(later.reference)
    return installed, later


def install(lab: Lab, release: Release) -> None:
    """Let the nodes of the control plane hold a release image as they do after an installation.

    Nothing on a node leads from the image's name to the registry.
    """
    name = release.reference.by_digest()
    source = replace(name, registry=lab.registry.host)
    copy = ["skopeo", "--insecure-policy", "copy", "--quiet", "--preserve-digests", f"--src-authfile={PULL_SECRET}"]
    masters = [host for host in lab.hosts.values() if host.identity.role == "master"]
    with ThreadPoolExecutor(PARALLEL) as pool:
        list(pool.map(lambda host: host.run(*copy, f"docker://{source}", f"containers-storage:{name}"), masters))


def _spec(version: str, operator: VersionOperatorSpec) -> ReleaseSpec:
    return ReleaseSpec(
        version, components=16, own_layers=(512 * KIB,), base_layers=(1024 * KIB, 256 * KIB), operator=operator
    )
