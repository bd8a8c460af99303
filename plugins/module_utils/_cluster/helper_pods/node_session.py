# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One node as seen through its helper pod: commands run, files written and read."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.entry import (
    command_line,
    exec_words,
    receive_script,
    send_script,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.exec_channel import (
    ExecChannel,
    ExecRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.manifests import (
    CONTAINER,
    pod_name,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.pods import (
    HelperPodError,
    HelperPods,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import NODE

NO_PYTHON = (
    "\nfieldops.openshift.node_pod: this host has no Python where Ansible looked for it, so modules cannot run on it."
    "\nWithout it ansible.builtin.raw and ansible.builtin.fetch work. To run modules, install"
    "\nPython on the host, set ansible_python_interpreter to its path, or set ansible_node_pod_enter to pod with an"
    "\nimage that has Python, and host_root to /host.\n"
)

_NO_CONTAINER = ("container not found", "pod does not exist", "container is not created or running")
_NO_SUCH_FILE = 66

Given = tuple[int, "Callable[[], Iterator[bytes]]"]
"""The size of a command's standard input, and what returns its blocks from the first."""


class NodeSession:
    """Commands on ``node``, its Node object's name or its internal address, through its pod among ``pods``.

    With ``in_host`` they run in the namespaces of the host, else in those of the pod. Methods raise ApiError,
    HelperPodError, NoHelperImageError, DeadlineExceededError.
    """

    def __init__(self, client: ClusterClient, pods: HelperPods, node: str, *, in_host: bool) -> None:
        self._client = client
        self._pods = pods
        self._node = node
        self._in_host = in_host
        self._pod_uid = ""

    def open(self, deadline: Deadline) -> None:
        """Ensure that the pod runs."""
        self._node = self._node_name()
        self._pod_uid = self._pods.ensure([self._node], deadline)[self._node].uid

    def close(self) -> None:
        """Close the connections to the API."""
        self._client.close()

    def run(self, script: str, given: Given | None, deadline: Deadline) -> tuple[int, bytes, bytes]:
        """Run ``script`` by the shell and return its exit status and what it printed, both streams apart."""
        stdout, stderr = bytearray(), bytearray()
        status = self._converse(script, given, stdout.extend, stderr.extend, deadline)
        return status, bytes(stdout), bytes(stderr)

    def put(self, path: str, size: int, blocks: Callable[[], Iterator[bytes]], deadline: Deadline) -> None:
        """Make the file ``path`` of ``size`` bytes, readable for its owner, whole or not at all."""
        status, _stdout, stderr = self.run(receive_script(path, size), (size, blocks), deadline)
        if status:
            raise self._failure("write the file", path, status, stderr)

    def fetch(self, path: str, sink: Callable[[bytes], object], deadline: Deadline) -> None:
        """Hand the content of the file ``path`` to ``sink``; raises FileNotFoundError when there is none."""
        stderr = bytearray()
        status = self._converse(send_script(path), None, sink, stderr.extend, deadline)
        if status == _NO_SUCH_FILE:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        if status:
            raise self._failure("read the file", path, status, bytes(stderr))

    def _converse(
        self,
        script: str,
        given: Given | None,
        stdout: Callable[[bytes], object],
        stderr: Callable[[bytes], object],
        deadline: Deadline,
    ) -> int:
        """Run ``script``, in a new pod if the container ended without the API knowing it yet, as after a reboot."""
        size, blocks = given if given is not None else (None, lambda: iter(()))
        words = exec_words(size, in_host=self._in_host)
        request = ExecRequest(self._pods.run.namespace, pod_name(self._node), CONTAINER, words)

        def everything() -> Iterator[bytes]:
            yield command_line(script)
            yield from blocks()

        def attempt() -> int:
            with ExecChannel(self._client.access, request, deadline) as channel:
                return channel.converse(everything(), stdout, stderr, deadline)

        try:
            return attempt()
        except ApiError as error:
            if not _had_no_container(error.answer):
                raise
        self._pod_uid = self._pods.replace(self._node, self._pod_uid, deadline).uid
        return attempt()

    def _node_name(self) -> str:
        if self._client.get(NODE, self._node) is not None:
            return self._node
        for found in self._client.list_objects(NODE):
            addresses = (found.get("status") or {}).get("addresses") or []
            if any(each["address"] == self._node for each in addresses):
                return str(found["metadata"]["name"])
        return self._node

    def _failure(self, attempted: str, path: str, status: int, stderr: bytes) -> HelperPodError:
        output = stderr.decode("utf-8", "replace").strip()[-500:]
        return HelperPodError(
            attempted,
            on=f"{path} of Node {self._node}",
            seen=f"the command ended with status {status}, with the error output: {output or 'none'}",
            advice="Check the path, its directory and the free space.",
        )


def _had_no_container(answer: Answer) -> bool:
    """Return whether no command was started because the pod or its container is gone, or has just ended.

    Source: kubelet, pkg/kubelet/kubelet_pods.go (GetExec) and pkg/kubelet/server/server.go (getExec); CRI-O,
    server/container_exec.go (StreamService.Exec).
    """
    return answer.status == 404 or any(words in answer.message for words in _NO_CONTAINER)
