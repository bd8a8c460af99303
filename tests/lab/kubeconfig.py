# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Kubeconfig files of the lab; written as JSON, which every reader of YAML accepts."""

from __future__ import annotations

import base64
import json
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.certificates import KeyPair
from ansible_collections.fieldops.openshift.tests.lab.workspace import write_private


def with_token(path: Path, url: str, ca_file: Path, token: str, *, acting_as: str = "") -> Path:
    """Write a kubeconfig that authenticates with a bearer token, and then acts as somebody else where one is named."""
    return _write(path, url, ca_file, {"token": token, **({"as": acting_as} if acting_as else {})})


def with_certificate(path: Path, url: str, ca_file: Path, pair: KeyPair) -> Path:
    """Write a kubeconfig that authenticates with a client certificate."""
    user = {"client-certificate-data": _embedded(pair.certificate), "client-key-data": _embedded(pair.key)}
    return _write(path, url, ca_file, user)


def _write(path: Path, url: str, ca_file: Path, user: dict[str, str]) -> Path:
    cluster = {"server": url, "certificate-authority-data": _embedded(ca_file)}
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "lab", "cluster": cluster}],
        "users": [{"name": "lab", "user": user}],
        "contexts": [{"name": "lab", "context": {"cluster": "lab", "user": "lab", "namespace": "default"}}],
        "current-context": "lab",
    }
    return write_private(path, json.dumps(document, indent=1))


def _embedded(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()
