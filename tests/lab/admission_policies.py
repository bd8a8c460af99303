# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The validating admission policies that the machine-config operator ships, with their bindings.

Source: machine-config-operator, ``manifests/machineconfigcontroller/*validatingadmissionpolicy*.yaml``; its operator
applies them all (pkg/operator/sync.go, syncMachineConfigController).
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError, LabError
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

ROOT = "/apis/admissionregistration.k8s.io/v1"
OTHER = {
    "apiVersion": "operator.openshift.io/v1",
    "kind": "MachineConfiguration",
    "metadata": {"name": "other"},
    "spec": {},
}
DECIDED = "must be named cluster"
"""The answer to ``OTHER``, by the policy that is installed last."""
LAST = "machineconfiguration-guards-"
ENFORCED_SECONDS = 90.0
PLURALS = {
    "ValidatingAdmissionPolicy": "validatingadmissionpolicies",
    "ValidatingAdmissionPolicyBinding": "validatingadmissionpolicybindings",
}


def policy_files(operator_module: Path) -> list[Path]:
    """Return the manifests in an unpacked ``github.com/openshift/machine-config-operator`` in the order to install.

    A server takes over what it has seen so far: once it decides by the last policy it knows the others too.
    """
    found = (operator_module / "manifests/machineconfigcontroller").glob("*-validatingadmissionpolicy*.yaml")
    return sorted(found, key=lambda file: (file.name.startswith(LAST), file.name))


def install(client: RestClient, files: Iterable[Path]) -> None:
    """Apply the manifests. The API server enforces them a moment later."""
    for file in files:
        text = file.read_text()
        client.apply_text(f"{ROOT}/{PLURALS[_first(text, 'kind')]}/{_first(text, 'name')}", text.encode())


def wait_enforced(client: RestClient) -> None:
    """Wait until an API server decides on MachineConfigurations by all of its policies.

    A server that finds them in its database when it starts refuses everything at first: it looks up the kind of a
    policy's parameter every 30 seconds only (apiserver, pkg/server/options/admission.go).
    """
    deadline = time.monotonic() + ENFORCED_SECONDS
    seen = ""
    while DECIDED not in seen:
        if time.monotonic() > deadline:
            raise LabError("wait until policies are enforced", on=client.url, seen=seen, advice="See its log.")
        time.sleep(0.05)
        seen = _answer(client, OTHER)


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
