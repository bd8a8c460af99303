# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How old a boot image may be: the operator's own limit by release, or one that is given."""

from __future__ import annotations

import re
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.versions import parse_generic
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

OF_THE_RELEASE = "release"
GIVEN = "given"
_OCP = re.compile(r"[0-9]+(\.[0-9]+){1,2}", re.ASCII)
_RHEL = re.compile(r"[0-9]+\.[0-9]+", re.ASCII)
_LONGEST = 20


@dataclass(frozen=True)
class SkewLimit:
    """The oldest version that is still let through: ``ocp`` for recorded releases, ``rhel`` for those of RHCOS.

    ``source`` is OF_THE_RELEASE, or GIVEN for one that a person gave, for example of the release to come.
    """

    ocp: str
    rhel: str
    source: str = OF_THE_RELEASE

    def as_data(self) -> dict[str, str]:
        """Return it as results show it."""
        return dict(vars(self))


# Source: machine-config-operator, pkg/controller/common/constants.go, OCPVersionBootImageSkewLimit and
# RHCOSVersionBootImageSkewLimit: the same on release-4.22, 4.23, 5.0, 5.1, 5.2 and main. Older ones enforce nothing.
OPERATOR_LIMIT = SkewLimit(ocp="4.13.0", rhel="9.2")


def limit_of(given: Mapping[str, t.Any] | None) -> SkewLimit:
    """Return the limit that is ``given``, its missing half and all of it by default from the operator.

    The operator knows its own release's limit only, so that of the next one has to be given. Raise InvalidInputError
    for what cannot be compared: such a limit would let everything through.
    """
    wanted = {name: value for name, value in (given or {}).items() if value}
    if not wanted:
        return OPERATOR_LIMIT
    return SkewLimit(
        ocp=_checked("ocp", wanted.get("ocp", OPERATOR_LIMIT.ocp), _OCP, "4.18.0"),
        rhel=_checked("rhel", wanted.get("rhel", OPERATOR_LIMIT.rhel), _RHEL, "9.6"),
        source=GIVEN,
    )


def _checked(name: str, value: t.Any, form: re.Pattern[str], example: str) -> str:
    text = str(value)
    if len(text) > _LONGEST or not form.fullmatch(text) or parse_generic(text) is None:
        raise InvalidInputError(
            "read the skew limit",
            on=f"skew_limit.{name}",
            seen=f"{text[:40]!r} is not a version that can be compared",
            advice=f"Use a version such as {example}, in quotes.",
        )
    return text
