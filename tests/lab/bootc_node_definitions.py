# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The API of bootc-operator, ``node.bootc.dev/v1alpha1``: fields, types, what is required, defaults and limits.

Source: github.com/bootc-dev/bootc-operator, ``api/v1alpha1/bootcnodepool_types.go`` and ``bootcnode_types.go`` of
September 2026 (commit 4dc1fa4), and the definitions made from them in ``config/crd/bases`` (7040478).
"""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterable

from ansible_collections.fieldops.openshift.tests.lab.crds import install_manifests
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient

GROUP, VERSION = "node.bootc.dev", "v1alpha1"
Schema = dict[str, t.Any]

TEXT: Schema = {"type": "string"}
NAME: Schema = {"type": "string", "minLength": 1}
FLAG: Schema = {"type": "boolean"}
TIME: Schema = {"type": "string", "format": "date-time"}
COUNT: Schema = {"type": "integer", "format": "int32"}
SECONDS: Schema = {**COUNT, "minimum": 0}
GENERATION: Schema = {"type": "integer", "format": "int64"}


def one_of(*values: str, **more: t.Any) -> Schema:
    """A string that has one of these values."""
    return {"type": "string", "enum": [*values], **more}


def record(required: Iterable[str] = (), **fields: Schema) -> Schema:
    """An object with these fields and no others."""
    return {"type": "object", "properties": fields, **({"required": [*required]} if required else {})}


def list_of(items: Schema, **more: t.Any) -> Schema:
    """A list."""
    return {"type": "array", "items": items, **more}


ATOMIC = {"x-kubernetes-list-type": "atomic"}
REQUIREMENT = record(("key", "operator"), key=TEXT, operator=TEXT, values=list_of(TEXT, **ATOMIC))
SELECTOR = {
    **record(
        matchLabels={"type": "object", "additionalProperties": TEXT}, matchExpressions=list_of(REQUIREMENT, **ATOMIC)
    ),
    "x-kubernetes-map-type": "atomic",
}
PULL_SECRET = record(("name", "namespace"), name=NAME, namespace=NAME)
CONDITION = record(
    ("lastTransitionTime", "message", "reason", "status", "type"),
    lastTransitionTime=TIME,
    message={"type": "string", "maxLength": 32768},
    observedGeneration={**GENERATION, "minimum": 0},
    reason={"type": "string", "minLength": 1, "maxLength": 1024, "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"},
    status=one_of("True", "False", "Unknown"),
    type={"type": "string", "maxLength": 316},
)
CONDITIONS = list_of(CONDITION, **{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"]})
IMAGE = record(
    ("image", "imageDigest"),
    image=TEXT,
    imageDigest=TEXT,
    version=TEXT,
    timestamp=TIME,
    architecture=TEXT,
    softRebootCapable=FLAG,
    incompatible=FLAG,
)
REBOOT_POLICY = one_of("RebootOnly", "AllowSoftReboot")

POOL = record(
    ("spec",),
    spec=record(
        ("image", "nodeSelector"),
        nodeSelector=SELECTOR,
        image=record(("ref",), ref=NAME),
        rollout=record(
            maxUnavailable={"anyOf": [{"type": "integer"}, TEXT], "x-kubernetes-int-or-string": True},
            paused=FLAG,
            drainTimeoutSeconds=SECONDS,
            rebootTimeoutSeconds=SECONDS,
        ),
        disruption=record(rebootPolicy={**REBOOT_POLICY, "default": "RebootOnly"}),
        pullSecretRef=PULL_SECRET,
    ),
    status=record(
        observedGeneration=GENERATION,
        targetDigest=TEXT,
        deployedDigest=TEXT,
        updateAvailable=FLAG,
        nextTagResolutionTime=TIME,
        nodeCount=COUNT,
        updatedCount=COUNT,
        updatingCount=COUNT,
        degradedCount=COUNT,
        conditions=CONDITIONS,
    ),
)
NODE = record(
    ("spec",),
    spec=record(
        ("desiredImage", "desiredImageState"),
        desiredImage=NAME,
        desiredImageState=one_of("Staged", "Booted"),
        pullSecretRef=PULL_SECRET,
        pullSecretHash=TEXT,
        rebootPolicy=REBOOT_POLICY,
    ),
    status=record(observedGeneration=GENERATION, booted=IMAGE, staged=IMAGE, rollback=IMAGE, conditions=CONDITIONS),
)


def definition(kind: str, short: str, schema: Schema) -> Schema:
    """Return the definition of a kind of the whole cluster with a status of its own."""
    plural = f"{kind.lower()}s"
    about = {"apiVersion": TEXT, "kind": TEXT, "metadata": {"type": "object"}}
    whole = {**schema, "properties": {**about, **schema["properties"]}}
    version = {"name": VERSION, "served": True, "storage": True, "subresources": {"status": {}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{GROUP}"},
        "spec": {
            "group": GROUP,
            "scope": "Cluster",
            "names": {"kind": kind, "plural": plural, "shortNames": [short]},
            "versions": [{**version, "schema": {"openAPIV3Schema": whole}}],
        },
    }


def install(client: RestClient) -> None:
    """Define both kinds and return when the API serves them."""
    wanted = (definition("BootcNodePool", "bnp", POOL), definition("BootcNode", "bn", NODE))
    install_manifests(client, {one["metadata"]["name"]: json.dumps(one).encode() for one in wanted})
