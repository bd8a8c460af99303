# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The objects by which a node is reached: a namespace, and a pod that enters the namespaces of its host. Pure.

Sources: kubernetes.io "Pod Security Standards"; openshift/oc, pkg/cli/debug; machine-config-operator, manifests of its
daemon.
"""

from __future__ import annotations

import hashlib
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.run_identity import (
    EXPIRES,
    HOLDER,
    RunIdentity,
)

CONTAINER = "helper"
HOST_MOUNT = "/host"
"""Where the pod sees the root of its host."""

_GRACE_SECONDS = 1
_LEVELS = ("enforce", "audit", "warn")


def namespace_manifest(run: RunIdentity, expires: str) -> dict[str, t.Any]:
    """Return the namespace of a run, in which privileged pods may run on every node."""
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {
            "name": run.namespace,
            "labels": {
                **run.labels,
                **{f"pod-security.kubernetes.io/{level}": "privileged" for level in _LEVELS},
                "security.openshift.io/scc.podSecurityLabelSync": "false",
            },
            "annotations": {
                EXPIRES: expires,
                **({HOLDER: run.holder} if run.holder else {}),
                "openshift.io/description": "Access to nodes while a play of fieldops.openshift runs",
                # A default node selector of the cluster would keep pods from nodes that it does not name.
                "openshift.io/node-selector": "",
            },
        },
    }


def pod_name(node: str) -> str:
    """Return the name of the helper pod of ``node``, whose own name may be too long for a pod's host name."""
    if len(node) <= 50:
        return f"node-{node}".replace(".", "-")
    return f"node-{node[:40].rstrip('.-')}-{hashlib.sha256(node.encode()).hexdigest()[:8]}".replace(".", "-")


def pod_manifest(run: RunIdentity, node: str, image: str, lifetime: int) -> dict[str, t.Any]:
    """Return the helper pod of ``node``, which ends by itself after ``lifetime`` seconds.

    It is bound to the node past the scheduler and any cordon, uses only an ``image`` that is there, and has no
    credentials for the API.
    """
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": pod_name(node),
            "namespace": run.namespace,
            "labels": run.labels,
            "annotations": {"openshift.io/required-scc": "privileged"},
        },
        "spec": {
            "nodeName": node,
            "hostPID": True,
            "hostNetwork": True,
            "dnsPolicy": "Default",
            "restartPolicy": "Never",
            "activeDeadlineSeconds": lifetime,
            "terminationGracePeriodSeconds": _GRACE_SECONDS,
            "automountServiceAccountToken": False,
            "enableServiceLinks": False,
            "priorityClassName": "system-node-critical",
            "tolerations": [{"operator": "Exists"}],
            "volumes": [{"name": "host", "hostPath": {"path": "/", "type": "Directory"}}],
            "containers": [_container(image, lifetime)],
        },
    }


def _container(image: str, lifetime: int) -> dict[str, t.Any]:
    return {
        "name": CONTAINER,
        "image": image,
        "imagePullPolicy": "Never",
        # The waiting shell receives SIGTERM immediately; a sleep as process 1 would not.
        "command": ["/bin/sh", "-c", f"trap 'exit 0' TERM; sleep {lifetime} & wait"],
        "securityContext": {"privileged": True, "runAsUser": 0},
        "resources": {"requests": {"cpu": "10m", "memory": "32Mi"}},
        "volumeMounts": [{"name": "host", "mountPath": HOST_MOUNT, "mountPropagation": "HostToContainer"}],
    }
