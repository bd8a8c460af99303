# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the preflight has to find about the release that a site is to be taken to."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_health import (
    HEALTH_OPTIONS,
    read_health,
)
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import client_of
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import VERSION
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
    from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

WITHOUT_HOSTS = [name for name in HEALTH_OPTIONS["checks"]["choices"] if name != "space"]


@pytest.mark.xfail(
    strict=True,
    raises=pytest.fail.Exception,
    reason="node D1: nothing says that the operating system cannot be updated without a registry",
)
@pytest.mark.parametrize(
    ("running", "target"), [("4.15.40", "4.16.3"), ("4.16.30", "4.17.9"), ("4.17.20", "4.18.4"), ("4.18.20", "4.19.11")]
)
def test_a_release_whose_daemon_takes_os_images_from_a_registry_alone_is_a_fault(
    server: ApiServer, make_site: MakeSite, running: str, target: str
) -> None:
    """The daemon of the target decides.

    Source: machine-config-operator, pkg/daemon/rpm-ostree.go (4.16) and update.go, updateLayeredOS (4.17, 4.18), where
    feature gate PinnedImages, which no supported cluster had before 4.19.12, decides on an image that is there.
    """
    site = make_site(1, 1)
    site.rest.delete(VERSION.rpartition("/")[0])
    plant(site.rest, healthy_cluster(running, control_plane=1, workers=1))
    options = {**{name: one["default"] for name, one in HEALTH_OPTIONS.items()}, "target_version": target}
    health, _values = read_health(client_of(server), {**options, "checks": WITHOUT_HOSTS})
    others = {one.code for one in health.findings if one.severity == "fault"} - {"os_image_needs_registry"}
    assert not others, health.sentence
    if not any(one.code == "os_image_needs_registry" for one in health.findings):
        pytest.fail(f"{running} to {target}: {health.sentence}")
