# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One machine more and one machine less, against the real API with an actor of the machine API's controllers.

The user has the rights of extensions/rbac/boot-image-proof.yml and no others.
"""

from __future__ import annotations

import time
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.proof_info import read_proofs
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.proof_step import (
    proof_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.errors import (
    ProofFailedError,
    ProofRefusedError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.note import ANNOTATION
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.tests.integration.boot_image_policy.machine_controllers import (
    NODES,
    MachineControllers,
    machine_of,
)
from ansible_collections.fieldops.openshift.tests.integration.boot_image_policy.sites import (
    KEPT,
    MACHINE_SETS,
    MACHINES,
    SECONDS,
    Json,
    Site,
)
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images

WORKER = "lab-x7k2p-worker-aws"
OLD = (f"{WORKER}-old-0", f"{WORKER}-old-1")


@pytest.fixture
def pair(site: Site) -> Site:
    """A MachineSet with two machines that run."""
    site.rest.apply(boot_images.machine_set("aws", replicas=2))
    made = site.rest.get(f"{MACHINE_SETS}/{WORKER}")
    for number in range(2):
        site.rest.apply(machine_of(made, f"old-{number}"))
        site.rest.merge(f"{MACHINES}/{OLD[number]}/status", {"status": {"phase": "Running"}})
    return site


def step(site: Site, *, dry_run: bool = False, **options: t.Any) -> Step:
    """Take one step as the module does."""
    defaults = {"state": "proved", "machine_timeout": 3600, "again": False, "even_if_autoscaled": False}
    with site.client("technician", dry_run=dry_run) as client:
        return proof_step(client, {"name": WORKER, **defaults, **options})


def follow(site: Site, **options: t.Any) -> tuple[Step, list[str]]:
    """Take steps until the proof has come to its end, and return the last one and what was said."""
    deadline = time.monotonic() + SECONDS
    said: list[str] = []
    while True:
        try:
            state = step(site, **options)
        except ApiError as error:
            if not error.transient:
                raise
        else:
            said += [state.sentence] if said[-1:] != [state.sentence] else []
            if state.done:
                return state, said
        if time.monotonic() > deadline:
            raise AssertionError(f"not there after {SECONDS} s: {said}")
        time.sleep(0.3)


def standing(site: Site) -> tuple[int, set[str], bool]:
    """Return the size of the MachineSet, its machines, and whether a proof is noted on it."""
    found = site.rest.get(f"{MACHINE_SETS}/{WORKER}")
    machines = {one["metadata"]["name"] for one in site.rest.get(MACHINES)["items"]}
    return found["spec"]["replicas"], machines, ANNOTATION in found["metadata"].get("annotations", {})


BEFORE = (2, set(OLD), False)


def test_a_machine_comes_gets_ready_and_goes_and_all_is_as_before(pair: Site) -> None:
    before = pair.rest.get(f"{MACHINE_SETS}/{WORKER}")["spec"]
    with MachineControllers(pair.rest):
        state, said = follow(pair)
        again = step(pair)
    assert said[0] == f"adds a machine to {WORKER}, which has 2"
    assert said[-1] == f"machine {WORKER}-m1 became ready"
    assert state.objects["proof"]["proved"] is True
    assert standing(pair) == BEFORE
    assert pair.rest.get(f"{MACHINE_SETS}/{WORKER}")["spec"] == before
    assert not pair.rest.exists(f"{NODES}/node-{WORKER}-m1")
    assert (again.done, again.changed, again.objects["proof"]["phase"]) == (True, False, "recorded")
    with pair.client("technician") as client:
        shown = read_proofs(client, {"names": [], "labels": {}})
    assert [(one["name"], one["proved"], one["last"]["restored"]) for one in shown] == [(WORKER, True, True)]


def test_another_image_has_to_be_proved_anew(pair: Site) -> None:
    with MachineControllers(pair.rest):
        follow(pair)
        provider = {"value": {"ami": {"id": "ami-0123456789abcdef0"}}}
        pair.rest.merge(f"{MACHINE_SETS}/{WORKER}", {"spec": {"template": {"spec": {"providerSpec": provider}}}})
        state, _said = follow(pair)
    assert state.objects["proof"]["machine"] == f"{WORKER}-m2"
    assert standing(pair) == BEFORE


def test_a_machine_that_fails_goes_again_and_the_error_says_why(pair: Site) -> None:
    with (
        MachineControllers(pair.rest, fails=lambda one: one["metadata"]["name"].endswith("-m1")),
        pytest.raises(ProofFailedError) as failure,
    ):
        follow(pair)
    assert failure.value.seen == f"machine {WORKER}-m1 failed: InvalidConfiguration: no such AMI"
    assert failure.value.partial["proof"]["proved"] is False
    assert standing(pair) == BEFORE


def test_a_machine_that_never_boots_goes_again_after_its_time(pair: Site) -> None:
    with MachineControllers(pair.rest, sleeps=lambda _one: True), pytest.raises(ProofFailedError) as failure:
        follow(pair, machine_timeout=2)
    assert "no node was ready after 2 s: machine" in failure.value.seen
    assert standing(pair) == BEFORE


def test_killed_anywhere_it_is_taken_up_by_the_next_run(pair: Site) -> None:
    """Each step is a client of its own already; here the machine's part is over before the next run comes."""
    begun = step(pair)
    assert begun.objects["proof"]["phase"] == "growing"
    with MachineControllers(pair.rest):
        state, said = follow(pair)
    assert said[0] != f"adds a machine to {WORKER}, which has 2"
    assert state.objects["proof"]["proved"] is True
    assert standing(pair) == BEFORE


