# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""accepted_bundle and its twin on the real API, with the rights of extensions/rbac alone."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.plays import finish_play, run_play, start_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

RECORD = "/api/v1/namespaces/fieldops-openshift/configmaps/accepted-bundles"
Result = dict[str, t.Any]
ACCEPTED: Result = {"gather": ["accepted_bundles"]}


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift(users={"technician": [], "stranger": []}) as started:
        plant(started.rest, healthy_cluster("4.21.3", control_plane=1, workers=0))
        yield started


@pytest.fixture
def site(server: ApiServer) -> ApiServer:
    """A cluster that has accepted nothing yet."""
    grant(server.rest, "technician", "accepted-bundles.yml")
    if server.rest.exists(RECORD):
        server.rest.delete(RECORD)
    return server


def bundle(digit: str, version: str = "4.21.3", serial: int | None = 100, **more: t.Any) -> Result:
    numbered = {} if serial is None else {"serial": serial, "built": "2026-11-21T22:01:07Z"}
    return {"index_digest": f"sha256:{digit * 64}", "version": version, "architecture": "x86_64", **numbered, **more}


def task(site: ApiServer, user: str = "technician", module: str = "accepted_bundle", **options: t.Any) -> Result:
    reach = {"host": site.url, "ca_cert": str(site.ca_file), "api_key": site.token_of(user)}
    return {f"fieldops.openshift.{module}": {**reach, **options}}


def accept(site: ApiServer, folder: Path, *words: str, **options: t.Any) -> Result:
    return run_play(folder, task(site, **options), *words).result


def stored(site: ApiServer) -> list[Result]:
    data = site.rest.get(RECORD)["data"]
    assert data["schemaVersion"] == "1"
    found: list[Result] = json.loads(data["bundles"])
    return found


def test_a_bundle_is_accepted_once_and_the_next_newer_one_after_it(site: ApiServer, tmp_path: Path) -> None:
    trial = accept(site, tmp_path, "--check", "--diff", **bundle("a"))
    assert (trial["changed"], trial["diff"]["before"], trial["diff"]["after"]["serial"]) == (True, {}, 100)
    assert not site.rest.exists(RECORD)
    done = accept(site, tmp_path, **bundle("a"))
    assert (done["changed"], done["reasons"], done["bundle"]["by"]) == (True, [], "technician")
    assert stored(site) == [done["bundle"]]
    assert site.rest.get(RECORD)["metadata"]["labels"] == {"app.kubernetes.io/part-of": "fieldops-openshift"}
    for words in (("--check",), ()):
        again = accept(site, tmp_path, *words, **bundle("a"))
        assert (again["changed"], again["actions"], again["bundle"]) == (False, [], done["bundle"])
    trial = accept(site, tmp_path, "--check", **bundle("b", "4.21.5", 200))
    assert (trial["changed"], len(stored(site))) == (True, 1)
    newer = accept(site, tmp_path, **bundle("b", "4.21.5", 200))
    assert (newer["changed"], stored(site)) == (True, [done["bundle"], newer["bundle"]])
    assert accept(site, tmp_path, **bundle("b", "4.21.5", 200))["changed"] is False
    seen = run_play(tmp_path, task(site, module="cluster_update_info", **ACCEPTED)).result["accepted_bundles"]
    assert seen["bundles"] == stored(site)
    assert seen["running"] == {"completed": "4.21.3", "desired": "4.21.3"}


@pytest.mark.parametrize(
    ("older", "said"),
    [
        pytest.param(bundle("c", "4.21.2", 300), "it is of version 4.21.2 and the cluster runs 4.21.3", id="release"),
        pytest.param(bundle("c", "4.21.5", 99), "its serial is 99 and the cluster accepted sha256:aaa", id="serial"),
        pytest.param(bundle("c", "4.21.5", None), "it has no serial and the cluster accepted", id="no serial"),
    ],
)
@pytest.mark.parametrize("words", [(), ("--check",)], ids=["for real", "check mode"])
def test_an_older_bundle_is_refused_and_nothing_is_written(
    site: ApiServer, tmp_path: Path, older: Result, said: str, words: tuple[str, ...]
) -> None:
    accept(site, tmp_path, **bundle("a"))
    before = stored(site)
    refused = accept(site, tmp_path, *words, **older)
    assert (refused["failed"], refused["error"]["kind"], refused["error"]["on"]) == (
        True,
        "older_bundle",
        older["index_digest"],
    )
    assert said in refused["msg"]
    assert len(refused["reasons"]) == 1
    assert stored(site) == before


