# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Removes a staged bundle from a node."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.single_job import jobs_of
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import (
    remove_folder,
    staged_folder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import NotStagedError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest


def ensure_removed(host: Host, digest: Digest, *, check_mode: bool, deadline: Deadline) -> bool:
    """Remove the bundle with its jobs and return whether there was one; jobs that still run are cancelled."""
    jobs = jobs_of(host)
    if not check_mode:
        for job_id in (f"stage-{digest.short}", f"load-{digest.short}"):
            jobs.cancel(job_id, deadline=deadline)
            jobs.collect(job_id, deadline=deadline)
    try:
        folder = staged_folder(host, digest)
    except NotStagedError:
        return False
    return check_mode or remove_folder(folder)
