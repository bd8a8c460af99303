# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The inventory of a hub, on a real API server with the definitions of its operators, read with the shipped rights."""

from __future__ import annotations

import base64
import json
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.inventories import (
    content_of,
    list_inventory,
    write_inventory,
)
from ansible_collections.fieldops.openshift.tests.integration.play_processes import run_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for, run_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.hub import condition, make_hub, managed_cluster

Json = dict[str, t.Any]
CANARY = "c4n4ry-t0k3n"
KUBECONFIG = {"clusters": [], "users": [{"name": "admin", "user": {"token": CANARY}}]}
HIVE, ASSISTED = "hive.openshift.io/v1", "extensions.hive.openshift.io/v1beta1"
SITECONFIG = "siteconfig.open-cluster-management.io/v1alpha1"
STATUS = "fieldops.openshift.fleet_status"
SECRET = {"namespace": "edge-1", "name": "edge-1-admin-kubeconfig", "key": "kubeconfig"}


def deployment(name: str, *, installed: bool) -> Json:
    secret = {"name": f"{name}-admin-kubeconfig"}
    metadata = {"adminKubeconfigSecretRef": secret, "clusterID": "0d1b", "infraID": name}
    spec = {"baseDomain": "example.com", "clusterName": name, "installed": installed, "platform": {}}
    made = {"metadata": {"name": name, "namespace": name}, "spec": {**spec, "clusterMetadata": metadata}}
    return {"apiVersion": HIVE, "kind": "ClusterDeployment", **made}


def install(name: str) -> Json:
    spec = {
        "clusterDeploymentRef": {"name": name},
        "networking": {},
        "provisionRequirements": {"controlPlaneAgents": 1},
    }
    failed = {
        key: value for key, value in condition("Failed", "True", "no disk").items() if key != "lastTransitionTime"
    }
    metadata = {"name": name, "namespace": name}
    made = {"metadata": metadata, "spec": spec, "status": {"conditions": [failed], "platformType": "None"}}
    return {"apiVersion": ASSISTED, "kind": "AgentClusterInstall", **made}


def instance(name: str) -> Json:
    reference = [{"name": "ai-cluster-templates-v1", "namespace": "open-cluster-management"}]
    spec = {
        "clusterName": name,
        "clusterImageSetNameRef": "img4.21.5",
        "pullSecretRef": {"name": "pull"},
        "baseDomain": "example.com",
        "templateRefs": reference,
        "extraLabels": {"ManagedCluster": {"fieldops.openshift/ring": "pilot"}},
        "nodes": [],
    }
    return {
        "apiVersion": SITECONFIG,
        "kind": "ClusterInstance",
        "metadata": {"name": name, "namespace": name},
        "spec": spec,
    }


@pytest.fixture(scope="module")
def hub() -> Iterator[ApiServer]:
    """Four clusters: one that runs, one that was imported and is out of reach, one that failed, one that begins."""
    with ApiServer.start_openshift(users={"technician": [], "stranger": []}) as server:
        make_hub(server.rest)
        for name in ("edge-1", "edge-3", "edge-4"):
            server.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        content = base64.b64encode(json.dumps(KUBECONFIG).encode()).decode()
        secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": SECRET["name"], "namespace": "edge-1"}}
        server.rest.apply_all(
            [
                {**secret, "data": {"kubeconfig": content}},
                managed_cluster("edge-1", "4.21.5", window="saturday-night", ring="canary", hardware="model-7"),
                managed_cluster("edge-2", "4.21.3", available="Unknown", ring="all"),
                deployment("edge-1", installed=True),
                deployment("edge-3", installed=False),
                install("edge-3"),
                instance("edge-4"),
            ]
        )
        grant(server.rest, "technician", "managed-clusters.yml")
        yield server


def inventory(hub: ApiServer, folder: Path, *words: str, **options: t.Any) -> Json:
    given = {"kubeconfig": str(hub.kubeconfig_for("technician")), **options}
    listed = list_inventory(folder, "managed_clusters", *words, **given)
    assert "WARNING" not in listed.stderr, listed.stderr
    assert CANARY not in listed.stdout
    return content_of(listed)


def members(found: Json, group: str) -> list[str]:
    return sorted(found.get(group, {}).get("hosts", []))


def test_each_cluster_is_a_host(hub: ApiServer, tmp_path: Path) -> None:
    found = inventory(hub, tmp_path)
    assert members(found, "managed_clusters") == ["edge-1", "edge-2", "edge-3", "edge-4"]
    states = ("available", "unavailable", "install_failed", "installing")
    assert [members(found, f"state_{state}") for state in states] == [["edge-1"], ["edge-2"], ["edge-3"], ["edge-4"]]
    assert members(found, "blocked") == ["edge-2", "edge-3", "edge-4"]
    groups = ("window_saturday_night", "ring_canary", "hardware_model_7", "version_4_21_5")
    assert [members(found, group) for group in groups] == [["edge-1"]] * 4
    assert members(found, "ring_pilot") == ["edge-4"]


def test_no_credential_is_read(hub: ApiServer, tmp_path: Path) -> None:
    mark = hub.audit.mark()
    found = inventory(hub, tmp_path)
    assert found["_meta"]["hostvars"]["edge-1"]["cluster_kubeconfig_secret"] == SECRET
    asked = [f"{one.verb} {one.resource}" for one in hub.audit.requests(mark, user="technician") if one.resource]
    assert sorted(set(asked)) == [
        "list cluster.open-cluster-management.io/managedclusters",
        "list extensions.hive.openshift.io/agentclusterinstalls",
        "list hive.openshift.io/clusterdeployments",
        "list siteconfig.open-cluster-management.io/clusterinstances",
    ]


