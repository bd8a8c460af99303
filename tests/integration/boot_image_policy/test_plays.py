# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The playbooks for boot images as a technician runs them, on the real API with actors of the operators.

The job that updates boot images has its account of extensions/rbac/jobs. All others have the rights of
extensions/rbac/boot-image-*.yml and those to ask for change, and no others.
"""

from __future__ import annotations

import json
import typing as t
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.required_access import Access
from ansible_collections.fieldops.openshift.tests.integration.boot_image_policy.boot_image_operator import (
    BootImageOperator,
)
from ansible_collections.fieldops.openshift.tests.integration.boot_image_policy.machine_controllers import (
    MachineControllers,
)
from ansible_collections.fieldops.openshift.tests.integration.boot_image_policy.sites import (
    CONFIGURATION,
    MACHINE_SETS,
    MACHINES,
    Json,
    Site,
    entry,
)
from ansible_collections.fieldops.openshift.tests.integration.play_processes import run_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS, environment_for
from ansible_collections.fieldops.openshift.tests.integration.rights.job_account import (
    JobAccount,
    is_tolerated,
    require_named,
    told,
)
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images, cluster
from ansible_collections.fieldops.openshift.tests.lab.seed.boot_images import CURRENT, OLD, gcp_name
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster_api import API as CLUSTER_API
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster_api import cluster_api, maker, template_path
from ansible_collections.fieldops.openshift.tests.structure.job_permissions import accesses

if t.TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet


JOB = "update_boot_images"
NAMES = ("site-a", "site-b", "site-c")
GCP_TEMPLATE = "GCPMachineTemplate"
NAMESPACES = "/api/v1/namespaces"
PERMITTED = {"site_change_stanza": {"strategy": "Permissive"}}
MANUAL = {"mode": "Manual", "manual": {"mode": "OCPVersion", "ocpVersion": "4.20.12"}}
RIGHT = f"projects/rhcos-cloud/global/images/{gcp_name(CURRENT)}"
FORMER = f"projects/rhcos-cloud/global/images/{gcp_name(OLD)}"


class Technician:
    """Runs playbooks of the collection on a site."""

    def __init__(self, site: Site, folder: Path, account: JobAccount) -> None:
        self.site, self.account = site, account
        self.folder = folder
        self.permit: Json = PERMITTED
        self.runs = 0

    def run(self, playbook: str, *words: str, fails: bool = False, **variables: t.Any) -> str:
        """Run a playbook, by name or path, and return its output, which is also kept in the folder."""
        known = {"site_kubeconfig": str(self._kubeconfig(playbook)), **self.permit, **variables}
        known |= {"ansible_connection": "local", "ansible_python_interpreter": "{{ ansible_playbook_python }}"}
        command = ["-i", "localhost,", *words, playbook, "-e", json.dumps(known)]
        done = run_ansible_playbook(command, environment_for(self.folder, {}), self.folder)
        self.runs += 1
        (self.folder / f"run-{self.runs}.txt").write_text(done.stdout)
        assert (done.returncode != 0) is fails, done.stdout
        assert "WARNING" not in done.stdout, done.stdout
        return done.stdout

    def _kubeconfig(self, playbook: str) -> Path:
        if playbook == f"fieldops.openshift.{JOB}":
            return self.account.kubeconfig(self.folder)
        return self.site.server.kubeconfig_for("technician")

    def write(self, name: str, tasks: list[Json]) -> str:
        """Write a file of tasks and return its path."""
        path = self.folder / name
        path.write_text(json.dumps(tasks))
        return str(path)

    def play(self, task: Json) -> str:
        """Write a play of one task on the site's cluster and return its path."""
        defaults = {"group/fieldops.openshift.cluster": {"kubeconfig": str(self.site.server.kubeconfig)}}
        play = {"hosts": "localhost", "gather_facts": False, "module_defaults": defaults, "tasks": [task]}
        return self.write("play.yml", [play])

    def images(self) -> dict[str, str]:
        """Return the image of each MachineSet on Google's cloud."""
        found = self.site.rest.get(MACHINE_SETS)["items"]
        return {one["metadata"]["name"]: _provider(one)["disks"][0]["image"] for one in found}


def _provider(machine_set: Json) -> Json:
    return t.cast("Json", machine_set["spec"]["template"]["spec"]["providerSpec"]["value"])


