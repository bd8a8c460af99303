# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bare metal: the release itself carries the image, unless the cluster still boots from a downloaded one.

Clusters that were installed with 4.9 or older name an image by URL in every MachineSet and in the object Provisioning;
since 4.10 machines install themselves from what the release brings, so no address of a live image has to be set: the
operator reads preProvisioningOSDownloadURLs no more. Source: machine-config-operator, pkg/operator/sync.go,
isBareMetalOnLegacyProvisioningPath; openshift-docs, modules/mco-update-boot-images-*.adoc; cluster-baremetal-operator,
provisioning/baremetal_pod.go, newMetal3InitContainers.
"""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import text_at
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import (
    FieldChange,
    field_change,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import (
    CURRENT,
    OUTDATED,
    Image,
    Sources,
    Verdict,
    left_alone,
)

METHOD = "install_coreos"
_NO_IMAGE = {"url": "", "checksum": ""}
_DELIVERED = "machines install from the image that the release contains"


def judge_bare_metal(sources: Sources) -> Verdict:
    """Return whether machines install from what the release brings, and else what moves them there, once."""
    provider = sources.provider
    method, url = text_at(provider, "customDeploy", "method"), text_at(provider, "image", "url")
    if method not in ("", METHOD):
        return left_alone("custom_deployment", f"customDeploy.method is {method[:40]!r}", Image(url))
    changes: list[FieldChange] = []
    if method != METHOD:
        changes.append(field_change(provider, ("customDeploy",), ({"method": METHOD},)))
    if url or text_at(provider, "image", "checksum"):
        changes.append(field_change(provider, ("image",), (_NO_IMAGE,)))
    if not changes:
        return Verdict(CURRENT, "delivered_by_release", _DELIVERED, Image(METHOD), Image(METHOD))
    reason = "machines should install from the image of the release, not from a downloaded image"
    last = "Then set spec.provisioningOSDownloadURL of Provisioning provisioning-configuration to an empty string."
    return Verdict(OUTDATED, "legacy_provisioning", reason, Image(url), Image(METHOD), tuple(changes), steps=(last,))
