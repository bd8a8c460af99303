# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The validating admission policies that the machine-config operator ships, with their bindings.

Source: machine-config-operator, ``manifests/machineconfigcontroller/*validatingadmissionpolicy*.yaml``; its operator
applies them all (pkg/operator/sync.go, syncMachineConfigController).
"""

from __future__ import annotations

import re
import time
import typing as t

from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError, LabError

if t.TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

ROOT = "/apis/admissionregistration.k8s.io/v1"
UNDECIDED = "failed to configure policy"
ENFORCED_SECONDS = 90.0
PLURALS = {
    "ValidatingAdmissionPolicy": "validatingadmissionpolicies",
    "ValidatingAdmissionPolicyBinding": "validatingadmissionpolicybindings",
}


def policy_files(operator_module: Path) -> list[Path]:
    """Return the manifests in an unpacked ``github.com/openshift/machine-config-operator``, policies first."""
    return sorted((operator_module / "manifests/machineconfigcontroller").glob("*-validatingadmissionpolicy*.yaml"))


def install(client: RestClient, files: Iterable[Path]) -> None:
    """Apply the manifests. The API server enforces them a moment later."""
    for file in files:
        text = file.read_text()
        client.apply_text(f"{ROOT}/{PLURALS[_first(text, 'kind')]}/{_first(text, 'name')}", text.encode())


def wait_enforced(client: RestClient) -> None:
    """Wait until an API server that has just started decides on MachineConfigurations.

    A policy with a parameter refuses everything until the server has looked up the parameter's kind, which it does
    every 30 seconds only (kube-apiserver, pkg/controlplane/apiserver/config.go); a real cluster's is no different.
    """
    name = {"apiVersion": "operator.openshift.io/v1", "kind": "MachineConfiguration", "metadata": {"name": "cluster"}}
    deadline = time.monotonic() + ENFORCED_SECONDS
    seen = UNDECIDED
    while UNDECIDED in seen:
        if time.monotonic() > deadline:
            raise LabError("wait until policies are enforced", on=client.url, seen=seen, advice="See its log.")
        time.sleep(0.1)
        seen = _answer(client, {**name, "spec": {}})


def _answer(client: RestClient, configuration: Json) -> str:
    try:
        client.create("/apis/operator.openshift.io/v1/machineconfigurations", configuration, dryRun="All")
    except LabApiError as error:
        return str(error)
    return ""


def _first(text: str, key: str) -> str:
    """Return the first value of ``key`` in a manifest, which is that of the object itself."""
    found = re.search(rf"^ *{key}: *(.*)$", text, re.MULTILINE)
    return found.group(1).strip("\"' ") if found else ""