@pytest.fixture
def technician(site: Site, tmp_path: Path, account: JobAccount) -> Technician:
    """A cluster on Google's cloud whose three MachineSets nobody keeps, and somebody who runs playbooks there."""
    site.rest.apply(cluster.infrastructure("GCP"))
    managers = {"machineManagers": [entry("None")]}
    site.rest.merge(CONFIGURATION, {"spec": {"bootImageSkewEnforcement": MANUAL, "managedBootImages": managers}})
    for name in NAMES:
        site.rest.apply(boot_images.machine_set("gcp", name))
    return Technician(site, tmp_path, account)


def unchanged(output: str) -> bool:
    return "changed=0 " in output.splitlines()[-2] + output.splitlines()[-1]


def recorded(site: Site) -> str:
    manual: Json = site.spec["bootImageSkewEnforcement"]["manual"]
    return str(manual.get("rhcosVersion") or manual.get("ocpVersion"))


def test_a_canary_first_then_all_then_the_record_and_a_second_run_changes_nothing(technician: Technician) -> None:
    site = technician.site
    with MachineControllers(site.rest), BootImageOperator(site.rest):
        output = technician.run("fieldops.openshift.update_boot_images", site_canary="proof")
        again = technician.run("fieldops.openshift.update_boot_images", site_canary="proof")
    assert "3 were updated to the correct image" in output
    assert "adds a machine to site-a, which has 0" in output, "the proof shows how it goes on"
    assert technician.images() == dict.fromkeys(NAMES, RIGHT)
    assert site.rest.get(MACHINES)["items"] == []
    assert recorded(site) == CURRENT
    assert unchanged(again)


def test_outside_the_window_nothing_is_changed(technician: Technician) -> None:
    stanza = {"strategy": "Restrictive"}
    output = technician.run("fieldops.openshift.update_boot_images", site_change_stanza=stanza)
    assert "change is restricted" in output
    assert technician.images() == dict.fromkeys(NAMES, FORMER)
    assert recorded(technician.site) == "4.20.12"


def test_what_the_cluster_keeps_decides_where_no_stanza_is_given(technician: Technician) -> None:
    until = f"{datetime.now(timezone.utc) + timedelta(hours=2):%Y-%m-%dT%H:%M:%SZ}"
    override = {"kind": "MachineConfigPool", "name": "worker", "strategy": "Restrictive", "until": until}
    technician.run(technician.play({"fieldops.openshift.change_override": {**override, "reason": "a shift is on"}}))
    technician.permit = {}
    output = technician.run("fieldops.openshift.update_boot_images")
    assert "a shift is on" in output
    assert technician.images() == dict.fromkeys(NAMES, FORMER)


def test_it_stops_after_the_canary_if_asked_and_a_later_run_takes_the_others(technician: Technician) -> None:
    with BootImageOperator(technician.site.rest):
        output = technician.run("fieldops.openshift.update_boot_images", site_canary="stop")
        between = technician.images()
        held = recorded(technician.site)
        technician.run("fieldops.openshift.update_boot_images")
    assert "the canaries have the correct image, 2 others wait for their proof" in output
    assert sorted(between.values()) == sorted([RIGHT, FORMER, FORMER])
    assert held == OLD, "the oldest image counts"
    assert technician.images() == dict.fromkeys(NAMES, RIGHT)
    assert recorded(technician.site) == CURRENT


def test_a_canary_that_does_not_boot_stops_it_and_the_others_keep_their_image(technician: Technician) -> None:
    site = technician.site
    with MachineControllers(site.rest, fails=lambda _one: True), BootImageOperator(site.rest):
        output = technician.run("fieldops.openshift.update_boot_images", site_canary="proof", fails=True)
    assert "InvalidConfiguration: no such AMI" in output
    assert technician.images() == {"site-a": RIGHT, "site-b": FORMER, "site-c": FORMER}
    assert site.rest.get(MACHINES)["items"] == []


def test_check_mode_leaves_everything(technician: Technician) -> None:
    before = technician.images()
    technician.run("fieldops.openshift.update_boot_images", "--check", "--diff", site_canary="proof")
    technician.run("fieldops.openshift.update_boot_images", "--check", "--diff")
    assert technician.images() == before
    assert recorded(technician.site) == "4.20.12"


