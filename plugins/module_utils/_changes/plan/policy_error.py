# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The error of a policy or stanza that breaks a rule: it names the field and the rule."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


class PolicyError(InvalidInputError):
    """A document about change management breaks a rule; ``on`` is the path of the field, ``advice`` the rule.

    Whoever asks whether change is permitted treats it as a restriction: nothing fails open.
    """

    kind = "invalid_policy"

    def __init__(self, field: str, seen: str, rule: str) -> None:
        super().__init__("read change management", on=field, seen=seen, advice=rule)

    def finding(self) -> dict[str, str]:
        """Return the parts as filters and modules show them."""
        return {"field": self.on, "seen": self.seen, "rule": self.advice}


def quoted(value: object) -> str:
    """Return ``value`` for a message, shortened: it comes from outside."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
