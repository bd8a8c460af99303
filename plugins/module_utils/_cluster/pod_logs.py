# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The last lines that a container wrote: the one answer of the API that is text and no object."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer, answer_of_response
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.transport import READ_TIMEOUT, Transport
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.masking import Mask
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import POD

LONGEST_LINE = 500
_MOST_BYTES = 1_000_000


def read_log(client: ClusterClient, pod: str, namespace: str, container: str, *, lines: int) -> list[str]:
    """Return the last ``lines`` lines of a container, shortened and freed of the secrets of the access.

    Raise ApiError when the API does not grant it, which for a log may also be the node's kubelet.
    """
    query = (("container", container), ("tailLines", str(lines)), ("limitBytes", str(_MOST_BYTES)))
    call = Call("get", POD, pod, namespace, "log", query=query)
    transport = _TextTransport(client.access, None, client.clock)
    try:
        answer = transport.text(call)
    finally:
        transport.close()
    if isinstance(answer, Answer):
        raise ApiError(call, answer, server=client.access.server)
    return [_clean(line) for line in Mask(client.access.secrets).text(answer).splitlines()[-lines:]]


class _TextTransport(Transport):
    """A transport whose granted answers are taken as they are."""

    def text(self, call: Call) -> str | Answer:
        """Return what was answered, or the answer that stands for a refusal or an outage."""

        def read() -> str | Answer:
            response = self._exchange(call, (READ_TIMEOUT, READ_TIMEOUT))
            if not 200 <= response.status < 300:
                return answer_of_response(response.status, response.data, response.headers, secrets=self.access.secrets)
            return bytes(response.data).decode("utf-8", "replace")

        return self._guarded(read)


def _clean(line: str) -> str:
    kept = "".join(character if character.isprintable() else " " for character in line).rstrip()
    return kept if len(kept) <= LONGEST_LINE else f"{kept[:LONGEST_LINE]} ..."
