# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine-config operator as a release carries it: the manifests by which the version operator installs it.

Source: machine-config-operator, ``install/`` (run level 80); not copied are its monitoring, its roles by the piece
(here it has them all), and the static pods of on-premises platforms.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.tests.lab.api_access import SECURE_PORT
from ansible_collections.fieldops.openshift.tests.lab.network import GATEWAY
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed import operator_settings
from ansible_collections.fieldops.openshift.tests.lab.seed.boot_images import MACHINE_CONFIG, coreos_bootimages

OPERATOR = "machine-config-operator"
PROXY = "kube-rbac-proxy"
PAUSE = "pod"
COMPONENTS = (OPERATOR, PROXY, PAUSE)
"""The components of a release that really run."""
IMAGES = f"{OPERATOR}-images"
MASTER = "node-role.kubernetes.io/master"


def operator_manifests(version: str, references: Mapping[str, str]) -> dict[str, Json]:
    """Return the manifests of a release by their file names; ``references`` are its images by component."""
    images = operator_settings.images(version, references[OPERATOR], references[PROXY])
    documents = {
        "01_images.configmap": operator_settings.config_map(
            MACHINE_CONFIG, IMAGES, {"images.json": json.dumps(images)}
        ),
        "01_coreos-bootimages.configmap": coreos_bootimages(version),
        "02_rbac": operator_rights(),
        "03_serviceaccount": _object("v1", "ServiceAccount", OPERATOR, MACHINE_CONFIG),
        "04_deployment": _deployment(version, references[OPERATOR]),
        "05_osimageurl": operator_settings.os_image_url(version, references["rhel-coreos"]),
    }
    namespace = {"00_namespace": _object("v1", "Namespace", MACHINE_CONFIG)}
    return {f"0000_80_machine-config_{name}": one for name, one in {**namespace, **documents}.items()}


def operator_rights(account: str = OPERATOR) -> Json:
    """Return what makes the operator's account, or another one there, an administrator of the cluster."""
    group = "rbac.authorization.k8s.io"
    name = MACHINE_CONFIG if account == OPERATOR else account
    binding = _object(f"{group}/v1", "ClusterRoleBinding", f"custom-account-{name}")
    subject = {"kind": "ServiceAccount", "name": account, "namespace": MACHINE_CONFIG}
    role = {"apiGroup": group, "kind": "ClusterRole", "name": "cluster-admin"}
    return {**binding, "roleRef": role, "subjects": [subject]}


def _deployment(version: str, image: str) -> Json:
    labels = {"k8s-app": OPERATOR}
    arguments = ["start", "--images-json=/etc/mco/images/images.json", f"--payload-version={version}"]
    container = {
        "name": OPERATOR,
        "image": image,
        "args": [*arguments, f"--operator-image={image}", "--metrics-listen-address=127.0.0.1:0", "--v=2"],
        # The lab has no service network.
        "env": [
            {"name": "KUBERNETES_SERVICE_HOST", "value": GATEWAY},
            {"name": "KUBERNETES_SERVICE_PORT", "value": str(SECURE_PORT)},
        ],
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "volumeMounts": [{"name": "images", "mountPath": "/etc/mco/images"}],
    }
    pod = {
        "serviceAccountName": OPERATOR,
        "containers": [container],
        "nodeSelector": {MASTER: ""},
        "priorityClassName": "system-cluster-critical",
        "tolerations": [{"key": MASTER, "operator": "Exists", "effect": "NoSchedule"}],
        "volumes": [{"name": "images", "configMap": {"name": IMAGES}}],
    }
    body = {
        "replicas": 1,
        "strategy": {"type": "Recreate"},
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": pod},
    }
    return {**_object("apps/v1", "Deployment", OPERATOR, MACHINE_CONFIG), "spec": body}


def _object(api_version: str, kind: str, name: str, namespace: str = "") -> Json:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata}
