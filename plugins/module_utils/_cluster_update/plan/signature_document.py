# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The ConfigMap that brings the release's signature into the cluster: only that, and nothing else by its name."""

from __future__ import annotations

import base64
import binascii
import re
import typing as t
from collections.abc import Iterable, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_request import (
    ReleaseRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

NAMESPACE = "openshift-config-managed"
LABEL = "release.openshift.io/verification-signatures"
_LABELS = frozenset({LABEL, "app.kubernetes.io/part-of"})
_KEY = re.compile(r"sha256-[0-9a-f]{64}-[1-9][0-9]{0,3}", re.ASCII)


def checked_signature(document: Mapping[str, t.Any], request: ReleaseRequest) -> dict[str, t.Any]:
    """Return the ConfigMap to apply; raise InvalidInputError when it is anything but signatures of this release.

    The document may come from a disk that others had in their hands, and it is written with the rights of the user who
    runs the play. Source of the form: openshift/library-go, pkg/verify/store/configmap.
    """
    metadata = document.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    labels = metadata.get("labels")
    contents = document.get("binaryData")
    _require(document.get("apiVersion") == "v1" and document.get("kind") == "ConfigMap", "it is not a ConfigMap")
    _require(set(document) <= {"apiVersion", "kind", "metadata", "binaryData"}, "it has fields other than binaryData")
    _require(metadata.get("namespace") == NAMESPACE, f"it is not for namespace {NAMESPACE}")
    _require(metadata.get("name") == f"sha256-{request.digest_hex}", "its name is not the digest of the release")
    _require(set(metadata) <= {"name", "namespace", "labels"}, "its metadata has other fields than a name and labels")
    _require(
        isinstance(labels, dict) and LABEL in labels and set(labels) <= _LABELS, f"it has other labels than {LABEL}"
    )
    _require(isinstance(contents, dict) and bool(contents), "it contains no signature")
    for key, value in t.cast("dict[str, t.Any]", contents).items():
        _require(bool(_KEY.fullmatch(key)) and request.digest_hex in key, f"key {key[:100]!r} is not for the release")
        _require(isinstance(value, str) and _is_base64(value), f"the value of {key!r} is not base64")
    return dict(document)


def holds_signature(config_maps: Iterable[Mapping[str, t.Any]], request: ReleaseRequest) -> bool:
    """Return whether one of the labelled ConfigMaps of NAMESPACE has a signature of the release."""
    prefix = f"sha256-{request.digest_hex}"
    return any(key.startswith(prefix) for one in config_maps for key in one.get("binaryData") or {})


def _is_base64(text: str) -> bool:
    try:
        return bool(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        return False


def _require(holds: bool, seen: str) -> None:
    if not holds:
        raise InvalidInputError(
            "add the signature of the release to the cluster",
            on="signature_config_map",
            seen=seen,
            advice="Pass the result of release_bundle_info for the bundle of this release.",
        )
