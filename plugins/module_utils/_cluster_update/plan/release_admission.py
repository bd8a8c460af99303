# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The admission policy by which a cluster takes a release only if every node is ready for it. Pure.

It judges requests on the ClusterVersion by the record that ``release_readiness`` keeps. An update that has started, and
the present release, may always be requested. ``extensions/rbac/release-admission.yml`` has the same for other tools.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_readiness import (
    NAME as RECORD,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_readiness import (
    READY_KEY,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    NAMESPACE,
    PART_OF,
    PART_OF_LABEL,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    VALIDATING_ADMISSION_POLICY,
    VALIDATING_ADMISSION_POLICY_BINDING,
)

NAME: t.Final = "fieldops-openshift-release-readiness"
OVERRIDE: t.Final = "fieldops.openshift/release-readiness-override"
"""Annotation of the ClusterVersion with the digest of a release that is admitted in any case."""

_ASKED = "object.spec.desiredUpdate"
_ASKED_BEFORE = "oldObject.spec.desiredUpdate"


def admission_policy() -> dict[str, t.Any]:
    """Return the policy."""
    return {
        "apiVersion": VALIDATING_ADMISSION_POLICY.api_version,
        "kind": VALIDATING_ADMISSION_POLICY.kind,
        "metadata": _METADATA,
        "spec": {
            "failurePolicy": "Fail",
            "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
            "matchConstraints": {
                "resourceRules": [
                    {
                        "apiGroups": ["config.openshift.io"],
                        "apiVersions": ["v1"],
                        "resources": ["clusterversions"],
                        "operations": ["CREATE", "UPDATE"],
                    }
                ]
            },
            "matchConditions": _named(_CONDITIONS),
            "variables": _named(_VARIABLES),
            "validations": [{"expression": _VALID, "messageExpression": _MESSAGE, "reason": "Forbidden"}],
        },
    }


def admission_binding() -> dict[str, t.Any]:
    """Return what puts the policy into force with the record as its parameter, without which it admits nothing."""
    return {
        "apiVersion": VALIDATING_ADMISSION_POLICY_BINDING.api_version,
        "kind": VALIDATING_ADMISSION_POLICY_BINDING.kind,
        "metadata": _METADATA,
        "spec": {
            "policyName": NAME,
            "paramRef": {"name": RECORD, "namespace": NAMESPACE, "parameterNotFoundAction": "Deny"},
            "validationActions": ["Deny"],
        },
    }


def _named(expressions: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "expression": expression} for name, expression in expressions.items()]


def _text_of(parent: str, field: str) -> str:
    return f"(has({parent}.{field}) ? {parent}.{field} : '')"


_METADATA: t.Final = {"name": NAME, "labels": {PART_OF_LABEL: PART_OF}}
_CONDITIONS: t.Final = {
    "a-release-is-asked-for": f"has({_ASKED})",
    # An earlier request is not affected by this one: an update that has started may finish.
    "another-one-than-before": (
        f"oldObject == null || !has({_ASKED_BEFORE}) || "
        f"{_text_of(_ASKED, 'image')} != {_text_of(_ASKED_BEFORE, 'image')} || "
        f"{_text_of(_ASKED, 'version')} != {_text_of(_ASKED_BEFORE, 'version')}"
    ),
}
_VARIABLES: t.Final = {
    "version": f"has({_ASKED}.version) ? {_ASKED}.version : ''",
    "asked": f"has({_ASKED}.image) ? {_ASKED}.image : ''",
    # A request for a version alone means the image that the cluster was offered for it.
    "offered": (
        "has(object.status) && has(object.status.availableUpdates) && object.status.availableUpdates != null ? "
        "object.status.availableUpdates.filter(one, one.version == variables.version) : []"
    ),
    "image": (
        "variables.asked != '' ? variables.asked : (variables.offered.size() > 0 ? variables.offered[0].image : '')"
    ),
    "digest": "variables.image.contains('@') ? variables.image.split('@')[1] : ''",
    "current": (
        "has(object.status) && has(object.status.desired) && has(object.status.desired.image) ? "
        "object.status.desired.image : ''"
    ),
    "override": (
        f"has(object.metadata.annotations) && '{OVERRIDE}' in object.metadata.annotations ? "
        f"object.metadata.annotations['{OVERRIDE}'] : ''"
    ),
    "ready": f"has(params.data) && '{READY_KEY}' in params.data ? params.data['{READY_KEY}'].split(' ') : []",
}
_VALID: t.Final = (
    "variables.digest != '' && (variables.digest in variables.ready || variables.image == variables.current || "
    "variables.digest == variables.override)"
)
_MESSAGE: t.Final = (
    "'not every node is ready for the release ' + "
    "(variables.image != '' ? variables.image : 'of version ' + variables.version) + "
    "': run the phase images of fieldops.openshift.update_site, which stages its images on all nodes and records "
    "their readiness, ' + "
    f"'see resource version ' + params.metadata.resourceVersion + ' of ConfigMap {NAMESPACE}/{RECORD}'"
)
