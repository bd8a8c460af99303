# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the role pin_images asks of the daemons of a pool, against what upstream's daemon is able to do."""

from __future__ import annotations

import hashlib
import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.cluster_update.role_runs import RolePlay
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import SETS
from ansible_collections.fieldops.openshift.tests.integration.site_phases.prefetching import (
    Limits,
    Prefetching,
    limits_of_upstream,
)
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import (
    COMPONENT_REPOSITORY,
    pinned_image_set,
)

if t.TYPE_CHECKING:
    from pathlib import Path

    from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
    from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
    from ansible_collections.fieldops.openshift.tests.lab.rest import Json

IMAGES = 190  # of a release of OpenShift


def images_of(release: str) -> list[str]:
    digests = (hashlib.sha256(f"{release} {number}".encode()).hexdigest() for number in range(IMAGES))
    return [f"{COMPONENT_REPOSITORY}@sha256:{digest}" for digest in digests]


def sets_of(*releases: str) -> list[Json]:
    made = [pinned_image_set(name, "master", images_of(name)) for name in releases]
    return [{**one, "metadata": {**one["metadata"], "uid": one["metadata"]["name"]}} for one in made]


def test_the_limits_are_those_of_the_pinned_daemon() -> None:
    assert limits_of_upstream() == Limits()


@pytest.mark.parametrize(
    ("releases", "rounds"),
    [
        pytest.param(["first"], 2, id="one release, which looks like a failure for two minutes"),
        pytest.param(["first", "second"], None, id="two releases, of which one pushes the other out of the cache"),
    ],
)
def test_what_the_daemon_of_a_control_plane_node_is_able_to_keep(releases: list[str], rounds: int | None) -> None:
    assert Prefetching(Limits()).rounds(sets_of(*releases)) == rounds


@pytest.mark.xfail(
    strict=True,
    raises=pytest.fail.Exception,
    reason="node D2: the sets of two releases are more than a daemon of 4.19 to 4.21 ever completes",
)
def test_the_second_update_without_a_registry_can_be_pinned(
    server: ApiServer, make_site: MakeSite, tmp_path: Path
) -> None:
    """The set of the release that runs is there until the next one is complete; daemons restart in between."""
    site = make_site(1, 0)
    for digit, release in (("a", "first"), ("b", "second")):
        # No daemon says that it is done, and the role ends by waiting for one.
        run = RolePlay(tmp_path, server.kubeconfig, "pin_images", []).run(
            pin_images_nodes=["master-0"],
            pin_images_index_digest=f"sha256:{digit * 64}",
            pin_images_way="cluster",
            pin_images_pools=["master"],
            pin_images_names=images_of(release),
            pin_images_timeout=1,
        )
    sets = site.rest.get(SETS)["items"]
    assert sets, run.output
    if Prefetching(Limits()).rounds(sets) is None:
        pytest.fail(f"{sum(len(one['spec']['pinnedImages']) for one in sets)} images in {len(sets)} sets")