def templates(site: Site) -> dict[str, str]:
    """Return the image that machines of each object of the Cluster API boot."""
    found = {}
    for plural in ("machinesets", "machinedeployments"):
        for one in site.rest.get(f"{CLUSTER_API}/{plural}")["items"]:
            name = one["spec"]["template"]["spec"]["infrastructureRef"]["name"]
            template = site.rest.get(template_path(name, GCP_TEMPLATE))
            found[one["metadata"]["name"]] = template["spec"]["template"]["spec"]["image"]
    return found


def test_machines_of_the_cluster_api_follow_the_canaries_one_deployment_at_a_time(technician: Technician) -> None:
    site = technician.site
    wanted: dict[str, t.Any] = {"site_cluster_api_machines": True}
    with cluster_api(site.rest), BootImageOperator(site.rest):
        for kind, name in (("MachineSet", "set"), ("MachineDeployment", "first"), ("MachineDeployment", "next")):
            site.rest.apply_all(maker(kind, name, {"image": FORMER}, GCP_TEMPLATE))
        first = technician.run("fieldops.openshift.update_boot_images", site_canary="stop", **wanted)
        before = templates(site)
        second = technician.run("fieldops.openshift.update_boot_images", **wanted)
        between = templates(site)
        technician.permit = {"site_change_stanza": {"strategy": "Restrictive"}}
        technician.run("fieldops.openshift.revert_boot_images", **wanted)
        technician.permit = PERMITTED
        assert templates(site) == between
        last = technician.run("fieldops.openshift.update_boot_images", **wanted)
        third = templates(site)
        back = technician.run("fieldops.openshift.revert_boot_images", site_machine_sets=["set"], **wanted)
        reverted = templates(site)
    assert "5 others wait for their proof" in first
    assert before == dict.fromkeys(("set", "first", "next"), FORMER)
    assert "MachineDeployment first is replacing its machines: run this again" in second
    assert between == {"set": RIGHT, "first": RIGHT, "next": FORMER}
    assert ("1 were updated to the correct image" in last, third["next"]) == (True, RIGHT)
    assert ("1 were reverted" in back, reverted) == (True, {"set": FORMER, "first": RIGHT, "next": RIGHT})


def test_reverting_brings_the_former_image_and_its_record_back(technician: Technician) -> None:
    with BootImageOperator(technician.site.rest):
        technician.run("fieldops.openshift.update_boot_images")
        output = technician.run("fieldops.openshift.revert_boot_images", site_machine_sets=["site-b"])
    assert "1 were reverted" in output
    assert technician.images() == {"site-a": RIGHT, "site-b": FORMER, "site-c": RIGHT}
    assert recorded(technician.site) == OLD


def test_reverting_what_the_operator_keeps_takes_it_over_first_if_asked(technician: Technician) -> None:
    site = technician.site
    with BootImageOperator(site.rest):
        technician.run("fieldops.openshift.update_boot_images")
        site.follow({"machine_sets": {"mode": "All"}, "skew_enforcement": {"mode": "Automatic"}}, user="")
        refused = technician.run("fieldops.openshift.revert_boot_images", fails=True)
        technician.run("fieldops.openshift.revert_boot_images", site_take_over=True)
    assert "boot_image_policy" in refused
    assert technician.images() == dict.fromkeys(NAMES, FORMER)
    assert site.spec["managedBootImages"]["machineManagers"] == [entry("None")]


def test_reverting_to_an_image_of_which_nothing_tells_the_release_records_that_of_the_installation(
    technician: Technician,
) -> None:
    site = technician.site
    site.rest.delete(MACHINE_SETS)
    site.rest.merge(CONFIGURATION, {"spec": {"managedBootImages": None}})
    site.rest.apply(cluster.infrastructure("VSphere"))
    site.rest.merge(CONFIGURATION, {"spec": {"managedBootImages": {"machineManagers": [entry("None")]}}})
    site.rest.apply(boot_images.machine_set("vsphere", "site-v"))
    brought: list[Json] = [
        {"ansible.builtin.set_fact": {"update_boot_images_imported": [{"image": "rhcos-new", "release": CURRENT}]}}
    ]
    with BootImageOperator(site.rest):
        technician.run(
            "fieldops.openshift.update_boot_images", site_import_tasks=technician.write("import.yml", brought)
        )
        updated = recorded(site)
        technician.run("fieldops.openshift.revert_boot_images", site_machine_sets=["site-v"])
    assert _provider(site.rest.get(f"{MACHINE_SETS}/site-v"))["template"] != "rhcos-new"
    assert (updated, recorded(site)) == (CURRENT, "4.20.12")


