# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Modules that return several subjects: each is read only where the option ``gather`` names it."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Source = t.TypeVar("Source")


def gather_option(readers: Mapping[str, t.Any]) -> ArgumentSpec:
    """Return the option ``gather``, whose default is the first of the subjects."""
    subjects = list(readers)
    option = {"type": "list", "elements": "str", "choices": subjects, "default": subjects[:1]}
    return ArgumentSpec(options={"gather": option})


def gathered(
    readers: Mapping[str, Callable[[Source, Mapping[str, t.Any]], t.Any]],
    source: Source,
    params: Mapping[str, t.Any],
) -> Result:
    """Return what the subjects that are asked for read from ``source``.

    What the first one reads are results of their own; what each other one reads is the result of its name.
    """
    main = next(iter(readers))
    found: dict[str, t.Any] = {}
    for name, read in readers.items():
        if name in params["gather"]:
            value = read(source, params)
            found.update(value if name == main else {name: value})
    return Result(objects=found)
