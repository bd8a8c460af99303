# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Points MachineSets and MachineDeployments of the Cluster API at clones of their templates, or back."""

from __future__ import annotations

import typing as t
from collections.abc import Sequence
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import BootImageRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.assessment import (
    Site,
    judge_cluster_api,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.change_report import FAILED
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.cluster_api import (
    CLUSTER_API_NAMESPACE,
    TEMPLATES,
    ClusterApiResource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import text_at
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.template_clones import (
    Pointing,
    clone_of,
    is_replacing,
    pointing_data,
    pointing_patch,
    pool_of,
    replaces_machines,
    reversion_of,
    update_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import Verdict, left_alone
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import RESTRICTED, Estimate, Guard


class Pointer:
    """Gives each object the template that it must have, and says what became of each.

    What replaces machines is started one at a time, while ``guard`` permits it. ``waits`` is whether canaries of the
    Machine API must be proved first.
    """

    def __init__(
        self, client: ClusterClient, site: Site, guard: Guard, *, reverting: bool = False, waits: bool = False
    ) -> None:
        self._client, self._site, self._guard = client, site, guard
        self._reverting, self._waits = reverting, waits

    def point_all(
        self, found: Sequence[ClusterApiResource], every: Sequence[ClusterApiResource]
    ) -> list[dict[str, t.Any]]:
        """Take the objects of ``found`` one after another; ``every`` has all that may replace machines just now."""
        self._replacing = next((one.name for one in every if is_replacing(one)), "")
        return [self._pointed(one) for one in found]

    def _pointed(self, one: ClusterApiResource) -> dict[str, t.Any]:
        planned = self._plan(one)
        try:
            to = _carry_out(self._client, self._site, one, planned)
        except (ApiError, BootImageRefusedError) as error:
            return pointing_data(one, replace(planned, outcome=FAILED, reason=f"{error.attempted}: {error.seen}"), "")
        if to and replaces_machines(one):
            self._replacing = one.name
        return pointing_data(one, planned, to)

    def _plan(self, one: ClusterApiResource) -> Pointing:
        site = self._site
        if self._reverting:
            planned = reversion_of(one, site.platform, site.configuration)
        else:
            planned = update_of(one, _verdict(site, one), site.platform, site.configuration)
        if planned.points and self._waits:
            return Pointing("deferred", "canary", "it is waiting for the proof of the canaries")
        if not (planned.points and replaces_machines(one)):
            return planned
        if self._replacing:
            reason = f"MachineDeployment {self._replacing} is replacing its machines: run this again after that"
            return Pointing("deferred", "replacing", reason)
        try:
            permission = self._guard.ask(pool_of(one), Estimate())
        except FieldOpsError as error:
            # What was changed before this one is part of the result nevertheless.
            return Pointing(FAILED, "guard", f"{error.attempted}: {error.seen}")
        return planned if permission.permitted else Pointing(RESTRICTED, RESTRICTED, permission.sentence)


def _verdict(site: Site, one: ClusterApiResource) -> Verdict:
    if one.machine is None:
        return left_alone("unknown_image", one.flaw)
    return judge_cluster_api(site, one.found, one.machine)


def _carry_out(client: ClusterClient, site: Site, one: ClusterApiResource, planned: Pointing) -> str:
    """Return the name of the template that the object has now; empty where it was left as it is."""
    present = one.template.partition("/")[2]
    if planned.fields:
        made = clone_of(_template(client, site, present), one.name, planned.fields)
        _create(client, site, made)
        to, before = made["metadata"]["name"], present
    elif planned.to:
        # Without its template it would make no machine at all.
        _template(client, site, planned.to)
        to, before = planned.to, None
    else:
        return ""
    kind = ObjectKind(text_at(one.found, "apiVersion"), one.kind)
    version = text_at(one.found, "metadata", "resourceVersion")
    patch = pointing_patch(to, before)
    client.patch(kind, one.name, patch, CLUSTER_API_NAMESPACE, resource_version=version)
    return str(to)


def _template(client: ClusterClient, site: Site, name: str) -> dict[str, t.Any]:
    kind = TEMPLATES[site.platform]
    found = client.get(kind, name, CLUSTER_API_NAMESPACE)
    if found is None:
        raise BootImageRefusedError(
            "find the template",
            on=f"{kind.kind} {name}",
            seen=f"{kind.kind} {name} does not exist",
            advice="Create it again, or change the reference to another one.",
        )
    return found


def _create(client: ClusterClient, site: Site, made: dict[str, t.Any]) -> None:
    """Create the clone unless a run that was killed has: its name identifies its content."""
    kind, name = TEMPLATES[site.platform], made["metadata"]["name"]
    if client.get(kind, name, CLUSTER_API_NAMESPACE) is None:
        client.create(kind, made)
