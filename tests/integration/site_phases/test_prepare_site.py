# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The first play of a site: it checks what an update needs, and writes the variables that the site can set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import site_contract
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_settings import settings_for
from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import PhaseSite
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

NODE = "master-0"
POLICY = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/fieldops-openshift-release-readiness"
BINDING = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/fieldops-openshift-release-readiness"


@pytest.fixture
def site(make_site: MakeSite) -> Iterator[PhaseSite]:
    """A site of one node, whose host this machine is."""
    made = make_site(1, 0)
    made.take_this_machine_for(NODE)
    yield made
    for path in (POLICY, BINDING):
        if made.rest.exists(path):
            made.rest.delete(path)


def told(output: str) -> str:
    """Return what a play prints as one line."""
    return " ".join(output.split())


def test_a_site_is_checked_and_its_variables_are_written_once(site: PhaseSite, server: ApiServer) -> None:
    run = site.prepare(site_block_registries="always")
    assert run.returncode == 0, run.stdout
    assert f"system:admin can update the site at {server.url}, and all 1 nodes can be reached." in told(run.stdout)
    assert f"New machines were not configured, because nothing is staged on {NODE}." in told(run.stdout)
    assert site.rest.exists(POLICY)
    text = Path(site.site_file).read_text()
    assert f"# Cluster: {server.url}, user system:admin" in text
    given = yaml.safe_load(text)
    expected = {"site_kubeconfig": str(server.kubeconfig), "site_block_registries": "always"}
    assert given == {**expected, "site_file": site.site_file}
    given["site_bundle_digest"] = "sha256:..."
    for playbook in ("update_site", "prepare_site"):
        assert settings_for(site_contract(), playbook, given, given.__getitem__).problems == []
    again = site.prepare(site_block_registries="always")
    assert "changed=0" in again.stdout, again.stdout


def test_a_file_of_a_person_is_kept_beside_the_new_one(site: PhaseSite) -> None:
    own = "# ours\nsite_pools: [infra]\n"
    Path(site.site_file).write_text(own)
    run = site.prepare()
    assert run.returncode == 0, run.stdout
    kept = [path.read_text() for path in Path(site.site_file).parent.glob("site.yml.*")]
    assert kept == [own]


def test_check_mode_writes_nothing(site: PhaseSite) -> None:
    with site.check_mode():
        run = site.prepare()
    assert run.returncode == 0, run.stdout
    assert not Path(site.site_file).exists()
    assert not site.rest.exists(POLICY)


def test_a_user_without_the_permissions_learns_which_roles_are_missing(site: PhaseSite, server: ApiServer) -> None:
    run = site.prepare(site_kubeconfig=str(server.kubeconfig_for("technician")))
    assert run.returncode != 0, run.stdout
    assert "technician does not have all permissions of" in told(run.stdout)
    assert "fieldops-openshift-rollout" in told(run.stdout)
    assert not site.rest.exists(POLICY)
    assert not Path(site.site_file).exists()


def test_a_site_without_boot_images_needs_no_permissions_for_them(site: PhaseSite, server: ApiServer) -> None:
    stranger = str(server.kubeconfig_for("technician"))
    with_them = site.prepare(site_kubeconfig=stranger)
    without = site.prepare(site_kubeconfig=stranger, site_skip_phases=["boot_images"])
    assert "fieldops-openshift-boot-image" in with_them.stdout, with_them.stdout
    assert "fieldops-openshift-boot-image" not in without.stdout, without.stdout


@pytest.mark.parametrize(
    ("connection", "needed"), [("local", False), ("fieldops.openshift.node_pod", True)], ids=["others", "helper pods"]
)
def test_permissions_for_helper_pods_are_needed_where_they_are_used(
    site: PhaseSite, server: ApiServer, connection: str, needed: bool
) -> None:
    site.take_this_machine_for(NODE, connection)
    run = site.prepare(site_kubeconfig=str(server.kubeconfig_for("technician")))
    assert ("fieldops-openshift-node-pod" in run.stdout) is needed, run.stdout


def test_a_node_that_cannot_be_reached_is_named(make_site: MakeSite) -> None:
    site = make_site(1, 1)
    site.take_this_machine_for(NODE)
    run = site.prepare()
    assert run.returncode != 0, run.stdout
    assert "These nodes cannot be reached as root with Python: {'worker-0':" in told(run.stdout)
    assert not site.rest.exists(POLICY)
