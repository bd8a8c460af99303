# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One step towards a node that holds all images of a bundle."""

from __future__ import annotations

import base64
import binascii
import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import (
    BundleFolder,
    verified_index,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.follow_job import (
    forget_job,
    report_failure,
    running,
    start_job,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.leftovers import (
    Leftovers,
    ReclaimOrder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading.container_runtime import (
    runtime_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.node_storage import (
    SPOOL,
    Storage,
    judge_space,
    require_space,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.reclaim import reclaim_step
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import (
    BUNDLES,
    staged_folder,
    staged_index,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.own_copy import require_source
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.pace import UNLIMITED, Pace
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.pull_job import pull_images
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import NotStagedError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.forecast import (
    Verdict,
    spool_need,
    storage_need,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.missing_blobs import staging_state
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.runtime_images import (
    RuntimeImages,
    image_documents,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.selection import select_images
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledImage,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

STEP_SECONDS = 90.0
"""How long one step may take; the work itself is a job."""


@dataclass(frozen=True)
class LoadingOrder:
    """Which images of which bundle to load, ``parallel`` of them at a time.

    With ``index``, the bytes of the bundle's index, other nodes serve them; otherwise the bundle is staged and served
    here.
    """

    digest: Digest
    images: tuple[str, ...] = ()
    parallel: int = 1
    index: bytes | None = None
    pace: Pace = UNLIMITED

    @property
    def job_id(self) -> str:
        """Return the id of the job, one for each bundle."""
        return f"load-{self.digest.short}"

    def verified(self, host: Host) -> BundleIndex:
        """Return the index of the bundle; raises NotStagedError, WrongContentError, InvalidInputError."""
        if self.index is None:
            return staged_index(staged_folder(host, self.digest), self.digest)
        return verified_index(self.index, self.digest, "the given index")

    def work(self, host: Host, chosen: Sequence[BundledImage]) -> FunctionWork:
        """Return the work of the job that pulls ``chosen``."""
        titles = {str(image.name): image.component or "" for image in chosen}
        staged = str(self.digest) if self.index is None else None
        return FunctionWork.of(
            pull_images,
            host_root=str(host.root),
            staged=staged,
            images=titles,
            parallel=self.parallel,
            etcd_limit=self.pace.etcd_limit,
        )


def load_step(host: Host, params: Mapping[str, t.Any], *, check_mode: bool) -> Step:
    """Take one step towards the state that the module's ``params`` ask for."""
    deadline = Deadline(STEP_SECONDS, host.clock)
    reclaim = ReclaimOrder.of(params["reclaim"])
    if params["state"] == "absent" and reclaim is not None:
        return reclaim_step(host, reclaim, check_mode=check_mode, deadline=deadline)
    digest = Digest.parse(params["index_digest"])
    images, parallel = tuple(params["images"]), max(1, params["parallel"])
    order = LoadingOrder(digest, images, parallel, _decoded(params["index"]), Pace.of(params))
    return ensure_loaded(
        host,
        order,
        keep_free_percent=params["keep_free_percent"],
        reclaim=reclaim,
        check_mode=check_mode,
        deadline=deadline,
    )


def ensure_loaded(
    host: Host,
    order: LoadingOrder,
    *,
    keep_free_percent: int | None = None,
    reclaim: ReclaimOrder | None = None,
    check_mode: bool,
    deadline: Deadline,
) -> Step:
    """Take one step: check that CRI-O lists every image, return the progress of the job, or start it.

    In check mode what ``reclaim`` would remove counts as gone.
    Raises NotStagedError, NotEnoughSpaceError, ContainerRuntimeError, JobFailedError and what the doors raise.
    """
    job = running(host, order.job_id, deadline)
    if job is not None:
        progress = {"id": job.job_id, "state": job.state.value, "unit": job.unit, "progress": vars(job.progress)}
        return Step(job.sentence, done=False, objects={"job": progress})
    index = order.verified(host)
    chosen = select_images(index, order.images)
    work = order.work(host, chosen)
    earlier = () if check_mode else report_failure(host, order.job_id, work, deadline)
    present = runtime_images(host, deadline)
    lacking = present.lacking(str(image.name) for image in chosen)
    if not lacking:
        ended = _complete(index, chosen, present, None if check_mode else forget_job(host, order.job_id, deadline))
        return replace(ended, warnings=earlier)
    wanted = [image for image in chosen if str(image.name) in lacking]
    leftovers = Leftovers.on(host, reclaim, index, deadline, check_mode=check_mode)
    verdicts = _require_possible(host, order, index, keep_free_percent, wanted, leftovers)
    begun = _started(len(chosen), lacking, verdicts, leftovers.objects, earlier)
    if check_mode or not start_job(host, order.job_id, work, deadline=deadline):
        return begun
    ended = _complete(index, chosen, runtime_images(host, deadline), forget_job(host, order.job_id, deadline))
    objects = {**begun.objects, **ended.objects}
    return replace(
        ended, changed=True, objects=objects, actions=begun.actions, diff=begun.diff, warnings=begun.warnings
    )


def _require_possible(
    host: Host,
    order: LoadingOrder,
    index: BundleIndex,
    keep_free_percent: int | None,
    wanted: list[BundledImage],
    leftovers: Leftovers,
) -> tuple[Verdict, ...]:
    if order.index is None:
        _require_staged(staged_folder(host, order.digest), index, wanted)
        require_source(host)
    storage = Storage.of(host)
    stored = leftovers.leaving.after(storage.read(host))
    # Names that CRI-O lacks may still be in the books of the storage while CRI-O starts; they cost nothing then.
    needs = [
        *leftovers.leaving.gains(storage.root, BUNDLES),
        storage_need(index, wanted, stored, storage.root),
        spool_need(index, wanted, stored, SPOOL, order.parallel),
    ]
    verdicts = judge_space(host, needs, keep_free_percent)
    require_space(verdicts, leftovers.staying)
    return verdicts


def _require_staged(folder: BundleFolder, index: BundleIndex, wanted: list[BundledImage]) -> None:
    state = staging_state(index, wanted, *folder.sizes())
    if not state.is_complete:
        raise NotStagedError(
            "load the images",
            on=index.folder_name,
            seen=f"{len(state.missing) + len(state.unreachable)} of their {len(state.blobs)} blobs are not staged",
            advice="Stage the bundle on this node first.",
            partial={"missing_blobs": len(state.missing), "missing_size": state.missing_size},
        )


def _decoded(text: str | None) -> bytes | None:
    if not text:
        return None
    try:
        return base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error) as error:
        raise InvalidInputError(
            "read the index of the bundle",
            on="index",
            seen=f"it is not base64: {error}",
            advice="Set the index.json of the verified bundle as ansible.builtin.slurp returns it.",
        ) from error


def _complete(index: BundleIndex, images: tuple[BundledImage, ...], present: RuntimeImages, loaded: t.Any) -> Step:
    documents = image_documents(index, images, present)
    lacking = [one["name"] for one in documents if not one["present"]]
    sentence = f"{len(documents) - len(lacking)} of {len(documents)} images are loaded"
    return Step(sentence, done=not lacking, objects={"images": documents, "lacking": lacking, "loading": loaded or {}})


def _started(
    count: int,
    lacking: tuple[str, ...],
    verdicts: tuple[Verdict, ...],
    objects: dict[str, t.Any],
    earlier: tuple[str, ...],
) -> Step:
    return Step(
        sentence=f"{count - len(lacking)} of {count} images are loaded",
        done=False,
        changed=True,
        objects={**objects, "lacking": list(lacking), "forecast": [verdict.as_document() for verdict in verdicts]},
        actions=({"action": "pull", "images": list(lacking)},),
        diff={"before": {"lacking": list(lacking)}, "after": {"lacking": []}},
        next_delay=2.0,
        warnings=(*earlier, *(one for verdict in verdicts for one in verdict.warnings)),
    )
