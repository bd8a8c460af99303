# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The errors of a proof."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class ProofRefusedError(FieldOpsError):
    """A machine must not be added to this MachineSet. Nothing was changed."""

    kind = "boot_image_proof_refused"


class ProofFailedError(FieldOpsError):
    """The machine did not become ready. The MachineSet has its former size."""

    kind = "boot_image_proof_failed"


def refused(machine_set: str, seen: str, advice: str) -> ProofRefusedError:
    """Return the error for a MachineSet that cannot be proved."""
    return ProofRefusedError("prove a boot image", on=f"MachineSet {machine_set}", seen=seen, advice=advice)


def failed(machine_set: str, reason: str, partial: Mapping[str, t.Any]) -> ProofFailedError:
    """Return the error for a machine that did not become ready."""
    return ProofFailedError(
        "prove a boot image",
        on=f"MachineSet {machine_set}",
        seen=reason,
        advice="The machine was removed. Check its console and its events in the next proof, or restore the former "
        "image with fieldops.openshift.boot_image and state reverted.",
        partial=partial,
    )
