# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The assessment of one resource: its stream, its architecture, its image, who keeps it and who fights."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import MalformedError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.architecture_of import (
    ClusterArchitecture,
    architecture_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.cloud_images import CloudImages
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import Document, mapping_at
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.exclusions import excluded
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.fights import (
    NO_CONTEST,
    Contest,
    contest_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import (
    HistoryEntry,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    MACHINE_SET,
    MachineResource,
    resource_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.management import (
    Management,
    management_of,
    operator_handles,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.every_platform import judge
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.rhcos_release import is_newer
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.site_images import SiteImages
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.streams import Streams
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import (
    OUTDATED,
    Sources,
    Verdict,
    fault,
    left_alone,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture

_NO_ARCHITECTURE = ClusterArchitecture()
_NO_CLOUD_IMAGES = CloudImages()
_NO_SITE_IMAGES = SiteImages()


@dataclass(frozen=True)
class Site:
    """What is known of the cluster as a whole, and the input of the site.

    ``streams`` is None, and ``flaw`` says why, where the cluster does not say which images are right.
    """

    streams: Streams | None
    platform: str = ""
    version: str = ""
    flaw: str = ""
    architecture: ClusterArchitecture = _NO_ARCHITECTURE
    infrastructure: Mapping[str, t.Any] = field(default_factory=dict, repr=False)
    configuration: Mapping[str, t.Any] | None = field(default=None, repr=False)
    cloud: CloudImages = _NO_CLOUD_IMAGES
    site_images: SiteImages = _NO_SITE_IMAGES
    vouched: Mapping[str, str] = field(default_factory=dict, repr=False)
    given_architecture: Architecture | None = None
    even_if_older: bool = False

    @property
    def minor(self) -> tuple[int, int]:
        """The first two numbers of the cluster's version, zeros where it is not known."""
        parts = self.version.split(".")
        known = len(parts) > 1 and parts[0].isdecimal() and parts[1].isdecimal()
        return (int(parts[0]), int(parts[1])) if known else (0, 0)


@dataclass(frozen=True)
class Assessment:
    """One resource and what was found; ``stream`` and ``architecture`` are empty where they are not known."""

    resource: MachineResource
    verdict: Verdict
    management: Management
    stream: str = ""
    architecture: str = ""
    left_to_operator: bool = False
    contest: Contest = NO_CONTEST
    history: tuple[HistoryEntry, ...] = field(default=(), repr=False)
    cluster_version: str = ""

    def with_entry(self, entry: HistoryEntry | None) -> Assessment:
        """Return the same with one more entry of history."""
        return replace(self, history=(*self.history, entry)) if entry else self

    @property
    def may_update(self) -> bool:
        """Whether this collection would change the image."""
        return self.verdict.standing == OUTDATED and not self.left_to_operator and not self.contest.is_fight


def assess(
    resource: MachineResource, site: Site, entries: tuple[HistoryEntry, ...] = (), *, forgiving: bool = False
) -> Assessment:
    """Return the assessment of a resource; ``entries`` are its history, the oldest first. Never raises.

    When ``forgiving``, what others have overwritten so far does not count.
    """
    try:
        management = management_of(resource, site.configuration, site.platform, site.minor)
    except MalformedError as error:
        management = Management("", "", f"MachineConfiguration cluster: {error.on} is {error.seen}")
    verdict, stream, architecture = _judged(resource, site)
    verdict = verdict if site.even_if_older else _unless_newer(verdict)
    contest = NO_CONTEST if forgiving else contest_of(resource, entries)
    if contest.is_fight and verdict.standing == OUTDATED:
        reason = f"{contest.opponent} reverted this {contest.rounds} times: stop it, or let it manage the image"
        verdict = replace(verdict, code="fight", reason=reason)
    handled = operator_handles(management, resource, verdict, site.minor)
    return Assessment(resource, verdict, management, stream, architecture, handled, contest, entries, site.version)


def judge_cluster_api(site: Site, found: Document, machine: Mapping[str, t.Any]) -> Verdict:
    """Return the assessment of an object of the Cluster API whose template is ``machine`` in the Machine API."""
    metadata = mapping_at(found, "metadata")
    named = {name: metadata.get(name) for name in ("name", "labels", "annotations", "deletionTimestamp")}
    made = mapping_at(found, "spec", "template", "metadata")
    template = {"metadata": made, "spec": {"providerSpec": {"value": machine}}}
    spec = {"template": template}
    present = {name: value for name, value in named.items() if value}
    resource = resource_of({"kind": MACHINE_SET.kind, "metadata": present, "spec": spec})
    verdict = _judged(resource, site)[0]
    return verdict if site.even_if_older else _unless_newer(verdict)


def _unless_newer(verdict: Verdict) -> Verdict:
    """Return a verdict that leaves an image alone which is newer than the stream's."""
    if verdict.standing != OUTDATED or not is_newer(verdict.current.release, verdict.target.release):
        return verdict
    reason = f"it boots {verdict.current.release}, which is newer than the stream's {verdict.target.release}"
    return left_alone("newer_than_stream", reason, verdict.current)


def _judged(resource: MachineResource, site: Site) -> tuple[Verdict, str, str]:
    refused = excluded(resource, site.platform, site.minor)
    if refused:
        return refused, resource.stream_label, ""
    if site.streams is None:
        return fault("no_stream", site.flaw), resource.stream_label, ""
    stream = site.streams.of_label(resource.stream_label)
    if stream is None:
        reason = f"the cluster lists no stream {resource.stream_label[:60]!r}"
        return left_alone("unknown_stream", reason), resource.stream_label, ""
    found = architecture_of(resource, site.architecture, site.given_architecture)
    if found.architecture is None:
        say = fault if found.damaged else left_alone
        return say("unknown_architecture", found.reason), stream.name, ""
    sources = Sources(
        resource,
        resource.provider or {},
        stream,
        found.architecture,
        site.cloud,
        site.site_images,
        site.infrastructure,
        site.vouched,
    )
    try:
        verdict = judge(site.platform, sources)
    except MalformedError as error:
        verdict = fault("half_written", f"{error.on} is {error.seen}")
    return verdict, stream.name, found.architecture.release
