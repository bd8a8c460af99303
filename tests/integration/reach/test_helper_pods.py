# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""helper_pods and the role over it: there when asked for, gone in any case."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.reach.conftest import PlayOutcome, Site
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image

pytestmark = pytest.mark.long

HERE = "localhost"
NAMESPACES = "/api/v1/namespaces"


@pytest.fixture
def site(site: Site) -> Site:
    site.run = "made"
    return site


def options(site: Site, **changes: t.Any) -> dict[str, t.Any]:
    usual = {"run": site.run, "nodes": ["worker-0"], "image": pause_image().name}
    return {**usual, "kubeconfig": str(site.lab.api.kubeconfig), **changes}


def pods(site: Site, *words: str, **changes: t.Any) -> PlayOutcome:
    task = {"fieldops.openshift.helper_pods": options(site, **changes), "register": "seen", "ignore_errors": True}
    return site.play([task], *words, hosts=HERE)


def listed(site: Site) -> list[dict[str, t.Any]]:
    asked = {"kubeconfig": str(site.lab.api.kubeconfig), "gather": ["helper_pods"]}
    task = {"fieldops.openshift.cluster_health_info": asked, "register": "seen"}
    runs: list[dict[str, t.Any]] = site.play([task], hosts=HERE).result["helper_pods"]
    return [run for run in runs if run["run"] != "tests"]


def test_made_once_and_removed_once(site: Site) -> None:
    would = pods(site, "--check").result
    assert (would["changed"], listed(site)) == (True, [])
    made = pods(site).result
    assert (made["changed"], pods(site).result["changed"], pods(site, "--check").result["changed"]) == (
        True,
        False,
        False,
    )
    assert made["nodes"] == [{"node": "worker-0", "pod": "node-worker-0", "python": "/usr/bin/python3"}]
    assert [action["kind"] for action in made["actions"]] == ["Namespace", "Pod"]
    (run,) = listed(site)
    assert (run["run"], run["abandoned"]) == ("made", False)
    assert [(pod["node"], pod["phase"]) for pod in run["pods"]] == [("worker-0", "Running")]
    assert pods(site, state="absent").result["changed"] is True
    assert (listed(site), pods(site, state="absent").result["changed"]) == ([], False)


def test_the_pod_has_no_credentials(site: Site) -> None:
    pods(site)
    pod = site.lab.api.rest.get(f"{NAMESPACES}/fieldops-reach-made/pods/node-worker-0")
    mounted = [mount["mountPath"] for mount in pod["spec"]["containers"][0]["volumeMounts"]]
    assert mounted == ["/host"]
    pods(site, state="absent")


def test_what_earlier_runs_left_behind_goes_at_the_next_start(site: Site) -> None:
    pods(site, run="killed", lifetime=60)
    expired = {"metadata": {"annotations": {"fieldops.openshift/expires": "2026-01-01T00:00:00Z"}}}
    site.lab.api.rest.merge(f"{NAMESPACES}/fieldops-reach-killed", expired)
    pods(site)
    assert [run["run"] for run in listed(site)] == ["made"]
    pods(site, state="absent")


def test_an_image_that_is_not_there_is_told(site: Site) -> None:
    failed = pods(site, image="quay.io/example/none@sha256:" + "0" * 64).result
    assert failed["error"]["kind"] == "helper_pod"
    assert "ErrImageNeverPull" in failed["msg"]
    pods(site, state="absent")


def test_without_a_machine_config_daemon_an_image_must_be_named(site: Site) -> None:
    failed = pods(site, image="").result
    assert failed["error"]["kind"] == "no_helper_image"


def test_the_image_of_the_machine_config_daemon_is_found(site: Site) -> None:
    namespace = "openshift-machine-config-operator"
    rest = site.lab.api.rest
    rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
    metadata = {
        "name": "machine-config-daemon-x",
        "namespace": namespace,
        "labels": {"k8s-app": "machine-config-daemon"},
    }
    container = {"name": "machine-config-daemon", "image": pause_image().name, "command": ["/bin/sleep", "600"]}
    spec = {"nodeName": "worker-0", "containers": [container], "automountServiceAccountToken": False}
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default", "namespace": namespace}}
    rest.apply(account)
    rest.apply({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec})
    task = {
        "fieldops.openshift.helper_pods": options(site, image=""),
        "register": "seen",
        "until": "seen is not failed",
        "retries": 30,
        "delay": 1,
    }
    made = site.play([task], hosts=HERE)
    rest.delete(f"{NAMESPACES}/{namespace}/pods/machine-config-daemon-x")
    assert made.result["changed"] is True, made.output
    pods(site, state="absent")


def test_the_role_closes_the_way_after_a_failure(site: Site) -> None:
    role = "fieldops.openshift.reach_nodes"
    nodes = {"reach_nodes_nodes": ["worker-0"], "reach_nodes_image": pause_image().name}
    work = [
        {"ansible.builtin.include_role": {"name": role}, "vars": nodes},
        {"ansible.builtin.command": "hostname", "delegate_to": "worker-0", "register": "seen"},
        {"ansible.builtin.fail": {"msg": "as told"}},
    ]
    end = {"ansible.builtin.include_role": {"name": role, "tasks_from": "end"}}
    access = {"group/fieldops.openshift.cluster": {"kubeconfig": str(site.lab.api.kubeconfig)}}
    block = {"block": work, "always": [end], "vars": {"reach_nodes_run": site.run}, "module_defaults": access}
    outcome = site.play([{**block, "ignore_errors": True}], hosts=HERE)
    assert outcome.result["stdout"] == "worker-0", outcome.output
    assert "as told" in outcome.output
    assert listed(site) == []
