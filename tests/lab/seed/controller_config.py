# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the real machine-config-controller reads beside pools and nodes: its ControllerConfig and the Scheduler."""

from __future__ import annotations

import base64

from ansible_collections.fieldops.openshift.tests.lab.go import operator_version
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import release_image
from ansible_collections.fieldops.openshift.tests.lab.seed.conditions import condition

GENERATED_BY = "machineconfiguration.openshift.io/generated-by-version"


def controller_config(infrastructure: Json, version: str = "4.21.3") -> Json:
    """Return the operator's digest of the cluster, of which only ``infra``, the image and who made it matter here.

    Source: machine-config-operator, pkg/operator/sync.go, syncRenderConfig; openshift/api,
    machineconfiguration/v1/types.go, ControllerConfigSpec.
    """
    metadata = {"name": "cluster"}
    kinds = {"apiVersion": infrastructure["apiVersion"], "metadata": metadata}
    return {
        "apiVersion": "machineconfiguration.openshift.io/v1",
        "kind": "ControllerConfig",
        "metadata": {"name": "machine-config-controller", "annotations": {GENERATED_BY: operator_version()}},
        "spec": {
            "additionalTrustBundle": None,
            "baseOSContainerImage": release_image(version),
            "cloudProviderCAData": None,
            "cloudProviderConfig": "",
            "clusterDNSIP": "172.30.0.10",
            "dns": {**kinds, "kind": "DNS", "spec": {"baseDomain": "lab.example"}},
            "images": {},
            "infra": {**kinds, "kind": "Infrastructure", **{key: infrastructure[key] for key in ("spec", "status")}},
            "ipFamilies": "IPv4",
            "kubeAPIServerServingCAData": _NO_CERTIFICATES,
            "network": {"mtuMigration": None},
            "proxy": None,
            "releaseImage": release_image(version),
            "rootCAData": _NO_CERTIFICATES,
        },
        "status": {"observedGeneration": 1, "conditions": [condition("TemplateControllerCompleted", True)]},
    }


_NO_CERTIFICATES = base64.b64encode(b"\n").decode()


def scheduler() -> Json:
    """Return the setting that keeps workloads away from the control plane, as the taints of seeded nodes do."""
    return {
        "apiVersion": "config.openshift.io/v1",
        "kind": "Scheduler",
        "metadata": {"name": "cluster"},
        "spec": {"mastersSchedulable": False},
    }
