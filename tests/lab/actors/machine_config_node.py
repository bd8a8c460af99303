# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How actors write MachineConfigNodes, of which several have a share."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import with_condition
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError

if t.TYPE_CHECKING:
    from collections.abc import Iterable

    from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient

NODES = "/apis/machineconfiguration.openshift.io/v1/machineconfignodes"
CONFLICT = 409
Said = tuple[str, bool, str, str]  # a condition's type, status, reason and message


def report(client: RestClient, name: str, said: Iterable[Said], **status: t.Any) -> None:
    """Set conditions of a node, and other fields of the status; again, if somebody has written in between."""
    path = f"{NODES}/{name}/status"
    news = [*said]
    while True:
        found = client.get(path)
        conditions = found["status"]["conditions"]
        for one in news:
            conditions = with_condition(conditions, *one)
        change = {"resourceVersion": found["metadata"]["resourceVersion"]}
        try:
            client.merge(path, {"metadata": change, "status": {"conditions": conditions, **status}})
        except LabApiError as error:
            if error.status != CONFLICT:
                raise
        else:
            return