def test_an_older_bundle_that_is_allowed_stays_allowed_until_another_is_accepted(
    site: ApiServer, tmp_path: Path
) -> None:
    accept(site, tmp_path, **bundle("a"))
    older = bundle("c", "4.21.2", 99)
    output, _unused = start_play(tmp_path, task(site, **older, allow_older=True)).communicate(timeout=120)
    assert "[WARNING]: The bundle is older than the cluster and was permitted: it is of version 4.21.2" in output
    assert stored(site)[-1]["older"] is True
    assert accept(site, tmp_path, **older)["changed"] is False
    assert accept(site, tmp_path, **bundle("d", serial=101))["changed"] is True
    assert accept(site, tmp_path, **older)["error"]["kind"] == "older_bundle"
    assert accept(site, tmp_path, **bundle("e", serial=99))["error"]["kind"] == "older_bundle", "no mark is lowered"


def test_an_update_under_way_counts(site: ApiServer, tmp_path: Path) -> None:
    path = "/apis/config.openshift.io/v1/clusterversions/version"
    desired = site.rest.get(path)["status"]["desired"]
    try:
        site.rest.merge(f"{path}/status", {"status": {"desired": {**desired, "version": "4.22.0"}}})
        refused = accept(site, tmp_path, **bundle("a", "4.21.9"))
        assert "it is of version 4.21.9 and the cluster is being updated to 4.22.0" in refused["msg"]
    finally:
        site.rest.merge(f"{path}/status", {"status": {"desired": desired}})


def test_a_record_that_was_damaged_accepts_nothing(site: ApiServer, tmp_path: Path) -> None:
    accept(site, tmp_path, **bundle("a"))
    site.rest.merge(RECORD, {"data": {"bundles": "[{}]"}})
    for module, options in (("accepted_bundle", bundle("b", serial=300)), ("cluster_update_info", ACCEPTED)):
        refused = run_play(tmp_path, task(site, module=module, **options)).result
        assert (refused["error"]["kind"], refused["error"]["on"]) == (
            "accepted_bundles",
            "ConfigMap fieldops-openshift/accepted-bundles",
        )
    assert site.rest.get(RECORD)["data"]["bundles"] == "[{}]"


def test_of_two_at_the_same_time_both_are_remembered(site: ApiServer, tmp_path: Path) -> None:
    accept(site, tmp_path, **bundle("a"))
    plays = []
    for digit in ("b", "c"):
        (tmp_path / digit).mkdir()
        plays.append((tmp_path / digit, start_play(tmp_path / digit, task(site, **bundle(digit)))))
    assert [finish_play(*play).result["changed"] for play in plays] == [True, True]
    assert {one["index_digest"][7] for one in stored(site)} == {"a", "b", "c"}


def test_others_may_not(site: ApiServer, tmp_path: Path) -> None:
    refused = accept(site, tmp_path, user="stranger", **bundle("a"))
    assert (refused["failed"], refused["error"]["kind"]) == (True, "api")
    assert not site.rest.exists(RECORD)


def test_the_role_accepts_what_it_has_verified(site: ApiServer, tmp_path: Path) -> None:
    def include(found: Result, **more: t.Any) -> str:
        role = {"name": "fieldops.openshift.verify_bundle", "tasks_from": "accept"}
        included = {
            "ansible.builtin.include_role": role,
            "vars": {"verify_bundle_result": {"bundle": found}, **more},
        }
        play = start_play(tmp_path, included, K8S_AUTH_KUBECONFIG=str(site.kubeconfig))
        return play.communicate(timeout=120)[0]

    assert "changed=1" in include(bundle("a"))
    assert [one["serial"] for one in stored(site)] == [100]
    older = bundle("b", serial=99)
    refused = include(older)
    assert "its serial is 99 and the cluster accepted" in refused
    assert "site_allow_older_bundle" in refused
    assert "changed=1" in include(older, verify_bundle_allow_older=True)
    assert [one["older"] for one in stored(site)] == [False, True]
