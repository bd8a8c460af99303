# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""rollout_lock as two jobs meet over it, against a real API server."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import typing as t
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking import lock as lock_of_cluster
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.holder_process import (
    describe_process,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.lock_holder import lock_holder
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.lock_renewal import (
    start_renewing,
    stop_renewing,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.lock_state import LockState
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import client_of
from ansible_collections.fieldops.openshift.tests.integration.plays import finish_play, run_play, start_play
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

PROCESS = "fieldops-openshift/holder-process"
LEASES = "/apis/coordination.k8s.io/v1/namespaces/fieldops-openshift/leases"
Result = dict[str, t.Any]


@pytest.fixture(scope="module")
def site() -> Iterator[ApiServer]:
    """A cluster of its own: nobody else may hold its lock."""
    with ApiServer.start_openshift(users={"technician": []}) as server:
        yield server


@pytest.fixture(autouse=True)
def _free_lock(site: ApiServer) -> Iterator[None]:
    yield
    if site.rest.exists(f"{LEASES}/rollout"):
        site.rest.delete(f"{LEASES}/rollout")


@pytest.fixture
def other() -> Iterator[subprocess.Popen[bytes]]:
    """A living process, which stands for another play on this machine."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as process:
        yield process
        process.kill()


def task(site: ApiServer, **options: t.Any) -> dict[str, t.Any]:
    return {"fieldops.openshift.rollout_lock": {"kubeconfig": str(site.kubeconfig), **options}}


def lock(site: ApiServer, tmp_path: Path, *words: str, **options: t.Any) -> Result:
    return run_play(tmp_path, task(site, **options), *words).result


def lease(site: ApiServer) -> dict[str, t.Any]:
    found: dict[str, t.Any] = site.rest.get(f"{LEASES}/rollout")
    return found


def age(site: ApiServer, seconds: int) -> None:
    """Make the lock's duration so short that it ends while a test watches."""
    site.rest.merge(f"{LEASES}/rollout", {"spec": {"leaseDurationSeconds": seconds}})


def seconds_since_renewal(site: ApiServer) -> float:
    """Return how old the server's stamp of the last renewal is: server and test share one clock."""
    fields = lease(site)["metadata"]["managedFields"]
    (stamp,) = (one["time"] for one in fields if "f:renewTime" in one["fieldsV1"].get("f:spec", {}))
    return (datetime.now(timezone.utc) - datetime.fromisoformat(stamp)).total_seconds()


def move_elsewhere(site: ApiServer) -> None:
    """Make the holder a process of another machine, of which nothing can be known here."""
    process = {"boot": "another", "namespace": 1, "pid": 1, "start": 1}
    site.rest.merge(f"{LEASES}/rollout", {"metadata": {"annotations": {PROCESS: json.dumps(process)}}})


def test_taken_named_and_given_up(site: ApiServer, tmp_path: Path, other: subprocess.Popen[bytes]) -> None:
    assert lock(site, tmp_path, "--check", holder="job 7", process=other.pid)["changed"] is True
    assert not site.rest.exists(f"{LEASES}/rollout")
    taken = lock(site, tmp_path, holder="job 7", process=other.pid)
    spec = lease(site)["spec"]
    assert taken["changed"] is True
    assert taken["lock"]["holder"] == spec["holderIdentity"]
    assert taken["lock"]["holder"].startswith(f"job 7/{other.pid}-")
    assert (taken["lock"]["by"], spec["leaseDurationSeconds"]) == ("system:admin", 900)
    assert len(spec["renewTime"]) == len("2026-11-21T22:00:00.000000Z")
    renewed = lock(site, tmp_path, holder="job 7", process=other.pid)
    assert (renewed["changed"], renewed["lock"]["since"]) == (False, taken["lock"]["since"])
    assert renewed["lock"]["renewed"] > taken["lock"]["renewed"]
    free = lock(site, tmp_path, state="released", holder="job 7", process=other.pid)
    assert (free["changed"], free["lock"]["holder"]) == (True, "")
    assert lock(site, tmp_path, state="released", holder="job 7", process=other.pid)["changed"] is False


def test_the_second_job_is_told_who_is_at_work_since_when(
    site: ApiServer, tmp_path: Path, other: subprocess.Popen[bytes]
) -> None:
    taken = lock(site, tmp_path, holder="job 7", process=other.pid)["lock"]
    refused = lock(site, tmp_path, holder="job 8")
    assert refused["error"]["kind"] == "lock_held"
    assert f"{taken['holder']} (as system:admin) has held it since {taken['since'][:19]}Z" in refused["msg"]
    assert refused["lock"] == taken
    assert lock(site, tmp_path, state="released", holder="job 8")["error"]["kind"] == "lock_held"


def test_two_runs_under_one_name_are_two_holders(
    site: ApiServer, tmp_path: Path, other: subprocess.Popen[bytes]
) -> None:
    lock(site, tmp_path, process=other.pid)
    assert lock(site, tmp_path)["error"]["kind"] == "lock_held"


def test_the_lock_of_a_run_that_was_killed_here_is_taken_at_once(site: ApiServer, tmp_path: Path) -> None:
    first = lock(site, tmp_path)["lock"]
    second = lock(site, tmp_path)
    assert second["changed"] is True
    assert second["lock"]["holder"] != first["holder"]
    assert second["lock"]["transitions"] == 1


def test_a_process_number_that_is_used_again_is_another_process(
    site: ApiServer, tmp_path: Path, other: subprocess.Popen[bytes]
) -> None:
    lock(site, tmp_path, holder="job 7", process=other.pid)
    reused = {**describe_process(other.pid), "start": 1}
    site.rest.merge(f"{LEASES}/rollout", {"metadata": {"annotations": {PROCESS: json.dumps(reused)}}})
    assert lock(site, tmp_path, holder="job 8")["changed"] is True


def test_of_another_machine_nothing_is_known_so_its_lock_has_to_run_out(site: ApiServer, tmp_path: Path) -> None:
    held = lock(site, tmp_path, holder="job 7")["lock"]
    move_elsewhere(site)
    age(site, 6)
    taken = lock(site, tmp_path, holder="job 8", wait=True, wait_timeout=60)["lock"]
    assert taken["holder"].startswith("job 8/")
    waited = datetime.fromisoformat(taken["since"]) - datetime.fromisoformat(held["renewed"])
    assert waited.total_seconds() > 5  # the server's stamps are in whole seconds


def test_a_machine_that_sees_the_lock_for_the_first_time_takes_it_over_once_it_has_run_out(
    site: ApiServer, tmp_path: Path
) -> None:
    lock(site, tmp_path, holder="job 7")
    move_elsewhere(site)
    age(site, 1)
    wait_for(lambda: seconds_since_renewal(site) > 2)
    container = tmp_path / "another"
    container.mkdir()
    assert lock(site, container, holder="job 8")["changed"] is True


@pytest.mark.parametrize("renewed", ["2020-01-01T00:00:00.000000Z", "2099-01-01T00:00:00.000000Z"])
def test_what_the_clock_of_its_holder_says_does_not_count(site: ApiServer, tmp_path: Path, renewed: str) -> None:
    lock(site, tmp_path, holder="job 7")
    move_elsewhere(site)
    site.rest.merge(f"{LEASES}/rollout", {"spec": {"renewTime": renewed}})
    assert lock(site, tmp_path, holder="job 8")["error"]["kind"] == "lock_held"
    age(site, 1)
    wait_for(lambda: seconds_since_renewal(site) > 2)
    assert lock(site, tmp_path, holder="job 8")["changed"] is True


def test_a_lock_that_is_renewed_does_not_run_out(site: ApiServer, tmp_path: Path) -> None:
    lock(site, tmp_path, holder="job 7")
    move_elsewhere(site)
    age(site, 4)
    play = start_play(tmp_path, task(site, holder="job 8", wait=True, wait_timeout=9))
    while play.poll() is None:
        site.rest.merge(f"{LEASES}/rollout", {"spec": {"renewTime": time.strftime("%Y-%m-%dT%H:%M:%S.000000Z")}})
        time.sleep(0.5)
    result = finish_play(tmp_path, play).result
    assert result["error"]["kind"] == "deadline_exceeded"
    assert "job 7" in result["msg"]


def test_breaking_a_lock_keeps_who_and_why(site: ApiServer, tmp_path: Path, other: subprocess.Popen[bytes]) -> None:
    lock(site, tmp_path, holder="job 7", process=other.pid)
    assert "reason" in lock(site, tmp_path, state="released", force=True)["msg"]
    assert lock(site, tmp_path, state="released", force=True, reason="laptop lost")["changed"] is True
    note = json.loads(lease(site)["metadata"]["annotations"]["fieldops-openshift/broken"])
    assert (note["by"], note["reason"], note["from"].split("/")[0]) == ("system:admin", "laptop lost", "job 7")


@pytest.mark.parametrize("broken_for", ["", "laptop lost"], ids=["given up", "broken"])
def test_a_renewal_in_between_does_not_keep_a_lock(
    site: ApiServer, monkeypatch: pytest.MonkeyPatch, broken_for: str
) -> None:
    with client_of(site) as client:
        assert lock_of_cluster.take_lock(client, "job 7", {}).changed_hands
        read, asked = lock_of_cluster.read_lock, 0

        def read_and_renew(door: ClusterClient) -> LockState:
            nonlocal asked
            asked += 1
            found = read(door)
            if asked == 1:
                lock_of_cluster.renew_lock(door, "job 7")
            return found

        monkeypatch.setattr(lock_of_cluster, "read_lock", read_and_renew)
        holder = "job 8" if broken_for else "job 7"
        assert lock_of_cluster.release_lock(client, holder, broken_for=broken_for).changed_hands
    assert not lease(site)["spec"].get("holderIdentity")


def renewal(folder: Path) -> dict[str, t.Any] | None:
    """Return the status of what renews the lock beside a play, None where nothing does."""
    found = list((folder / "cache/fieldops-openshift/locks").glob("renew-*/status.json"))
    return json.loads(found[0].read_text()) if found else None


def renewed_after(site: ApiServer, before: str) -> bool:
    return bool(lease(site)["spec"]["renewTime"] > before)


def test_a_lock_is_renewed_beside_the_play_until_it_is_released(
    site: ApiServer, tmp_path: Path, other: subprocess.Popen[bytes]
) -> None:
    assert lock(site, tmp_path, "--check", renew=True, process=other.pid)["changed"] is True
    assert renewal(tmp_path) is None
    taken = lock(site, tmp_path, renew=True, process=other.pid)["lock"]
    wait_for(lambda: renewed_after(site, taken["renewed"]))
    assert lock(site, tmp_path, state="released", process=other.pid)["lock"]["holder"] == ""
    assert renewal(tmp_path) is None


@pytest.fixture
def renewing(
    site: ApiServer, tmp_path: Path, other: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """A lock that is renewed ten times a second, as long as its holder lives."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    taken = lock(site, tmp_path, process=other.pid)["lock"]
    holder = lock_holder(None, other.pid)
    assert start_renewing(holder, {"kubeconfig": str(site.kubeconfig)}, SystemClock(), seconds=0.1)
    wait_for(lambda: renewed_after(site, taken["renewed"]))
    yield
    stop_renewing(holder, SystemClock())


def ended(folder: Path) -> bool:
    status = renewal(folder)
    return status is not None and status["state"] == "succeeded"


@pytest.mark.usefixtures("renewing")
def test_a_lock_is_not_renewed_for_a_run_that_was_killed(
    site: ApiServer, tmp_path: Path, other: subprocess.Popen[bytes]
) -> None:
    other.kill()
    other.wait()
    wait_for(lambda: ended(tmp_path))
    last = lease(site)["spec"]["renewTime"]
    assert lock(site, tmp_path, holder="job 8")["lock"]["renewed"] > last


@pytest.mark.usefixtures("renewing")
def test_a_lock_that_was_broken_is_not_taken_back(site: ApiServer, tmp_path: Path) -> None:
    assert lock(site, tmp_path, state="released", force=True, reason="laptop lost")["changed"] is True
    wait_for(lambda: ended(tmp_path))
    assert not lease(site)["spec"].get("holderIdentity")


def test_without_a_process_to_watch_nothing_is_renewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert start_renewing(lock_holder("job 7", None), {}, SystemClock()) is False
    assert renewal(tmp_path) is None


def test_the_job_of_an_automation_platform_is_the_holder(site: ApiServer, tmp_path: Path) -> None:
    assert lock(site, tmp_path, "-e", "awx_job_id=41")["lock"]["holder"].startswith("job 41/")
    assert lock(site, tmp_path, "-e", "awx_job_id=41", holder="night shift")["lock"]["holder"].startswith(
        "night shift/"
    )


@pytest.mark.parametrize("damage", ["{", "[]", '{"pid": "one"}', '{"pid": -1}', "[" * 9999], ids=range(5))
def test_a_damaged_note_of_the_process_means_that_nothing_is_known(
    site: ApiServer, tmp_path: Path, damage: str
) -> None:
    lock(site, tmp_path, holder="job 7")
    site.rest.merge(f"{LEASES}/rollout", {"metadata": {"annotations": {PROCESS: damage}}})
    assert lock(site, tmp_path, holder="job 8")["error"]["kind"] == "lock_held"
