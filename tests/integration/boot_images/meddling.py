# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Clients during whose work something else happens, as it does in a real cluster."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.tests.integration.boot_images.sites import Site


class Meddled(ClusterClient):
    """A client during whose changes of MachineSets something else happens: ``before`` is called with each name."""

    def before(self, name: str) -> None:
        """Do nothing, unless a test puts something else in its place."""

    def patch(self, kind: t.Any, name: str, *words: t.Any, **options: t.Any) -> t.Any:
        if kind.kind == "MachineSet":
            self.before(name)
        return super().patch(kind, name, *words, **options)


def meddled(site: Site, before: t.Callable[[str], None]) -> Meddled:
    client = site.client(form=Meddled)
    assert isinstance(client, Meddled)
    client.before = before  # type: ignore[assignment, method-assign]
    return client


class Killed(BaseException):
    """The end of the process."""


def killed_after(site: Site, writes: int) -> ClusterClient:
    """Return a client that ends the process after so many writes: nothing gets through any more."""
    client = site.client()
    left = [writes]
    send = client.transport.send

    def counted(call: t.Any, **options: t.Any) -> t.Any:
        if left[0] <= 0:
            raise Killed
        answer = send(call, **options)
        if call.verb in ("create", "patch") and "Review" not in call.kind.kind:
            left[0] -= 1
        return answer

    client.transport.send = counted  # type: ignore[method-assign]
    return client


def lossy(site: Site, lost: str) -> ClusterClient:
    """Return a client whose first change of a MachineSet gets no answer: it is lost on the way there, or back."""
    client = site.client()
    left = [1]
    send = client.transport.send

    def losing(call: t.Any, **options: t.Any) -> Answer:
        if call.verb != "patch" or call.kind.kind != "MachineSet" or not left[0]:
            return send(call, **options)
        left[0] -= 1
        if lost == "answer":
            send(call, **options)
        return Answer(status=None, reason="Timeout", message="no answer came", transient=True)

    client.transport.send = losing  # type: ignore[method-assign]
    return client
