# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""support_archive and its playbook on the real API: with the shipped rights, with none, and with no API at all."""

from __future__ import annotations

import json
import stat
import sys
import tarfile
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.cluster_sources import OBJECTS
from ansible_collections.fieldops.openshift.tests.integration.play_processes import run_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for, run_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

CANARY = "cAnArY0123456789xYz"
OURS = "fieldops-openshift"
NAMESPACES = (
    "openshift-machine-api",
    "openshift-machine-config-operator",
    "openshift-cluster-version",
    "openshift-etcd",
)
VERSION = yaml.safe_load((ROOT / "galaxy.yml").read_text())["version"]
Json = dict[str, t.Any]


def leaks() -> list[Json]:
    """Return objects that hold a secret each: where it belongs, and where somebody has put it."""

    def of(kind: str, name: str, **more: t.Any) -> Json:
        return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": OURS}, **more}

    journal = {"schemaVersion": "1", "note": f"reached by https://admin:{CANARY}@registry.example/"}
    said = f"Failed to pull: Authorization: Bearer {CANARY}"
    about = {"kind": "ConfigMap", "name": "rollout-one", "namespace": OURS}
    return [
        of("Secret", "image-source", stringData={"password": CANARY}),
        of("ConfigMap", "rollout-one", data=journal),
        of("Event", "one", message=said, reason="Failed", involvedObject=about),
    ]


@pytest.fixture(scope="module")
def site() -> Iterator[ApiServer]:
    with ApiServer.start_openshift(users={"technician": [], "stranger": []}) as started:
        plant(started.rest, healthy_cluster("4.21.3", control_plane=1, workers=1))
        for name in NAMESPACES:
            started.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        grant(started.rest, "technician", "support-reader.yml")
        started.rest.apply_all(leaks())
        yield started


def make(folder: Path, *words: str, **options: t.Any) -> Json:
    return run_play(folder, {"fieldops.openshift.support_archive": {"path": str(folder), **options}}, *words).result


def access(site: ApiServer, user: str) -> Json:
    return {"host": site.url, "ca_cert": str(site.ca_file), "api_key": site.token_of(user)}


def unpacked(path: str) -> dict[str, str]:
    with tarfile.open(path) as archive:
        members = {one.name.partition("/")[2]: archive.extractfile(one) for one in archive}
        return {name: stream.read().decode() for name, stream in members.items() if stream}


def states(found: dict[str, str]) -> dict[str, str]:
    return {part["name"]: part["state"] for part in json.loads(found["manifest.json"])["parts"]}


def test_the_shipped_rights_are_enough_and_no_secret_is_read(site: ApiServer, tmp_path: Path) -> None:
    mark = site.audit.mark()
    result = make(tmp_path, **access(site, "technician"))
    path = Path(result["archive"]["path"])
    found = unpacked(str(path))
    told = states(found)
    assert result["missing"] == []
    assert json.loads(found["manifest.json"])["versions"]["collection"] == VERSION
    assert set(told.values()) <= {"collected", "absent"}
    assert set(told) == {source.name for source in OBJECTS}
    for name, text in found.items():
        assert CANARY not in text, name
    (journal,) = [one for one in json.loads(found[f"cluster/{OURS}/ConfigMap.json"]) if "note" in one["data"]]
    assert journal["data"]["note"] == "reached by https://********@registry.example/"
    assert json.loads(found[f"cluster/{OURS}/Event.json"])[0]["reason"] == "Failed"
    assert len(json.loads(found["cluster/Node.json"])) == 2
    assert all("config" not in one["spec"] for one in configs(found))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    requests = site.audit.requests(mark, user="technician")
    assert {request.verb for request in requests if request.resource} == {"list"}
    assert not [request for request in requests if request.resource == "secrets"]


def configs(found: dict[str, str]) -> list[Json]:
    listed: list[Json] = json.loads(found["cluster/MachineConfig.machineconfiguration.openshift.io.json"])
    assert listed
    return listed


def test_what_an_account_may_not_read_is_named(site: ApiServer, tmp_path: Path) -> None:
    result = make(tmp_path, **access(site, "stranger"))
    assert {part["state"] for part in result["missing"]} == {"refused"}
    (node,) = [part for part in result["missing"] if part["name"] == "cluster/Node.json"]
    assert 'allows the verb "list" on "nodes"' in node["reason"]
    assert list(unpacked(result["archive"]["path"])) == ["manifest.json"]


@pytest.mark.parametrize("options", [{"host": "https://127.0.0.1:9", "api_key": CANARY, "validate_certs": False}, {}])
def test_without_an_api_there_is_an_archive_all_the_same(tmp_path: Path, options: Json) -> None:
    result = make(tmp_path, nodes=["worker-0"], reasons={"worker-0": "it is off"}, **options)
    assert [(part["name"], part["state"]) for part in result["missing"]] == [
        ("cluster", "away"),
        ("nodes/worker-0", "away"),
    ]
    assert result["missing"][1]["reason"] == "it is off"
    assert CANARY not in json.dumps(unpacked(result["archive"]["path"]))


def test_check_mode_writes_nothing(site: ApiServer, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    result = make(tmp_path, "--check", **{**access(site, "technician"), "path": str(folder)})
    assert (result["changed"], list(folder.iterdir())) == (True, [])


def play(folder: Path, kubeconfig: Path, *more: str) -> t.Any:
    here = {"ansible_connection": "local", "ansible_python_interpreter": sys.executable}
    (folder / "hosts.json").write_text(json.dumps({"all": {"hosts": {"localhost": here}}}))
    given = {"site_support_path": str(folder), "site_kubeconfig": str(kubeconfig)}
    words = ["-i", str(folder / "hosts.json"), "fieldops.openshift.gather_support_data", "-e", json.dumps(given), *more]
    return run_ansible_playbook(words, environment_for(folder, {}))


def test_the_playbook_says_what_it_made(site: ApiServer, tmp_path: Path) -> None:
    done = play(tmp_path, site.kubeconfig_for("technician"))
    assert done.returncode == 0, done.stdout
    (path,) = tmp_path.glob("fieldops-support-*.tar.gz")
    assert f"Created {path}. Missing parts: 0." in done.stdout
    assert "collected" in states(unpacked(str(path))).values()
    assert list(tmp_path.glob(".fieldops-support-*")) == []


def test_the_playbook_works_while_the_api_is_down(tmp_path: Path) -> None:
    done = play(tmp_path, tmp_path / "none")
    assert done.returncode == 0, done.stdout
    assert "cluster is away: " in done.stdout
    assert ". Missing parts: 1." in done.stdout


def test_the_playbook_in_check_mode_leaves_nothing(tmp_path: Path) -> None:
    done = play(tmp_path, tmp_path / "none", "--check")
    assert done.returncode == 0, done.stdout
    assert f"Would create {tmp_path}/fieldops-support-" in done.stdout
    assert [path for path in tmp_path.iterdir() if "support" in path.name] == []
