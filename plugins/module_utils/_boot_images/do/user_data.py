# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The Secrets that machines take their stub Ignition from: read, converted with the original kept, and restored."""

from __future__ import annotations

import base64
import hashlib
import typing as t
from collections.abc import Iterable, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import UserDataError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import StubChange
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.ignition_conversion import (
    TARGET_VERSION,
    converted,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.ignition_stub import (
    USER_DATA_KEY,
    Stub,
    encoded_stub,
    no_stub,
    read_stub,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import MACHINE_API
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.own_namespace import create_in_own_namespace
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    NAMESPACE,
    PART_OF,
    PART_OF_LABEL,
    SCHEMA_VERSION_KEY,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import SECRET

MOST_SINGLE_READS = 8
"""Secrets that are requested one by one; where more are named, all of the namespace are listed instead."""

ORIGINAL_ANNOTATION = "fieldops.openshift/original-stub"
_PREFIX = "boot-image-stub-"
_SCHEMA_VERSION = base64.b64encode(b"1").decode()


class StubReader:
    """The stubs of Secrets by name, each read once."""

    def __init__(self, client: ClusterClient, names: Iterable[str]) -> None:
        wanted = sorted(set(names) - {""})
        self.stubs: dict[str, Stub] = {}
        self.errors: dict[str, UserDataError] = {}
        found: dict[str, t.Any] = {}
        if len(wanted) > MOST_SINGLE_READS:
            found = {str(one["metadata"]["name"]): one for one in client.list_objects(SECRET, MACHINE_API)}
        else:
            found = {name: client.get(SECRET, name, MACHINE_API) for name in wanted}
        for name in wanted:
            self._understand(name, found.get(name))

    def _understand(self, name: str, secret: Mapping[str, t.Any] | None) -> None:
        try:
            self.stubs[name] = read_stub(name, secret)
        except UserDataError as error:
            self.errors[name] = error

    def as_data(self) -> dict[str, tuple[str, str]]:
        """Return the version of Ignition's specification in each, or what is wrong with it."""
        flaws = {name: ("", error.seen) for name, error in self.errors.items()}
        return {**{name: (stub.version, "") for name, stub in self.stubs.items()}, **flaws}


def planned_conversion(stub: Stub) -> tuple[StubChange, dict[str, t.Any]]:
    """Return how a stub is converted, and what it then is; raise UserDataError where that cannot be."""
    document = converted(stub.document, stub.secret)
    return StubChange(stub.secret, original_name(stub), stub.version, TARGET_VERSION), document


def original_name(stub: Stub) -> str:
    """Return the name of the Secret that keeps a stub as it is now; its content is part of the name."""
    return f"{_PREFIX}{stub.secret[:200]}-{hashlib.sha256(stub.raw).hexdigest()[:10]}"


def convert(client: ClusterClient, stub: Stub) -> StubChange:
    """Keep a stub as it is and put the converted one in its place; UserDataError is raised before any write."""
    change, document = planned_conversion(stub)
    _keep(client, stub, change.original)
    _write(client, stub, encoded_stub(document), {ORIGINAL_ANNOTATION: change.original})
    return change


def restore(client: ClusterClient, change: StubChange) -> bool:
    """Put the original of a converted stub back; return False where it is there already."""
    kept = client.get(SECRET, change.original, NAMESPACE)
    if kept is None:
        raise no_stub(change.original, "it does not exist", "Write a new stub manually. The original one is lost.")
    original = read_stub(change.original, kept)
    present = read_stub(change.secret, client.get(SECRET, change.secret, MACHINE_API))
    if present.raw == original.raw:
        return False
    _write(client, present, original.raw, {ORIGINAL_ANNOTATION: None})
    return True


def _keep(client: ClusterClient, stub: Stub, name: str) -> None:
    body = {
        "metadata": {
            "name": name,
            "namespace": NAMESPACE,
            "labels": {PART_OF_LABEL: PART_OF},
            "annotations": {"fieldops.openshift/original-of": f"{MACHINE_API}/{stub.secret}"},
        },
        "type": "Opaque",
        "data": {USER_DATA_KEY: base64.b64encode(stub.raw).decode(), SCHEMA_VERSION_KEY: _SCHEMA_VERSION},
    }
    try:
        create_in_own_namespace(client, SECRET, body)
    except ApiError as error:
        # Its name comes from its content: one of that name is the same.
        if error.status != 409:
            raise


def _write(client: ClusterClient, stub: Stub, raw: bytes, annotations: dict[str, str | None]) -> None:
    body = {
        "metadata": {"annotations": annotations},
        "data": {USER_DATA_KEY: base64.b64encode(raw).decode()},
    }
    client.patch(SECRET, stub.secret, body, MACHINE_API, resource_version=stub.resource_version)
