# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The files in a release image: image references, metadata, and manifests of components.

Shapes: openshift/oc ``pkg/cli/admin/release/new.go``; openshift/cincinnati ``docs/design``; a cluster-version-operator
image's ``/manifests``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.tests.lab.machine_config.payload import operator_manifests
from ansible_collections.fieldops.openshift.tests.lab.registry.component_names import PAYLOAD_BASE
from ansible_collections.fieldops.openshift.tests.lab.registry.images import CREATED, Json
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ComponentPlan, ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.registry.version_operator_payload import release_manifests

FOLDER = "release-manifests"
REFERENCES = f"{FOLDER}/image-references"
METADATA = f"{FOLDER}/release-metadata"
PULLED_ALWAYS = f"{FOLDER}/0000_50_console-operator_07-downloads-deployment.yaml"
OS_BUILD = "9.6.202601{:02d}-0"


def payload_files(spec: ReleaseSpec, references: Mapping[str, str]) -> dict[str, bytes]:
    """Return the files below ``release-manifests`` by path; ``references`` are pull specifications by component."""
    documents = {REFERENCES: image_references(spec, references), METADATA: release_metadata(spec)}
    if spec.stream:
        about = {"name": "coreos-bootimages", "namespace": "openshift-machine-config-operator"}
        config_map = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": about, "data": {"stream": spec.stream}}
        documents[f"{FOLDER}/0000_50_installer_coreos-bootimages.yaml"] = config_map
    files = {name: json.dumps(document, indent=2).encode() for name, document in documents.items()}
    if spec.operator:
        carried = operator_manifests(spec.version, references) if spec.machine_config else {}
        return files | release_manifests(spec.operator, spec.version, carried)
    return files | {name: text.encode() for name, text in _manifests(references).items()}


def image_references(spec: ReleaseSpec, references: Mapping[str, str]) -> Json:
    """Return the ImageStream that names every component image."""
    return {
        "kind": "ImageStream",
        "apiVersion": "image.openshift.io/v1",
        "metadata": {
            "name": spec.version,
            "creationTimestamp": CREATED,
            "annotations": {"release.openshift.io/from-image-stream": f"ocp/{spec.minor}-art-assembly-{spec.version}"},
        },
        "spec": {
            "lookupPolicy": {"local": False},
            "tags": [
                {
                    "name": plan.name,
                    "annotations": _annotations(spec, plan),
                    "from": {"kind": "DockerImage", "name": references[plan.name]},
                    "generation": None,
                    "importPolicy": {},
                    "referencePolicy": {"type": ""},
                }
                for plan in sorted(spec.plans(), key=lambda plan: plan.name)
            ],
        },
        "status": {"dockerImageRepository": ""},
    }


def release_metadata(spec: ReleaseSpec) -> Json:
    """Return what the release says about itself."""
    metadata = {"url": "https://access.redhat.com/errata/RHBA-2026:0001"}
    if spec.is_multi:
        metadata["release.openshift.io/architecture"] = "multi"
    return {
        "kind": "cincinnati-metadata-v0",
        "version": spec.version,
        "previous": list(spec.previous),
        "next": [],
        "metadata": metadata,
    }


def component_labels(spec: ReleaseSpec, plan: ComponentPlan) -> dict[str, str]:
    """Return the labels of a component image; an image that is not rebuilt keeps them from release to release."""
    labels = {
        "name": f"openshift/ose-{plan.name}",
        "version": f"v{spec.minor}.0",
        "release": f"202601010000.p{plan.build}",
        "io.openshift.build.commit.id": _commit(spec, plan),
        "io.openshift.build.source-location": _source(plan),
    }
    if plan.name == "rhel-coreos":
        version = OS_BUILD.format(plan.build + 1)
        labels |= {"containers.bootc": "1", "ostree.bootable": "true", "version": version}
        labels["io.openshift.build.versions"] = f"machine-os={version}"
    elif plan.name.endswith("-operator"):
        labels["io.openshift.release.operator"] = "true"
    return labels


def operator_files() -> dict[str, bytes]:
    """Return the files of the cluster-version-operator's own image that describe it."""
    text = _workload("Deployment", PAYLOAD_BASE, "openshift-cluster-version", "{{.ReleaseImage}}", "IfNotPresent")
    return {"manifests/0000_00_cluster-version-operator_03_deployment.yaml": text.encode()}


def _annotations(spec: ReleaseSpec, plan: ComponentPlan) -> dict[str, str]:
    annotations = {
        "io.openshift.build.commit.id": _commit(spec, plan),
        "io.openshift.build.commit.ref": "",
        "io.openshift.build.source-location": _source(plan),
    }
    versions = component_labels(spec, plan).get("io.openshift.build.versions")
    if versions:
        annotations["io.openshift.build.versions"] = versions
        annotations["io.openshift.build.version-display-names"] = "machine-os=Red Hat Enterprise Linux CoreOS"
        annotations["io.openshift.os.streamclass"] = "rhel-9"
    return annotations


def _commit(spec: ReleaseSpec, plan: ComponentPlan) -> str:
    return hashlib.sha256(f"{spec.seed}/{plan.name}/{plan.build}".encode()).hexdigest()[:40]


def _source(plan: ComponentPlan) -> str:
    return f"https://github.com/openshift/{'os' if plan.is_os else plan.name}"


def _manifests(references: Mapping[str, str]) -> dict[str, str]:
    """Return a few manifests as their operators ship them; one Deployment pulls its image always."""
    operator = "openshift-machine-config-operator"
    return {
        f"{FOLDER}/0000_80_machine-config_00_namespace.yaml": _namespace(operator),
        f"{FOLDER}/0000_80_machine-config_04_deployment.yaml": _workload(
            "Deployment", "machine-config-operator", operator, references["machine-config-operator"], "IfNotPresent"
        ),
        f"{FOLDER}/0000_20_etcd-operator_06_daemonset.yaml": "---\n".join(
            [
                _namespace("openshift-etcd"),
                _workload("DaemonSet", "etcd", "openshift-etcd", references["etcd"], "IfNotPresent"),
            ]
        ),
        PULLED_ALWAYS: _workload("Deployment", "downloads", "openshift-console", references["cli"], "Always"),
    }


def _namespace(name: str) -> str:
    return f"""\
apiVersion: v1
kind: Namespace
metadata:
  name: {name}
  annotations:
    include.release.openshift.io/self-managed-high-availability: "true"
"""


def _workload(kind: str, name: str, namespace: str, image: str, pull_policy: str) -> str:
    return f"""\
apiVersion: apps/v1
kind: {kind}
metadata:
  name: {name}
  namespace: {namespace}
  annotations:
    include.release.openshift.io/self-managed-high-availability: "true"
spec:
  selector:
    matchLabels:
      k8s-app: {name}
  template:
    metadata:
      labels:
        k8s-app: {name}
    spec:
      containers:
      - name: {name}
        image: {image}
        imagePullPolicy: {pull_policy}
        terminationMessagePolicy: FallbackToLogsOnError
"""
