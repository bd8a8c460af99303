# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a host has of releases left behind, with the books of a storage on disk and a container runtime that follows."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.single_job import jobs_of
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do import leftovers, reclaim
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.known_releases import (
    release_images_report,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.leftovers import ReclaimOrder
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.reclaim import reclaim_step
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import BUNDLES
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.stage_step import ensure_staged
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.staging_order import (
    StagingOrder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import (
    NotEnoughSpaceError,
    ReclaimError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.reclaim import SiteReleases
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.runtime_images import RuntimeImages
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import (
    simple_bundle,
    write_folder,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.medium import Medium

Seconds = Callable[[float], Deadline]

GIB = 1 << 30
OLD, NOW = Digest("a" * 64), Digest("b" * 64)
RELEASES, COMPONENTS = "quay.io/openshift-release-dev/ocp-release", "quay.io/openshift-release-dev/ocp-v4.0-art-dev"
OLD_RELEASE, NOW_RELEASE = f"{RELEASES}@{OLD}", f"{RELEASES}@{NOW}"
ETCD_OLD, ETCD_NOW, CLI = (f"{COMPONENTS}@sha256:{character * 64}" for character in "123")
FOREIGN = f"registry.site/app@sha256:{'4' * 64}"
ORDER = ReclaimOrder(SiteReleases(NOW, (OLD,)))


@dataclass
class Node:
    """A host's container storage and runtime: images by name, each with one layer of its own of 1 GiB."""

    host: Host
    names: list[str]
    pinned: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    ended: list[str] = field(default_factory=list)
    refuses: bool = False

    def write(self) -> None:
        root = self.host.root / "var/lib/containers/storage"
        images = [{"id": f"id-{name[-8:]}", "names": [name], "layer": self.layer(name)} for name in self.names]
        layers = [{"id": self.layer(name), "diff-size": GIB} for name in self.names]
        made = [{"id": "c", "image": f"id-{name[-8:]}"} for name in self.ended]
        for book, content in (("images/images", images), ("layers/layers", layers), ("containers/containers", made)):
            path = root / f"overlay-{book}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(content))

    def lists_its_images(self, release: str, version: str, names: Sequence[str], kind: str = "DockerImage") -> None:
        tags = [{"name": f"n{at}", "from": {"kind": kind, "name": name}} for at, name in enumerate(names)]
        folder = self.host.root / f"var/lib/containers/storage/overlay/{self.layer(release)}/diff/release-manifests"
        folder.mkdir(parents=True)
        stream = {"kind": "ImageStream", "metadata": {"name": version}, "spec": {"tags": tags}}
        (folder / "image-references").write_text(json.dumps(stream))

    def remove(self, _host: Host, names: Sequence[str], _deadline: Deadline) -> str:
        if self.refuses:
            return "layer is in use"
        self.names = [name for name in self.names if name not in names]
        self.write()
        return ""

    @staticmethod
    def layer(name: str) -> str:
        return f"layer-{name[-8:]}"


@pytest.fixture
def node(host: Host, monkeypatch: pytest.MonkeyPatch) -> Node:
    """A node that updated from 4.21.3, with the images of both releases and one of its owner."""
    found = Node(host, [OLD_RELEASE, NOW_RELEASE, ETCD_OLD, ETCD_NOW, CLI, FOREIGN])
    found.write()
    found.lists_its_images(OLD_RELEASE, "4.21.3", [ETCD_OLD, CLI])
    found.lists_its_images(NOW_RELEASE, "4.21.4", [ETCD_NOW, CLI])

    def listed(_host: Host, _deadline: Deadline) -> RuntimeImages:
        return RuntimeImages({name: name in found.pinned for name in found.names})

    monkeypatch.setattr(leftovers, "runtime_images", listed)
    monkeypatch.setattr(leftovers, "used_images", lambda _host, _deadline: frozenset(found.used))
    monkeypatch.setattr(reclaim, "remove_images", found.remove)
    return found


@pytest.fixture
def staged(host: Host, medium: Medium) -> str:
    """A staged bundle of another release left behind; returns the name of its folder."""
    write_folder(host.root / BUNDLES.lstrip("/") / medium.index.folder_name, medium.index, medium.stored)
    return medium.index.folder_name


@pytest.fixture
def order(medium: Medium) -> ReclaimOrder:
    """What a cluster says that left behind the release of that bundle as well."""
    release = medium.index.release.digest
    assert release is not None
    return ReclaimOrder(SiteReleases(NOW, (OLD, release)))


def step(host: Host, seconds: Seconds, order: ReclaimOrder = ORDER, *, check_mode: bool = False) -> Step:
    return reclaim_step(host, order, check_mode=check_mode, deadline=seconds(30))


def test_what_only_the_release_left_behind_has_is_removed(host: Host, node: Node, seconds: Seconds) -> None:
    done = step(host, seconds)
    assert node.names == [NOW_RELEASE, ETCD_NOW, CLI, FOREIGN]
    assert (done.done, done.changed) == (True, True)
    assert done.sentence == "removes 2.0 GiB of 4.21.3 that nothing uses (2 images)"
    assert list(done.actions or ()) == [{"action": "remove", "images": [ETCD_OLD, OLD_RELEASE]}]
    assert done.diff == {
        "before": {"images": [ETCD_OLD, OLD_RELEASE], "bundles": []},
        "after": {"images": [], "bundles": []},
    }
    again = step(host, seconds)
    assert (again.done, again.changed, again.actions) == (True, False, None)


def test_bundles_left_behind_go_with_them(
    host: Host, node: Node, staged: str, order: ReclaimOrder, seconds: Seconds
) -> None:
    done = step(host, seconds, order)
    assert [one["folder"] for one in done.objects["reclaim"]["bundles"]] == [staged]
    assert list(done.actions or ())[-1] == {"action": "remove", "bundle": staged}
    assert list((host.root / BUNDLES.lstrip("/")).iterdir()) == []
    assert OLD_RELEASE not in node.names


@pytest.mark.parametrize(("carry_out", "check_mode"), [(True, True), (False, False)])
def test_a_plan_alone_removes_nothing(
    host: Host, node: Node, seconds: Seconds, staged: str, order: ReclaimOrder, carry_out: bool, check_mode: bool
) -> None:
    before = list(node.names)
    planned = step(host, seconds, replace(order, carry_out=carry_out), check_mode=check_mode)
    assert (planned.done, planned.changed, planned.objects["reclaim"]["size"] > 2 * GIB) == (True, check_mode, True)
    assert (node.names, [path.name for path in (host.root / BUNDLES.lstrip("/")).iterdir()]) == (before, [staged])


@pytest.mark.parametrize("how", ["pinned", "used", "ended"])
def test_what_someone_needs_stays(host: Host, node: Node, seconds: Seconds, how: str) -> None:
    {"pinned": node.pinned.add, "used": node.used.add, "ended": node.ended.append}[how](ETCD_OLD)
    node.write()
    assert step(host, seconds).changed is False
    assert {ETCD_OLD, OLD_RELEASE} <= set(node.names)


def test_a_list_of_pins_that_another_hides_counts_as_well(host: Host, node: Node, seconds: Seconds) -> None:
    folder = host.root / "etc/crio/crio.conf.d"
    folder.mkdir(parents=True)
    (folder / "50-others").write_text(f'[crio.image]\npinned_images = ["{ETCD_OLD}"]\n')
    (folder / "99-last").write_text("[crio.image]\npinned_images = []\n")
    step(host, seconds)
    assert ETCD_OLD in node.names


def test_without_the_list_of_the_present_release_no_image_goes(host: Host, node: Node, seconds: Seconds) -> None:
    shutil.rmtree(host.root / f"var/lib/containers/storage/overlay/{node.layer(NOW_RELEASE)}")
    done = step(host, seconds)
    assert (done.done, done.changed, len(node.names)) == (True, False, 6)
    assert "are unknown" in done.objects["reclaim"]["problem"]


@pytest.mark.parametrize("content", ["{", "[]", '{"spec": {"tags": [{"from": {"name": "quay.io/a/b:latest"}}]}}'])
def test_a_list_that_cannot_be_read_is_none(host: Host, node: Node, seconds: Seconds, content: str) -> None:
    layer = host.root / f"var/lib/containers/storage/overlay/{node.layer(NOW_RELEASE)}"
    (layer / "diff/release-manifests/image-references").write_text(content)
    assert step(host, seconds).changed is False


def work_for_a_minute(progress: ProgressReporter) -> None:
    progress.report("at work")
    time.sleep(60)


def test_while_a_job_brings_a_bundle_nothing_goes(host: Host, node: Node, seconds: Seconds) -> None:
    jobs, job = jobs_of(host), f"load-{'0' * 12}"
    jobs.start(job, FunctionWork.of(work_for_a_minute), deadline=seconds(30))
    done = step(host, seconds)
    jobs.cancel(job, deadline=seconds(30))
    assert (done.changed, len(node.names)) == (False, 6)
    assert done.sentence == f"keeps all images: the job {job} is running"


def test_an_image_that_does_not_go_is_told(host: Host, node: Node, seconds: Seconds) -> None:
    node.refuses = True
    with pytest.raises(ReclaimError, match="layer is in use") as told:
        step(host, seconds)
    assert told.value.on == f"{ETCD_OLD}, {OLD_RELEASE}"


def test_a_step_that_has_no_time_left_goes_on_with_the_next(
    host: Host, node: Node, seconds: Seconds, monkeypatch: pytest.MonkeyPatch, staged: str, order: ReclaimOrder
) -> None:
    monkeypatch.setattr(reclaim, "AT_ONCE", 1)
    monkeypatch.setattr(reclaim, "ENOUGH_SECONDS", 0.2)
    slow = node.remove

    def remove(host: Host, names: Sequence[str], deadline: Deadline) -> str:
        deadline.pause(0.3)
        return slow(host, names, deadline)

    monkeypatch.setattr(reclaim, "remove_images", remove)
    first = step(host, seconds, order)
    assert (first.done, first.changed, ETCD_OLD in node.names, OLD_RELEASE in node.names) == (False, True, False, True)
    assert (host.root / BUNDLES.lstrip("/") / staged).is_dir()
    second = step(host, seconds, order)
    assert (second.done, OLD_RELEASE in node.names) == (True, False)


@pytest.mark.usefixtures("node", "staged")
def test_a_node_tells_what_it_knows_of_releases(host: Host, medium: Medium) -> None:
    release, unknown = str(medium.index.release), f"sha256:{'9' * 64}"
    asked = {"releases": [release, NOW_RELEASE, unknown]}
    told = {one["release"]: one for one in release_images_report(host, asked)}
    names = {str(image.name): image.component or "" for image in medium.index.images}
    now = {NOW_RELEASE: "", ETCD_NOW: "n0", CLI: "n1"}
    assert {
        digest: {**one, "images": {image["name"]: image["component"] for image in one["images"]}}
        for digest, one in told.items()
    } == {
        str(NOW): {"release": str(NOW), "version": "4.21.4", "images": now},
        release.partition("@")[2]: {"release": release.partition("@")[2], "version": "4.21.3", "images": names},
    }


@pytest.mark.usefixtures("node")
class TestForecast:
    """Staging on a disk that has room only once something is removed."""

    @pytest.fixture
    def coming(self, host: Host) -> StagingOrder:
        index, stored = simple_bundle({"etcd": b"x" * 5000})
        write_folder(host.root / "drive", index, stored)
        return StagingOrder(index.digest, src="/drive")

    def test_in_check_mode_a_reclaim_counts(self, host: Host, coming: StagingOrder, seconds: Seconds) -> None:
        planned = self.forecast(host, coming, ORDER, seconds)
        assert planned["what 4.21.3 left behind"] == -2 * GIB

    @pytest.mark.parametrize("carry_out", [False, True], ids=["not asked for", "not yet done"])
    def test_one_that_is_not_carried_out_is_told_where_room_lacks(
        self, host: Host, coming: StagingOrder, seconds: Seconds, carry_out: bool
    ) -> None:
        given = replace(ORDER, carry_out=carry_out)
        with pytest.raises(NotEnoughSpaceError) as refused:
            ensure_staged(host, coming, keep_free_percent=100, reclaim=given, check_mode=False, deadline=seconds(30))
        assert "removes 2.0 GiB of 4.21.3 that nothing uses" in refused.value.advice

    @pytest.mark.usefixtures("staged")
    def test_links_to_a_bundle_that_goes_do_not_count(
        self, host: Host, medium: Medium, order: ReclaimOrder, seconds: Seconds
    ) -> None:
        index = replace(medium.index, serial=2)
        write_folder(host.root / "drive", index, medium.stored)
        coming = StagingOrder(index.digest, src="/drive")
        assert self.forecast(host, coming, None, seconds)["the bundle"] == 0
        assert self.forecast(host, coming, order, seconds)["the bundle"] >= medium.index.size

    @staticmethod
    def forecast(host: Host, coming: StagingOrder, order: ReclaimOrder | None, seconds: Seconds) -> dict[str, int]:
        planned = ensure_staged(host, coming, keep_free_percent=0, reclaim=order, check_mode=True, deadline=seconds(30))
        assert ("reclaim" in planned.objects) == (order is not None)
        return {need["purpose"]: need["size"] for one in planned.objects["forecast"] for need in one["needs"]}
