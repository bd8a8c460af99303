# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Users with the rights that are shipped in extensions/rbac, and no others."""

from __future__ import annotations

import yaml

from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

RBAC = COLLECTIONS / "ansible_collections/fieldops/openshift/extensions/rbac"
AUTHORIZATION = "rbac.authorization.k8s.io"


def shipped(file: str) -> list[Json]:
    """Return the objects in a file of extensions/rbac."""
    content: Json = yaml.safe_load((RBAC / file).read_text())
    return list(content.get("items", [content]))


def grant(rest: RestClient, user: str, *files: str) -> None:
    """Apply what is in files of extensions/rbac, and bind every role of them to ``user``."""
    for file in files:
        for one in shipped(file):
            rest.apply(one)
            if one["kind"].endswith("Role"):
                bind(rest, user, one)


def bind(rest: RestClient, user: str, role: Json) -> None:
    """Bind a role to ``user``, in its namespace where it has one, under the name of both."""
    metadata = {key: value for key, value in role["metadata"].items() if key in ("name", "namespace")}
    rest.apply(
        {
            "apiVersion": f"{AUTHORIZATION}/v1",
            "kind": f"{role['kind']}Binding",
            "metadata": {**metadata, "name": f"{metadata['name']}-{user}"},
            "roleRef": {"apiGroup": AUTHORIZATION, "kind": role["kind"], "name": metadata["name"]},
            "subjects": [{"kind": "User", "apiGroup": AUTHORIZATION, "name": user}],
        }
    )
