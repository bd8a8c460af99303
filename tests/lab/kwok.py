# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Hundreds of nodes as API objects: kwok keeps them Ready and lets pods on them look as if they ran."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.api_access import ApiAccess
from ansible_collections.fieldops.openshift.tests.lab.go import module_directory, program
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.workspace import LeashedProcess

MARK = {"kwok.x-k8s.io/node": "fake"}  # kwok's own annotation for the nodes that it may touch


STAGES = ("node/fast/node-initialize", "node/heartbeat-with-lease/node-heartbeat-with-lease")
POD_STAGES = ("pod/fast/pod-ready", "pod/fast/pod-complete", "pod/fast/pod-delete")


def start_kwok(server: ApiAccess) -> LeashedProcess:
    """Start kwok for all nodes that carry its mark, with the stages that its own project ships."""
    shipped = module_directory("sigs.k8s.io/kwok", "kwok") / "kustomize" / "stage"
    stages = server.directory / "kwok-stages.yaml"
    stages.write_text("\n---\n".join((shipped / f"{name}.yaml").read_text() for name in (*STAGES, *POD_STAGES)))
    command: list[str | Path] = [
        program("kwok"),
        f"--kubeconfig={server.kubeconfig}",
        f"--config={stages}",
        "--manage-all-nodes=false",
    ]
    command += [f"--manage-nodes-with-annotation-selector={key}={value}" for key, value in MARK.items()]
    return server.workspace.start("kwok", [*command, "--node-lease-duration-seconds=40"])


def without_host(node: Json) -> Json:
    """Return a seeded Node with kwok's mark, and without the status that kwok will write."""
    metadata = {**node["metadata"], "annotations": {**node["metadata"].get("annotations", {}), **MARK}}
    return {**{key: value for key, value in node.items() if key != "status"}, "metadata": metadata}
