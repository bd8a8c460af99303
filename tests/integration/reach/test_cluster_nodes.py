# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The inventory of a real cluster, read with the shipped rights."""

from __future__ import annotations

import json
import subprocess
import typing as t
from collections.abc import Callable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.inventories import content_of, list_inventory
from ansible_collections.fieldops.openshift.tests.integration.reach.conftest import Site

pytestmark = pytest.mark.long


def listed(folder: Path, *words: str, **options: t.Any) -> subprocess.CompletedProcess[str]:
    return list_inventory(folder, "cluster_nodes", *words, **options)


def inventory(site: Site, folder: Path, *words: str, **options: t.Any) -> dict[str, t.Any]:
    told = listed(folder, *words, **{"kubeconfig": str(site.lab.api.kubeconfig), **options})
    assert "WARNING" not in told.stderr, told.stderr
    return content_of(told)


def members(found: dict[str, t.Any], group: str) -> list[str]:
    return sorted(found.get(group, {}).get("hosts", []))


def test_groups_and_variables(site: Site, tmp_path: Path) -> None:
    found = inventory(site, tmp_path)
    assert members(found, "nodes") == ["master-0", "worker-0", "worker-1"]
    assert members(found, "pool_worker") == members(found, "role_worker") == ["worker-0", "worker-1"]
    assert members(found, "zone_zone_1") == ["worker-1"]
    assert members(found, "pending_change") == []
    variables = found["_meta"]["hostvars"]["worker-0"]
    assert variables["ansible_host"] == site.lab.hosts["worker-0"].address
    assert variables["node_pool"] == "worker"
    assert variables["node_ready"] is True


def test_the_cluster_of_the_playbooks_is_that_of_the_inventory(site: Site, tmp_path: Path) -> None:
    kubeconfig = str(site.lab.api.kubeconfig)
    other = {"kubeconfig": str(tmp_path / "other"), "connection": "fieldops.openshift.node_pod"}
    found = inventory(site, tmp_path, "-e", f"site_kubeconfig={kubeconfig}", **other)
    assert members(found, "nodes") == ["master-0", "worker-0", "worker-1"]
    assert found["_meta"]["hostvars"]["worker-0"]["ansible_node_pod_kubeconfig"] == kubeconfig


def test_a_cluster_that_cannot_be_queried_leaves_the_inventory_empty_if_that_is_permitted(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nowhere")
    told = listed(tmp_path, kubeconfig=nowhere, required=False)
    assert "The inventory contains no nodes. Could not" in " ".join(told.stderr.split())
    assert "plugin" not in told.stderr, told.stderr
    assert members(json.loads(told.stdout), "nodes") == []
    assert "Unable to parse" in " ".join(listed(tmp_path, kubeconfig=nowhere).stderr.split())


def test_a_change_that_its_pool_wants_is_pending(site: Site, tmp_path: Path) -> None:
    pool = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools/worker"
    before = site.lab.api.rest.get(pool)["spec"]["configuration"]["name"]
    site.lab.api.rest.merge(pool, {"spec": {"configuration": {"name": "rendered-worker-next"}}})
    found = inventory(site, tmp_path)
    site.lab.api.rest.merge(pool, {"spec": {"configuration": {"name": before}}})
    assert members(found, "pending_change") == ["worker-0", "worker-1"]


def test_selected_constructed_and_reached_through_pods(site: Site, tmp_path: Path) -> None:
    found = inventory(
        site,
        tmp_path,
        label_selector="node-role.kubernetes.io/worker",
        connection="fieldops.openshift.node_pod",
        compose={"rack": "node_zone | upper"},
        groups={"first": "node_name.endswith('-0')"},
        keyed_groups=[{"key": "node_architecture", "prefix": "arch"}],
    )
    assert members(found, "nodes") == members(found, "arch_amd64") == ["worker-0", "worker-1"]
    assert members(found, "first") == ["worker-0"]
    variables = found["_meta"]["hostvars"]["worker-1"]
    assert (variables["rack"], variables["ansible_connection"]) == ("ZONE-1", "fieldops.openshift.node_pod")


def test_what_a_node_says_is_no_template(site: Site, tmp_path: Path) -> None:
    node = "/api/v1/nodes/worker-0"
    annotation = "machineconfiguration.openshift.io/desiredImage"
    site.lab.api.rest.merge(node, {"metadata": {"annotations": {annotation: "{{ 1 + 1 }}"}}})
    found = inventory(site, tmp_path, compose={"same": "node_desired_image"})
    site.lab.api.rest.merge(node, {"metadata": {"annotations": {annotation: None}}})
    assert found["_meta"]["hostvars"]["worker-0"]["same"] == "{{ 1 + 1 }}"


def test_the_shipped_rights_are_enough(site: Site, tmp_path: Path, grant: Callable[[str, str], None]) -> None:
    grant("technician", "cluster-nodes.yml")
    found = inventory(site, tmp_path, kubeconfig=str(site.lab.api.kubeconfig_for("technician")))
    assert len(members(found, "nodes")) == 3


def test_a_missing_right_is_named(site: Site, tmp_path: Path) -> None:
    told = listed(tmp_path, kubeconfig=str(site.lab.api.kubeconfig_for("stranger")))
    assert "stranger" in told.stderr
    assert "nodes" in told.stderr
