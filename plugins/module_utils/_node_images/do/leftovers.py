# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What releases that the cluster has left behind still use on a node, as the node itself and the cluster report it."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.follow_job import bundle_jobs
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.known_releases import (
    known_releases,
    release_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading.container_runtime import (
    runtime_images,
    used_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.node_storage import Storage
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.pins.pin_images import read_drop_ins
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import staged_indexes
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.reclaim import (
    NOTHING_LEAVES,
    HeldBundle,
    Holdings,
    KnownRelease,
    ReclaimPlan,
    SiteReleases,
    known_together,
    plan_reclaim,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_presence import is_relaying
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest


@dataclass(frozen=True)
class ReclaimOrder:
    """What the cluster and other nodes report of its releases, and whether to remove anything.

    ``keep`` are names of images, and index digests of bundles, that are needed in any case.
    """

    site: SiteReleases
    told: tuple[tuple[Digest, KnownRelease], ...] = ()
    keep: frozenset[str] = frozenset()
    carry_out: bool = True

    @classmethod
    def of(cls, options: Mapping[str, t.Any] | None) -> ReclaimOrder | None:
        """Return what the option ``reclaim`` asks for; None where it was not given. Raises InvalidInputError."""
        if not options:
            return None
        left = tuple(release_digest(text) for text in options["left_behind"])
        told = tuple(
            (
                release_digest(one["release"]),
                KnownRelease(one["version"], {image["name"]: image["component"] or "" for image in one["images"]}),
            )
            for one in options["known"]
        )
        site = SiteReleases(release_digest(options["present"]), left)
        return cls(site, told, frozenset(options["keep"]), options["carry_out"])


@dataclass(frozen=True)
class Leftovers:
    """What may be removed: ``leaving`` counts as gone already, ``staying`` is there until it is removed."""

    leaving: ReclaimPlan = NOTHING_LEAVES
    staying: ReclaimPlan = NOTHING_LEAVES
    was_asked: bool = False

    @classmethod
    def on(
        cls, host: Host, order: ReclaimOrder | None, target: BundleIndex, deadline: Deadline, *, check_mode: bool
    ) -> Leftovers:
        """Return what a forecast on the host counts; nothing is removed by it, so that only check mode counts it."""
        if order is None:
            return cls()
        plan = plan_on(host, order, deadline, target)
        if check_mode and order.carry_out:
            return cls(leaving=plan, was_asked=True)
        return cls(staying=plan, was_asked=True)

    @property
    def objects(self) -> dict[str, t.Any]:
        """Return it as results show it."""
        plan = self.staying if self.leaving.is_empty else self.leaving
        return {"reclaim": plan.as_document()} if self.was_asked else {}


def plan_on(host: Host, order: ReclaimOrder, deadline: Deadline, target: BundleIndex | None = None) -> ReclaimPlan:
    """Return what may be removed from the host; ``target`` is a bundle that it is to get, all of which is needed.

    While a job brings a bundle it is nothing, since images of one that is not staged are not known here. Raises what
    the doors raise, such as ContainerRuntimeError: what is unknown is not removed.
    """
    job = next(bundle_jobs(host, deadline), None)
    if job is not None:
        return ReclaimPlan(problem=f"the job {job.job_id} is running")
    books = Storage.of(host).books(host)
    asked = {order.site.present, *order.site.left_behind}
    own = known_releases(host, asked, books)
    pinned = {name for name, is_pinned in runtime_images(host, deadline).pinned.items() if is_pinned}
    pinned |= {one for file in read_drop_ins(host) for one in file.pinned or ()}
    held = Holdings(
        books=books,
        bundles=tuple(_bundles(host, deadline)),
        known=known_together(own, order.told, order.site.present),
        pinned=frozenset(pinned),
        used=used_images(host, deadline),
        wanted=order.keep | (_needed_by(target) if target else frozenset()),
    )
    return plan_reclaim(order.site, held)


def _needed_by(target: BundleIndex) -> frozenset[str]:
    return frozenset({*(str(image.name) for image in target.images), *([str(target.base)] if target.base else [])})


def _bundles(host: Host, deadline: Deadline) -> Iterator[HeldBundle]:
    for folder, index in staged_indexes(host):
        if index.release.digest is not None:
            yield HeldBundle(
                folder=folder.path.name,
                index_digest=index.digest,
                release=index.release.digest,
                version=index.version,
                names=frozenset(str(image.name) for image in index.images),
                sizes=folder.sizes()[0],
                is_busy=is_relaying(host, index.digest, deadline),
            )
