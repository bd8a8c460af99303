# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The operators of the stage's cluster: who judges the release, and who gives nodes their configuration."""

from __future__ import annotations

import contextlib
import typing as t

from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_operator import (
    images_on_hosts,
    machine_config_operator,
    reboot_hosts,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_release import NAME as MACHINE_CONFIG
from ansible_collections.fieldops.openshift.tests.lab.actors.other_operators import OtherOperators
from ansible_collections.fieldops.openshift.tests.lab.cluster_version_operator import cluster_version_operator
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import RUN_LEVELS

if t.TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
    from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release


@contextlib.contextmanager
def cluster_operators(lab: Lab, installed: Release, later: Release) -> Iterator[None]:
    """Run them for as long as the context lasts, on a cluster that was installed from a release and may go to another.

    The nodes of the control plane must hold the release image of the first, for its version operator runs from it.
    """
    client = lab.api.rest
    others = OtherOperators(client, [one for one in RUN_LEVELS if one[1] != MACHINE_CONFIG])
    with _machine_config(lab), others, cluster_version_operator(client, installed, [later.spec.version]):
        yield


def _machine_config(lab: Lab) -> AbstractContextManager[None]:
    """Return who keeps machine-config: not yet the real operator, whose Degraded the rollout does not get through.

    See ``machine_config_release`` for what that says as soon as the pool of the control plane is paused, and
    ``tests/lab/operated.py`` for a lab that has it.
    """
    return machine_config_operator(lab.api, reboot_hosts(lab), images_on_hosts(lab))
