# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The kubeconfig of a cluster, from the Secret on the hub that a ClusterDeployment names."""

from __future__ import annotations

import base64
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import SECRET

_PARTS = ("namespace", "name", "key")


def read_kubeconfig(client: ClusterClient, reference: object) -> dict[str, t.Any]:
    """Return the content of the kubeconfig; ``reference`` has the namespace and name of the Secret, and its key.

    Raise InvalidInputError for another structure, a missing Secret and a key without a kubeconfig, and ApiError. No
    error has a part of the Secret's content.
    """
    if not isinstance(reference, dict) or not all(reference.get(part) for part in _PARTS):
        raise InvalidInputError(
            "read the kubeconfig of a cluster",
            on="cluster_kubeconfig_secret",
            seen="it does not name the namespace, name and key of a Secret",
            advice="A cluster that was imported has no such Secret on the hub: use a kubeconfig of your own.",
        )
    namespace, name, key = (str(reference[part]) for part in _PARTS)
    secret = client.get(SECRET, name, namespace) or {}
    found = _decoded((secret.get("data") or {}).get(key, ""))
    if not isinstance(found, dict) or "clusters" not in found:
        raise InvalidInputError(
            "read the kubeconfig of a cluster",
            on=f"Secret {namespace}/{name}",
            seen=f"it has no kubeconfig in {key}" if secret else "it does not exist",
            advice="Compare it with adminKubeconfigSecretRef of the ClusterDeployment.",
        )
    return found


def _decoded(data: str) -> object:
    import yaml

    try:
        return yaml.safe_load(base64.b64decode(data, validate=True))
    except (ValueError, RecursionError, yaml.YAMLError):  # what was read stays out of the error: it is secret
        return None
