# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who keeps an image, who writes it beside us, and what all of it comes to for one resource."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.skew import skew_of
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.assessment import Assessment, assess
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.cloud_images import cloud_images
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import FieldChange
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import (
    REVERT,
    UPDATE,
    HistoryEntry,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.operator_skips import (
    counts_as_skip,
    next_record,
    skips,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.order import ordered
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.report import resource_data
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.limits import limit_of
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.streams import read_streams
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._boot_images.plan.image_samples import (
    AMI,
    OLD_AMI,
    REGION,
    config_map,
    machine_set,
    site,
    stream_document,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._boot_images.plan.policy.sites import (
    ALL,
    AUTOMATIC,
    MANUAL,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._boot_images.plan.policy.sites import (
    site as policy_site,
)

Json = dict[str, t.Any]
PROVIDER = {"ami": {"id": OLD_AMI}, "placement": {"region": REGION}}
STANDARD = {OLD_AMI: ""}


def managers(*modes: str, selector: Json | None = None) -> Json:
    partial = {"partial": {"machineResourceSelector": selector}} if selector is not None else {}
    entries = [
        {"resource": kind, "apiGroup": "machine.openshift.io", "selection": {"mode": mode, **partial}}
        for kind, mode in zip(("machinesets", "controlplanemachinesets"), modes)
    ]
    return {"machineManagers": entries}


def status(*modes: str, **parts: t.Any) -> Json:
    return {"status": {"managedBootImagesStatus": managers(*modes, **parts)}}


EDGE = {"matchLabels": {"site": "edge"}}
NOT_HIVE = {"matchExpressions": [{"key": "hive.openshift.io/managed", "operator": "DoesNotExist"}]}

MANAGED: dict[str, tuple[Json | None, str, str, str]] = {
    "all": (status("All"), "AWS", "machine-config-operator", "left_to_operator"),
    "none": (status("None"), "AWS", "none", "outdated"),
    "some, not this one": (status("Partial", selector=EDGE), "AWS", "none", "outdated"),
    "some, this one too": (status("Partial", selector=NOT_HIVE), "AWS", "machine-config-operator", "left_to_operator"),
    "before 4.19 only what is asked for": (
        {"spec": {"managedBootImages": managers("All")}},
        "AWS",
        "machine-config-operator",
        "left_to_operator",
    ),
    "an empty list": ({"status": {"managedBootImagesStatus": {"machineManagers": []}}}, "AWS", "none", "outdated"),
    "no configuration": (None, "AWS", "none", "outdated"),
    "another API's": (
        {"status": {"managedBootImagesStatus": {"machineManagers": [{"resource": "machinesets", "apiGroup": "x"}]}}},
        "AWS",
        "none",
        "outdated",
    ),
    "a platform that the operator does not do": (status("All"), "OpenStack", "none", "image_not_there"),
}


@pytest.mark.parametrize(("configuration", "platform", "by", "code"), MANAGED.values(), ids=MANAGED)
def test_who_keeps_it(configuration: Json | None, platform: str, by: str, code: str) -> None:
    cluster = site(platform, configuration=configuration, vouched=STANDARD)
    found = assess(machine_set(PROVIDER if platform == "AWS" else {"image": "x"}), cluster)
    shown = "left_to_operator" if found.left_to_operator else found.verdict.code
    assert (found.management.by, shown) == (by, code)
    assert found.may_update is (code == "outdated")


@pytest.mark.parametrize(
    ("version", "by"),
    [("4.16.9", "none"), ("4.17.0", "machine-config-operator"), ("", "machine-config-operator")],
)
def test_the_operator_keeps_images_of_aws_since_4_17(version: str, by: str) -> None:
    found = assess(machine_set(PROVIDER), site(configuration=status("All"), version=version, vouched=STANDARD))
    assert found.management.by == by
    assert found.management.reason == ("the operator supports it on AWS since 4.17" if by == "none" else "")


def test_a_configuration_of_another_form_is_nobody_s() -> None:
    found = assess(machine_set(PROVIDER), site(configuration={"status": {"managedBootImagesStatus": []}}))
    assert "MachineConfiguration cluster" in found.management.reason


def test_the_operator_does_not_look_at_other_streams() -> None:
    streams = read_streams(config_map(streams=json.dumps({"rhel-10": stream_document("rhel-10", "10.2.20260701-0")})))
    label: Json = {"metadata": {"labels": {"machineconfiguration.openshift.io/osstream": "rhel-10"}}}
    cluster = site(configuration=status("All"), vouched=STANDARD, streams=streams)
    found = assess(machine_set(PROVIDER, **label), cluster)
    assert (found.stream, found.may_update, found.left_to_operator) == ("rhel-10", True, False)


@pytest.mark.parametrize(("version", "left"), [("4.22.5", False), ("4.23.1", True), ("5.0.0", True), ("", False)])
def test_the_operator_does_the_marketplace_since_4_23(version: str, left: bool) -> None:
    product = "-963b36c3-de6c-48ed-b802-eb2c1a4a2bb5"
    owner = {"owner_id": "679593333241"}
    cloud = [
        {"image_id": OLD_AMI, "name": f"a{product}", "description": "9.4.20250101-0", **owner},
        {"image_id": "ami-new", "name": f"b{product}", "description": "9.6.20260112-0", **owner},
    ]
    cluster = site(configuration=status("All"), version=version, cloud=cloud_images(cloud))
    found = assess(machine_set(PROVIDER), cluster)
    assert (found.left_to_operator, found.may_update) == (left, not left)


FAULTS: dict[str, tuple[Json, Json, str, str]] = {
    "no stream": ({"streams": None, "flaw": "it has no key stream"}, {}, "fault", "no_stream"),
    "an unknown stream": (
        {},
        {"metadata": {"labels": {"machineconfiguration.openshift.io/osstream": "rhel-11"}}},
        "left_alone",
        "unknown_stream",
    ),
    "a broken annotation": (
        {},
        {"metadata": {"annotations": {"capacity.cluster-autoscaler.kubernetes.io/labels": "x"}}},
        "fault",
        "unknown_architecture",
    ),
}


@pytest.mark.parametrize(("cluster", "parts", "standing", "code"), FAULTS.values(), ids=FAULTS)
def test_what_cannot_be_judged(cluster: Json, parts: Json, standing: str, code: str) -> None:
    found = assess(machine_set(PROVIDER, **parts), site(**cluster))
    assert (found.verdict.standing, found.verdict.code) == (standing, code)


@pytest.mark.parametrize(
    ("provider", "place"),
    [({"ami": "ami-1"}, "ami"), ({"ami": {"id": 5}}, "ami.id"), ({**PROVIDER, "placement": []}, "placement")],
)
def test_a_half_written_specification_is_named_with_its_place(provider: Json, place: str) -> None:
    found = assess(machine_set(provider), site()).verdict
    assert (found.standing, found.code) == ("fault", "half_written")
    assert place in found.reason


CHANGE = FieldChange(("ami",), ({"id": OLD_AMI},), ({"id": AMI},))
AFTER_PATH: Json = {"f:spec": {"f:template": {"f:spec": {"f:providerSpec": {"f:value": {"f:ami": {"f:id": {}}}}}}}}
AROUND_PATH: Json = {"f:spec": {"f:template": {"f:spec": {"f:providerSpec": {"f:value": {"f:ami": {".": {}}}}}}}}
ELSEWHERE: Json = {"f:spec": {"f:replicas": {}}}


def writer(manager: str, fields: Json, at: str) -> Json:
    return {"manager": manager, "operation": "Update", "time": at, "fieldsV1": fields}


def entry(number: int, kind: str = UPDATE, applied: bool = True, change: FieldChange = CHANGE) -> HistoryEntry:
    return HistoryEntry(
        f"2026112{number}T200000.000000Z-0123456789",
        "MachineSet/site-a",
        kind,
        f"2026-11-2{number}T20:00:00Z",
        "me",
        (change,),
        applied=applied,
    )


OTHER = FieldChange(("ami",), ({"id": OLD_AMI},), ({"id": "ami-other"},))
ROUNDS: dict[str, tuple[list[HistoryEntry], int]] = {
    "never written": ([], 0),
    "overwritten once": ([entry(1)], 1),
    "overwritten three times": ([entry(1), entry(2), entry(3)], 3),
    "only what was written last counts": ([entry(1), entry(2), entry(3, change=OTHER)], 1),
    "another image between begins anew": ([entry(1), entry(2, change=OTHER), entry(3)], 1),
    "what was never made does not count": ([entry(1), entry(2, applied=False)], 1),
    "a way back ends it": ([entry(1), entry(2), entry(3), entry(4, REVERT)], 0),
    "after a way back it begins anew": ([entry(1), entry(2), entry(3, REVERT), entry(4)], 1),
}


@pytest.mark.parametrize(("history", "rounds"), ROUNDS.values(), ids=ROUNDS)
def test_rounds_of_a_contest(history: list[HistoryEntry], rounds: int) -> None:
    found = assess(machine_set(PROVIDER), site(vouched=STANDARD), tuple(history))
    assert found.contest.rounds == rounds
    assert found.may_update is (rounds < 3)


def test_the_opponent_is_named_by_the_server_s_own_record() -> None:
    fields = [
        writer("argocd-controller", AFTER_PATH, "2026-11-23T21:00:00Z"),
        writer("kubectl-edit", AFTER_PATH, "2026-11-20T21:00:00Z"),
        writer("fieldops-openshift", AFTER_PATH, "2026-11-23T20:00:00Z"),
        writer("autoscaler", ELSEWHERE, "2026-11-23T22:00:00Z"),
        writer("installer", AROUND_PATH, "2026-11-23T22:00:00Z"),
    ]
    resource = machine_set(PROVIDER, metadata={"managedFields": fields})
    found = assess(resource, site(vouched=STANDARD), (entry(1), entry(2), entry(3)))
    assert [one.manager for one in found.contest.others] == ["argocd-controller", "kubectl-edit"]
    assert (found.verdict.code, "argocd-controller" in found.verdict.reason) == ("fight", True)


def test_who_forgives_begins_anew() -> None:
    history = (entry(1), entry(2), entry(3))
    assert assess(machine_set(PROVIDER), site(vouched=STANDARD), history, forgiving=True).may_update


def assessed(name: str, *, replicas: int = 1, ami: str = OLD_AMI, **parts: t.Any) -> Assessment:
    provider = {**PROVIDER, "ami": {"id": ami}}
    resource = machine_set(provider, name=name, spec={"replicas": replicas}, **parts)
    return assess(resource, site(vouched={**STANDARD, "ami-arm": ""}))


CONTROL_PLANE: Json = {"kind": "ControlPlaneMachineSet"}
CANARIES: dict[str, tuple[list[Assessment], list[str], list[str]]] = {
    "the first by name": ([assessed("b"), assessed("a")], ["a"], ["b"]),
    "one that has machines": ([assessed("a", replicas=0), assessed("b")], ["b"], ["a"]),
    "never the control plane beside others": (
        [assessed("cluster", **CONTROL_PLANE), assessed("z")],
        ["z"],
        ["cluster"],
    ),
    "unless there is nothing else": ([assessed("cluster", **CONTROL_PLANE)], ["cluster"], []),
    "one that is right already, so nothing more": ([assessed("a"), assessed("b", ami=AMI)], [], ["a"]),
    "nothing to do": ([assessed("a", ami=AMI)], [], []),
}


@pytest.mark.parametrize(("found", "now", "later"), CANARIES.values(), ids=CANARIES)
def test_canaries(found: list[Assessment], now: list[str], later: list[str]) -> None:
    order = ordered(found, canary=True)
    assert [one.resource.name for one in order.now] == now
    assert [one.resource.name for one in order.later] == later


def test_a_canary_that_is_there_already_is_named() -> None:
    assert ordered([assessed("a"), assessed("b", ami=AMI)], canary=True).canaries == ("MachineSet/b",)


def test_without_canary_the_control_plane_comes_last() -> None:
    order = ordered([assessed("a", **CONTROL_PLANE), assessed("z"), assessed("b")], canary=False)
    assert [one.resource.name for one in order.now] == ["b", "z", "a"]


HIVE: Json = {"metadata": {"labels": {"hive.openshift.io/managed": "true"}}}
OWNED = {"metadata": {"ownerReferences": [{"kind": "MachineDeployment", "name": "site"}]}}
WINDOWS = {"template": {"labels": {"machine.openshift.io/os-id": "Windows"}}}


@pytest.mark.parametrize(
    ("parts", "mode", "counts"),
    [
        pytest.param({}, "All", True, id="an AMI of which nothing is known"),
        pytest.param(OWNED, "All", True, id="owned by another object"),
        pytest.param(WINDOWS, "All", False, id="Windows"),
        pytest.param(HIVE, "All", False, id="of Hive, which the operator changes"),
        pytest.param({}, "None", False, id="nobody keeps it"),
    ],
)
def test_what_the_operator_skips_and_counts_is_named(parts: Json, mode: str, counts: bool) -> None:
    found = assess(machine_set(PROVIDER, **parts), site("AWS", configuration=status(mode)))
    assert counts_as_skip(found) is counts
    assert len(skips([found])) == int(counts)


NEXT: dict[str, tuple[Json, Json, str, str]] = {
    # The provider, what else the site says, what is recorded next, and a word of the reason.
    "all have the stream's image": ({"ami": {"id": AMI}}, {}, "4.22.5", "of this release"),
    "one is skipped": ({}, {}, "4.9.10", "because of site-a"),
    "one is broken": ({"ami": 5}, {}, "4.22.3", "an error with site-a"),
    "the list is that of another release": (
        {"ami": {"id": AMI}},
        {"streams": read_streams(config_map(releaseVersion="4.22.5", MCOReleaseImageVersion="4.22.3"))},
        "4.22.3",
        "stays unchanged until",
    ),
}


@pytest.mark.parametrize(("provider", "parts", "version", "reason"), NEXT.values(), ids=NEXT)
def test_what_the_operator_will_record(provider: Json, parts: Json, version: str, reason: str) -> None:
    known = {"streams": read_streams(config_map(releaseVersion="4.22.5")), "configuration": status("All"), **parts}
    where = site("AWS", **known)
    skew = skew_of(policy_site(managers=[ALL], holding=AUTOMATIC), limit_of(None), None)
    record = next_record([assess(machine_set({**PROVIDER, **provider}), where)], where, skew)
    assert record["version"] == version
    assert reason in record["reason"]


def test_in_other_modes_the_operator_records_nothing() -> None:
    where = site("AWS")
    assert next_record([], where, skew_of(policy_site(skew=MANUAL), limit_of(None), None)) == {}


ARM_AMI = "ami-0d4a956f16e671c23"
NEWER_AMI = "ami-05c37201878e36dac"
"""Published for aarch64, and a later release for x86_64."""


@pytest.mark.parametrize(("mode", "expected"), [("All", True), ("None", False)])
@pytest.mark.parametrize(
    ("ami", "parts", "code"),
    [
        pytest.param(OLD_AMI, HIVE, "hive", id="of Hive"),
        pytest.param(ARM_AMI, {}, "other_architecture", id="for another architecture"),
        pytest.param(NEWER_AMI, {}, "newer_than_stream", id="newer than the stream's"),
    ],
)
def test_what_only_we_leave_alone_says_that_the_operator_does_not(
    ami: str, parts: Json, code: str, mode: str, expected: bool
) -> None:
    found = assess(machine_set({**PROVIDER, "ami": {"id": ami}}, **parts), site("AWS", configuration=status(mode)))
    assert found.verdict.code == code
    assert ("operator changes it" in resource_data(found, {})["reason"]) is expected


def test_an_image_that_is_known_to_fail_is_told_of_its_resource() -> None:
    described = cloud_images(
        [{"image_id": OLD_AMI, "owner_id": "531415883065", "description": "OpenShift 4 9.6.20250826-1"}]
    )
    found = assess(machine_set(PROVIDER), site("AWS", cloud=described, version="4.22.3"))
    assert [one["source"][-5:] for one in resource_data(found, {})["known_failures"]] == ["77647"]


@pytest.mark.parametrize(("word", "code"), [(False, "newer_than_stream"), (True, "outdated")])
def test_an_image_that_is_newer_than_the_streams_is_replaced_only_on_request(word: bool, code: str) -> None:
    entry = {"image_id": OLD_AMI, "owner_id": "531415883065", "description": "10.2.20990101-0"}
    found = assess(machine_set(PROVIDER), site("AWS", cloud=cloud_images([entry]), even_if_older=word))
    assert found.verdict.code == code
