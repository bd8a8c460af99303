# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Staging step by step, with the real job in a process of its own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import RelaySourceSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.errors import JobFailedError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.single_job import JOBS, jobs_of
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobState
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.follow_job import (
    running,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.remove_bundle import ensure_removed
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import (
    BUNDLES,
    recorded_selection,
    staged_folder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.stage_step import ensure_staged
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.staging_order import (
    StagingOrder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import (
    NotEnoughSpaceError,
    NotStagedError,
    OtherBundleError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import (
    NoSourceError,
    WrongContentError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.blob_server import BlobServer
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import (
    MANIFEST,
    blob_of,
    image_of,
    index_of,
    simple_bundle,
    write_folder,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.medium import Medium

Seconds = Callable[[float], Deadline]


@pytest.fixture
def local(host: Host, medium: Medium) -> StagingOrder:
    """The medium, mounted on the host."""
    shutil.copytree(medium.folder, host.root / "drive")
    return StagingOrder(medium.index.digest, src="/drive")


def step(host: Host, order: StagingOrder, seconds: Seconds, *, check_mode: bool = False, keep: int | None = 0) -> Step:
    return ensure_staged(host, order, keep_free_percent=keep, check_mode=check_mode, deadline=seconds(30))


def stage(host: Host, order: StagingOrder, seconds: Seconds) -> list[Step]:
    """Take steps until the bundle is there."""
    deadline = seconds(30)
    states = [step(host, order, seconds)]
    while not states[-1].done:
        assert not deadline.expired
        deadline.pause(0.05)
        states.append(step(host, order, seconds))
    return states


def pool(host: Host, medium: Medium) -> Path:
    return host.root / f"{BUNDLES}/{medium.index.folder_name}/blobs/sha256".lstrip("/")


def test_the_job_brings_all_and_leaves_no_trace_of_itself(
    host: Host, medium: Medium, local: StagingOrder, seconds: Seconds
) -> None:
    states = stage(host, local, seconds)
    assert {path.name for path in pool(host, medium).iterdir()} == {digest.hex for digest in medium.stored}
    assert (states[0].changed, states[-1].objects["bundle"]["complete"]) == (True, True)
    assert states[-1].objects["received"]["by_source"] == {f"{host.root}/drive": medium.index.size}
    assert list((host.root / JOBS.lstrip("/")).iterdir()) == []


def test_a_bundle_for_other_machines_is_refused(
    host: Host, medium: Medium, local: StagingOrder, seconds: Seconds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.uname", lambda: SimpleNamespace(machine="aarch64"))
    with pytest.raises(InvalidInputError, match="its images are for x86_64, and this node is aarch64"):
        step(host, local, seconds)
    assert not pool(host, medium).exists()


def test_without_a_start_only_the_folder_is_made(
    host: Host, medium: Medium, local: StagingOrder, seconds: Seconds
) -> None:
    found = ensure_staged(host, local, keep_free_percent=0, check_mode=False, deadline=seconds(30), start=False)
    assert (found.done, found.changed) == (False, True)
    assert list(pool(host, medium).iterdir()) == []
    assert (pool(host, medium).parents[1] / "index.json").read_bytes() == (medium.folder / "index.json").read_bytes()
    assert not (host.root / JOBS.lstrip("/")).exists()


def test_what_is_staged_is_not_readable_for_all(host: Host, local: StagingOrder, seconds: Seconds) -> None:
    (host.root / "var/lib/fieldops").mkdir(parents=True)
    stage(host, local, seconds)
    assert (host.root / "var/lib/fieldops").stat().st_mode & 0o777 == 0o750


def test_parts_on_several_drives_are_used_side_by_side(
    host: Host, medium: Medium, local: StagingOrder, seconds: Seconds
) -> None:
    shutil.copytree(host.root / "drive", host.root / "other")
    (host.root / "drive/blobs/sha256" / medium.large.hex).unlink()
    for path in (host.root / "other/blobs/sha256").iterdir():
        if path.name != medium.large.hex:
            path.unlink()
    ended = stage(host, StagingOrder(local.digest, src="/drive", parts=("/other",)), seconds)[-1]
    assert ended.objects["bundle"]["complete"]
    assert set(ended.objects["received"]["by_source"]) == {f"{host.root}/drive", f"{host.root}/other"}


def work_for_a_minute(progress: ProgressReporter) -> None:
    progress.report("at work")
    time.sleep(60)


@pytest.mark.parametrize("kind", ["stage", "load", "store"])
def test_while_a_job_works_on_another_bundle_none_begins(
    host: Host, local: StagingOrder, seconds: Seconds, kind: str
) -> None:
    other = f"{kind}-{'0' * 12}"
    jobs = jobs_of(host)
    jobs.start(other, FunctionWork.of(work_for_a_minute), deadline=seconds(30))
    with pytest.raises(OtherBundleError, match=f"the job {other} of another bundle runs since") as refused:
        step(host, local, seconds)
    assert refused.value.transient
    assert running(host, local.job_id, seconds(5)) is None
    jobs.cancel(other, deadline=seconds(30))
    assert stage(host, local, seconds)[-1].objects["bundle"]["complete"] is True


def test_run_again_it_changes_nothing(host: Host, local: StagingOrder, seconds: Seconds) -> None:
    stage(host, local, seconds)
    shutil.rmtree(host.root / "drive")
    again = step(host, local, seconds)
    assert (again.done, again.changed, again.actions) == (True, False, None)


def test_check_mode_says_what_it_would_do(host: Host, medium: Medium, local: StagingOrder, seconds: Seconds) -> None:
    state = step(host, local, seconds, check_mode=True)
    assert (state.done, state.changed) == (False, True)
    assert next(iter(state.actions or ()))["size"] == medium.index.size
    assert {need["purpose"] for one in state.objects["forecast"] for need in one["needs"]} == {
        "the bundle",
        "images in the container storage",
        "layers while they are loaded",
    }
    assert not (host.root / "var").exists()


def test_what_does_not_fit_is_refused_before_anything_is_written(
    host: Host, local: StagingOrder, seconds: Seconds
) -> None:
    with pytest.raises(NotEnoughSpaceError, match="are lacking") as refused:
        step(host, local, seconds, keep=100)
    assert refused.value.partial["forecast"][0]["needed"] > 0
    assert not (host.root / "var").exists()


class TestStrictKubelet:
    """A kubelet that removes images from 1 percent use on."""

    @pytest.fixture(autouse=True)
    def _strict(self, host: Host) -> None:
        file = host.root / "etc/kubernetes/kubelet.conf"
        file.parent.mkdir(parents=True)
        file.write_text("kind: KubeletConfiguration\nimageGCHighThresholdPercent: 1\n")

    def test_it_is_not_given_cause_to_remove_images(self, host: Host, local: StagingOrder, seconds: Seconds) -> None:
        with pytest.raises(
            NotEnoughSpaceError, match=r"at 1 % disk usage .* in /etc/kubernetes/kubelet.conf"
        ) as refused:
            step(host, local, seconds, keep=None)
        assert refused.value.partial["forecast"][0]["image_gc"]["threshold"] == 1
        assert not (host.root / "var").exists()

    def test_who_keeps_less_is_warned(self, host: Host, local: StagingOrder, seconds: Seconds) -> None:
        state = step(host, local, seconds, check_mode=True, keep=0)
        assert [one["image_gc"]["removes_images"] for one in state.objects["forecast"]] == [True]
        (warning,) = state.warnings
        assert "as keep_free_percent allows" in warning


def test_an_index_with_another_digest_is_refused(host: Host, local: StagingOrder, seconds: Seconds) -> None:
    with pytest.raises(WrongContentError, match="not the vetted"):
        step(host, StagingOrder(Digest("0" * 64), src=local.src), seconds)


def test_without_a_source_it_says_so(host: Host, medium: Medium, seconds: Seconds) -> None:
    with pytest.raises(NoSourceError, match="no source is set"):
        step(host, StagingOrder(medium.index.digest), seconds)


def test_all_sources_without_the_index_are_named(host: Host, medium: Medium, seconds: Seconds) -> None:
    with BlobServer(medium.folder) as gone:
        url = gone.url
    order = StagingOrder(medium.index.digest, src="/nowhere", sources=(RelaySourceSpec(url),))
    with pytest.raises(NoSourceError) as refused:
        step(host, order, seconds)
    assert "/nowhere" in refused.value.seen
    assert url in refused.value.seen


def test_a_component_that_the_bundle_does_not_have(host: Host, local: StagingOrder, seconds: Seconds) -> None:
    with pytest.raises(InvalidInputError, match="no image of that name"):
        step(host, StagingOrder(local.digest, ("etc",), src=local.src), seconds)


def test_only_chosen_images_are_staged(host: Host, medium: Medium, local: StagingOrder, seconds: Seconds) -> None:
    stage(host, StagingOrder(local.digest, ("cli",), src=local.src), seconds)
    wanted = {digest.hex for image in medium.index.images if image.component == "cli" for digest in image.blobs()}
    assert {path.name for path in pool(host, medium).iterdir()} == wanted


def test_for_which_images_it_was_staged_is_recorded(host: Host, local: StagingOrder, seconds: Seconds) -> None:
    few, other = (StagingOrder(local.digest, images, src=local.src) for images in (("cli",), ("etcd",)))
    stage(host, few, seconds)
    folder = staged_folder(host, local.digest)
    assert (recorded_selection(folder), step(host, few, seconds).changed) == (("cli",), False)
    stage(host, local, seconds)
    assert recorded_selection(folder) == ()
    diff = {"before": {"selection": []}, "after": {"selection": ["etcd"]}}
    told = step(host, other, seconds, check_mode=True)
    assert (told.changed, told.diff, recorded_selection(folder)) == (True, diff, ())
    done = step(host, other, seconds)
    assert (done.changed, done.diff, recorded_selection(folder)) == (True, diff, ("etcd",))
    assert [one["action"] for one in done.actions or ()] == ["select"]
    assert not step(host, other, seconds).changed


def test_a_failure_is_told_once_and_then_it_is_tried_again(
    host: Host, medium: Medium, local: StagingOrder, seconds: Seconds
) -> None:
    lost = host.root / "drive/blobs/sha256" / medium.large.hex
    kept = lost.rename(host.root / "kept")
    with pytest.raises(JobFailedError, match="the file is missing") as told:
        stage(host, local, seconds)
    assert told.value.kind == "no_source"
    kept.rename(lost)
    assert stage(host, local, seconds)[-1].done


def fail_at_once(progress: ProgressReporter) -> None:
    progress.report("at work")
    raise NoSourceError("read the blob", on="/media/usb", seen="the disk reported an I/O error", advice="Look.")


def failed_at(host: Host, job_id: str, moment: str, seconds: Seconds) -> None:
    """Let a job of the host have failed then, while the play was at other nodes."""
    jobs = jobs_of(host)
    jobs.start(job_id, FunctionWork.of(fail_at_once), deadline=seconds(30))
    ended = jobs.wait(job_id, deadline=seconds(30))
    assert ended is not None
    assert ended.state is JobState.FAILED
    path = host.path(JOBS) / job_id / "status.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "finished": moment, "updated": moment}))


def test_an_older_failure_is_told_once_with_its_reason_while_it_is_tried_again(
    host: Host, local: StagingOrder, seconds: Seconds
) -> None:
    failed_at(host, local.job_id, "2020-01-01T00:00:00Z", seconds)
    states = stage(host, local, seconds)
    failed = f"The job {local.job_id} failed at 2020-01-01T00:00:00Z, and is started again: "
    (told,) = [one for one in states[0].warnings if one.startswith(failed)]
    assert "/media/usb" in told
    assert "the disk reported an I/O error" in told
    assert states[-1].done
    assert step(host, local, seconds).warnings == ()


def test_an_older_failure_is_told_also_where_all_is_there(host: Host, local: StagingOrder, seconds: Seconds) -> None:
    stage(host, local, seconds)
    failed_at(host, local.job_id, "2020-01-01T00:00:00Z", seconds)
    ended = step(host, local, seconds)
    assert (ended.done, ended.changed, len(ended.warnings)) == (True, False, 1)


def test_a_killed_job_is_started_again_and_goes_on(
    host: Host, medium: Medium, server: BlobServer, seconds: Seconds
) -> None:
    server.status[medium.large.hex] = 503
    order = StagingOrder(medium.index.digest, sources=(RelaySourceSpec(server.url),))
    step(host, order, seconds)
    deadline = seconds(20)
    while len([path for path in pool(host, medium).iterdir() if path.suffix == ""]) < 5:
        assert not deadline.expired
        deadline.pause(0.02)
    job = running(host, order.job_id, seconds(5))
    assert job is not None
    assert job.process is not None
    os.kill(job.process.pid, signal.SIGKILL)
    server.status.clear()
    stage(host, order, seconds)
    # The large one may have been asked for once more by the job that was killed in that moment.
    assert {server.asked[digest.hex] for digest in medium.index.blobs if digest != medium.large} == {1}


def test_a_damaged_index_is_fetched_again(host: Host, medium: Medium, local: StagingOrder, seconds: Seconds) -> None:
    stage(host, local, seconds)
    index = pool(host, medium).parents[1] / "index.json"
    index.chmod(0o644)
    index.write_bytes(b"{}")
    assert step(host, local, seconds).done is True
    assert step(host, local, seconds).done is True


def test_blobs_of_another_bundle_on_the_node_are_not_fetched(
    host: Host, medium: Medium, local: StagingOrder, seconds: Seconds
) -> None:
    stage(host, local, seconds)
    new = b"n" * 4000
    index, stored = simple_bundle({"release": b"r" * 5000, "etcd": medium.stored[medium.large], "cli": new})
    write_folder(host.root / "next", index, stored)
    states = stage(host, StagingOrder(index.digest, src="/next"), seconds)
    assert states[-1].objects["received"]["received_size"] == len(new)
    assert states[-1].objects["received"]["linked_blobs"] == 5
    needs = [need for verdict in states[0].objects["forecast"] for need in verdict["needs"]]
    assert [need["size"] for need in needs if need["purpose"] == "the bundle"] == [4096]


class TestDelta:
    """A bundle that leaves out what its base has."""

    def order(self, host: Host, medium: Medium) -> StagingOrder:
        manifest = blob_of(b"manifest of the next etcd", MANIFEST)
        own = blob_of(b"own layer" * 100)
        base = medium.index.blobs[medium.large]
        index = index_of([image_of(manifest, base, own)], [manifest, own], base=medium.index.digest, version="4.21.4")
        write_folder(
            host.root / "delta", index, {manifest.digest: b"manifest of the next etcd", own.digest: b"own layer" * 100}
        )
        return StagingOrder(index.digest, src="/delta")

    def test_with_its_base_it_is_complete(
        self, host: Host, medium: Medium, local: StagingOrder, seconds: Seconds
    ) -> None:
        stage(host, local, seconds)
        done = stage(host, self.order(host, medium), seconds)[-1]
        assert (done.done, done.objects["received"]["linked_blobs"]) == (True, 1)

    def test_it_stays_complete_when_its_base_goes(
        self, host: Host, medium: Medium, local: StagingOrder, seconds: Seconds
    ) -> None:
        stage(host, local, seconds)
        delta = self.order(host, medium)
        stage(host, delta, seconds)
        ensure_removed(host, local.digest, check_mode=False, deadline=seconds(30))
        again = step(host, StagingOrder(delta.digest), seconds)
        assert (again.done, again.objects["bundle"]["unreachable_blobs"]) == (True, [])

    def test_images_of_the_base_in_the_container_storage_are_no_base(
        self, host: Host, medium: Medium, seconds: Seconds
    ) -> None:
        """The node could not serve the images of the delta from there."""
        books = host.path("/var/lib/containers/storage/overlay-layers/layers.json")
        books.parent.mkdir(parents=True)
        books.write_text(json.dumps([{"id": "loaded", "compressed-diff-digest": str(medium.large)}]))
        with pytest.raises((NotStagedError, JobFailedError), match=str(medium.index.digest)):
            stage(host, self.order(host, medium), seconds)

    def test_without_it_the_base_is_named(self, host: Host, medium: Medium, seconds: Seconds) -> None:
        with pytest.raises((NotStagedError, JobFailedError), match=str(medium.index.digest)):
            stage(host, self.order(host, medium), seconds)


def test_removed_it_is_gone_with_its_jobs(host: Host, medium: Medium, local: StagingOrder, seconds: Seconds) -> None:
    stage(host, local, seconds)
    assert ensure_removed(host, medium.index.digest, check_mode=True, deadline=seconds(30))
    assert pool(host, medium).exists()
    assert ensure_removed(host, medium.index.digest, check_mode=False, deadline=seconds(30))
    assert list((host.root / BUNDLES.lstrip("/")).iterdir()) == []
    assert not ensure_removed(host, medium.index.digest, check_mode=False, deadline=seconds(30))
