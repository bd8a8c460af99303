# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a step says of the rollout that it belongs to."""

from __future__ import annotations

import re
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

_ID = re.compile(r"[a-z0-9]([-.a-z0-9]{0,198}[a-z0-9])?")

CLAIM_OPTION: dict[str, t.Any] = {
    "type": "dict",
    "options": {
        "id": {"type": "str", "required": True},
        "target": {"type": "str", "default": ""},
        "holder": {"type": "str", "required": True},
    },
}
"""Option ``rollout`` of the modules that take a step of a rollout."""


@dataclass(frozen=True)
class Claim:
    """One rollout as its steps name it: id, what it is for, and the identity under which the lock is held."""

    id: str
    target: str
    holder: str

    @classmethod
    def of(cls, option: Mapping[str, t.Any] | None) -> Claim | None:
        """Return the claim that option ``rollout`` makes, None without one; raise InvalidInputError."""
        return None if option is None else cls(checked_id(option["id"]), option["target"], option["holder"])


def checked_id(text: str) -> str:
    """Return ``text`` if it can be the id of a rollout, which becomes part of an object's name."""
    if not _ID.fullmatch(text):
        raise InvalidInputError(
            "use the id of a rollout",
            on=repr(text[:60]),
            seen="it contains characters that are not allowed in the name of an object",
            advice="Use lower-case letters, digits, dashes and dots, for example update-4.20.2.",
        )
    return text
