# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The error of a request that the API or the operator would not take."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class PolicyRefusedError(FieldOpsError):
    """The requested policy is not valid for MachineConfiguration. Nothing was sent. ``on`` names the field.

    Action: Correct the named option as the message states, then run this again.
    """

    kind = "policy_refused"


def refused(field: str, seen: str, advice: str) -> PolicyRefusedError:
    """Return the error for ``field``, in the words of the API, with what to do instead."""
    return PolicyRefusedError("set the policy for boot images", on=field, seen=seen, advice=advice)