def test_labels_select_and_variables_group(hub: ApiServer, tmp_path: Path) -> None:
    keyed = [{"key": "cluster_topology", "prefix": "topology"}]
    found = inventory(hub, tmp_path, label_selector="fieldops.openshift/ring=canary", keyed_groups=keyed)
    assert members(found, "managed_clusters") == members(found, "topology_SingleReplica") == ["edge-1"]


def test_the_cache_answers_until_new_data_is_asked_for(hub: ApiServer, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    cached = {"cache": True, "cache_plugin": "ansible.builtin.jsonfile", "cache_connection": str(kept)}
    first = inventory(hub, tmp_path, **cached)
    mark = hub.audit.mark()
    assert inventory(hub, tmp_path, **cached) == first
    assert hub.audit.requests(mark, user="technician") == []
    assert CANARY not in "".join(path.read_text() for path in kept.iterdir())
    file = write_inventory(tmp_path, "managed_clusters", kubeconfig=str(hub.kubeconfig_for("technician")), **cached)
    run_ansible_playbook(["-i", str(file), "--flush-cache", STATUS], environment_for(tmp_path, {}))
    assert hub.audit.requests(mark, user="technician") != []


def test_lists_are_read_in_pages(hub: ApiServer, tmp_path: Path) -> None:
    """A page has at most 500 objects: 1200 clusters and the others are three pages."""
    hub.rest.apply_all([managed_cluster(f"many-{number:04}", "4.21.5") for number in range(1200)])
    mark = hub.audit.mark()
    assert len(members(inventory(hub, tmp_path), "managed_clusters")) == 1204
    asked = [one for one in hub.audit.requests(mark, user="technician") if one.resource.endswith("/managedclusters")]
    assert len(asked) == 3
    hub.rest.delete(
        "/apis/cluster.open-cluster-management.io/v1/managedclusters", fieldSelector="metadata.name!=edge-1"
    )
    hub.rest.apply(managed_cluster("edge-2", "4.21.3", available="Unknown", ring="all"))


@pytest.mark.parametrize(
    ("user", "message"),
    [
        pytest.param("stranger", "extensions/rbac/managed-clusters.yml of this collection grants it", id="right"),
        pytest.param("", "Could not", id="no hub"),
    ],
)
def test_errors_name_the_cause(hub: ApiServer, tmp_path: Path, user: str, message: str) -> None:
    kubeconfig = str(hub.kubeconfig_for(user)) if user else str(tmp_path / "nowhere")
    listed = list_inventory(tmp_path, "managed_clusters", kubeconfig=kubeconfig)
    assert message in " ".join(listed.stderr.split())


def test_a_cluster_that_is_no_hub_is_named(api_server: ApiServer, tmp_path: Path) -> None:
    listed = list_inventory(tmp_path, "managed_clusters", kubeconfig=str(api_server.kubeconfig))
    seen = " ".join(listed.stderr.split())
    assert "the cluster serves neither ManagedCluster nor ClusterDeployment. Use the kubeconfig of a hub." in seen


def test_a_kubeconfig_is_read_by_its_reference(hub: ApiServer, tmp_path: Path) -> None:
    task = {
        "ansible.builtin.assert": {"that": f"found.users[0].user.token == '{CANARY}'"},
        "vars": {
            "reference": SECRET,
            "found": "{{ lookup('fieldops.openshift.cluster_kubeconfig', reference, kubeconfig=hub) }}",
            "hub": str(hub.kubeconfig),
        },
        "no_log": True,
    }
    run = run_play(tmp_path, task)
    assert run.result.get("failed", False) is False
    assert CANARY not in run.output


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        pytest.param({}, "it does not name the namespace, name and key of a Secret", id="imported"),
        pytest.param({**SECRET, "name": "other"}, "Secret edge-1/other: it does not exist", id="missing"),
        pytest.param({**SECRET, "key": "raw"}, "it has no kubeconfig in raw", id="another key"),
    ],
)
def test_a_kubeconfig_that_is_not_there(hub: ApiServer, tmp_path: Path, reference: Json, message: str) -> None:
    lookup = "{{ lookup('fieldops.openshift.cluster_kubeconfig', reference, kubeconfig=hub) }}"
    task = {"ansible.builtin.debug": {"msg": lookup}, "vars": {"reference": reference, "hub": str(hub.kubeconfig)}}
    assert message in json.dumps(run_play(tmp_path, task).result)


def test_the_status_of_the_fleet(hub: ApiServer, tmp_path: Path) -> None:
    page = tmp_path / "fleet.html"
    file = write_inventory(tmp_path, "managed_clusters", kubeconfig=str(hub.kubeconfig_for("technician")))
    words = ["-i", str(file), STATUS, "-e", f"site_fleet_page={page}"]
    done = run_ansible_playbook(words, environment_for(tmp_path, {"ANSIBLE_DIFF_ALWAYS": "false"}))
    assert done.returncode == 0, done.stdout
    assert "4 clusters" in done.stdout
    assert "edge-3: AgentClusterInstall: no disk." in done.stdout
    shown = page.read_text()
    assert all(f'<td data-name="Cluster">edge-{number}</td>' in shown for number in (1, 2, 3, 4))
    assert CANARY not in shown
