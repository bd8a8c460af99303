# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The playbook finds the stick by itself, and will not have two different ones."""

from __future__ import annotations

import shutil
import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    BUNDLES,
    Controller,
    Ended,
    forget_everything,
    listed,
    upper,
)

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
    from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release, ReleaseFactory

pytestmark = pytest.mark.long

NODES = ["worker-0", "worker-1"]
MEDIA = "/srv/media"


@pytest.fixture(scope="module")
def other(factory: ReleaseFactory, release: Release, tmp_path_factory: pytest.TempPathFactory) -> WrittenBundle:
    """The bundle of another release."""
    later = factory.release(release.spec.next_z_stream("4.21.4", share=0.5, keeps=2))
    return write_bundle(tmp_path_factory.mktemp("other") / "bundle", later)


class Site:
    """Two nodes with media, and the playbook that nobody tells where the bundle lies."""

    def __init__(self, lab: Lab, controller: Controller, bundle: WrittenBundle) -> None:
        self.lab = lab
        self.bundle = bundle
        self._controller = controller

    def plug_in(self, name: str, bundle: WrittenBundle) -> None:
        shutil.copytree(bundle.folder, upper(self.lab.hosts[name]) / MEDIA.lstrip("/") / "stick")

    def stage(self, **variables: t.Any) -> Ended:
        return self._controller.play(
            "fieldops.openshift.stage_bundle",
            site_nodes=NODES,
            site_bundle_digest=str(self.bundle.index.digest),
            site_media_paths=[MEDIA],
            site_addresses_by_node={name: [self.lab.hosts[name].address] for name in NODES},
            site_keep_free_percent=1,
            **variables,
        )

    def is_loaded(self, name: str) -> bool:
        return dict.fromkeys(self.bundle.names, True).items() <= listed(self.lab.hosts[name]).items()


@pytest.fixture
def site(lab: Lab, controller: Controller, bundle: WrittenBundle) -> Iterator[Site]:
    yield Site(lab, controller, bundle)
    for name in NODES:
        lab.hosts[name].run("rm", "-rf", MEDIA)
        forget_everything(lab.hosts[name], bundle.names)


def test_a_stick_in_one_node_is_found_and_passed_on(site: Site) -> None:
    site.plug_in("worker-1", site.bundle)
    ended = site.stage()
    assert ended.rc == 0, ended.output
    assert all(site.is_loaded(name) for name in NODES)


def test_a_stick_in_this_machine_is_found_and_served(site: Site) -> None:
    ended = site.stage(site_own_media_paths=[str(site.bundle.folder)])
    assert ended.rc == 0, ended.output
    assert all(site.is_loaded(name) for name in NODES)
    again = site.stage()
    assert (again.rc, again.changed) == (0, 0), again.output


@pytest.mark.parametrize("place", ["in another node", "in this machine"])
def test_two_different_ones_end_it_before_anything_is_copied(site: Site, other: WrittenBundle, place: str) -> None:
    site.plug_in("worker-0", site.bundle)
    own = {}
    if place == "in another node":
        site.plug_in("worker-1", other)
    else:
        own = {"site_own_media_paths": [str(other.folder)]}
    refused = site.stage(**own)
    assert refused.rc == 2, refused.output
    assert "different bundles" in refused.output
    assert f"on worker-0 in {MEDIA}/stick" in refused.output
    for name in NODES:
        assert site.lab.hosts[name].run("sh", "-c", f"ls {BUNDLES} 2>/dev/null || true") == ""