def test_a_proof_can_be_withdrawn(pair: Site) -> None:
    step(pair)
    with MachineControllers(pair.rest, sleeps=lambda _one: True):
        state, _said = follow(pair, state="withdrawn")
        again = step(pair, state="withdrawn")
    assert "it was withdrawn" in state.objects["proof"]["reason"]
    assert (again.done, again.changed) == (True, False)
    assert standing(pair) == BEFORE


def test_a_size_that_somebody_sets_meanwhile_is_theirs(pair: Site) -> None:
    step(pair)
    pair.rest.merge(f"{MACHINE_SETS}/{WORKER}", {"spec": {"replicas": 5}})
    with MachineControllers(pair.rest, sleeps=lambda _one: True), pytest.raises(ProofFailedError) as failure:
        follow(pair)
    assert "it was scaled to 5 in the meantime" in failure.value.seen
    assert standing(pair)[0] == 5


def test_check_mode_makes_no_machine(pair: Site) -> None:
    state = step(pair, dry_run=True)
    assert (state.changed, state.diff) == (True, {"before": {"replicas": 2}, "after": {"replicas": 3}})
    assert [one["dry_run"] for one in state.actions or ()] == [True]
    assert standing(pair) == BEFORE


def test_a_record_that_is_damaged_is_no_obstacle(pair: Site) -> None:
    name = {"name": "boot-image-proofs", "namespace": "fieldops-openshift"}
    content = {"schemaVersion": "1", WORKER: "{"}
    pair.rest.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": name, "data": content})
    with MachineControllers(pair.rest):
        follow(pair)
    assert '"proved": true' in pair.rest.get(f"{KEPT}/boot-image-proofs")["data"][WORKER]


def test_what_may_not_be_scaled_is_refused_before_anything_is_written(pair: Site) -> None:
    size = {"machine.openshift.io/cluster-api-autoscaler-node-group-max-size": "6"}
    pair.rest.merge(f"{MACHINE_SETS}/{WORKER}", {"metadata": {"annotations": size}})
    with pytest.raises(ProofRefusedError):
        step(pair)
    with pytest.raises(InvalidInputError):
        step(pair, name="missing")
    assert standing(pair) == BEFORE


def test_a_conflict_is_transient(pair: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    found: Json = pair.rest.get(f"{MACHINE_SETS}/{WORKER}")
    stale = {**found, "metadata": {**found["metadata"], "resourceVersion": "1"}}
    with pair.client("technician") as client:
        get = client.get

        def stale_get(kind: ObjectKind, *names: str, **options: t.Any) -> Json | None:
            return stale if kind.kind == "MachineSet" else get(kind, *names, **options)

        monkeypatch.setattr(client, "get", stale_get)
        options = {"state": "proved", "machine_timeout": 60, "again": False, "even_if_autoscaled": False}
        with pytest.raises(ApiError) as conflict:
            proof_step(client, {"name": WORKER, **options})
    assert (conflict.value.status, conflict.value.transient) == (409, True)
    assert standing(pair) == BEFORE
