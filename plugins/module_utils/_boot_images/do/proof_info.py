# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads which MachineSets were proved, with which template, and which proofs are in progress."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.machine_site import (
    read_resources,
    selected,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import MalformedError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    MachineResource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.note import (
    ANNOTATION,
    read_note,
    template_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.records import (
    CONFIG_MAP_NAME,
    ProofRecord,
    read_records,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.report import (
    note_data,
    record_data,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP


def read_proofs(client: ClusterClient, params: Mapping[str, t.Any]) -> list[dict[str, t.Any]]:
    """Return the proofs as the module boot_image_info does."""
    records = read_records(client.get(CONFIG_MAP, CONFIG_MAP_NAME, NAMESPACE))
    found = selected(read_resources(client, ["machinesets"]), params)
    return [_shown(one, records.get(one.name)) for one in found]


def _shown(resource: MachineResource, record: ProofRecord | None) -> dict[str, t.Any]:
    text, flaw = resource.annotations.get(ANNOTATION, ""), ""
    going: Mapping[str, t.Any] = {}
    try:
        going = note_data(read_note(text)) if text else {}
    except MalformedError as error:
        flaw = f"{error.on}: {error.seen}"
    current = record is not None and record.template == template_digest(resource.provider)
    return {
        "name": resource.name,
        "replicas": resource.replicas,
        "proved": current and record is not None and record.proved,
        "going_on": going,
        "last": record_data(record),
        "flaw": flaw,
    }