def test_an_image_of_which_nothing_is_known_is_not_done(technician: Technician) -> None:
    site = technician.site
    site.rest.delete(MACHINE_SETS)
    site.rest.apply(cluster.infrastructure("AWS"))
    unknown = boot_images.machine_set("aws", "site-x")
    _provider(unknown)["ami"] = {"id": "ami-0123456789abcdef0"}
    site.rest.apply(unknown)
    with BootImageOperator(site.rest):
        output = technician.run("fieldops.openshift.update_boot_images")
    assert "1 could not be evaluated, because their image is unknown: site-x" in output


@pytest.fixture
def carried(technician: Technician) -> Path:
    """A site on vSphere, and the file of its template in a bundle."""
    site = technician.site
    site.rest.delete(MACHINE_SETS)
    site.rest.merge(CONFIGURATION, {"spec": {"managedBootImages": None}})
    site.rest.apply(cluster.infrastructure("VSphere"))
    site.rest.apply(boot_images.machine_set("vsphere", "site-v"))
    images = f"{NAMESPACES}/openshift-machine-config-operator/configmaps/coreos-bootimages"
    stream = json.loads(site.rest.get(images)["data"]["stream"])
    ova = stream["architectures"]["x86_64"]["artifacts"]["vmware"]["formats"]["ova"]["disk"]
    file: Path = technician.folder / "bundle/blobs/sha256" / ova["sha256"]
    file.parent.mkdir(parents=True)
    # The digests of this stream are those of the addresses.
    file.write_text(ova["location"])
    return file


@pytest.mark.parametrize("damaged", [False, True], ids=["right", "damaged"])
def test_the_tasks_find_the_file_in_a_bundle(technician: Technician, carried: Path, damaged: bool) -> None:
    if damaged:
        carried.write_text("damaged")
    name = "update_boot_images_files[update_boot_images_wanted[0].artifact.sha256]"
    tasks: list[Json] = [{"ansible.builtin.debug": {"msg": f"imported {{{{ {name} }}}}"}}]
    with BootImageOperator(technician.site.rest):
        output = technician.run(
            "fieldops.openshift.update_boot_images",
            fails=damaged,
            site_import_tasks=technician.write("import.yml", tasks),
            site_boot_image_bundle=str(technician.folder / "bundle"),
        )
    assert (f"imported {carried}" in output, f"{carried} is damaged" in output) == (not damaged, damaged)


def test_an_image_is_brought_by_tasks_of_the_site_where_the_platform_needs_it(technician: Technician) -> None:
    site = technician.site
    site.rest.delete(MACHINE_SETS)
    site.rest.merge(CONFIGURATION, {"spec": {"managedBootImages": None}})
    site.rest.apply(cluster.infrastructure("VSphere"))
    site.rest.merge(CONFIGURATION, {"spec": {"managedBootImages": {"machineManagers": [entry("None")]}}})
    site.rest.apply(boot_images.machine_set("vsphere", "site-v"))
    tasks: list[Json] = [
        {"ansible.builtin.debug": {"msg": "{{ update_boot_images_wanted[0].artifact.location }}"}},
        {
            "ansible.builtin.set_fact": {
                "update_boot_images_imported": [
                    {"image": "rhcos-new", "release": "{{ update_boot_images_wanted[0].artifact.release }}"}
                ]
            }
        },
    ]
    with BootImageOperator(site.rest):
        waiting = technician.run("fieldops.openshift.update_boot_images")
        brought = technician.run(
            "fieldops.openshift.update_boot_images", site_import_tasks=technician.write("import.yml", tasks)
        )
    assert "1 need an image in the site's cloud" in waiting
    assert "-vmware.x86_64.ova" in brought
    assert _provider(site.rest.get(f"{MACHINE_SETS}/site-v"))["template"] == "rhcos-new"
    assert recorded(site) == CURRENT


