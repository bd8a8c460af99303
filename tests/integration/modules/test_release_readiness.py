# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A release that not every node is ready for is refused by the API server itself, whoever asks for it."""

from __future__ import annotations

import time
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.release_admission import (
    ensure_admission,
)
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import Json, as_user, client_of, task
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import cluster_version

Record = t.Callable[..., Json]

PATH = "/apis/config.openshift.io/v1/clusterversions/version"
RELEASE = "quay.io/openshift-release-dev/ocp-release"
DIGEST, OTHER, THIRD = (f"sha256:{letter * 64}" for letter in "abc")
WELL: Json = {"staged": True, "serving": True, "lacking": [], "unpinned": [], "unserved": []}


def answers(**serving: bool) -> list[Json]:
    names = {"worker_0": True, "worker_1": True, **serving}
    return [
        {"ansible_loop_var": "node", "node": name.replace("_", "-"), **WELL, "serving": serves}
        for name, serves in names.items()
    ]


@pytest.fixture(scope="module")
def site() -> Iterator[ApiServer]:
    with ApiServer.start_openshift(users={"recorder": []}) as server:
        grant(server.rest, "recorder", "release-readiness.yml")
        server.rest.apply(cluster_version("4.21.3"))
        for name in ("worker-0", "worker-1"):
            server.rest.apply({"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}})
        ensure_admission(client_of(server), "present")
        offers = [{"version": "4.21.9", "image": f"{RELEASE}@{THIRD}"}]
        server.rest.merge(f"{PATH}/status", {"status": {"availableUpdates": offers}})
        wait_until_in_force(server)
        yield server


def ask(site: ApiServer, **desired: str) -> None:
    """Ask for a release as the console does; raises LabApiError where it is refused."""
    site.rest.merge(PATH, {"spec": {"desiredUpdate": desired or None}})


def refusal(site: ApiServer, **desired: str) -> str:
    with pytest.raises(LabApiError) as refused:
        ask(site, **desired)
    assert refused.value.status in (403, 422)
    return str(refused.value)


def wait_until_in_force(site: ApiServer) -> None:
    """The API server takes a moment to compile a new policy; then it refuses a trial that breaks it."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            site.rest.merge(PATH, {"spec": {"desiredUpdate": {"image": f"{RELEASE}@{OTHER}"}}}, dryRun="All")
        except LabApiError as error:
            if error.status in (403, 422):
                return
            raise
        time.sleep(0.1)
    raise AssertionError("the policy never came into force")


@pytest.fixture
def record(site: ApiServer, tmp_path: Path) -> Iterator[Record]:
    """Record the readiness as a user with the shipped rights; forget everything afterwards."""

    def _record(digest: str = DIGEST, **options: t.Any) -> Json:
        given = {"digest": digest, "version": "4.21.7", **as_user(site, "recorder"), **options}
        result: Json = run_play(tmp_path, task(site, "release_readiness", **given)).result
        return result

    yield _record
    ask(site)
    for digest in (DIGEST, THIRD):
        _record(digest, state="absent")


def test_nothing_recorded_means_nothing_is_ready_and_all_else_may_change(site: ApiServer, record: Record) -> None:
    del record
    refusal(site, version="4.21.7", image=f"{RELEASE}@{DIGEST}")
    site.rest.merge(PATH, {"spec": {"channel": "candidate-4.21"}})


def test_a_release_is_asked_for_once_every_node_is_ready(site: ApiServer, record: Record) -> None:
    half = record(answers=answers(worker_1=False))
    assert (half["changed"], half["release"]["ready"]) == (True, False)
    said = refusal(site, version="4.21.7", image=f"{RELEASE}@{DIGEST}")
    assert f"not every node is ready for the release {RELEASE}@{DIGEST}" in said
    assert "the phase images of fieldops.openshift.update_site" in said
    whole = record(answers=answers())
    assert (whole["changed"], whole["release"]["ready"]) == (True, True)
    assert record(answers=answers())["changed"] is False
    wait_for_permission(site, version="4.21.7", image=f"{RELEASE}@{DIGEST}")
    refusal(site, version="4.21.8", image=f"{RELEASE}@{OTHER}")


def wait_for_permission(site: ApiServer, **desired: str) -> None:
    """The API server watches the record, and so knows of it a moment later."""
    deadline = time.monotonic() + 20
    while not permitted(site, **desired):
        assert time.monotonic() < deadline, desired
        time.sleep(0.1)


def permitted(site: ApiServer, **desired: str) -> bool:
    try:
        ask(site, **desired)
    except LabApiError:
        return False
    return True


def test_a_version_alone_means_the_release_that_is_offered(site: ApiServer, record: Record) -> None:
    refusal(site, version="4.21.9")
    record(THIRD, answers=answers())
    wait_for_permission(site, version="4.21.9")
    assert "of version 4.22.0" in refusal(site, version="4.22.0")


def test_what_is_asked_for_already_may_be_written_again(site: ApiServer, record: Record) -> None:
    record(answers=answers())
    wait_for_permission(site, version="4.21.7", image=f"{RELEASE}@{DIGEST}")
    record(state="absent")
    site.rest.merge(PATH, {"spec": {"channel": "stable-4.21"}})
    ask(site, version="4.21.7", image=f"{RELEASE}@{DIGEST}")


def test_the_glass_can_be_broken_for_one_release(site: ApiServer, record: Record) -> None:
    del record
    key = "fieldops.openshift/release-readiness-override"
    try:
        site.rest.merge(PATH, {"metadata": {"annotations": {key: OTHER}}})
        refusal(site, version="4.21.7", image=f"{RELEASE}@{DIGEST}")
        ask(site, version="4.21.8", image=f"{RELEASE}@{OTHER}")
    finally:
        ask(site)
        site.rest.merge(PATH, {"metadata": {"annotations": {key: None}}})


def test_a_node_that_joined_and_was_not_asked_is_not_ready(site: ApiServer, record: Record) -> None:
    site.rest.apply({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "worker-2"}})
    try:
        release = record(answers=answers())["release"]
    finally:
        site.rest.delete("/api/v1/nodes/worker-2")
    assert release["sentence"] == "2 of 3 nodes are ready for 4.21.7; worker-2: the node was not queried"


def test_check_mode_and_the_info_module(site: ApiServer, record: Record, tmp_path: Path) -> None:
    record(answers=answers(worker_0=False))
    given = {"digest": DIGEST, "version": "4.21.7", "answers": answers(), **as_user(site, "recorder")}
    dry = run_play(tmp_path, {**task(site, "release_readiness", **given), "check_mode": True}).result
    assert (dry["changed"], dry["release"]["ready"]) == (True, True)
    asked = {"gather": ["readiness"], **as_user(site, "recorder")}
    seen = run_play(tmp_path, task(site, "cluster_update_info", **asked)).result["readiness"]
    assert [(one["digest"], one["ready"]) for one in seen] == [(DIGEST, False)]
    (away,) = [one for one in seen[0]["nodes"] if not one["ready"]]
    assert [one["type"] for one in away["conditions"] if one["status"] == "False"] == ["Servable", "OSImageFindable"]
