# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The operators of the stage's cluster: who judges the release, and who gives nodes their configuration."""

from __future__ import annotations

import contextlib
import typing as t

from ansible_collections.fieldops.openshift.tests.lab.actors.cluster_version_operator import (
    ClusterVersionOperator,
    retrieval_by,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_operator import (
    images_on_hosts,
    machine_config_operator,
    reboot_hosts,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.release_verification import ReleaseVerification

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
    from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
    from ansible_collections.fieldops.openshift.tests.lab.registry.release_signer import ReleaseSigner


@contextlib.contextmanager
def cluster_operators(lab: Lab, release: Release, signer: ReleaseSigner) -> Iterator[None]:
    """Run them for as long as the context lasts; the cluster trusts ``signer`` and knows the versions of releases."""
    client = lab.api.rest
    for trusted in signer.trust():
        client.apply(trusted)
    images = images_on_hosts(lab)
    versions = {str(release.reference.by_digest()): release.spec.version}
    version_operator = ClusterVersionOperator(
        client,
        ReleaseVerification(client),
        version_of=lambda image: versions.get(image, ""),
        retrieve=retrieval_by(images["master-0"]),
    )
    with machine_config_operator(lab.api, reboot_hosts(lab), images), version_operator:
        yield
