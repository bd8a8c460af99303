# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is asked of the policy, held against the API's own rules before anything is sent.

Source: openshift/api, payload-manifests/crds/0000_80_machine-config_01_machineconfigurations.crd.yaml
(x-kubernetes-validations of ``selection``, ``manual`` and the versions); k8s.io/apimachinery,
pkg/apis/meta/v1/validation (label selectors, which the definition itself does not validate).
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.managers import (
    ALL,
    CONTROL_PLANE,
    DEFAULT,
    MACHINE_SETS,
    NONE,
    PARTIAL,
    entry,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import (
    Object,
    SkewStanza,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.policy_error import refused
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.selectors import (
    check_selector,
)

AUTOMATIC, MANUAL = "Automatic", "Manual"
OCP_VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+", re.ASCII)
RHCOS_VERSION = re.compile(r"[0-9]+\.[0-9]+\.([0-9]{8}|[0-9]{12})-[0-9]+", re.ASCII)

POLICY_OPTIONS: Mapping[str, Mapping[str, t.Any]] = {
    "machine_sets": {
        "type": "dict",
        "options": {
            "mode": {"type": "str", "choices": [ALL, PARTIAL, NONE, DEFAULT], "required": True},
            "selector": {"type": "dict"},
        },
    },
    "control_plane_machine_sets": {"type": "str", "choices": [ALL, NONE, DEFAULT]},
    "skew_enforcement": {
        "type": "dict",
        "options": {
            "mode": {"type": "str", "choices": [MANUAL, NONE, AUTOMATIC, DEFAULT], "required": True},
            "ocp_version": {"type": "str"},
            "rhcos_version": {"type": "str"},
        },
    },
    "admin_acks": {"type": "list", "elements": "str"},
    "take_over": {"type": "bool", "default": False},
}


@dataclass(frozen=True)
class Request:
    """What must be: managers by resource (None: the platform's default), and skew enforcement.

    ``skew_mode`` is empty where nothing is requested; ``skew`` is the stanza for MANUAL and NONE, None for AUTOMATIC
    and DEFAULT, which have none.
    """

    managers: Mapping[str, Object | None] = field(default_factory=dict)
    skew_mode: str = ""
    skew: SkewStanza | None = None
    acks: Sequence[str] = ()


def request_of(params: Mapping[str, t.Any]) -> Request:
    """Return what a module's arguments ask for; raise PolicyRefusedError where the API would refuse it."""
    managers: dict[str, Object | None] = {}
    machine_sets = params.get("machine_sets")
    if machine_sets:
        managers[MACHINE_SETS] = _machine_sets(machine_sets["mode"], machine_sets.get("selector"))
    control_plane = params.get("control_plane_machine_sets")
    if control_plane:
        managers[CONTROL_PLANE] = None if control_plane == DEFAULT else entry(CONTROL_PLANE, control_plane)
    skew = params.get("skew_enforcement")
    stanza = _stanza(skew["mode"], skew.get("ocp_version"), skew.get("rhcos_version")) if skew else None
    return Request(managers, skew["mode"] if skew else "", stanza, tuple(params.get("admin_acks") or ()))


def _machine_sets(mode: str, selector: Object | None) -> Object | None:
    if (mode == PARTIAL) != (selector is not None):
        raise refused(
            "machine_sets.selector",
            "Partial is required when type is partial, and forbidden otherwise",
            "Set selector with mode Partial, and with no other mode.",
        )
    if selector is not None:
        check_selector("machine_sets.selector", selector)
    return None if mode == DEFAULT else entry(MACHINE_SETS, mode, selector)


def _stanza(mode: str, ocp: str | None, rhcos: str | None) -> SkewStanza | None:
    if mode != MANUAL:
        if ocp or rhcos:
            raise refused(
                "skew_enforcement",
                "manual is required when mode is Manual, and forbidden otherwise",
                f"Omit ocp_version and rhcos_version with mode {mode}.",
            )
        return SkewStanza(mode) if mode == NONE else None
    if bool(ocp) == bool(rhcos):
        raise refused(
            "skew_enforcement",
            "ocpVersion is required when mode is OCPVersion, rhcosVersion when mode is RHCOSVersion, and each is "
            "forbidden otherwise",
            "With mode Manual set exactly one of ocp_version and rhcos_version: that of the oldest boot image in use.",
        )
    _check_version("ocp_version", ocp, OCP_VERSION, (5, 10), "the OCP semver compatible format of x.y.z")
    _check_version(
        "rhcos_version",
        rhcos,
        RHCOS_VERSION,
        (14, 21),
        "format [major].[minor].[datestamp(YYYYMMDD)]-[buildnumber] or legacy format "
        "[major].[minor].[timestamp(YYYYMMDDHHmm)]-[buildnumber]",
    )
    return SkewStanza(MANUAL, ocp or "", rhcos or "")


def _check_version(name: str, text: str | None, form: re.Pattern[str], length: tuple[int, int], words: str) -> None:
    if not text:
        return
    if not form.fullmatch(text):
        advice = "Set the release without -rc, -ec or build." if name == "ocp_version" else "Copy it from the stream."
        raise refused(f"skew_enforcement.{name}", f"{text[:60]!r}: it must match {words}", advice)
    if not length[0] <= len(text) <= length[1]:
        seen = f"{text[:60]!r}: it must have {length[0]} to {length[1]} characters"
        raise refused(f"skew_enforcement.{name}", seen, "The API accepts no other length.")
