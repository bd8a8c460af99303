# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""docs/examples/gitops, built by kustomize and owned by Argo CD's field manager: no client fights with another.

kubectl has kustomize in it (sigs.k8s.io/kustomize/api, krusty). Argo CD applies as ``kubectl apply --server-side`` with
its own manager and with force (gitops-engine, pkg/utils/kube). Here it is asked without force, so that a field that was
taken from it is an error.
"""

from __future__ import annotations

import subprocess
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import (
    CONFIG_MAPS,
    WHY,
    task,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant, shipped
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.kubectl import kubectl
from ansible_collections.fieldops.openshift.tests.lab.seed import cluster
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

Json = dict[str, t.Any]
EXAMPLE = ROOT / "docs" / "examples" / "gitops"
ARGO = "system:serviceaccount:openshift-gitops:openshift-gitops-argocd-application-controller"
MANAGER = "argocd-controller"
CONFIGURATION = "/apis/operator.openshift.io/v1/machineconfigurations/cluster"
WORKER = {"kind": "MachineConfigPool", "name": "worker"}
OWNED = (f"{CONFIG_MAPS}/change-policies", f"{CONFIG_MAPS}/change-assignments", CONFIGURATION)


def built(folder: str) -> str:
    command = [str(kubectl()), "kustomize", str(EXAMPLE / folder)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class GitOps:
    """A healthy cluster with the admission policy of changes, whose manifests Argo CD's account applies."""

    def __init__(self, server: ApiServer, folder: Path) -> None:
        self.server, self.folder = server, folder

    def synchronize(self, manifests: str | None = None) -> str:
        """Apply the manifests of site-a as Argo CD, and return the output."""
        words = ["apply", "--server-side", f"--field-manager={MANAGER}", f"--as={ARGO}", "--filename=-"]
        command = [str(kubectl()), f"--kubeconfig={self.server.kubeconfig}", *words]
        given = manifests or built("site-a")
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def versions(self) -> list[str]:
        """Return the versions of the objects that Git owns."""
        return [self.server.rest.get(path)["metadata"]["resourceVersion"] for path in OWNED]

    def play(self, module: str, *words: str, **options: t.Any) -> Json:
        return run_play(self.folder, task(self.server, module, **options), *words).result


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as started:
        plant(started.rest, healthy_cluster("4.21.3", control_plane=1, workers=1))
        started.rest.apply(cluster.infrastructure("AWS"))  # upstream's admission policy refuses other platforms
        for one in shipped("change-admission.yml"):
            started.rest.apply(one)
        for name in ("openshift-config", "openshift-config-managed"):
            started.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        grant(started.rest, ARGO, "change-manager.yml", "boot-image-policy.yml")
        grant(started.rest, "system:admin", "change-manager.yml")
        yield started


@pytest.fixture
def gitops(server: ApiServer, tmp_path: Path) -> GitOps:
    one = GitOps(server, tmp_path)
    one.synchronize()
    return one


def test_kustomize_builds_the_example() -> None:
    objects = {(one["kind"], one["metadata"]["name"]) for one in yaml.safe_load_all(built("site-a"))}
    assert objects == {
        ("ConfigMap", "change-policies"),
        ("ConfigMap", "change-assignments"),
        ("MachineConfiguration", "cluster"),
    }


def test_what_git_says_is_in_force(gitops: GitOps) -> None:
    found = gitops.play("change_management_info", **WORKER)
    (worker,) = found["resources"]
    assert (worker["reason_code"], [one["name"] for one in found["policies"]]) == (
        "MaintenanceSchedule",
        ["saturday-night"],
    )
    assert [one["by"] for one in worker["changes"]] == [ARGO]


def test_a_stop_survives_the_next_synchronization(gitops: GitOps) -> None:
    before = gitops.versions()
    stopped = gitops.play("change_override", **WORKER, strategy="Restrictive", reason=WHY)
    assert (stopped["changed"], gitops.versions()) == (True, before)
    gitops.synchronize()
    assert gitops.versions() == before
    found = gitops.play("change_management_info", **WORKER)
    assert [one["strategy"] for one in found["resources"][0]["overrides"]] == ["Restrictive"]
    assert gitops.play("change_override", **WORKER, state="absent", reason=WHY)["changed"] is True
    assert gitops.versions() == before


CHANGES = [
    pytest.param(
        "change_policy",
        {"name": "saturday-night", "spec": {"strategy": "Restrictive"}, "reason": WHY},
        "data.saturday-night",
        id="policy",
    ),
    pytest.param(
        "change_policy",
        {"assignments": {"MachineConfigPool.worker": {"strategy": "Permissive"}}, "reason": WHY},
        "data.MachineConfigPool.worker",
        id="assignment",
    ),
    pytest.param(
        "boot_image_policy",
        {"machine_sets": {"mode": "None"}},
        "spec.managedBootImages.machineManagers",
        id="boot images",
    ),
]


@pytest.mark.parametrize(("module", "options", "field"), CHANGES)
def test_fields_of_another_manager_are_not_taken(gitops: GitOps, module: str, options: Json, field: str) -> None:
    before = gitops.versions()
    for words in (["--check"], []):
        refused = gitops.play(module, *words, **options)
        assert field in refused["msg"]
        assert f"belongs to {MANAGER}" in refused["msg"]
    assert gitops.versions() == before
    gitops.synchronize()
    assert gitops.versions() == before


def test_what_is_already_so_is_no_conflict(gitops: GitOps) -> None:
    before = gitops.versions()
    stanza = {"strategy": "ByPolicy", "byPolicy": {"name": "saturday-night"}}
    kept = gitops.play("change_policy", assignments={"MachineConfigPool.worker": stanza}, reason=WHY)
    same = gitops.play("boot_image_policy", machine_sets={"mode": "All"})
    assert (kept["changed"], same["changed"], gitops.versions()) == (False, False, before)


def test_a_change_in_git_takes_effect(gitops: GitOps) -> None:
    gitops.synchronize(built("site-a").replace('"Saturday"', '"Sunday"'))
    found = gitops.play("change_management_info")
    assert "Sunday" in str(found["policies"])


def test_an_object_that_left_git_can_be_taken_over(gitops: GitOps) -> None:
    policy = {"name": "saturday-night", "spec": {"strategy": "Restrictive"}, "reason": WHY}
    assert gitops.play("change_policy", take_over=True, **policy)["changed"] is True
    assert gitops.play("boot_image_policy", machine_sets={"mode": "None"}, take_over=True)["changed"] is True
