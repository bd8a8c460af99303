# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An API server that does not let a MachineSet be changed, as a site may have it by an admission policy."""

from __future__ import annotations

import time
import typing as t
from collections.abc import Iterator
from contextlib import contextmanager

from ansible_collections.fieldops.openshift.tests.integration.boot_images.sites import MACHINE_SETS, Site
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError

Json = dict[str, t.Any]
POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/no-change"
BINDINGS = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/no-change"
SECONDS = 60.0


@contextmanager
def refusing(site: Site, name: str) -> Iterator[None]:
    """Let the server refuse to change one MachineSet."""
    site.rest.apply_all(_refusal_of(name))
    try:
        _await(site, name, refused=True)
        yield
    finally:
        site.rest.delete(POLICIES)
        site.rest.delete(BINDINGS)
        _await(site, name, refused=False)


def _refusal_of(name: str) -> list[Json]:
    """Return an admission policy that lets nobody change a MachineSet's image, as a site may have one."""
    api = "admissionregistration.k8s.io/v1"
    rule = {
        "apiGroups": ["machine.openshift.io"],
        "apiVersions": ["*"],
        "operations": ["UPDATE"],
        "resources": ["machinesets"],
    }
    same = "object.spec.template.spec.providerSpec == oldObject.spec.template.spec.providerSpec"
    validation = {"expression": f"object.metadata.name != '{name}' || {same}", "message": "the site says no"}
    spec = {"matchConstraints": {"resourceRules": [rule]}, "validations": [validation], "failurePolicy": "Fail"}
    return [
        {
            "apiVersion": api,
            "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": "no-change"},
            "spec": spec,
        },
        {
            "apiVersion": api,
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": "no-change"},
            "spec": {"policyName": "no-change", "validationActions": ["Deny"]},
        },
    ]


def _await(site: Site, name: str, *, refused: bool) -> None:
    """Wait until the server has taken the policy up, or has forgotten it."""
    deadline = time.monotonic() + SECONDS
    while _is_refused(site, name) is not refused:
        if time.monotonic() > deadline:
            raise AssertionError(f"the policy is not {'in' if refused else 'out of'} force after {SECONDS} s")
        time.sleep(0.1)


def _is_refused(site: Site, name: str) -> bool:
    value = {"spec": {"template": {"spec": {"providerSpec": {"value": {"probe": "x"}}}}}}
    try:
        site.rest.merge(f"{MACHINE_SETS}/{name}", value, dryRun="All")
    except LabApiError:
        return True
    return False
