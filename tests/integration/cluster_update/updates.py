# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Requests for releases, and what the cluster came to, for the tests of this room."""

from __future__ import annotations

import time
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.guard import ChangeGuard
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.differences import meaningful
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.update_step import (
    UPDATE_OPTIONS,
    Step,
    update_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import release_image

VERSION = "/apis/config.openshift.io/v1/clusterversions/version"
POOLS = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools"
MANAGED = "/api/v1/namespaces/openshift-config-managed/configmaps"
NEXT = "4.21.5"
MOST_SECONDS = 300.0


def request(version: str = NEXT, **options: t.Any) -> dict[str, t.Any]:
    """Return the module's arguments for a release, with its defaults.

    On a busy machine the real version operator may fail at a manifest once, and tries again after minutes: only who
    expects a refusal or a failure has no ``patience``.
    """
    defaults = {name: option.get("default") for name, option in UPDATE_OPTIONS.items()}
    return {**defaults, "image": release_image(version), "version": version, **options}


def take_step(client: ClusterClient, params: dict[str, t.Any], **guard: t.Any) -> Step:
    """Take one step, with what the cluster keeps of change management or what ``guard`` says in its place."""
    return update_step(client, params, ChangeGuard.of(client, guard))


def follow_update(
    client: ClusterClient, params: dict[str, t.Any], seconds: float = MOST_SECONDS
) -> tuple[Step, list[str]]:
    """Take steps until one is done, and return it with the sentences on the way, as the module does that waits."""
    sentences: list[str] = []
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            step = take_step(client, params)
        except FieldOpsError as error:
            if not error.transient:
                raise
        else:
            if step.sentence not in sentences[-1:]:
                sentences.append(step.sentence)
            if step.done:
                return step, sentences
        time.sleep(0.1)
    raise AssertionError(sentences)


def requested(client: RestClient) -> Json:
    """Return what the cluster is asked for."""
    request: Json = client.get(VERSION)["spec"].get("desiredUpdate") or {}
    return request


def everything(client: RestClient) -> dict[str, str]:
    """Return the version of each object of all kinds, but what the API server itself keeps renewing."""
    return {name: one["metadata"].get("resourceVersion", "") for name, one in all_objects(client).items()}


def everything_asked_for(client: RestClient) -> dict[str, Json]:
    """Return each object of all kinds without what operators that are at work report and renew."""
    return {name: {**meaningful(one), "status": None} for name, one in all_objects(client).items()}


def all_objects(client: RestClient) -> dict[str, Json]:
    """Return each object of all kinds by path, namespace and name, but events and Leases."""
    groups = [one["preferredVersion"]["groupVersion"] for one in client.get("/apis")["groups"]]
    found = {}
    for root in ("/api/v1", *(f"/apis/{group}" for group in groups)):
        for kind in client.get(root)["resources"]:
            if "list" in kind["verbs"] and kind["name"] not in ("events", "leases"):
                path = f"{root}/{kind['name']}"
                for one in client.get(path)["items"]:
                    metadata = one["metadata"]
                    found[f"{path} {metadata.get('namespace', '')} {metadata['name']}"] = one
    return found


def condition_of(client: RestClient, kind: str) -> Json:
    """Return a condition of the ClusterVersion, nothing if it has none of the kind."""
    conditions: list[Json] = client.get(VERSION)["status"]["conditions"]
    return next((one for one in conditions if one["type"] == kind), {})


def set_condition(client: RestClient, kind: str, status: str, reason: str, message: str) -> None:
    """Set a condition of the ClusterVersion as its operator would."""
    conditions = [one for one in client.get(VERSION)["status"]["conditions"] if one["type"] != kind]
    new = {"type": kind, "status": status, "reason": reason, "message": message}
    conditions.append({**new, "lastTransitionTime": "2026-11-21T08:00:00Z"})
    client.merge(f"{VERSION}/status", {"status": {"conditions": conditions}})


def await_that(condition: t.Callable[[], bool], what: str, seconds: float = 240.0) -> None:
    """Wait until ``condition`` holds; many share the machine, so the bound is generous."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"it did not come to this in {seconds:.0f} s: {what}"
        time.sleep(0.2)
