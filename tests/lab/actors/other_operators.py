# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The operators of a payload that have nothing to do in the lab: they report the version that the cluster goes to.

Copies what the cluster-version-operator waits for (pkg/cvo/internal/operatorstatus.go: versions and conditions of a
ClusterOperator) and the order in which it applies their Deployments (run levels in the names of manifests): an operator
reports a version only after all those of lower levels. Not copied: their work, the time it takes, and their faults;
a test that needs a fault writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

CONFIG = "/apis/config.openshift.io/v1"
GONE = 404


class OtherOperators(Actor):
    """Reports for ClusterOperators, which are given by run level and name; at all only while they ``may_report``."""

    watched = (f"{CONFIG}/clusterversions", f"{CONFIG}/clusteroperators")

    def __init__(
        self,
        client: RestClient,
        operators: Sequence[tuple[int, str]],
        may_report: Callable[[RestClient], bool] = lambda _client: True,
    ) -> None:
        super().__init__(client)
        self._operators = sorted(operators)
        self._may_report = may_report

    def step(self) -> None:
        """Let the operators of the lowest level that is behind report the version that is applied."""
        history = self.client.get(f"{CONFIG}/clusterversions/version").get("status", {}).get("history", [])
        if not history or history[0]["state"] != "Partial" or not self._may_report(self.client):
            return
        version = history[0]["version"]
        behind = [(level, name) for level, name in self._operators if self._reported(name) != version]
        for level, name in behind:
            if level == behind[0][0]:
                self._report(name, version)

    def _reported(self, name: str) -> str:
        try:
            found = self.client.get(f"{CONFIG}/clusteroperators/{name}")
        except LabApiError as error:
            if error.status == GONE:  # the version operator makes it when it comes to it
                return ""
            raise
        return version_of(found)

    def _report(self, name: str, version: str) -> None:
        change = {"versions": [{"name": "operator", "version": version}]}
        self.client.merge(f"{CONFIG}/clusteroperators/{name}/status", {"status": change})


def version_of(operator: Json) -> str:
    """Return the version that a ClusterOperator reports, nothing if it reports none."""
    versions = operator.get("status", {}).get("versions", [])
    return next((str(one["version"]) for one in versions if one["name"] == "operator"), "")
