# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What one playbook gets of the variables of a site, and what is wrong with them."""

from __future__ import annotations

import copy
import difflib
import typing as t
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import (
    OWN,
    PREFIX,
    SiteContract,
    SiteVariable,
)
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_values import (
    ValueRefusalError,
    converted,
    is_given,
    plain,
)

STANZA, POLICIES = "change_stanza", "change_policies"
_SET_BY_PLATFORMS = ("ansible_", "awx_", "tower_")
"""What automation platforms put before their variables on the command line."""


@dataclass
class SiteSettings:
    """The values that a playbook reads, by their names without the prefix, and sentences about what is wrong.

    A variable that is wrong or missing has its default.
    """

    values: dict[str, t.Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    @property
    def guard(self) -> dict[str, t.Any]:
        """The option ``guard`` of modules, as the site's own stanza makes it."""
        stanza = self.values.get(STANZA)
        return {} if stanza is None else {"stanza": stanza, "policies": self.values[POLICIES]}


def settings_for(
    contract: SiteContract,
    playbook: str,
    names: Iterable[str],
    value_of: Callable[[str], t.Any],
    extra: Iterable[str] = (),
) -> SiteSettings:
    """Return what a playbook gets where a site has set variables of these ``names``.

    ``value_of`` returns the value of one, and raises ValueRefusalError where there is none. ``extra`` are the names of
    the variables on the command line.
    """
    found = SiteSettings()
    given = {name for name in names if name.startswith(PREFIX)}
    for variable in contract.read_by(playbook):
        _take(found, playbook, variable, given, value_of)
    own = _own(found)
    found.problems += [_unknown(name, contract) for name in sorted(given - contract.variables.keys() - own)]
    if words := contract.words.get(playbook, ()):
        others = {name for name in extra if not name.startswith((PREFIX, *_SET_BY_PLATFORMS))}
        found.problems += [_unknown_word(name, playbook, words) for name in sorted(others - {*words} - own)]
    return found


def _take(
    found: SiteSettings,
    playbook: str,
    variable: SiteVariable,
    given: set[str],
    value_of: Callable[[str], t.Any],
) -> None:
    """Take the value of one variable, or its default, or say what is wrong."""
    found.values[variable.key] = copy.deepcopy(variable.default)
    try:
        value = plain(value_of(variable.name)) if variable.name in given else None
        if is_given(value):
            found.values[variable.key] = converted(variable, value)
        elif variable.name in given and variable.key in (STANZA, POLICIES):
            # An inventory that leaves it empty means to restrict: the cluster's own stanza is no answer to that.
            found.problems.append(f"{variable.name} is set but empty. Omit it, or set a value.")
        elif playbook in variable.required_by:
            meaning = variable.meaning.partition(". ")[0].rstrip(".")
            found.problems.append(f"{playbook} needs {variable.name}: {meaning[:1].lower()}{meaning[1:]}.")
    except ValueRefusalError as error:
        found.problems.append(f"{variable.name} {error}.")


def _own(found: SiteSettings) -> set[str]:
    own: Iterable[str] = found.values.get(OWN[len(PREFIX) :], ())
    return set(own)


def _unknown(name: str, contract: SiteContract) -> str:
    return _no_variable(name, list(contract.variables))


def _unknown_word(name: str, playbook: str, words: Sequence[str]) -> str:
    return _no_variable(name, words, f" of {playbook}")


def _no_variable(name: str, known: Sequence[str], owner: str = "") -> str:
    near = difflib.get_close_matches(name.removeprefix(PREFIX), [one.removeprefix(PREFIX) for one in known], 1)
    nearest = f"; the nearest one is {PREFIX if name.startswith(PREFIX) else ''}{near[0]}" if near else ""
    return f"There is no variable {name}{owner}{nearest}. List your own variables in {OWN}."