def test_the_report_says_what_stands_in_the_way(technician: Technician) -> None:
    site, file = technician.site, technician.folder / "report.json"
    site.rest.merge(CONFIGURATION, {"spec": {"bootImageSkewEnforcement": {"mode": "None", "manual": None}}})
    with BootImageOperator(site.rest):
        site.wait_for("None")
        output = technician.run(
            "fieldops.openshift.report_boot_images", site_target_version="4.23.1", site_boot_image_report=str(file)
        )
    found = json.loads(file.read_text())
    assert "of 3 machine resources, 3 boot another image" in output
    assert "Boot image skew enforcement is disabled." in output
    assert found["skew"]["alert"]["name"] == "MCCBootImageSkewEnforcementNone"
    assert found["gate"]["blocked"] is False
    assert [one["proved"] for one in found["proofs"]] == [False] * 3


def test_the_gate_stops_an_update_before_anything_is_staged(technician: Technician) -> None:
    site = technician.site
    gate = {"name": "fieldops.openshift.report_boot_images", "tasks_from": "gate"}
    path = technician.play({"ansible.builtin.include_role": gate})
    next_limit: Json = {"report_boot_images_skew_limit": {"ocp": "4.21.0"}}
    with BootImageOperator(site.rest):
        site.wait_for("Manual")
        technician.run(path)
        technician.run(path, report_boot_images_target_version="4.22.9", **next_limit)
        stopped = technician.run(path, fails=True, report_boot_images_target_version="4.23.1", **next_limit)
        any_minor = technician.run(path, fails=True, **next_limit)
    for output in (stopped, any_minor):
        assert "the cluster is using OCP boot image version 4.20.12, which is below the minimum required" in output


def test_the_status_of_a_site_says_which_images_are_known_to_fail(technician: Technician) -> None:
    grant(technician.site.rest, "technician", "cluster-health-reader.yml", "cluster-update-reader.yml")
    rest = technician.site.rest
    rest.delete(MACHINE_SETS)
    rest.apply(cluster.infrastructure("GCP"))
    releases = {"site-f": "9.6.20250826-1", "site-g": boot_images.CURRENT}
    rest.apply_all(boot_images.machine_set("gcp", name, release=release) for name, release in releases.items())
    said = " ".join(technician.run("fieldops.openshift.show_site_status").split())
    assert "MachineSet site-f boots 9.6.20250826-1: it passes the operator's check, but is known to fail: the" in said
    assert "github.com/openshift/release/pull/77647). Run update_boot_images with site_canary=proof" in said
    assert "MachineSet site-g" not in said


def test_the_check_before_an_update_says_what_is_known_to_fail(technician: Technician) -> None:
    site = technician.site
    recorded = {"mode": "RHCOSVersion", "rhcosVersion": "9.6.20250301-0", "ocpVersion": None}
    site.rest.merge(CONFIGURATION, {"spec": {"bootImageSkewEnforcement": {"mode": "Manual", "manual": recorded}}})
    tasks = COLLECTIONS / "ansible_collections/fieldops/openshift/playbooks/tasks/boot_images_before_update.yml"
    path = technician.play({"ansible.builtin.include_tasks": str(tasks)})
    with BootImageOperator(site.rest):
        site.wait_for("Manual")
        output = technician.run(path, play_target_version="4.23.1", site_settings={"skew_limit": {}})
    assert "it passes the operator's check, but is known to fail" in " ".join(output.split())
    assert technician.images() == dict.fromkeys(NAMES, FORMER)


def short_rows() -> list[ParameterSet]:
    """Return each access of the job on machines of the Machine API; all but one are left out of ``make test``."""
    rows = [one for one in accesses(JOB) if not (one.group.endswith("cluster.x-k8s.io") or is_tolerated(one))]
    taken = "patch machinesets openshift-machine-api"
    return [pytest.param(one, id=told(one), marks=[] if told(one) == taken else pytest.mark.long) for one in rows]


def test_the_job_was_refused_nothing_in_all_these_runs(account: JobAccount) -> None:
    assert account.refused() == []
    assert account.not_recorded() == []
    assert account.not_used() == []


@pytest.mark.parametrize("access", short_rows())
def test_the_job_with_one_verb_less_names_it(technician: Technician, access: Access) -> None:
    """The guard reads the change management of the cluster, and a canary is verified."""
    technician.permit = {}
    technician.account.grant(without=access)
    with MachineControllers(technician.site.rest), BootImageOperator(technician.site.rest):
        output = technician.run(f"fieldops.openshift.{JOB}", site_canary="proof", fails=True)
    technician.account.grant()
    require_named(access, output)
