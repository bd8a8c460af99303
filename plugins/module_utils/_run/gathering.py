# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Modules that return several subjects: each is read only where the option ``gather`` names it."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Iterable, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

Params = Mapping[str, t.Any]

Source = t.TypeVar("Source")


def gather_option(subjects: Iterable[str]) -> ArgumentSpec:
    """Return the option ``gather``, whose default is the first of the subjects."""
    names = list(subjects)
    option = {"type": "list", "elements": "str", "choices": names, "default": names[:1]}
    return ArgumentSpec(options={"gather": option})


def gathered(readers: Mapping[str, Callable[[Source, Params], t.Any]], source: Source, params: Params) -> Result:
    """Return what the requested subjects read from ``source``.

    What the first one reads are results of their own; what each other one reads is the result of its name.
    """
    found = by_subject(readers, source, params)
    return Result(objects={**found.pop(next(iter(readers)), {}), **found})


def by_subject(
    readers: Mapping[str, Callable[[Source, Params], t.Any]], source: Source, params: Params
) -> dict[str, t.Any]:
    """Return what each requested subject reads, under its name."""
    return {name: read(source, params) for name, read in readers.items() if name in params["gather"]}
