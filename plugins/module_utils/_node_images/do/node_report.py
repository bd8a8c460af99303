# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The bundles and their images on a node, without changing anything."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.ask_registries import unpullable
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.follow_job import running
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading.container_runtime import (
    runtime_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import (
    recorded_selection,
    staged_folder,
    staged_folders,
    staged_index,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.stage_bundle import (
    Staging,
    bundle_document,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import NotStagedError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.missing_blobs import staging_state
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.readiness import Holding, problem_of
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.runtime_images import (
    RuntimeImages,
    image_documents,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.selection import (
    select_images,
    select_staged,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.plan.mirror_files import (
    MirrorSettings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.served import lacking_images
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.settings import read_settings
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import read_index
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.vetted_digest import VettedDigest

STEP_SECONDS = 90.0


def bundles_report(host: Host, params: Mapping[str, t.Any]) -> list[dict[str, t.Any]]:
    """Return every bundle on the node, or only the one with ``index_digest``; a damaged one says what is wrong.

    ``images`` chooses some images, for which alone they must be complete; without it, the images count that the node
    was asked to hold. Each says whether the node has an image
    source, which serves all of them.
    """
    wanted = VettedDigest.parse(params["index_digest"]) if params["index_digest"] else None
    serving = read_settings(host) is not None
    found = [{**_bundle(host, folder, params["images"]), "serving": serving} for folder in staged_folders(host)]
    return [one for one in found if wanted is None or str(one["index_digest"]).startswith(str(wanted))]


def images_report(host: Host, params: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return the images of a bundle, and others by name, with whether CRI-O has and pins them.

    A node is ready that has each of them, or serves it to itself and so pulls it when it needs it. A bundle that is not
    staged here has images that are not known here: then the node is not ready either. One that is asked what it finds
    elsewhere has no copy of its own, and has to keep what it has.
    """
    deadline = Deadline(STEP_SECONDS, host.clock)
    present = runtime_images(host, deadline)
    settings = read_settings(host)
    found = _images_of_bundle(host, params, present, settings, deadline)
    documents = list(found.documents)
    known = {one["name"] for one in documents}
    for name in sorted({str(ImageReference.parse(text)) for text in params["names"]} - known):
        pinned = present.pinned.get(name)
        of_no_bundle = {"component": None, "reason": None, "media_type": None}
        documents.append({"name": name, **of_no_bundle, "present": pinned is not None, "pinned": bool(pinned)})
    lacking = [one["name"] for one in documents if not one["present"]]
    unpinned = [one["name"] for one in documents if not one["pinned"]]
    asked = params["pullable"]
    problem = problem_of(
        Holding(
            params["index_digest"],
            is_staged=found.is_staged,
            served=found.served,
            unserved=found.unserved,
            lacking=lacking,
            unpinned=unpinned,
            asked_elsewhere=bool(asked),
        )
    )
    return {
        "staged": found.is_staged,
        "staged_bundle": found.held,
        "ready": not problem,
        "problem": problem,
        "images": documents,
        "lacking": lacking,
        "unpinned": unpinned,
        "serving": settings is not None,
        "unserved": list(found.unserved),
        "pullable": bool(asked),
        "unpullable": unpullable(host, asked, deadline),
    }


@dataclass(frozen=True)
class _BundledImages:
    """Images of a bundle, and the names of those that the node serves to itself and of those that it should."""

    documents: Sequence[dict[str, t.Any]] = ()
    is_staged: bool = True
    served: frozenset[str] = frozenset()
    unserved: Sequence[str] = ()
    held: Mapping[str, t.Any] | None = None


def _images_of_bundle(
    host: Host,
    params: Mapping[str, t.Any],
    present: RuntimeImages,
    settings: MirrorSettings | None,
    deadline: Deadline,
) -> _BundledImages:
    if not params["index_digest"]:
        return _BundledImages()
    digest = Digest.parse(params["index_digest"])
    try:
        folder = staged_folder(host, digest)
        index = staged_index(folder, digest)
        chosen = select_images(index, params["images"])
    except NotStagedError:
        return _BundledImages(is_staged=False)
    documents = image_documents(index, chosen, present)
    size = sum(folder.sizes()[0].values())
    held = {"size": size, "since": timestamp(folder.filled_at())} if size else None
    if settings is None:
        return _BundledImages(documents, held=held)
    unserved = lacking_images(host, settings, chosen, deadline)
    return _BundledImages(
        documents,
        served=frozenset(one["name"] for one in documents).difference(unserved),
        unserved=unserved,
        held=held,
    )


def _bundle(host: Host, folder: BundleFolder, images: Sequence[str]) -> dict[str, t.Any]:
    unknown: dict[str, t.Any] = {
        "folder": host.as_seen_by_host(folder.path),
        "index_digest": None,
        "complete": False,
        "selection": [],
        "jobs": [],
    }
    content = folder.index_bytes()
    if content is None:
        return {**unknown, "problem": "it has no index"}
    try:
        index = read_index(content)
        unknown["index_digest"] = str(index.digest)
        selection = list(images or recorded_selection(folder))
        chosen = select_staged(index, selection)
    except FieldOpsError as error:
        return {**unknown, "problem": error.seen}
    deadline = Deadline(STEP_SECONDS, host.clock)
    jobs = [running(host, f"{work}-{index.digest.short}", deadline) for work in ("stage", "load")]
    state = staging_state(index, chosen, *folder.sizes())
    document = bundle_document(host, Staging(index, content, folder, state))
    running_jobs = [{"id": job.job_id, "sentence": job.sentence} for job in jobs if job is not None]
    return {**document, "selection": selection, "jobs": running_jobs, "problem": ""}
