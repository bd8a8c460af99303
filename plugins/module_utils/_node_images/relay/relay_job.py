# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A relay as a job of the user who runs the play, for controllers: a laptop, or an execution environment."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_json
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.errors import RelayError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_identity import (
    RelayIdentity,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_presence import JobPresence
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_request import (
    RelayRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.serving import (
    LISTENING,
    serve_as_job,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

_LOOK_AGAIN = 0.05


class RelayJob(JobPresence):
    """Keeps the relay for one bundle as a job below the private folder ``base``."""

    def launch(self, request: RelayRequest, identity: RelayIdentity, token: str, deadline: Deadline) -> int:
        """Start the job and return its port; raises RelayError with its error if it does not start."""
        work = FunctionWork.of(
            serve_as_job,
            request=request.to_document(),
            certificate=identity.certificate,
            place=str(self.place),
        )
        secrets = {"key": identity.key, "token": token}
        self._jobs.collect(self._id, deadline=deadline)
        self._jobs.start(self._id, work, deadline=deadline, secrets=secrets, max_seconds=request.lifetime + 5.0)
        while True:
            listening = read_json(self.place / LISTENING)
            if listening is not None:
                return int(listening["port"])
            status = self._jobs.poll(self._id, deadline=deadline)
            if status is None or status.is_finished:
                raise _not_started(self._id, status)
            deadline.require(
                "start the relay",
                on=self._id,
                seen=f"it is not listening yet: {status.sentence}",
                advice="Check the load of this machine, then run this again.",
            )
            deadline.pause(_LOOK_AGAIN)

    def stop(self, deadline: Deadline) -> None:
        """End the job and remove all that is kept of it."""
        self._jobs.cancel(self._id, deadline=deadline)
        self._jobs.collect(self._id, deadline=deadline)


def _not_started(job_id: str, status: JobStatus | None) -> RelayError:
    error = dict(status.error or {}) if status is not None else {}
    return RelayError(
        "start the relay",
        on=str(error.get("on") or job_id),
        seen=str(error.get("seen") or (status.sentence if status is not None else "its job no longer exists")),
        advice=str(error.get("advice") or "Start it again."),
    )
