# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Taking the cluster to a release, on the real API server, with the real cluster-version-operator."""

from __future__ import annotations

import re
import typing as t
from dataclasses import dataclass, field

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.update_step import (
    look_at_update,
    update_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.update_withdrawal import (
    withdraw_update,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.errors import (
    UpdateBlockedError,
    UpdateFailedError,
    UpdateRefusedError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate, Permission
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.conftest import Connect
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.releases import Releases
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.updates import (
    MANAGED,
    NEXT,
    POOLS,
    VERSION,
    await_that,
    condition_of,
    everything,
    follow_update,
    request,
    requested,
    set_condition,
    take_step,
)
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import by_policy, open_now
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import release_image

ACKS = "/api/v1/namespaces/openshift-config/configmaps/admin-acks"
MACHINE_CONFIG = "/apis/config.openshift.io/v1/clusteroperators/machine-config"
SINCE = "2026-11-21T08:00:00Z"
RESTRICTIVE = {"strategy": "Restrictive"}
GATE = "ack-4.21-kube-1.35-api-removals-in-4.22"


def put_gate(client: RestClient) -> None:
    metadata = {"name": "admin-gates", "namespace": "openshift-config-managed"}
    client.apply(
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {GATE: "Kubernetes 1.35 removes APIs."}}
    )


def report_upgradeable(client: RestClient, status: str, reason: str) -> None:
    """Let the machine-config operator report whether the cluster can be updated to a new minor version."""
    conditions = [one for one in client.get(MACHINE_CONFIG)["status"]["conditions"] if one["type"] != "Upgradeable"]
    conditions.append({"type": "Upgradeable", "status": status, "reason": reason, "lastTransitionTime": SINCE})
    client.merge(f"{MACHINE_CONFIG}/status", {"status": {"conditions": conditions}})


def test_a_release_with_its_signature_goes_to_its_end(
    site: ApiServer, connect: Connect, releases: Releases, signature: Json
) -> None:
    client = site.rest
    with releases.operators(site), connect() as door:
        step, sentences = follow_update(door, request(signature_config_map=signature))
        again = take_step(door, request(signature_config_map=signature))
    assert step.objects["release"]["state"] == "completed"
    assert step.objects["release"]["verified"] is True
    assert sentences[0] == f"{NEXT} was requested"
    on_the_way = re.compile(r"updating to 4\.21\.5: [1-9]\d* of 34 operators are updated; next ")
    assert any(on_the_way.match(one) for one in sentences), sentences
    assert any("machine-config is waiting for its nodes" in one for one in sentences), sentences
    assert sentences[-1].startswith(f"the cluster has been at {NEXT} since ")
    assert requested(client) == {"image": release_image(NEXT), "version": NEXT}
    assert (again.done, again.changed, list(again.actions or ())) == (True, False, [])


def test_all_but_the_nodes_is_a_goal_while_the_pool_of_the_control_plane_is_paused(
    site: ApiServer, connect: Connect, releases: Releases
) -> None:
    site.rest.merge(f"{POOLS}/master", {"spec": {"paused": True}})
    with releases.operators(site, NEXT), connect() as door:
        step, sentences = follow_update(door, request(wait_for="operators"))
        begun = follow_update(door, request(wait_for="accepted"))[0]
        asked = [one["code"] for one in look_at_update(door, request())["preconditions"]]
    assert step.objects["operators_behind"] == ["machine-config"]
    assert step.objects["release"]["waits_for_nodes"] is True
    assert begun.done
    assert "required_pool_paused" in asked
    assert sentences[-1].startswith(
        f"updating to {NEXT}: 33 of 34 operators are updated; machine-config is waiting for its nodes"
    )


def look(connect: Connect, params: dict[str, t.Any], state: str) -> dict[str, t.Any]:
    with connect() as door:
        seen = look_at_update(door, params)
    assert seen["release"]["state"] == state
    return seen


def test_check_mode_asks_the_server_and_leaves_everything(site: ApiServer, connect: Connect, signature: Json) -> None:
    with connect(dry_run=True) as door:
        step = take_step(door, request(signature_config_map=signature))
    assert (step.changed, step.sentence) == (True, f"{NEXT} would be requested")
    assert [(one["verb"], one["kind"], one["dry_run"]) for one in step.actions or ()] == [
        ("apply", "ConfigMap", True),
        ("patch", "ClusterVersion", True),
    ]
    assert step.diff is not None
    assert step.diff["after"]["ClusterVersion version"]["spec"]["desiredUpdate"] == {
        "image": release_image(NEXT),
        "version": NEXT,
    }
    assert requested(site.rest) == {}
    assert not site.rest.exists(f"{MANAGED}/{signature['metadata']['name']}")


def test_force_of_an_earlier_request_is_taken_back(site: ApiServer, connect: Connect) -> None:
    site.rest.merge(VERSION, {"spec": {"desiredUpdate": {"image": release_image(NEXT), "force": True}}})
    with connect() as door:
        assert take_step(door, request()).changed
        assert not take_step(door, request()).changed
    assert requested(site.rest) == {"image": release_image(NEXT), "version": NEXT}


def test_a_release_without_a_signature_is_refused_and_says_so(
    site: ApiServer, connect: Connect, releases: Releases, signature: Json
) -> None:
    with releases.version_operator(site), connect() as door:
        with pytest.raises(UpdateRefusedError) as refused:
            follow_update(door, request(patience=0))
        # The operator needs no new request: the signature that comes later is enough.
        accepted = follow_update(door, request(wait_for="accepted", signature_config_map=signature))[0]
    assert "The update cannot be verified: unable to verify sha256:" in refused.value.seen
    assert refused.value.partial["release"]["state"] == "refused"
    assert [one["code"] for one in refused.value.partial["preconditions"]] == []
    assert accepted.objects["release"]["state"] == "partial"


def test_an_image_of_another_version_than_given_is_refused_by_the_operator(
    site: ApiServer, connect: Connect, releases: Releases
) -> None:
    with (
        releases.version_operator(site, NEXT, says={NEXT: "4.21.6"}),
        connect() as door,
        pytest.raises(UpdateRefusedError) as refused,
    ):
        follow_update(door, request(patience=0))
    assert "release image version 4.21.6 does not match" in refused.value.seen


def test_the_answer_to_an_earlier_request_is_none_to_this(site: ApiServer, connect: Connect) -> None:
    site.rest.merge(VERSION, {"spec": {"desiredUpdate": {"image": release_image("4.21.4")}}})
    set_condition(site.rest, "ReleaseAccepted", "False", "RetrievePayload", "for another image sha256:0000")
    with connect() as door:
        step = take_step(door, request())
        later = take_step(door, request())
    assert step.changed
    assert later.objects["release"]["state"] == "requested"


def test_nodes_without_images_keep_the_release_from_being_asked_for(
    site: ApiServer, connect: Connect, signature: Json
) -> None:
    with connect() as door, pytest.raises(UpdateBlockedError) as blocked:
        take_step(door, request(nodes_without_images=["worker-1"], signature_config_map=signature))
    assert blocked.value.transient is False
    assert "not pinned on worker-1" in str(blocked.value)
    assert requested(site.rest) == {}
    assert not site.rest.exists(f"{MANAGED}/{signature['metadata']['name']}")


def test_a_minor_update_needs_its_gates_acknowledged_and_then_goes_on(
    site: ApiServer, connect: Connect, releases: Releases
) -> None:
    client = site.rest
    put_gate(client)
    with releases.version_operator(site, "4.22.1"), connect() as door:
        with pytest.raises(UpdateBlockedError) as blocked:
            take_step(door, request("4.22.1"))
        named = look_at_update(door, request("4.22.1"))["admin_gates"]
        step, sentences = follow_update(door, request("4.22.1", acknowledged_gates=[GATE], wait_for="accepted"))
    assert GATE in blocked.value.advice
    assert named == [{"key": GATE, "description": "Kubernetes 1.35 removes APIs."}]
    assert client.get(ACKS)["data"] == {GATE: "true"}
    assert step.objects["release"]["state"] == "partial"
    assert "4.22.1 was requested" in sentences


@pytest.mark.long
def test_a_minor_update_waits_until_a_resolved_cause_is_evaluated_again(
    site: ApiServer, connect: Connect, releases: Releases
) -> None:
    """The operator evaluates every two minutes, so it reports what was true in the middle of the update before."""
    client = site.rest
    report_upgradeable(client, "False", "DegradedPool")
    with releases.version_operator(site, "4.22.1"), connect() as door:
        await_that(lambda: condition_of(client, "Upgradeable").get("status") == "False", "not upgradeable")
        with pytest.raises(UpdateBlockedError, match="not upgradeable"):
            take_step(door, request("4.22.1"))
        report_upgradeable(client, "True", "AsExpected")
        step, sentences = follow_update(door, request("4.22.1", wait_for="accepted"))
    assert sentences[:2] == [
        "the cluster version operator still reports what is resolved (DegradedPool)",
        "4.22.1 was requested",
    ]
    assert step.objects["release"]["state"] == "partial"


def test_an_acknowledgement_of_what_is_no_gate_is_refused(site: ApiServer, connect: Connect) -> None:
    put_gate(site.rest)
    with connect() as door, pytest.raises(InvalidInputError, match=r"ack-4\.21-something"):
        take_step(door, request("4.22.1", acknowledged_gates=["ack-4.21-something"]))
    assert not site.rest.get(ACKS).get("data")


def test_an_update_that_fails_ends_with_what_fails(site: ApiServer, connect: Connect, releases: Releases) -> None:
    with releases.version_operator(site, NEXT), connect() as door:
        follow_update(door, request(wait_for="accepted"))
        set_available(site.rest, "etcd", "False")
        # What the operator reports first can be another cause, which passes.
        await_that(lambda: "is not available" in condition_of(site.rest, "Failing").get("message", ""), "it fails")
        with pytest.raises(UpdateFailedError) as failed:
            follow_update(door, request(patience=0))
    assert "Cluster operator etcd is not available" in str(failed.value)
    assert failed.value.partial["release"]["state"] == "failing"


def test_trouble_that_passes_is_only_part_of_the_story(site: ApiServer, connect: Connect, releases: Releases) -> None:
    with releases.operators(site, NEXT), connect() as door:
        set_available(site.rest, "etcd", "False")
        follow_update(door, request(wait_for="accepted"))
        await_that(lambda: "is not available" in condition_of(site.rest, "Failing").get("message", ""), "it fails")
        assert "failing: Cluster operator etcd is not available" in take_step(door, request()).sentence
        set_available(site.rest, "etcd", "True")
        step, _sentences = follow_update(door, request())
    assert step.objects["release"]["state"] == "completed"
    assert step.objects["release"]["trouble"] == ""


def set_available(client: RestClient, operator: str, status: str) -> None:
    """Set whether a ClusterOperator says that it is available."""
    path = f"/apis/config.openshift.io/v1/clusteroperators/{operator}"
    conditions = client.get(path)["status"]["conditions"]
    changed = [{**one, "status": status} if one["type"] == "Available" else one for one in conditions]
    client.merge(f"{path}/status", {"status": {"conditions": changed}})


def test_another_update_that_has_not_ended_is_left_only_on_demand(
    site: ApiServer, connect: Connect, releases: Releases
) -> None:
    client = site.rest
    with releases.version_operator(site, "4.21.4", NEXT), connect() as door:
        follow_update(door, request("4.21.4", wait_for="accepted"))
        with pytest.raises(UpdateBlockedError, match=r"4\.21\.4 started"):
            take_step(door, request())
        assert requested(client)["version"] == "4.21.4"
        follow_update(door, request(replace_running_update=True, wait_for="accepted"))
        with pytest.raises(UpdateFailedError, match=r"4\.21\.5 was requested before"):
            take_step(door, request("4.21.4"))
    assert requested(client)["version"] == NEXT


def test_a_refused_release_does_not_begin_when_nobody_is_there_any_more(
    site: ApiServer, connect: Connect, releases: Releases, signature: Json
) -> None:
    with releases.version_operator(site), connect() as door:
        with pytest.raises(UpdateRefusedError):
            follow_update(door, request(patience=0))
        taken_back = withdraw_update(door, request())
        again = withdraw_update(door, request())
        site.rest.apply(signature)
        left = look_at_update(door, request())
    assert (taken_back.changed, again.changed) == (True, False)
    assert requested(site.rest) == {}
    assert left["release"]["state"] == "none"


def test_what_has_begun_is_not_withdrawn(site: ApiServer, connect: Connect, releases: Releases) -> None:
    with releases.version_operator(site, NEXT), connect() as door:
        follow_update(door, request(wait_for="accepted"))
        with pytest.raises(UpdateFailedError, match="never withdrawn"):
            withdraw_update(door, request())
    assert requested(site.rest)["version"] == NEXT


def test_the_request_of_somebody_else_is_not_withdrawn(site: ApiServer, connect: Connect) -> None:
    site.rest.merge(VERSION, {"spec": {"desiredUpdate": {"image": release_image("4.21.4")}}})
    with connect() as door:
        assert withdraw_update(door, request()).changed is False
    assert requested(site.rest) == {"image": release_image("4.21.4")}


def test_a_look_costs_one_request_for_each_kind(site: ApiServer, connect: Connect) -> None:
    guard = Answers(Permission(True, "ClusterVersion version", "it is open"))
    with connect() as door:
        update_step(door, request(), guard)
        mark = site.audit.mark()
        update_step(door, request(), guard)
        asked = site.audit.requests(mark)
    assert [one.verb for one in asked] == ["get", "list", "list"]
    assert guard.asked == [("", Estimate())] * 2, "what was asked for may begin now"


@dataclass
class Answers:
    """A guard that answers always the same, and keeps what it was asked about."""

    permission: Permission
    asked: list[tuple[str, Estimate]] = field(default_factory=list)

    def ask(self, pool: str, estimate: Estimate) -> Permission:
        self.asked.append((pool, estimate))
        return self.permission


def test_where_change_is_restricted_nothing_is_written(site: ApiServer, connect: Connect, signature: Json) -> None:
    put_gate(site.rest)
    wanted = request("4.22.1", acknowledged_gates=[GATE], signature_config_map=None)
    before = everything(site.rest)
    with connect() as door:
        minor = take_step(door, wanted, stanza=RESTRICTIVE)
        step = take_step(door, request(signature_config_map=signature), stanza=RESTRICTIVE)
    assert everything(site.rest) == before
    assert (minor.done, step.done, step.changed, list(step.actions or ())) == (True, True, False, [])
    assert step.objects["ended"]["outcome"] == "restricted"
    assert step.objects["permission"]["resource"] == "ClusterVersion version"
    assert step.sentence.startswith(f"the update to {NEXT} must not start now: ClusterVersion version: ")


def test_what_blocks_is_said_although_change_is_restricted(site: ApiServer, connect: Connect) -> None:
    with connect() as door, pytest.raises(UpdateBlockedError, match="not pinned on worker-1"):
        take_step(door, request(nodes_without_images=["worker-1"]), stanza=RESTRICTIVE)
    assert requested(site.rest) == {}


def test_a_request_that_has_not_begun_is_not_waited_for_where_change_is_restricted(
    site: ApiServer, connect: Connect, signature: Json
) -> None:
    with connect() as door:
        assert take_step(door, request()).objects["permission"]["permitted"] is True
        set_condition(site.rest, "ReleaseAccepted", "False", "RetrievePayload", f"no {release_image(NEXT)}")
        before = everything(site.rest)
        step = take_step(door, request(signature_config_map=signature), stanza=RESTRICTIVE)
    assert (step.done, step.changed, step.objects["ended"]["outcome"]) == (True, False, "restricted")
    assert everything(site.rest) == before, "a signature that came now would let it begin"


def test_what_has_begun_is_followed_although_change_is_restricted(
    site: ApiServer, connect: Connect, releases: Releases
) -> None:
    with releases.operators(site, NEXT), connect() as door:
        follow_update(door, request(wait_for="accepted"))
        begun = take_step(door, request(), stanza=RESTRICTIVE)
        follow_update(door, request())
        ended = take_step(door, request(), stanza=RESTRICTIVE)
    for step in (begun, ended):
        assert (step.objects["permission"], step.objects["ended"]) == (None, None)
    assert ended.done


def test_a_window_is_to_last_as_long_as_the_release(site: ApiServer, connect: Connect) -> None:
    hours = {"stanza": by_policy("nights"), "policies": {"nights": open_now()}}
    with connect() as door:
        step = take_step(door, request(), **hours, estimate=9000)
        assert requested(site.rest) == {}
        assert take_step(door, request(), **hours, estimate=60).changed
    assert (
        "it may take 2h 30m, and change of ClusterVersion version is permitted for " in step.objects["ended"]["reason"]
    )
    assert step.objects["ended"]["next_permitted"]


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        pytest.param({"kind": "Secret"}, "not a ConfigMap", id="another kind"),
        pytest.param({"data": {"admin": "true"}}, "other than binaryData", id="more fields"),
        pytest.param({"metadata": {"name": "admin-gates"}}, "not for namespace", id="another object"),
        pytest.param({"binaryData": {"verifier-public-key-own": "AAAA"}}, "not for the release", id="a key to trust"),
        pytest.param({"binaryData": {}}, "no signature", id="empty"),
    ],
)
def test_only_a_signature_of_this_release_is_written(
    site: ApiServer, connect: Connect, signature: Json, change: dict[str, t.Any], seen: str
) -> None:
    with connect() as door, pytest.raises(InvalidInputError, match=seen):
        take_step(door, request(signature_config_map={**signature, **change}))
    assert requested(site.rest) == {}


def test_plain_kubernetes_is_not_updated(site: ApiServer, connect: Connect) -> None:
    site.rest.delete("/apis/config.openshift.io/v1/clusterversions")
    with connect() as door, pytest.raises(Exception, match="no ClusterVersion"):
        take_step(door, request())
