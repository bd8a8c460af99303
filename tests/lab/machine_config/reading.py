# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What tests read of MachineConfigs, pools and ClusterOperator machine-config."""

from __future__ import annotations

import base64
import gzip
import typing as t
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

OPERATOR = "/apis/config.openshift.io/v1/clusteroperators/machine-config"


class File(t.NamedTuple):
    """A file of a MachineConfig: its path, its mode and its content."""

    path: str
    mode: int
    content: bytes


def files_of(configuration: Json) -> Iterator[File]:
    """Yield the files of a MachineConfig, whose contents are data URLs (RFC 2397), some of them compressed."""
    for one in configuration["spec"]["config"].get("storage", {}).get("files", []):
        contents = one.get("contents", {})
        head, _comma, body = (contents.get("source") or "data:,").partition(",")
        content = base64.b64decode(body) if head.endswith(";base64") else unquote_to_bytes(body)
        if contents.get("compression") == "gzip":
            content = gzip.decompress(content)
        yield File(one["path"], one.get("mode", 0o644), content)


def units_of(config: Json) -> Iterator[tuple[str, str]]:
    """Yield path and text of the units and drop-ins of an Ignition configuration, those without text left out."""
    for unit in config.get("systemd", {}).get("units", []):
        path = f"/etc/systemd/system/{unit['name']}"
        texts = {path: unit.get("contents")}
        texts |= {f"{path}.d/{one['name']}": one.get("contents") for one in unit.get("dropins", [])}
        yield from ((name, text) for name, text in texts.items() if text)


def content_of(configuration: Json, path: str) -> str:
    """Return a file of a MachineConfig as text, nothing where it has no such file."""
    return next((one.content.decode() for one in files_of(configuration) if one.path == path), "")


def pool_is(client: RestClient, pool: str, condition: str) -> bool:
    """Whether a condition of a pool, such as ``Updated``, is true of what its specification says now."""
    found = client.get(f"{POOLS}/{pool}")
    settled = found["status"].get("observedGeneration") == found["metadata"]["generation"]
    return settled and _condition(found, condition).get("status") == "True"


def operator_condition(client: RestClient, kind: str) -> Json:
    """Return a condition of ClusterOperator machine-config."""
    return _condition(client.get(OPERATOR), kind)


def sync_error(client: RestClient) -> str:
    """Return what the operator says last about why it waits, nothing where it does not."""
    return str((client.get(OPERATOR)["status"].get("extension") or {}).get("lastSyncError", ""))


def _condition(found: Json, kind: str) -> Json:
    return next((one for one in found["status"].get("conditions", []) if one["type"] == kind), {})
