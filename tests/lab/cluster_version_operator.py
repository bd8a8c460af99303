# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The real cluster-version-operator: runs on the lab's control plane from the image of a generated release.

It is upstream's code (``components/cluster-version-operator``). From the first update on it replaces itself by the one
of the release that it applies. What it demands of a cluster and a plain lab lacks is planted with it.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.version_operator_payload import (
    NAME,
    NAMESPACE,
    installed_objects,
)
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import cluster_operators, cluster_version
from ansible_collections.fieldops.openshift.tests.lab.seed.operator_settings import config_map, feature_gate

VERSION = "/apis/config.openshift.io/v1/clusterversions/version"
DEPLOYMENT = f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments/{NAME}"
PODS = f"/api/v1/namespaces/{NAMESPACE}/pods"
START_SECONDS = 180.0
END_SECONDS = 240.0  # it is given 130 until it is killed


@contextlib.contextmanager
def cluster_version_operator(client: RestClient, release: Release, later: Sequence[str]) -> Iterator[None]:
    """Let the operator of ``release`` work for as long as the context lasts, as on a cluster installed from it.

    ``later`` are the versions that it will be updated to. The images of all releases must be within the nodes' reach.
    """
    start_version_operator(client, release, later)
    try:
        yield
    finally:
        # It gives its lease up when it is asked to end. A successor of one that was killed waits for minutes.
        client.delete(DEPLOYMENT, propagationPolicy="Background")
        _wait_for(lambda: not client.get(PODS, labelSelector=f"k8s-app={NAME}")["items"], "end", END_SECONDS)


def start_version_operator(client: RestClient, release: Release, later: Sequence[str]) -> None:
    """Let the operator of ``release`` work until its cluster ends; return when it has read its payload."""
    client.delete(VERSION)
    assert release.spec.operator
    own = installed_objects(release.spec.operator, release.spec.version, str(release.reference.by_digest()))
    for documents in (demanded([release.spec.version, *later]), _installed(release), own):
        client.apply_all(documents)
    _wait_for(lambda: bool(_status(client).get("versionHash")), "load its payload", START_SECONDS)


def _status(client: RestClient) -> Json:
    status: Json = client.get(VERSION).get("status", {})
    return status


def demanded(versions: Iterable[str]) -> list[Json]:
    """Return what other parts of OpenShift bring: features by version, and gates that an administrator opens."""
    return [
        *({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in (NAMESPACE, *CONFIG_MAPS)),
        *(config_map(namespace, name, {}) for namespace, name in CONFIG_MAPS.items()),
        feature_gate(versions),
    ]


CONFIG_MAPS = {"openshift-config-managed": "admin-gates", "openshift-config": "admin-acks"}


def _installed(release: Release) -> list[Json]:
    """Return the cluster as one that was installed from the release, without what its operator reports by itself."""
    assert release.spec.operator
    version, image = release.spec.version, str(release.reference.by_digest())
    document = cluster_version(version, earlier=())
    document["spec"] = {"clusterID": document["spec"]["clusterID"]}
    document["status"]["history"][0]["image"] = image
    document["status"] |= {"desired": {"version": version, "image": image}, "versionHash": ""}
    names = [name for _level, name in release.spec.operator.operators]
    return [document, *cluster_operators(version, names)]


def _wait_for(condition: Callable[[], bool], what: str, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise LabError(f"wait for {NAME} to {what}", on=NAMESPACE, seen="not yet", advice="See its pod's log.")
        time.sleep(0.1)
