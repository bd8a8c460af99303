# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the real machine-config operator reads of a cluster: settings and certificates that others keep there.

Each object is one without which it stops or degrades. Source: machine-config-operator, pkg/operator/sync.go
(syncRenderConfig, getGlobalConfig), pkg/operator/status.go (syncUpgradeableStatus), install/.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable

from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.boot_images import (
    MACHINE_API,
    MACHINE_CONFIG,
    coreos_bootimages,
)
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import API_VERSION
from ansible_collections.fieldops.openshift.tests.lab.seed.controller_config import scheduler

CONFIG = "openshift-config"
MANAGED = "openshift-config-managed"
NAMESPACES = (MACHINE_CONFIG, MACHINE_API, CONFIG, MANAGED, "openshift-kube-apiserver-operator")
SERVICE_NETWORK = "172.30.0.0/16"
POD_NETWORK = "10.85.0.0/16"
GATES_ON = ("MachineConfigNodes", "PinnedImages", "ManagedBootImages", "ManagedBootImagesAWS")
GATES_OFF = ("OnClusterBuild", "ManagedBootImagesvSphere", "SigstoreImageVerification", "BootcNodeManagement")


def namespaces() -> list[Json]:
    """Return the namespaces that the other objects, and what the operator itself makes, are in."""
    return [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in NAMESPACES]


def settings(authority: str, version: str, os_image: str, others: Iterable[str] = ()) -> list[Json]:
    """Return the cluster's settings, ready for an operator of ``version``.

    ``authority`` is the PEM certificate of the cluster's only authority. ``os_image`` is what pools shall boot, such
    as ``quay.io/example/os@sha256:...``. There is no image of extensions: a daemon would fetch it for nothing.
    ``others`` are further versions that have features.
    """
    network = {"clusterNetwork": [{"cidr": POD_NETWORK, "hostPrefix": 24}], "serviceNetwork": [SERVICE_NETWORK]}
    return [
        _setting("Network", **network, networkType="OVNKubernetes"),
        _setting("DNS", baseDomain="lab.example"),
        *(_setting(kind) for kind in ("Proxy", "Image", "APIServer", "Node")),
        scheduler(),
        feature_gate({version, *others}),
        config_map("kube-system", "root-ca", {"ca.crt": authority}),
        config_map("kube-system", "bootstrap", {"status": "complete"}),
        *(
            config_map(MANAGED, f"kube-apiserver-{side}-ca", {"ca-bundle.crt": authority})
            for side in ("client", "server")
        ),
        config_map(MANAGED, "kube-cloud-config", {"cloud.conf": ""}),
        config_map(CONFIG, "initial-kube-apiserver-server-ca", {"ca-bundle.crt": authority}),
        os_image_url(version, os_image),
        coreos_bootimages(version),
        secret(CONFIG, "pull-secret", "kubernetes.io/dockerconfigjson", {".dockerconfigjson": '{"auths":{}}'}),
    ]


def feature_gate(versions: Iterable[str]) -> Json:
    """Return the FeatureGate with what is on and off in each version; operators refuse a version without one."""
    gates = {"enabled": [{"name": name} for name in GATES_ON], "disabled": [{"name": name} for name in GATES_OFF]}
    return {
        **_setting("FeatureGate"),
        "status": {"featureGates": [{"version": one, **gates} for one in sorted(versions)]},
    }


def os_image_url(version: str, os_image: str) -> Json:
    """Return the ConfigMap in which a release payload says which OS image its nodes boot."""
    told = {"baseOSContainerImage": os_image, "baseOSExtensionsContainerImage": "", "osImageURL": ""}
    return config_map(MACHINE_CONFIG, "machine-config-osimageurl", {"releaseVersion": version, **told})


def images(version: str, operator: str, proxy: str) -> dict[str, str]:
    """Return the payload's images as the operator reads them (``images.json``).

    ``operator`` has the operator's programs, ``proxy`` stands for kube-rbac-proxy. The others are never started.
    Source: pkg/controller/common/images.go.
    """
    unused = ("infraImage", "keepalivedImage", "corednsImage", "haproxyImage", "baremetalRuntimeCfgImage", "oauthProxy")
    used = {"releaseVersion": version, "machineConfigOperator": operator, "kubeRbacProxy": proxy}
    return {**dict.fromkeys(unused, proxy), **used}


def config_map(namespace: str, name: str, data: dict[str, str]) -> Json:
    """Return a ConfigMap."""
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}, "data": data}


def secret(namespace: str, name: str, kind: str, data: dict[str, str]) -> Json:
    """Return a Secret of a type such as ``kubernetes.io/tls``."""
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "type": kind, "stringData": data}


def _setting(kind: str, **spec: t.Any) -> Json:
    return {"apiVersion": API_VERSION, "kind": kind, "metadata": {"name": "cluster"}, "spec": spec}
