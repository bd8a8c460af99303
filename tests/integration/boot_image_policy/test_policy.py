# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The policy for boot images against the real definitions and admission policies, with the operator's actor.

The user has the rights of extensions/rbac/boot-image-policy.yml and no others.
"""

from __future__ import annotations

import threading
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.policy_info import read_policy
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.policy_step import policy_step
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.policy_error import (
    PolicyRefusedError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.tests.integration.boot_image_policy.boot_image_operator import (
    BootImageOperator,
)
from ansible_collections.fieldops.openshift.tests.integration.boot_image_policy.sites import (
    ACKS,
    CONFIGURATION,
    GATES,
    Site,
    entry,
)
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.seed import cluster

OUT = {"machine_sets": {"mode": "None"}, "skew_enforcement": {"mode": "Manual", "ocp_version": "4.22.3"}}
BACK = {"machine_sets": {"mode": "All"}, "skew_enforcement": {"mode": "Automatic"}}
KEY = "ack-4.21-boot-image-opt-out-in-4.22"
SELECTOR = {"matchExpressions": [{"key": "hive.openshift.io/managed", "operator": "DoesNotExist"}]}


def test_out_of_automatic_goes_in_the_order_that_the_api_demands(site: Site) -> None:
    with BootImageOperator(site.rest):
        site.wait_for("Automatic")
        with pytest.raises(LabApiError, match="must use selection mode 'All'"):
            site.rest.merge(CONFIGURATION, {"spec": {"managedBootImages": {"machineManagers": [entry("None")]}}})
        mark = site.server.audit.mark()
        state, said = site.follow(OUT)
        ours = site.server.audit.requests(mark, user="technician", verb="patch")
    assert [one.code for one in ours] == [200, 200], "the API is asked for nothing that it refuses"
    assert said[0] == "sets skew enforcement first: in Automatic mode the API refuses the rest"
    assert said[-1] == "the policy is in effect"
    assert site.spec == {
        "bootImageSkewEnforcement": {"mode": "Manual", "manual": {"mode": "OCPVersion", "ocpVersion": "4.22.3"}},
        "managedBootImages": {"machineManagers": [entry("None")]},
    }
    assert state.objects["holds"]["machine_sets"] == {"mode": "None", "selector": {}, "origin": "spec"}
    assert state.objects["writers"]["managed_boot_images"][0]["manager"] == "fieldops-openshift"


def test_one_patch_with_both_is_refused_by_the_real_definition(site: Site) -> None:
    """Why there is an order at all: the API holds spec against the status of before."""
    with BootImageOperator(site.rest):
        site.wait_for("Automatic")
    both = {"managedBootImages": {"machineManagers": [entry("None")]}, "bootImageSkewEnforcement": {"mode": "None"}}
    with pytest.raises(LabApiError, match="must use selection mode 'All'"):
        site.rest.merge(CONFIGURATION, {"spec": both})


def test_and_back_to_automatic(site: Site) -> None:
    with BootImageOperator(site.rest):
        site.follow(OUT)
        state, said = site.follow(BACK)
        again = policy_step(site.client("technician"), BACK)
    assert said[0] == "sets the machine managers first: Automatic needs them"
    assert said[-1] == "the policy is in effect"
    assert state.objects["status"]["skew_enforcement"]["mode"] == "Automatic"
    assert site.spec == {"managedBootImages": {"machineManagers": [entry("All")]}}
    assert (again.changed, again.done, list(again.actions or ())) == (False, True, [])


def test_a_killed_run_is_taken_up_where_it_stands(site: Site) -> None:
    hesitates = threading.Event()
    with BootImageOperator(site.rest, hesitates.is_set):
        site.wait_for("Automatic")
        hesitates.set()
        first = policy_step(site.client("technician"), OUT)
        second = policy_step(site.client("technician"), OUT)
        hesitates.clear()
        done, _said = site.follow(OUT)
    assert (first.changed, first.done) == (True, False)
    assert (second.changed, second.sentence) == (
        False,
        "waits until the operator has left Automatic, after which the API accepts the rest",
    )
    assert done.objects["spec"]["machine_managers"] == [entry("None")]


def test_check_mode_asks_the_server_and_leaves_everything(site: Site) -> None:
    with BootImageOperator(site.rest):
        site.wait_for("Automatic")
    with site.client("technician", dry_run=True) as client:
        state = policy_step(client, OUT)
    assert (state.changed, len(state.actions or ())) == (True, 2)
    assert all(one["dry_run"] for one in state.actions or ())
    assert state.diff == {
        "before": {"machine_managers": None, "skew_enforcement": {}},
        "after": {
            "machine_managers": [entry("None")],
            "skew_enforcement": {"mode": "Manual", "ocp_version": "4.22.3", "rhcos_version": ""},
        },
    }
    assert site.spec == {}


def test_what_others_set_stays(site: Site) -> None:
    site.rest.merge(
        CONFIGURATION,
        {"spec": {"managedBootImages": {"machineManagers": [entry("All"), entry("All", "controlplanemachinesets")]}}},
    )
    with BootImageOperator(site.rest):
        site.wait_for("Automatic")
        site.follow(
            {
                "machine_sets": {"mode": "Partial", "selector": SELECTOR},
                "skew_enforcement": {"mode": "Manual", "rhcos_version": "9.6.20251023-0"},
            }
        )
    assert site.spec == {
        "bootImageSkewEnforcement": {
            "mode": "Manual",
            "manual": {"mode": "RHCOSVersion", "rhcosVersion": "9.6.20251023-0"},
        },
        "managedBootImages": {
            "machineManagers": [
                entry("Partial", partial={"machineResourceSelector": SELECTOR}),
                entry("All", "controlplanemachinesets"),
            ]
        },
    }


def test_from_one_recorded_version_to_the_other_kind(site: Site) -> None:
    with BootImageOperator(site.rest):
        site.follow({"skew_enforcement": {"mode": "Manual", "ocp_version": "4.22.3"}})
        site.follow({"skew_enforcement": {"mode": "Manual", "rhcos_version": "9.6.20251023-0"}})
        state, _said = site.follow({"skew_enforcement": {"mode": "None"}})
        kept = site.spec
        site.follow({"skew_enforcement": {"mode": "Default"}})
    assert state.objects["status"]["skew_enforcement"]["mode"] == "None"
    assert kept == {"bootImageSkewEnforcement": {"mode": "None"}}
    assert site.spec == {}


def test_an_empty_list_of_others_keeps_its_meaning(site: Site) -> None:
    site.rest.merge(CONFIGURATION, {"spec": {"managedBootImages": {"machineManagers": []}}})
    with BootImageOperator(site.rest):
        site.follow({"control_plane_machine_sets": "All"})
    assert site.spec["managedBootImages"]["machineManagers"] == [
        entry("None"),
        entry("All", "controlplanemachinesets"),
    ]


def test_somebody_faster_is_a_transient_conflict_and_nothing_is_lost(site: Site) -> None:
    class Meddler:
        """Writes between our reading and our writing."""

        def __init__(self) -> None:
            self.client = site.client("technician")

        def __getattr__(self, name: str) -> t.Any:
            if name == "attempt":
                site.rest.merge(CONFIGURATION, {"spec": {"logLevel": "Debug"}})
            return getattr(self.client, name)

    with pytest.raises(ApiError) as conflict:
        policy_step(t.cast("t.Any", Meddler()), {"skew_enforcement": {"mode": "None"}})
    assert (conflict.value.status, conflict.value.transient) == (409, True)
    assert site.spec == {}


def test_a_platform_is_refused_by_us_as_by_the_admission_policy(site: Site) -> None:
    site.rest.apply(cluster.infrastructure("OpenStack"))
    with pytest.raises(PolicyRefusedError) as refusal:
        policy_step(site.client("technician"), {"machine_sets": {"mode": "All"}})
    assert "does not manage boot images on platform OpenStack" in refusal.value.seen
    with pytest.raises(LabApiError, match="only supported on these platforms"):
        site.rest.merge(CONFIGURATION, {"spec": {"managedBootImages": {"machineManagers": [entry("All")]}}})
    assert site.spec == {}


def test_other_platforms_record_their_version_all_the_same(site: Site) -> None:
    site.rest.apply(cluster.infrastructure("OpenStack"))
    with BootImageOperator(site.rest):
        assert site.wait_for("Manual")["status"]["bootImageSkewEnforcementStatus"]["manual"]["ocpVersion"] == "4.20.12"
        state, _said = site.follow({"skew_enforcement": {"mode": "Manual", "ocp_version": "4.22.3"}})
    assert state.objects["status"]["skew_enforcement"]["ocp_version"] == "4.22.3"


def test_a_cluster_without_the_object_gets_one(site: Site) -> None:
    site.rest.delete(CONFIGURATION)
    state = policy_step(site.client("technician"), {"machine_sets": {"mode": "All"}})
    assert state.changed
    assert site.rest.get(CONFIGURATION)["spec"]["managementState"] == "Managed"
    assert site.spec == {"managedBootImages": {"machineManagers": [entry("All")]}}


def test_acknowledgements_join_those_of_others(site: Site) -> None:
    name = {"name": "admin-acks", "namespace": "openshift-config"}
    other = "ack-4.18-kube-1.32-api-removals-in-4.19"
    site.rest.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": name, "data": {other: "true"}})
    gates = {"name": "admin-gates", "namespace": "openshift-config-managed"}
    message = "This cluster is Azure or vSphere but lacks a boot image configuration."
    site.rest.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": gates, "data": {KEY: message}})
    asked = {one["key"]: one for one in read_policy(site.client("reader"), {})["admin_acks"]}
    assert (asked[KEY]["required"], asked[KEY]["given"], asked[KEY]["message"]) == (True, False, message)
    with BootImageOperator(site.rest):
        site.follow({"admin_acks": [KEY]})
        again, _said = site.follow({"admin_acks": [KEY]})
    assert site.rest.get(ACKS)["data"] == {other: "true", KEY: "true"}
    assert not again.changed
    assert {one["key"]: one["given"] for one in read_policy(site.client("reader"), {})["admin_acks"]}[KEY] is True
    assert site.rest.exists(GATES)


def test_without_the_rights_nothing_is_written_and_the_refusal_names_them(site: Site) -> None:
    with pytest.raises(ApiError) as refusal:
        policy_step(site.client("reader"), {"skew_enforcement": {"mode": "None"}})
    assert refusal.value.status == 403
    assert "machineconfigurations" in refusal.value.seen
    assert site.spec == {}


def test_the_skew_as_the_operator_sees_it_and_as_the_next_release_would(site: Site) -> None:
    site.rest.apply(cluster.cluster_version("4.22.3", earlier=("4.12.30",)))
    site.rest.apply(cluster.infrastructure("OpenStack"))
    with BootImageOperator(site.rest):
        site.wait_for("Manual")
        upgradeable = site.wait_upgradeable("False")
        skew = read_policy(site.client("reader"), {})["skew"]
        site.follow({"skew_enforcement": {"mode": "Manual", "ocp_version": "4.18.2"}})
        now = read_policy(site.client("reader"), {})["skew"]
        later = read_policy(site.client("reader"), {"skew_limit": {"ocp": "4.19.0", "rhel": None}})["skew"]
    assert upgradeable["reason"] == skew["reason"]
    assert (skew["blocks_minor_update"], skew["reason"]) == (True, "ClusterBootImageSkewError")
    assert skew["message"].startswith(
        "Upgrades have been disabled because the cluster is using OCP boot image version 4.12.30, which is below the "
        "minimum required version 4.13.0."
    )
    assert (now["blocks_minor_update"], now["forecast"]["blocks_minor_update"]) == (False, False)
    assert later["blocks_minor_update"] is True
    assert later["limit"] == {"ocp": "4.19.0", "rhel": "9.2", "source": "given"}


def test_the_alert_of_mode_none(site: Site) -> None:
    with BootImageOperator(site.rest):
        site.follow({"skew_enforcement": {"mode": "None"}})
        alert = read_policy(site.client("reader"), {})["skew"]["alert"]
    assert alert["name"] == "MCCBootImageSkewEnforcementNone"
    assert alert["text"].startswith("Boot image skew enforcement is disabled.")


def test_the_oldest_image_is_recorded_once(site: Site) -> None:
    machine_set = {"kind": "MachineSet", "name": "w", "standing": "current", "current": {"release": "9.6.20251023-0"}}
    wanted = {"record": "oldest", "boot_images": {"machine_resources": [machine_set]}}
    out = {"machine_sets": {"mode": "None"}, "skew_enforcement": {"mode": "Manual", "ocp_version": "4.22.3"}}
    with BootImageOperator(site.rest):
        site.wait_for("Automatic")
        kept, _said = site.follow(wanted)
        site.follow(out)
        with site.client("technician", dry_run=True) as client:
            tried = policy_step(client, wanted)
        held = site.spec
        state, _said = site.follow(wanted)
        again, _said = site.follow(wanted)
    assert "mode Automatic" in kept.objects["recorded"]["reason"]
    assert (tried.changed, held["bootImageSkewEnforcement"]["manual"]["ocpVersion"]) == (True, "4.22.3")
    assert site.spec["bootImageSkewEnforcement"]["manual"]["rhcosVersion"] == "9.6.20251023-0"
    for one in (tried, state, again):
        assert one.objects["recorded"] == {"ocp_version": "", "rhcos_version": "9.6.20251023-0", "reason": ""}
    assert again.changed is False
