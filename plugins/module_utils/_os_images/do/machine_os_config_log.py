# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the last lines of a failed build say, read from its pods as long as the operator leaves them in place.

Source: machine-config-operator ``pkg/controller/build/utils/helpers.go`` (GetBuildJobName), ``pkg/controller/build/
buildrequest/buildrequest.go`` (toBuildahPod: containers ``image-build`` and one that waits for its digest).
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.pod_logs import read_log
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config import (
    OPERATOR_NAMESPACE,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import POD

Object = Mapping[str, t.Any]

LINES = 40
_JOB_LABEL = "batch.kubernetes.io/job-name"


@dataclass(frozen=True)
class BuildLog:
    """The last lines of the container that failed, or in ``missing`` why there are none."""

    pod: str = ""
    container: str = ""
    lines: tuple[str, ...] = ()
    missing: str = ""

    @property
    def last_line(self) -> str:
        """The line that most often shows the cause, empty if there is none."""
        return next((line for line in reversed(self.lines) if line.strip()), "")

    def as_document(self) -> dict[str, t.Any]:
        """Return it as results show it."""
        return {"pod": self.pod, "container": self.container, "lines": list(self.lines), "missing": self.missing}


def read_build_log(client: ClusterClient, build: str) -> BuildLog:
    """Return what the newest failed pod of ``build``, a MachineOSBuild, wrote last, or why it cannot be determined."""
    try:
        pods = client.list_objects(POD, OPERATOR_NAMESPACE, labels=f"{_JOB_LABEL}=build-{build}")
        failed = [one for one in pods if (one.get("status") or {}).get("phase") == "Failed"]
        pod = max(failed or pods, key=lambda one: str(one["metadata"].get("creationTimestamp") or ""), default=None)
        if pod is None:
            return BuildLog(missing=f"no pod of job build-{build} exists any longer")
        name, container = str(pod["metadata"]["name"]), _failed_container(pod)
        lines = read_log(client, name, OPERATOR_NAMESPACE, container, lines=LINES)
        return BuildLog(name, container, tuple(lines))
    except ApiError as error:
        return BuildLog(missing=error.answer.words)


def _failed_container(pod: Object) -> str:
    status = pod.get("status") or {}
    ended = [*(status.get("initContainerStatuses") or ()), *(status.get("containerStatuses") or ())]
    for one in ended:
        if ((one.get("state") or {}).get("terminated") or {}).get("exitCode"):
            return str(one["name"])
    return str(pod["spec"]["containers"][0]["name"])
