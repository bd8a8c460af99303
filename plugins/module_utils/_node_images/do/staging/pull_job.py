# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The job that lets CRI-O pull images by name: from the node's own staged bundle, or from the site's control plane."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import LONGEST
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading.container_runtime import (
    ENDPOINT,
    runtime_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading.load_progress import (
    FULL,
    ImageProgress,
    require_loaded,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.etcd_gate import (
    EtcdGate,
    etcd_gate,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.own_copy import OwnCopy
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import (
    ImageLoadError,
    NotEnoughSpaceError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter

TRIES = 3
"""How often a pull is tried: a virtual IP moves, a control-plane node reboots."""
PAUSE = 5.0
RACE = "get image fs info unable to get usage"
"""An error of crictl before it requests anything, if the storage changes while CRI-O counts its bytes."""
RACES = 20
_PULL_SECONDS = 3600.0
_PULL = ("crictl", "--runtime-endpoint", ENDPOINT, "--timeout", "1h", "pull")


def pull_images(
    *,
    host_root: str,
    staged: str | None,
    images: Mapping[str, str],
    parallel: int,
    etcd_limit: float = 0.0,
    progress: ProgressReporter,
) -> dict[str, t.Any]:
    """Let CRI-O pull those of ``images``, titles by name, that it lacks, and prove that it has all of them.

    The configuration of CRI-O contains the mirrors and the login. ``staged`` is the digest of the bundle from
    which the node serves them to itself, None where others serve them. No further image is started while flushes of the
    node's etcd take more than ``etcd_limit`` seconds. Raises ImageLoadError, ImageSourceError,
    WrongContentError, NotEnoughSpaceError, ContainerRuntimeError; what was pulled stays.
    """
    host = Host(SystemClock(), Path(host_root))
    deadline = Deadline(LONGEST, host.clock)
    lacking = runtime_images(host, deadline).lacking(images)
    copy = OwnCopy.of(host, Digest.parse(staged)) if staged else None
    if copy is not None:
        copy.require_served(lacking, deadline)
    gate = etcd_gate(host, etcd_limit, progress.report)
    puller = ImagePuller(host, deadline, ImageProgress(progress, len(images), len(lacking)), copy, gate)
    puller.pull({name: images[name] for name in lacking}, parallel)
    require_loaded(host, list(images), deadline)
    return {"images": len(lacking), "seconds": round(deadline.elapsed, 1), **gate.as_result()}


class ImagePuller:
    """Lets CRI-O pull images, one crictl for each."""

    def __init__(
        self,
        host: Host,
        deadline: Deadline,
        progress: ImageProgress,
        copy: OwnCopy | None = None,
        gate: EtcdGate | None = None,
    ) -> None:
        self._host = host
        self._deadline = deadline
        self._progress = progress
        self._copy = copy
        self._gate = gate
        self._stopped = False

    def pull(self, images: Mapping[str, str], parallel: int) -> None:
        """Pull ``images``, titles by name, at most ``parallel`` at a time; the first failure ends it."""
        with ThreadPoolExecutor(parallel) as pool:
            for done in [pool.submit(self._pull_one, name, title) for name, title in images.items()]:
                done.result()

    def _pull_one(self, name: str, title: str) -> None:
        if self._stopped:
            return
        try:
            if self._gate is not None:
                self._gate.pass_through()
            self._progress.begins(title or name)
            self._ask(name)
            self._progress.ended()
        except BaseException:
            self._stopped = True
            raise

    def _ask(self, name: str) -> None:
        failure = self._pulled(name)
        for _again in range(TRIES - 1):
            if failure is None or self._stopped or FULL in failure.stderr:
                break
            self._host.clock.sleep(PAUSE)
            failure = self._pulled(name)
        if failure is not None:
            raise self._explained(name, failure) from failure

    def _pulled(self, name: str) -> CommandError | None:
        failure = self._asked(name)
        for _again in range(RACES - 1):
            if failure is None or RACE not in failure.stderr:
                break
            failure = self._asked(name)
        return failure

    def _asked(self, name: str) -> CommandError | None:
        try:
            self._host.run([*_PULL, name], deadline=self._deadline.within(_PULL_SECONDS))
        except CommandError as error:
            return error
        return None

    def _explained(self, name: str, error: CommandError) -> FieldOpsError:
        attempted, partial = "pull the image", self._progress.partial()
        if FULL in error.stderr:
            advice = "Free space for the container storage and for /var/tmp on the node, then run it again."
            return NotEnoughSpaceError(attempted, on=name, seen=error.stderr[-600:], advice=advice, partial=partial)
        if self._copy is not None:
            self._copy.remove_damaged_of(name, partial)
            advice = (
                "Check 'journalctl --unit fieldops-image-source' on the node, then run it again. Pulled images stay."
            )
        else:
            advice = (
                "Check with fieldops.openshift.node_info on the control-plane nodes whether they serve it. If this "
                "node does not use them as a mirror, run fieldops.openshift.prepare_site. Pulled images stay."
            )
        seen = f"CRI-O failed in up to {TRIES} attempts: {error.stderr[-1000:] or 'nothing'}"
        return ImageLoadError(attempted, on=name, seen=seen, advice=advice, partial=partial)
