# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Users with the rights that are shipped, and no others."""

from __future__ import annotations

import typing as t

import yaml

from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
    from ansible_collections.fieldops.openshift.tests.lab.rest import Json

RBAC = COLLECTIONS / "ansible_collections/fieldops/openshift/extensions/rbac"
AUTHORIZATION = "rbac.authorization.k8s.io"


def grant(server: ApiServer, user: str, *files: str) -> None:
    """Apply what is in files of extensions/rbac, and bind every role of them to ``user``."""
    for file in files:
        for one in _objects(yaml.safe_load((RBAC / file).read_text())):
            server.rest.apply(one)
            if one["kind"].endswith("Role"):
                server.rest.apply(_binding(one, user))


def _objects(document: Json) -> list[Json]:
    return list(document["items"]) if document["kind"] == "List" else [document]


def _binding(role: Json, user: str) -> Json:
    metadata = {key: value for key, value in role["metadata"].items() if key in ("name", "namespace")}
    return {
        "apiVersion": f"{AUTHORIZATION}/v1",
        "kind": f"{role['kind']}Binding",
        "metadata": {**metadata, "name": f"{metadata['name']}-{user}"},
        "roleRef": {"apiGroup": AUTHORIZATION, "kind": role["kind"], "name": metadata["name"]},
        "subjects": [{"kind": "User", "apiGroup": AUTHORIZATION, "name": user}],
    }
