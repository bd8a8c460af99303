# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""vSphere: the name of a template, which a person imports into vCenter from the stream's OVA.

The operator exchanges the template behind the name instead, for all its users at once and without a rollback; here the
new template has a name of its own. Source: machine-config-operator, pkg/controller/bootimage/vsphere_helpers.go.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import MalformedError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import (
    list_at,
    mapping_at,
    text_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.named_image import (
    NamedImage,
    judge_named,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import Sources, Verdict

_STEPS = (
    "Import the OVA into the datacenter, the datastore and the folder of the workspace, for each failure domain, under"
    " a new name of at most 80 characters; disable secure boot if the template has it enabled.",
    "Mark it as a template. The role update_boot_images does both for a file in a bundle.",
)


def workspace_of(provider: Mapping[str, t.Any] | None) -> dict[str, str] | None:
    """Return where the machines of a specification and their template are, None for one without a readable place."""
    try:
        place = mapping_at(provider, "workspace")
        devices = list_at(provider, "network", "devices")
        found = {name: text_at(place, name) for name in ("server", "datacenter", "datastore", "folder")}
        found["resource_pool"] = text_at(place, "resourcePool")
        found["network"] = text_at(devices[0], "networkName") if devices else ""
    except MalformedError:
        return None
    return found if place else None


def judge_vsphere(sources: Sources) -> Verdict:
    """Return the verdict on ``template``; an old one stays for a rollback."""
    provider = sources.provider
    image = NamedImage("template", text_at(provider, "template"), "vSphere", _STEPS)
    artifact = sources.stream.artifact(sources.architecture, "vmware", "ova")
    return judge_named(sources, image, artifact)
